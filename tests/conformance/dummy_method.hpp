// A method that lives in the tests alone: it shows that one can be added without a line changed in
// src/.
#pragma once

#include <array>
#include <memory>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <rankine/fields.hpp>
#include <rankine/method.hpp>

#include "methods/registry.hpp"

namespace rankine::conformance {

struct DummyOptions {
  static constexpr std::string_view kMethod = "dummy";
  static constexpr std::string_view kTitle = "Difference of means";

  Candidates strength = 1;
  int sign = 1;
};
constexpr auto fields(const DummyOptions&) {
  using O = DummyOptions;
  return std::tuple{Field{"strength", &O::strength, Range<double>{0, 1e9}, "length of the weights"},
                    Field{"sign", &O::sign, Range<int>{-1, 1}, "of the weights"}};
}

/// Takes three passes over a stream: the difference of the means of relevant and other documents is
/// found in the last.
class DummyStream final : public StreamSolver {
 public:
  explicit DummyStream(std::int64_t num_features)
      : sums_{std::vector<double>(static_cast<std::size_t>(num_features)),
              std::vector<double>(static_cast<std::size_t>(num_features))} {}

  void add(const Dataset& queries) override {
    ++num_batches_;
    if (pass_ == 0) num_queries_ += queries.num_queries();
    if (pass_ < 2) return;
    const auto& rows = std::get<DenseMatrix>(queries.features);
    for (std::int64_t doc = 0; doc < rows.num_rows; ++doc) {
      const std::size_t side = queries.grades[static_cast<std::size_t>(doc)] > 0 ? 1 : 0;
      ++counts_[side];
      const auto row = rows.row(doc);
      for (std::size_t f = 0; f < row.size(); ++f) sums_[side][f] += row[f];
    }
  }
  bool end_pass() override { return ++pass_ < 3; }
  std::int64_t num_used_queries() const override { return num_queries_; }
  double num_pairs() const override { return counts_[0] * counts_[1]; }
  std::vector<Solution> finish(std::span<const double> values, const ColumnScale&,
                               std::span<const std::int64_t>) override {
    std::vector<Solution> solutions(values.size());
    for (std::size_t k = 0; k < values.size(); ++k) {
      std::vector<double> weights;
      for (std::size_t f = 0; f < sums_[0].size(); ++f) {
        weights.push_back(values[k] * (sums_[1][f] / counts_[1] - sums_[0][f] / counts_[0]));
      }
      solutions[k].function = LinearFunction{std::move(weights)};
      solutions[k].report.products = num_batches_;
    }
    return solutions;
  }

 private:
  std::array<std::vector<double>, 2> sums_;
  std::array<double, 2> counts_{};
  std::int64_t num_queries_ = 0;
  std::int64_t num_batches_ = 0;
  int pass_ = 0;
};

/// Weights: a gradient step from 0 on the squared hinge, of length `strength`.
class DummyMethod final : public Method {
 public:
  explicit DummyMethod(DummyOptions options) : options_(std::move(options)) {}

  void check(const TrainOptions& options) const override {
    if (is_exact_kernel(options.map)) {
      throw Error(ErrorKind::option, "method = 'dummy': choose an approximation");
    }
  }
  Needs needs(const TrainOptions&) const override { return {}; }
  std::unique_ptr<StreamSolver> stream(const TrainOptions&,
                                       std::int64_t num_features) const override {
    return std::make_unique<DummyStream>(num_features);
  }
  std::vector<Solution> solve(const Problem& problem, std::span<const double> values,
                              SolveContext& context) const override {
    const auto loss = problem.pair_loss({});
    return context.solving(problem.report().seconds_solving, [&] {
      std::vector<Solution> solutions;
      for (const double value : values) {
        if (context.stop_request()({}) && solutions.empty()) throw Interrupted();
        if (context.is_stopped()) break;
        solutions.push_back(step(problem, *loss, value));
      }
      return solutions;
    });
  }

 private:
  Solution step(const Problem& problem, const QueryLoss& loss, double strength) const {
    const auto evaluator = problem.evaluator(loss);
    const auto width = static_cast<std::size_t>(evaluator->num_weights());
    const auto point = evaluator->at(std::vector<double>(width));
    std::vector<double> gradient(point->gradient);
    Solution solution;
    solution.report.objective = point->value;
    solution.report.gap = std::numeric_limits<double>::infinity();
    for (double& entry : gradient) entry *= -strength * options_.sign;
    solution.function = problem.data().function(std::move(gradient));
    return solution;
  }

  DummyOptions options_;
};

/// Registers it once in this program.
inline bool register_dummy_method() {
  static const bool once = [] {
    register_method(method_entry<DummyOptions, DummyMethod>("a step along the gradient"));
    return true;
  }();
  return once;
}

}  // namespace rankine::conformance
