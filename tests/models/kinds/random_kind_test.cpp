#include "models/kinds/random_kind.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include "features/random_rows.hpp"
#include "oracles/function_scores.hpp"

namespace rankine {
namespace {

RandomFunction some_function(Approximation kind) {
  return {kind, random_rows(4, 3, 8), {0.1F, 0.2F, 0.3F, -0.4F}, {1, -1, 2, 0.5}};
}

TEST(RandomKind, has_scores_that_are_the_weighted_waves_or_halfspaces) {
  const DenseMatrix rows = random_rows(50, 3);
  for (const Approximation kind : {Approximation::fourier, Approximation::relu}) {
    const RandomFunction function = some_function(kind);
    const auto scores = oracles::function_scores(function, rows, 1);
    for (std::int64_t r = 0; r < 50; ++r) {
      double expected = 0;
      for (std::int64_t j = 0; j < 4; ++j) {
        const auto k = static_cast<std::size_t>(j);
        auto t = static_cast<double>(function.phases[k]);
        for (std::size_t f = 0; f < 3; ++f) {
          t += static_cast<double>(rows.row(r)[f]) *
               static_cast<double>(function.frequencies.row(j)[f]);
        }
        expected +=
            function.weights[k] * (kind == Approximation::relu ? std::max(0.0, t) : std::cos(t));
      }
      EXPECT_NEAR(scores[static_cast<std::size_t>(r)], expected, 1e-5);
    }
  }
}

TEST(RandomKind, gives_several_functions_the_bits_of_each_alone) {
  const DenseMatrix rows = random_rows(150, 3);
  std::vector<RandomFunction> functions{some_function(Approximation::fourier),
                                        some_function(Approximation::relu)};
  functions.push_back(functions[0]);
  functions.back().weights = {3, 0.5, -1, 2};
  functions.push_back(functions[0]);
  functions.back().phases[0] = 1;
  const std::vector<ScoringFunction> all(functions.begin(), functions.end());
  const auto together = oracles::function_scores(all, rows, 2);
  for (std::size_t k = 0; k < functions.size(); ++k) {
    EXPECT_EQ(together[k], oracles::function_scores(functions[k], rows, 1)) << k;
  }
}

TEST(RandomKind, refuses_parts_that_do_not_make_a_function) {
  const auto make = [](std::size_t phases, std::size_t weights, const FeatureMatrix& frequencies) {
    random_function(Approximation::fourier, frequencies, std::vector<float>(phases),
                    std::vector<double>(weights));
  };
  EXPECT_NO_THROW(make(4, 4, random_rows(4, 3)));
  EXPECT_THROW(make(3, 4, random_rows(4, 3)), DamagedModel);
  EXPECT_THROW(make(4, 5, random_rows(4, 3)), DamagedModel);
  EXPECT_THROW(make(4, 4, sparse_form(random_rows(4, 3))), DamagedModel);
}

TEST(RandomKind, describes_its_features) {
  EXPECT_EQ(RandomKind().describe(some_function(Approximation::relu)).summary, "relu features, 4");
}

}  // namespace
}  // namespace rankine
