#include "models/score_together.hpp"

#include "models/kinds/registry.hpp"
#include "models/kinds/weighted_terms.hpp"

namespace rankine {
namespace {

bool see_the_same_rows(const Model& a, const Model& b) {
  return a.function.kind() == b.function.kind() && a.num_features() == b.num_features() &&
         a.columns == b.columns && a.scaling == b.scaling && a.feature_names == b.feature_names;
}

}  // namespace

FeatureMatrix scaled_rows(const Model& model, const Dataset& documents, int threads) {
  return ModelRows(model, documents, threads).scaled();
}

std::vector<std::vector<double>> score_together(std::span<const Model* const> models,
                                                const Dataset& documents, int threads,
                                                KernelProductCache* kept) {
  return scores_by_group(models, see_the_same_rows, [&](std::span<const Model* const> group) {
    const Model& first = *group.front();
    std::vector<const ScoringFunction*> functions;
    for (const Model* model : group) functions.push_back(&model->function);
    return kind_of(first.function).scores(functions, ModelRows(first, documents, threads, kept));
  });
}

}  // namespace rankine
