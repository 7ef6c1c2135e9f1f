#include "models/kinds/kernel_kind.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

#include "features/kernel.hpp"
#include "features/random_rows.hpp"
#include "oracles/function_scores.hpp"

namespace rankine {
namespace {

KernelFunction some_function() {
  return {{.kind = Kernel::rbf, .gamma = 0.2}, random_rows(5, 3, 9), {1, -2, 0.5, 3, -1}};
}

TEST(KernelKind, has_scores_that_are_the_weighted_kernel_values) {
  const KernelFunction function = some_function();
  const DenseMatrix rows = random_rows(200, 3);
  const auto scores = oracles::function_scores(function, rows, 2);
  std::vector<std::int64_t> both;
  for (std::int64_t r = 0; r < 200; ++r) {
    double expected = 0;
    for (std::int64_t j = 0; j < 5; ++j) {
      double distance = 0;
      for (std::size_t f = 0; f < 3; ++f) {
        const double apart =
            static_cast<double>(rows.row(r)[f]) -
            static_cast<double>(std::get<DenseMatrix>(function.landmarks).row(j)[f]);
        distance += apart * apart;
      }
      expected += function.weights[static_cast<std::size_t>(j)] * std::exp(-0.2 * distance);
    }
    EXPECT_NEAR(scores[static_cast<std::size_t>(r)], expected, 1e-5);
  }
  EXPECT_EQ(scores, oracles::function_scores(function, rows, 1));
}

TEST(KernelKind, gives_several_functions_the_bits_of_each_alone) {
  const DenseMatrix dense = random_rows(150, 3);
  const DenseMatrix all = random_rows(40, 3, 9);
  for (const bool sparse : {false, true}) {
    const FeatureMatrix landmarks = sparse ? FeatureMatrix(sparse_form(all)) : FeatureMatrix(all);
    const FeatureMatrix rows = sparse ? FeatureMatrix(sparse_form(dense)) : FeatureMatrix(dense);
    std::vector<KernelFunction> functions;
    for (const std::int64_t step : {1, 2, 3}) {  // every landmark, every second, every third
      for (const double gamma : {0.2, 0.05}) {
        std::vector<std::int64_t> chosen;
        for (std::int64_t k = 39; k >= 0; k -= step) chosen.push_back(k);
        std::vector<double> weights;
        for (const std::int64_t k : chosen) weights.push_back(std::sin(static_cast<double>(k)));
        functions.push_back({{.kind = Kernel::rbf, .gamma = gamma},
                             take_rows(landmarks, chosen),
                             std::move(weights)});
      }
    }
    functions.push_back(functions[2]);  // shares its landmarks
    functions.back().weights[0] = 5;
    functions.push_back({functions[0].kernel, take_rows(landmarks, {}), {}});
    const std::vector<ScoringFunction> models(functions.begin(), functions.end());
    KernelProductCache kept(rows, std::make_shared<MemoryBudget>(1e9), 15, 1);
    for (KernelProductCache* keep : {static_cast<KernelProductCache*>(nullptr), &kept}) {
      const auto together = oracles::function_scores(models, rows, 2, keep);
      ASSERT_EQ(together.size(), functions.size());
      for (std::size_t k = 0; k < functions.size(); ++k) {
        EXPECT_EQ(together[k], oracles::function_scores(functions[k], rows, 1)) << k;
      }
    }
  }
}

TEST(KernelKind, keeps_the_terms_that_it_is_told_to) {
  const KernelFunction function = some_function();
  const auto fewer = KernelKind().with_terms(function, std::vector<std::int64_t>{0, 3});
  ASSERT_TRUE(fewer);
  EXPECT_EQ(fewer->as<KernelFunction>().weights, (std::vector<double>{1, 3}));
  EXPECT_EQ(num_rows(fewer->as<KernelFunction>().landmarks), 2);
}

TEST(KernelKind, describes_the_kernel_and_its_landmarks) {
  EXPECT_EQ(KernelKind().describe(some_function()).summary,
            "kernel (rbf, gamma 0.2) with 5 landmarks");
  KernelFunction polynomial = some_function();
  polynomial.kernel = {.kind = Kernel::polynomial, .gamma = 2, .degree = 3, .coef0 = 1};
  EXPECT_EQ(KernelKind().describe(polynomial).summary,
            "kernel (polynomial, gamma 2, degree 3, coef0 1) with 5 landmarks");
}

TEST(KernelKind, refuses_parts_that_do_not_make_a_function) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const FeatureMatrix rows = random_rows(2, 3);
  EXPECT_NO_THROW(kernel_function({.kind = Kernel::rbf}, rows, {1, 2}));
  EXPECT_THROW(kernel_function({.kind = Kernel::rbf}, rows, {1, 2, 3}), DamagedModel);
  EXPECT_THROW(kernel_function({.kind = Kernel::rbf, .gamma = nan}, rows, {1, 2}), DamagedModel);
  EXPECT_THROW(kernel_function({.kind = Kernel::rbf, .gamma = -1}, rows, {1, 2}), DamagedModel);
  EXPECT_THROW(kernel_function({.kind = Kernel::polynomial, .degree = 101}, rows, {1, 2}),
               DamagedModel);
  EXPECT_THROW(kernel_function({.kind = Kernel::precomputed}, rows, {1, 2}), DamagedModel);
}

/// 1.3 MB of a file: landmarks in so many columns would be terabytes once they are laid out, and in
/// 2^40 columns their number times 2^24 is 2^64, which wraps to nothing.
TEST(KernelKind, of_more_columns_than_memory_holds_is_refused_in_a_line) {
  const CsrMatrix wide{3, 4294967295, std::vector<std::int64_t>{0, 1, 2, 3},
                       std::vector<std::uint32_t>{0, 7, 4294967294U}, std::vector<float>{1, 2, 3}};
  const KernelFunction function{{.kind = Kernel::rbf}, wide, {1, 2, 3}};
  try {
    oracles::function_scores(function, random_rows(2, 3), 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what())
                  .find("the model: its 3 terms of 4294967295 features would "
                        "take 275 GB of memory"),
              0U)
        << error.what();
  }
}

}  // namespace
}  // namespace rankine
