// A method that lives in the tests alone: it shows that one can be added without a line changed in
// src/.
#pragma once

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
