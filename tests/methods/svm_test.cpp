#include "methods/svm.hpp"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

#include "methods/registry.hpp"
#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

Dataset some_data() {
  std::mt19937_64 random(3);
  return oracles::random_dataset(random, {.queries = 30, .features = 5});
}

std::vector<Solution> solve(const TrainOptions& options, std::vector<double> values,
                            const Progress& progress = {}) {
  const Dataset data = some_data();
  const auto method = make_method(options.method);
  TrainReport report;
  const Problem problem(data, options, method->needs(options), report, nullptr);
  SolveContext context(options.time_limit, progress);
  return method->solve(problem, values, context);
}

TEST(SvmMethod, gives_one_solution_a_value_and_less_loss_for_a_larger_C) {
  for (const Loss loss : {Loss::squared_hinge, Loss::hinge}) {
    const auto solutions =
        solve({.method = SvmOptions{.pair_loss = {.loss = loss}}}, {0.01, 0.1, 1});
    ASSERT_EQ(solutions.size(), 3U);
    EXPECT_LT(solutions[0].report.objective, solutions[2].report.objective);
    EXPECT_LT(solutions[0].report.objective / 0.01, 100 * solutions[2].report.objective);
  }
}

TEST(SvmMethod, stopped_on_a_path_gives_those_so_far) {
  int asked = 0;
  const Progress progress = [&](const ProgressEvent&) { return ++asked < 4; };
  const auto solutions = solve({.method = SvmOptions{.pair_loss = {.loss = Loss::hinge}}},
                               {0.01, 0.1, 1, 10, 100}, progress);
  EXPECT_GE(solutions.size(), 1U);
  EXPECT_LT(solutions.size(), 5U);
}

TEST(SvmMethod, knows_nothing_of_shifts_under_a_loss_of_the_users_own) {
  class Own final : public QueryLoss {
   public:
    std::string_view name() const override { return "own"; }
    double gradient(const QueryDocuments&, const QueryPoint&, std::span<double>) const override {
      return 0;
    }
    void hessian_times(const QueryDocuments&, const QueryPoint&, std::span<const double>,
                       std::span<double>) const override {}
  };
  const Own own;
  TrainOptions options;
  EXPECT_TRUE(make_method(options.method)->needs(options).ignores_shifts);
  options.loss = &own;
  EXPECT_FALSE(make_method(options.method)->needs(options).ignores_shifts);
}

TEST(SvmMethod, stops_the_hinge_where_cuts_make_no_progress_and_says_so) {
  // Grades that the features tell nothing of: no weights rank well, and C leaves none out.
  std::uint32_t state = 2;
  const auto draw = [&] {
    state = (state * 1103515245U + 12345U) % 0x80000000U;
    return state >> 16;
  };
  std::vector<float> values;
  std::vector<double> grades;
  for (int doc = 0; doc < 60; ++doc) {
    for (int f = 0; f < 5; ++f) {
      values.push_back((static_cast<float>(draw() % 2001) - 1000) / 500);
    }
    grades.push_back(static_cast<double>(draw() % 3));
  }
  Dataset data;
  data.source = "d.txt";
  data.features = DenseMatrix{60, 5, values};
  data.grades = grades;
  data.query_offsets = std::vector<std::int64_t>{0, 10, 20, 30, 40, 50, 60};
  SvmOptions svm{.C = 1e12};
  svm.pair_loss.loss = Loss::hinge;
  svm.cutting_plane.tolerance = 1e-13;  // below rounding
  const TrainResult result = train(data, {.method = svm});
  EXPECT_EQ(result.report.termination, Termination::no_progress);
  EXPECT_LT(result.report.iterations, 2000);
  EXPECT_LE(result.report.gap, 0.05 * result.report.objective);
}

}  // namespace
}  // namespace rankine
