#include "solvers/ridge/leave_query_out.hpp"

#include <random>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "oracles/dense_rls.hpp"
#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

/// Short queries of wide data take Woodbury's way, long ones of narrow data the direct system.
void expect_equal_to_refitting(std::int64_t most_documents, std::int64_t features) {
  std::mt19937_64 random(2);
  const Dataset data = oracles::random_dataset(
      random, {.queries = 12, .most_documents = most_documents, .features = features});
  const QueryTable table(data, Normalisation::query, 1, PairGraph::all);
  const RankingRows rows(FeatureRows(data.features), table, PairGraph::all, {});
  const GramSums sums = normal_equations(rows, 1);
  const std::vector<double> alphas{1e-3, 0.1, 10};
  const auto solutions = solve_ridge(sums, alphas);
  const auto scores = leave_query_out_scores(rows, sums, solutions, data.num_documents(), 2);
  for (std::size_t q = 0; q < 12; ++q) {
    const Dataset rest = oracles::without_query(data, q);
    const QueryTable others(rest, Normalisation::query, 1, PairGraph::all);
    const oracles::DenseRls oracle(rest, others, PairGraph::all);
    for (std::size_t k = 0; k < alphas.size(); ++k) {
      const auto weights = oracle.primal(alphas[k]);
      for (auto doc = data.query_offsets[q]; doc < data.query_offsets[q + 1]; ++doc) {
        const auto row = std::get<DenseMatrix>(data.features).row(doc);
        double expected = 0;
        for (std::size_t f = 0; f < row.size(); ++f) {
          expected += static_cast<double>(row[f]) * weights[f];
        }
        EXPECT_NEAR(scores[k][static_cast<std::size_t>(doc)], expected, 1e-8);
      }
    }
  }
}

TEST(LeaveQueryOut, of_short_queries_equals_refitting) {
  expect_equal_to_refitting(4, 30);
}

TEST(LeaveQueryOut, of_long_queries_equals_refitting) {
  expect_equal_to_refitting(40, 4);
}

TEST(LeaveQueryOut, asks_whether_to_stop_on_the_calling_thread_alone) {
  std::mt19937_64 random(3);
  const Dataset data = oracles::random_dataset(random, {.queries = 900});
  const QueryTable table(data, Normalisation::query, 1, PairGraph::all);
  const RankingRows rows(FeatureRows(data.features), table, PairGraph::all, {});
  const GramSums sums = normal_equations(rows, 1);
  const auto solutions = solve_ridge(sums, std::vector<double>{1});
  const auto caller = std::this_thread::get_id();
  int asked = 0;
  bool elsewhere = false;
  const auto scores_with = [&](int most) {
    return leave_query_out_scores(rows, sums, solutions, data.num_documents(), 4, [&] {
      elsewhere = elsewhere || std::this_thread::get_id() != caller;
      return ++asked > most;
    });
  };
  EXPECT_EQ(scores_with(1000).size(), 1);
  EXPECT_GT(asked, 1);
  EXPECT_FALSE(elsewhere);
  asked = 0;
  EXPECT_TRUE(scores_with(1).empty());
  EXPECT_EQ(asked, 2);
}

}  // namespace
}  // namespace rankine
