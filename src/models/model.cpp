// Scoring with one model, declared in include/rankine/model.hpp.
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <rankine/error.hpp>
#include <rankine/model.hpp>

#include "base/interruption.hpp"
#include "models/kinds/registry.hpp"
#include "models/score_together.hpp"

namespace rankine {

std::vector<double> Model::raw_weights() const {
  if (!is_linear()) {
    throw Error(ErrorKind::option, "a model of kind '" + std::string(function.kind()) +
                                       "' has no weights of features");
  }
  if (!is_affine(scaling.kind)) {
    throw Error(ErrorKind::option, "scaling = '" + std::string(name_of(scaling.kind)) +
                                       "' has no weights for unscaled features");
  }
  std::vector<double> weights = function.as<LinearFunction>().weights;
  if (scaling.kind == Scaling::none) return weights;
  for (std::size_t f = 0; f < weights.size(); ++f) weights[f] *= scaling.factor[f];
  return weights;
}

FunctionDescription Model::describe() const {
  return kind_of(function).describe(function);
}

std::vector<double> Model::score(const Dataset& documents, int threads,
                                 const Progress& progress) const {
  if (progress) {
    try {
      const InterruptionScope scope([&] {
        return !progress({"scoring", 0, documents.num_documents(), "documents"});
      });
      return score(documents, threads);
    } catch (const Interrupted&) {
      throw Error(ErrorKind::interrupted, documents.source + ": scoring was ended by its caller");
    }
  }
  const Model* const alone = this;
  return std::move(score_together({&alone, 1}, documents, threads).front());
}

}  // namespace rankine
