#include "objectives/ridge/pair_terms.hpp"

#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/scaling.hpp>

#include "compute/cpu/cpu_backend.hpp"
#include "losses/pairs/pair_loss.hpp"
#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

struct Problem {
  Problem(const Dataset& given, const PairLossOptions& options)
      : data(given),
        table(data, Normalisation::query, 1),
        loss(make_pair_loss(options, data)),
        sweep(data, table, *loss, 1),
        terms(data, table, options, sweep, 0.3) {}
  Dataset data;
  QueryTable table;
  std::unique_ptr<QueryLoss> loss;
  CpuLossEvaluator sweep;
  PairTerms terms;
};

Dataset small(bool listed) {
  std::mt19937_64 random(41);
  Dataset data = oracles::random_dataset(random, {.queries = 9, .weighted = true});
  if (!listed) return data;
  data.has_preferences = true;
  for (std::int64_t q = 0; q < 9; ++q) {
    const auto first = data.query_offsets[static_cast<std::size_t>(q)];
    const auto end = data.query_offsets[static_cast<std::size_t>(q) + 1];
    for (auto doc = first + 1; doc < end; ++doc) {
      data.preferences.push_back({doc, doc - 1, 0.5 + static_cast<double>(doc % 3), 2});
    }
  }
  return data;
}

TEST(PairTerms, numbers_every_pair_once) {
  const Problem problem(small(false), {});
  std::set<std::tuple<std::size_t, std::uint32_t, std::uint32_t>> seen;
  for (std::uint64_t k = 0; k < static_cast<std::uint64_t>(problem.terms.num_terms()); ++k) {
    const auto pair = problem.terms.pair(k);
    const auto documents = problem.table.documents(problem.table.queries()[pair.query]);
    EXPECT_GT(documents.grades[pair.winner], documents.grades[pair.loser]);
    EXPECT_TRUE(seen.insert({pair.query, pair.winner, pair.loser}).second);
  }
  EXPECT_EQ(static_cast<double>(seen.size()), problem.table.num_pairs());
}

TEST(PairTerms, slopes_of_all_pairs_add_up_to_the_gradient) {
  std::mt19937_64 random(43);
  std::normal_distribution<double> normal;
  std::vector<double> weights(7);
  for (double& weight : weights) weight = 0.3 * normal(random);
  for (const bool listed : {false, true}) {
    for (const Rescaling rescaling : {Rescaling::margin, Rescaling::slack}) {
      for (const auto weight : {PairWeight::none, PairWeight::grade_difference, PairWeight::dcg}) {
        if (listed && weight == PairWeight::dcg) continue;
        const Problem problem(small(listed), {.pair_weight = weight, .rescaling = rescaling});
        const std::vector<double> expected = problem.sweep.at(weights)->gradient;
        // Draws are of random pairs: enough of them, averaged, estimate the sum.
        std::vector<double> sum(7);
        constexpr std::uint64_t kDraws = 60000;
        const double n = problem.terms.num_terms();
        const std::vector<StochasticObjective::Target> targets{{n / kDraws, sum}};
        double norm = 0;
        for (std::uint64_t k = 0; k < kDraws; ++k) {
          problem.terms.add_slope(Random(5), k, weights, 1, targets);
        }
        for (const double entry : expected) norm += std::abs(entry) * 0.3;
        for (std::size_t f = 0; f < 7; ++f) EXPECT_NEAR(sum[f], 0.3 * expected[f], 0.03 * norm);
      }
    }
  }
}

TEST(PairTerms, curvature_bounds_that_of_every_pair) {
  const Problem problem(small(false), {.pair_weight = PairWeight::dcg});
  const double bound = problem.terms.largest_curvature();
  const auto& rows = std::get<DenseMatrix>(problem.data.features);
  double largest = 0;
  for (std::uint64_t k = 0; k < static_cast<std::uint64_t>(problem.terms.num_terms()); ++k) {
    const auto pair = problem.terms.pair(k);
    const auto first = problem.table.queries()[pair.query].first;
    double distance = 0;
    for (std::size_t f = 0; f < 7; ++f) {
      const double difference = static_cast<double>(rows.row(first + pair.winner)[f]) -
                                static_cast<double>(rows.row(first + pair.loser)[f]);
      distance += difference * difference;
    }
    largest = std::max(largest, 0.3 * 2 * pair.cost.weight * distance);
  }
  EXPECT_GE(bound, largest);
  EXPECT_LE(bound, 30 * largest);
}

TEST(PairTerms, of_scaled_columns_are_those_of_the_scaled_data) {
  const Dataset plain = small(false);
  for (const Dataset& data : {plain, oracles::as_sparse(plain)}) {
    const FeatureScaling scaling = fit_scaling(data, Scaling::standard);
    const Problem scaled(apply_scaling(data, scaling), {});
    const Problem raw(data, {});
    const PairTerms folded(raw.data, raw.table, {}, raw.sweep, 0.3, ColumnScale(scaling.factor));
    EXPECT_NEAR(folded.largest_curvature(), scaled.terms.largest_curvature(),
                1e-5 * scaled.terms.largest_curvature());
    const std::vector<double> weights{0.3, -0.2, 0.1, 0.5, -0.4, 0.2, 0.7};
    EXPECT_NEAR(folded.assess(weights).value, scaled.terms.assess(weights).value, 1e-5);
    EXPECT_NEAR(folded.assess(weights).gap, scaled.terms.assess(weights).gap,
                1e-6 * scaled.terms.assess(weights).gap);
    const Random random(7);
    for (std::uint64_t draw = 0; draw < 50; ++draw) {
      std::vector<double> got(7);
      std::vector<double> wanted(7);
      folded.add_slope(random, draw, weights, 0.9, std::vector<PairTerms::Target>{{2, got}});
      scaled.terms.add_slope(random, draw, weights, 0.9,
                             std::vector<PairTerms::Target>{{2, wanted}});
      for (std::size_t f = 0; f < 7; ++f) EXPECT_NEAR(got[f], wanted[f], 1e-4);
    }
  }
}

}  // namespace
}  // namespace rankine
