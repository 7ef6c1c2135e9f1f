#include "solvers/ridge/kernel_ridge.hpp"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

#include "oracles/dense_rls.hpp"
#include "oracles/random_dataset.hpp"
#include "solvers/ridge/leave_query_out.hpp"

namespace rankine {
namespace {

class KernelRidgeTest : public testing::Test {
 protected:
  Dataset make() {
    std::mt19937_64 random(4);
    return oracles::random_dataset(
        random, {.queries = 9, .most_documents = 6, .features = 5, .weighted = true});
  }
  Dataset data_ = make();
  QueryTable table_{data_, Normalisation::none, 1, PairGraph::all};
  RankingRows rows_{FeatureRows(data_.features), table_, PairGraph::all, {}};
  std::vector<double> kernel_ = linear_kernel(rows_, data_.num_documents(), 1);
};

TEST_F(KernelRidgeTest, has_the_objective_of_the_primal_and_its_scores_without_each_query) {
  const auto system = kernel_equations(kernel_, data_.num_documents(), table_, PairGraph::all, 1);
  const std::vector<double> alphas{0.1, 1, 10};
  const auto dual = solve_kernel_ridge(system, table_, alphas, true, "data");
  const GramSums sums = normal_equations(rows_, 1);
  const auto primal = solve_ridge(sums, alphas);
  const auto scores = leave_query_out_scores(rows_, sums, primal, data_.num_documents(), 1);
  for (std::size_t k = 0; k < alphas.size(); ++k) {
    EXPECT_NEAR(dual[k].objective, primal[k].objective, 1e-9 * primal[k].objective);
    for (std::size_t doc = 0; doc < scores[k].size(); ++doc) {
      EXPECT_NEAR(dual[k].leave_query_out[doc], scores[k][doc], 1e-9);
    }
    const auto one = solve_kernel_ridge(system, table_, std::vector<double>{alphas[k]}, false, "");
    for (std::size_t i = 0; i < one[0].coefficients.size(); ++i) {
      EXPECT_NEAR(one[0].coefficients[i], dual[k].coefficients[i], 1e-9);
    }
  }
}

TEST_F(KernelRidgeTest, refuses_a_kernel_that_is_not_positive_semidefinite) {
  for (double& value : kernel_) value = -value;
  const auto system = kernel_equations(kernel_, data_.num_documents(), table_, PairGraph::all, 1);
  try {
    solve_kernel_ridge(system, table_, std::vector<double>{0.1, 1}, false, "k.txt");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).substr(0, 46),
              "k.txt: the kernel is not positive semidefinite");
  }
}

TEST_F(KernelRidgeTest, once_stopped_returns_what_it_has) {
  const auto system = kernel_equations(kernel_, data_.num_documents(), table_, PairGraph::all, 1);
  int left = 1;
  const auto some = solve_kernel_ridge(system, table_, std::vector<double>{1, 2, 3}, false, "",
                                       [&] { return left-- == 0; });
  EXPECT_EQ(some.size(), 1U);
}

}  // namespace
}  // namespace rankine
