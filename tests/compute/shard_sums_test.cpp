// Sums over queries have the same bits for 1, 2, 3, 4 and 7 processes, cut anywhere between
// queries, and any number of threads in each.
#include <functional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "compute/cpu/query_share.hpp"
#include "compute/cpu/query_sweep.hpp"
#include "compute/query_table.hpp"
#include "data/scaling/column_statistics.hpp"
#include "data/scaling/feature_scaling.hpp"
#include "losses/pairs/piecewise_quadratic_pairs.hpp"
#include "oracles/random_dataset.hpp"
#include "oracles/thread_collective.hpp"

namespace rankine {
namespace {

const PiecewiseQuadraticPairs kLoss("squared_hinge", squared_hinge_pieces());
constexpr std::size_t kWidest = std::size_t{1} << 24;

using Numbers = std::vector<double>;
using Measure = std::function<Numbers(const Dataset&, int threads, Collective&)>;

/// Enough documents for every width to have several leaves.
Dataset some_data(bool weighted = false) {
  std::mt19937_64 random(11);
  return oracles::random_dataset(
      random, {.queries = 2400, .most_documents = 30, .features = 11, .weighted = weighted});
}

void expect_same_bits(const Dataset& data, const Measure& measure) {
  const Numbers whole = measure(data, 1, one_process());
  ASSERT_FALSE(whole.empty());
  for (const std::size_t size : {1U, 2U, 3U, 4U, 7U}) {
    for (unsigned seed = 0; seed < 2; ++seed) {
      const auto ends =
          oracles::uneven_ends(static_cast<std::size_t>(data.num_queries()), size, seed);
      oracles::as_processes(size, [&](Collective& collective) {
        const Dataset shard = oracles::shard_of(data, ends, kWidest, collective);
        for (const int threads : {1, 2, 3}) {
          EXPECT_EQ(measure(shard, threads, collective), whole)
              << size << " processes, " << threads << " threads";
        }
      });
    }
  }
}

QueryTable table_of(const Dataset& data, Collective& collective, int threads = 1) {
  return {data, Normalisation::total, threads, PairGraph::different_grades, collective};
}

Numbers weights_of(std::size_t width, double shift) {
  Numbers weights(width);
  for (std::size_t k = 0; k < width; ++k) {
    weights[k] = 0.1 * static_cast<double>(k % 5) - 0.2 + shift;
  }
  return weights;
}

TEST(Shards, cut_anywhere_hold_whole_leaves_after_passing_queries_on) {
  const Dataset data = some_data();
  oracles::as_processes(4, [&](Collective& collective) {
    const auto ends = oracles::uneven_ends(static_cast<std::size_t>(data.num_queries()), 4, 1);
    const Dataset shard = oracles::shard_of(data, ends, kWidest, collective);
    const DocumentRange range(shard.num_documents(), collective);
    EXPECT_EQ(range.total(), data.num_documents());
    std::vector<std::int64_t> firsts(shard.query_offsets.begin(), shard.query_offsets.end());
    if (!firsts.empty()) firsts.pop_back();
    EXPECT_EQ(num_queries_of_previous(range, kWidest, firsts), 0U);
    EXPECT_EQ(num_queries_of_previous(range, 1, firsts), 0U);
  });
}

TEST(Shards, count_the_same_pairs) {
  expect_same_bits(some_data(true), [](const Dataset& data, int threads, Collective& collective) {
    const QueryTable table = table_of(data, collective, threads);
    return Numbers{table.num_pairs(), static_cast<double>(table.most_grades()),
                   static_cast<double>(num_short_queries(table))};
  });
}

TEST(Shards, have_the_same_scaling_of_every_kind) {
  for (const bool sparse : {false, true}) {
    const Dataset data = sparse ? oracles::as_sparse(some_data()) : some_data();
    for (const Scaling kind : {Scaling::standard, Scaling::minmax, Scaling::quantile}) {
      expect_same_bits(data, [&](const Dataset& shard, int threads, Collective& collective) {
        const FeatureScaling scaling = fit_scaling(shard, kind, threads, collective);
        Numbers numbers = scaling.shift;
        numbers.insert(numbers.end(), scaling.factor.begin(), scaling.factor.end());
        numbers.insert(numbers.end(), scaling.knots.begin(), scaling.knots.end());
        numbers.insert(numbers.end(), scaling.levels.begin(), scaling.levels.end());
        return numbers;
      });
    }
  }
}

TEST(Shards, have_the_same_gradient_and_line_values) {
  for (const bool weighted : {false, true}) {
    for (const bool sparse : {false, true}) {
      const Dataset data = sparse ? oracles::as_sparse(some_data(weighted)) : some_data(weighted);
      expect_same_bits(data, [](const Dataset& shard, int threads, Collective& collective) {
        const QueryTable table = table_of(shard, collective);
        const QuerySweep sweep(shard, table, kLoss, threads);
        QuerySweep::Point a;
        QuerySweep::Point b;
        Numbers out(11);
        const double loss = sweep.gradient(weights_of(11, 0), a, out);
        Numbers other(11);
        sweep.gradient(weights_of(11, 0.05), b, other);
        const auto line = sweep.between(a, b, 0.3);
        QuerySweep::Point c;
        sweep.move(a, b, 0.3, c);
        out.insert(out.end(), other.begin(), other.end());
        out.push_back(sweep.gradient(c, other));
        out.insert(out.end(), other.begin(), other.end());
        out.insert(out.end(), {loss, line.value, line.slope});
        return out;
      });
    }
  }
}

TEST(Shards, have_the_same_gradients_of_several_points_in_one_pass) {
  for (const Accuracy accuracy : {Accuracy::full, Accuracy::rough}) {
    expect_same_bits(some_data(), [&](const Dataset& shard, int threads, Collective& collective) {
      const QueryTable table = table_of(shard, collective);
      const QuerySweep sweep(shard, table, kLoss, threads);
      QuerySweep::Point points[2];
      const Numbers first = weights_of(11, 0);
      const Numbers second = weights_of(11, 0.2);
      Numbers out(22);
      std::vector<QuerySweep::Evaluation> both{{first, &points[0], std::span(out).first(11)},
                                               {second, &points[1], std::span(out).subspan(11)}};
      sweep.gradients(both, accuracy);
      Numbers products(22);
      const std::vector<QuerySweep::Product> wanted{
          {&points[0], second, std::span(products).first(11)},
          {&points[1], first, std::span(products).subspan(11)}};
      sweep.hessian_times(wanted);
      out.insert(out.end(), products.begin(), products.end());
      out.insert(out.end(), {both[0].loss, both[1].loss});
      return out;
    });
  }
}

TEST(Shards, have_the_same_hessian_products) {
  for (const bool weighted : {false, true}) {
    for (const bool sparse : {false, true}) {
      const Dataset data = sparse ? oracles::as_sparse(some_data(weighted)) : some_data(weighted);
      expect_same_bits(data, [](const Dataset& shard, int threads, Collective& collective) {
        const QueryTable table = table_of(shard, collective);
        const QuerySweep sweep(shard, table, kLoss, threads);
        QuerySweep::Point point;
        Numbers out(11);
        sweep.gradient(weights_of(11, 0), point, out, QuerySweep::Keep::nothing);
        sweep.hessian_times(point, weights_of(11, 0.3), out);
        Numbers again(11);
        sweep.hessian_times(point, weights_of(11, -0.3), again);
        out.insert(out.end(), again.begin(), again.end());
        return out;
      });
    }
  }
}

TEST(Shards, have_the_same_gram_and_hessian_of_all_and_of_some_queries) {
  for (const double share : {1.0, 0.23}) {
    expect_same_bits(some_data(), [&](const Dataset& shard, int threads, Collective& collective) {
      const QueryTable table = table_of(shard, collective);
      const QuerySweep sweep(shard, table, kLoss, threads);
      QuerySweep::Point point;
      Numbers gradient(11);
      sweep.gradient(weights_of(11, 0), point, gradient);
      Numbers out(121);
      sweep.hessian(point, share, out);
      for (const float entry : sweep.gram(share)) out.push_back(static_cast<double>(entry));
      return out;
    });
  }
}

TEST(Shards, sample_the_same_documents_of_long_queries) {
  std::mt19937_64 random(5);
  Dataset data =
      oracles::random_dataset(random, {.queries = 20, .most_documents = 30'000, .features = 2});
  // One query of more than a hundred thousand documents, where a sample stands for all.
  std::vector<std::int64_t> offsets(data.query_offsets.begin(), data.query_offsets.end());
  offsets.erase(offsets.begin() + 3, offsets.begin() + 14);
  std::vector<std::string> ids;
  for (std::size_t q = 0; q + 1 < offsets.size(); ++q) ids.push_back("q" + std::to_string(q));
  data.query_offsets = offsets;
  data.query_ids = StringList::of(ids);
  const Numbers weights = weights_of(2, 0.1);
  expect_same_bits(data, [&](const Dataset& shard, int threads, Collective& collective) {
    const QueryTable table = table_of(shard, collective);
    const QuerySweep sweep(shard, table, kLoss, threads);
    QuerySweep::Point point;
    point.weights = weights;
    Numbers out(4);
    sweep.hessian(point, 0.1, out);
    for (const float entry : sweep.gram(0.1)) out.push_back(static_cast<double>(entry));
    return out;
  });
}

}  // namespace
}  // namespace rankine
