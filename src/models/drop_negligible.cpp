// Declared in include/rankine/model.hpp.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <rankine/error.hpp>
#include <rankine/model.hpp>

#include "models/kinds/registry.hpp"

namespace rankine {
namespace {

std::vector<std::int64_t> worth_keeping(const std::vector<double>& weights, double share) {
  double largest = 0;
  for (const double weight : weights) largest = std::max(largest, std::abs(weight));
  std::vector<std::int64_t> kept;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (weights[k] != 0 && std::abs(weights[k]) >= share * largest) {
      kept.push_back(static_cast<std::int64_t>(k));
    }
  }
  return kept;
}

/// The report of the whole model no longer holds: objective and gap if a component with weight was
/// dropped, rank in any case.
void correct_report(Model& smaller, const std::vector<double>& weights,
                    const std::vector<std::int64_t>& kept, double share) {
  const auto counted =
      std::count_if(weights.begin(), weights.end(), [](double w) { return w != 0; });
  const auto num_kept = static_cast<std::int64_t>(kept.size());
  if (num_kept < counted) {
    smaller.report.objective = std::numeric_limits<double>::quiet_NaN();
    smaller.report.gap = std::numeric_limits<double>::infinity();
  }
  smaller.report.map.rank = std::min(smaller.report.map.rank, num_kept);
  std::erase_if(smaller.options,
                [](const auto& option) { return option.first == "drop_negligible"; });
  smaller.options.emplace_back("drop_negligible", real_text(share));
}

}  // namespace

Model drop_negligible(const Model& model, double share) {
  if (!(share >= 0 && share <= 1)) {
    throw_out_of_range("drop_negligible", real_text(share), "in [0, 1]");
  }
  const std::vector<double>* const weights = model.function.weights();
  const auto kept =
      weights == nullptr ? std::vector<std::int64_t>() : worth_keeping(*weights, share);
  auto fewer = kind_of(model.function).with_terms(model.function, kept);
  if (!fewer) {
    throw Error(ErrorKind::option,
                "drop_negligible is for models with landmarks or random features");
  }
  Model smaller = model;
  correct_report(smaller, *weights, kept, share);
  smaller.function = std::move(*fewer);
  return smaller;
}

}  // namespace rankine
