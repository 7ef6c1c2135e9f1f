#include "problem/problem.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>

#include <rankine/error.hpp>
#include <rankine/fields.hpp>
#include <rankine/missing.hpp>

#include "compute/registry.hpp"
#include "losses/pairs/pair_loss.hpp"
#include "models/model_columns.hpp"

namespace rankine {
namespace {

[[noreturn]] void throw_no_pairs(const Dataset& input, PairGraph graph) {
  const std::string why = graph == PairGraph::none ? "no document has a positive weight"
                          : input.has_preferences  ? "no preference has a positive weight"
                          : graph == PairGraph::all
                              ? "no query has two documents, or the weights are 0"
                              : "in every query all grades are equal, or the weights are 0";
  throw Error(ErrorKind::data, input.source + ": nothing to learn from: " + why);
}

/// Refuses options that differ from their defaults.
template <class Options>
void refuse_changed(const Options& options, const std::string& loss) {
  const Options defaults{};
  for_each_field<Options>([&](const auto& field) {
    if (options.*field.member == defaults.*field.member) return;
    throw Error(ErrorKind::option, std::string(field.name) + " = '" +
                                       fields_detail::value_text(options.*field.member) +
                                       "' has no effect on the loss '" + loss +
                                       "', which is your own");
  });
}

/// Whether column `a` of one scaling is scaled as column `b` of the other is.
bool scales_alike(const FeatureScaling& one, std::size_t a, const FeatureScaling& other,
                  std::size_t b) {
  if (one.kind != other.kind || one.keeps_zeros != other.keeps_zeros) return false;
  const auto same_entry = [&](const std::vector<double>& x, const std::vector<double>& y) {
    return x.empty() || x[a] == y[b];
  };
  if (!same_entry(one.shift, other.shift) || !same_entry(one.factor, other.factor)) return false;
  if (one.knot_offsets.empty()) return true;
  const auto of_column = [](const FeatureScaling& scaling, std::size_t column) {
    const auto first = static_cast<std::size_t>(scaling.knot_offsets[column]);
    const auto count = static_cast<std::size_t>(scaling.knot_offsets[column + 1]) - first;
    return std::pair(std::span(scaling.knots).subspan(first, count),
                     std::span(scaling.levels).subspan(first, count));
  };
  const auto [knots, levels] = of_column(one, a);
  const auto [other_knots, other_levels] = of_column(other, b);
  return std::ranges::equal(knots, other_knots) && std::ranges::equal(levels, other_levels);
}

/// The weights of a linear model, wherever its features stand in the data; those that it does not
/// know start at 0.
std::vector<double> start_by_name(const Model& model, const Dataset& data,
                                  const FeatureScaling& scaling) {
  const auto columns = columns_by_name(model, data.feature_names, data.source);
  const std::vector<double>& weights = model.function.as<LinearFunction>().weights;
  bool alike = true;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    alike = alike && scales_alike(model.scaling, k, scaling, static_cast<std::size_t>(columns[k]));
  }
  const std::vector<double> from = alike ? weights : model.raw_weights();
  std::vector<double> start(static_cast<std::size_t>(data.num_features()));
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const auto column = static_cast<std::size_t>(columns[k]);
    const double factor = alike || scaling.factor.empty() ? 1 : scaling.factor[column];
    start[column] = factor == 0 ? 0 : from[k] / factor;
  }
  return start;
}

}  // namespace

Needs pairwise_needs(const TrainOptions& options, Normalisation normalisation) {
  Needs needs;
  needs.normalisation = normalisation;
  if (options.loss == nullptr) return needs;
  const LossNeeds own = options.loss->needs();
  needs.ignores_shifts = own.ignores_shifts;
  if (own.queries == LossNeeds::Queries::all) needs.graph = PairGraph::none;
  return needs;
}

void check_own_loss(const TrainOptions& options, const PairLossOptions& pair_loss) {
  if (options.loss != nullptr) refuse_changed(pair_loss, std::string(options.loss->name()));
}

Problem::Problem(const Dataset& input, const TrainOptions& options, const Needs& needs,
                 TrainReport& report, TrainingCache* cache)
    : input_(input),
      options_(options),
      report_(report),
      backend_(find_backend(options.device)),
      data_(input, options, needs.ignores_shifts, report, cache),
      table_(data_.seen(), needs.normalisation, options.threads, needs.graph) {
  if (options.loss != nullptr && input.has_preferences) {
    const LossNeeds own = options.loss->needs();
    if (!own.takes_preferences || own.queries == LossNeeds::Queries::all) {
      throw Error(ErrorKind::option, "loss '" + std::string(options.loss->name()) +
                                         "' reads grades, and " + input.source +
                                         " has explicit preferences");
    }
  }
  if (table_.queries().empty()) throw_no_pairs(input, needs.graph);
  add_data_warnings({.source = input.source, .num_queries = input.num_queries()},
                    static_cast<std::int64_t>(table_.queries().size()), input.num_missing,
                    options.missing, report);
}

std::shared_ptr<const QueryLoss> Problem::pair_loss(const PairLossOptions& options) const {
  if (options_.loss != nullptr) return {options_.loss, [](const QueryLoss*) {}};
  return make_pair_loss(options, data_.seen());
}

std::unique_ptr<LossEvaluator> Problem::evaluator(const QueryLoss& loss) const {
  return backend_.loss_evaluator(data_.rows(), data_.seen().num_documents(), table_, loss,
                                 options_.threads);
}

std::vector<double> Problem::start_weights() const {
  const auto width = static_cast<std::size_t>(data_.rows().num_columns());
  if (options_.warm_start == nullptr) return std::vector<double>(width);
  const Model& model = *options_.warm_start;
  if (options_.map.kernel != Kernel::linear || options_.map.approximation != Approximation::none ||
      !model.is_linear()) {
    throw Error(ErrorKind::option, "warm_start is for linear models");
  }
  const FeatureScaling& scaling = data_.scaling();
  if (matches_by_name(model, data_.seen().feature_names)) {
    return start_by_name(model, data_.seen(), scaling);
  }
  if (model.num_features() != static_cast<std::int64_t>(width)) {
    throw Error(ErrorKind::option, "warm_start: the model has " +
                                       std::to_string(model.num_features()) +
                                       " features and the training data " + std::to_string(width));
  }
  if (model.scaling == scaling) return model.function.as<LinearFunction>().weights;
  std::vector<double> weights = model.raw_weights();
  for (std::size_t f = 0; f < scaling.factor.size(); ++f) {
    weights[f] = scaling.factor[f] == 0 ? 0 : weights[f] / scaling.factor[f];
  }
  return weights;
}

void add_data_warnings(const TrainingData& data, std::int64_t num_used_queries,
                       std::int64_t num_missing, Missing missing, TrainReport& report) {
  if (const auto left_out = data.num_queries - num_used_queries; left_out > 0) {
    report.warnings.push_back(std::to_string(left_out) + " of " + std::to_string(data.num_queries) +
                              " queries have no pairs and were left out");
  }
  auto warning = missing_warning(data.source, num_missing, missing);
  if (!warning.empty()) report.warnings.push_back(std::move(warning));
}

}  // namespace rankine
