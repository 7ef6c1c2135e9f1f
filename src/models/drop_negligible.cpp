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

#include "features/kernel.hpp"

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

template <class T>
std::vector<T> at(const std::vector<T>& values, const std::vector<std::int64_t>& indices) {
  std::vector<T> chosen;
  for (const std::int64_t index : indices)
    chosen.push_back(values[static_cast<std::size_t>(index)]);
  return chosen;
}

/// What the report says of the whole model holds no more: its objective and gap where something
/// counted is gone, its rank in any case.
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
  Model smaller = model;
  if (auto* kernel = std::get_if<KernelFunction>(&smaller.function)) {
    const auto kept = worth_keeping(kernel->weights, share);
    kernel->landmarks = take_rows(kernel->landmarks, kept);
    correct_report(smaller, kernel->weights, kept, share);
    kernel->weights = at(kernel->weights, kept);
  } else if (auto* random = std::get_if<RandomFunction>(&smaller.function)) {
    const auto kept = worth_keeping(random->weights, share);
    random->frequencies = std::get<DenseMatrix>(take_rows(random->frequencies, kept));
    random->phases = at(random->phases, kept);
    correct_report(smaller, random->weights, kept, share);
    random->weights = at(random->weights, kept);
  } else {
    throw Error(ErrorKind::option,
                "drop_negligible is for models with landmarks or random features");
  }
  return smaller;
}

}  // namespace rankine
