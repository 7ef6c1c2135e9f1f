#include "problem/problem.hpp"

#include <string>

#include <rankine/error.hpp>
#include <rankine/missing.hpp>

#include "losses/pair_loss.hpp"

namespace rankine {
namespace {

[[noreturn]] void throw_no_pairs(const Dataset& input, PairGraph graph) {
  const std::string why = input.has_preferences ? "no preference has a positive weight"
                          : graph == PairGraph::all
                              ? "no query has two documents, or the weights are 0"
                              : "in every query all grades are equal, or the weights are 0";
  throw Error(ErrorKind::data, input.source + ": nothing to learn from: " + why);
}

}  // namespace

Problem::Problem(const Dataset& input, const TrainOptions& options, const Needs& needs,
                 TrainReport& report, TrainingCache* cache)
    : input_(input),
      options_(options),
      report_(report),
      data_(input, options, needs.ignores_shifts, report, cache),
      table_(data_.seen(), needs.normalisation, options.threads, needs.graph) {
  if (table_.queries().empty()) throw_no_pairs(input, needs.graph);
  add_data_warnings({.source = input.source, .num_queries = input.num_queries()},
                    static_cast<std::int64_t>(table_.queries().size()), input.num_missing,
                    options.missing, report);
}

std::shared_ptr<const QueryLoss> Problem::pair_loss(const PairLossOptions& options) const {
  if (options_.loss != nullptr) return {options_.loss, [](const QueryLoss*) {}};
  return make_pair_loss(options, data_.seen());
}

std::unique_ptr<QuerySweep> Problem::evaluator(const QueryLoss& loss) const {
  return std::make_unique<QuerySweep>(data_.rows(), data_.seen().num_documents(), table_, loss,
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
  if (model.num_features() != static_cast<std::int64_t>(width)) {
    throw Error(ErrorKind::option, "warm_start: the model has " +
                                       std::to_string(model.num_features()) +
                                       " features and the training data " + std::to_string(width));
  }
  if (model.scaling == scaling) return std::get<LinearFunction>(model.function).weights;
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
