#include "base/sums/canonical_sum.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "base/sums/streamed_sum.hpp"
#include "oracles/thread_collective.hpp"

namespace rankine {
namespace {

/// Queries by their first document, and a number for each that no order of sums leaves alone.
struct Queries {
  std::vector<std::int64_t> firsts;
  std::vector<double> values;
  std::int64_t num_documents = 0;

  static Queries of(std::size_t count, unsigned seed) {
    std::mt19937_64 random(seed);
    Queries queries;
    for (std::size_t q = 0; q < count; ++q) {
      queries.firsts.push_back(queries.num_documents);
      queries.num_documents += static_cast<std::int64_t>(1 + random() % 200);
      if (random() % 50 == 0) queries.num_documents += 5000;
      queries.values.push_back(std::exp(std::normal_distribution<double>(0, 8)(random)));
    }
    return queries;
  }
  auto first_of(std::size_t from = 0) const {
    return [this, from](std::size_t q) { return firsts[from + q] - firsts[from]; };
  }
};

/// The definition: leaf by leaf in order, then node by node from the bottom of the whole tree.
double slow_sum(const Queries& queries, std::int64_t leaves) {
  std::vector<double> sums(static_cast<std::size_t>(leaves));
  std::vector<bool> is_there(sums.size());
  for (std::size_t q = 0; q < queries.firsts.size(); ++q) {
    const auto leaf = static_cast<std::size_t>(queries.firsts[q] * leaves / queries.num_documents);
    sums[leaf] += queries.values[q];
    is_there[leaf] = true;
  }
  for (std::size_t size = sums.size(); size > 1; size /= 2) {
    for (std::size_t k = 0; k < size / 2; ++k) {
      const bool left = is_there[2 * k];
      const bool right = is_there[2 * k + 1];
      sums[k] = left && right ? sums[2 * k] + sums[2 * k + 1]
                : left        ? sums[2 * k]
                              : sums[2 * k + 1];
      is_there[k] = left || right;
    }
  }
  return sums[0];
}

double sum_of(const Cuts& cuts, std::span<const double> values, int threads) {
  return reduce_queries(cuts, threads, VectorSum<double>(1),
                        [&](const Cuts::Leaf& leaf, VectorSum<double>& sum) {
                          for (std::size_t q = leaf.first; q < leaf.last; ++q) {
                            sum.values[0] += values[q];
                          }
                        })
      .values[0];
}

TEST(NumLeaves, are_powers_of_two_that_grow_with_the_documents_and_nest_for_wide_sums) {
  std::int64_t before = 1;
  for (std::int64_t documents = 0; documents < (std::int64_t{1} << 42);
       documents = documents * 3 / 2 + 1) {
    const std::int64_t leaves = num_leaves(documents, 1);
    EXPECT_TRUE(std::has_single_bit(static_cast<std::uint64_t>(leaves)));
    EXPECT_GE(leaves, before);
    EXPECT_LE(num_leaves(documents, 1 << 18), leaves);
    EXPECT_LE(num_leaves(documents, 1 << 24), num_leaves(documents, 1 << 18));
    before = leaves;
  }
  EXPECT_EQ(num_leaves(511, 1), 1);
  EXPECT_EQ(num_leaves(40'000, 1), 64);
  EXPECT_EQ(num_leaves(40'000, 1 << 18), 16);
}

TEST(Cuts, put_a_query_into_the_leaf_of_its_first_document) {
  for (const std::int64_t total : {1, 7, 64, 1000, 99'999}) {
    for (const std::int64_t leaves : {1, 2, 64, 1024}) {
      for (std::int64_t document = 0; document < total; document += 1 + total / 500) {
        ASSERT_EQ(Cuts::leaf_of(document, leaves, total), document * leaves / total);
      }
    }
  }
  const std::int64_t many = std::int64_t{1} << 45;  // the product would not fit
  EXPECT_EQ(Cuts::leaf_of(many - 1, std::int64_t{1} << 27, many), (std::int64_t{1} << 27) - 1);
}

TEST(ReduceQueries, is_the_sum_of_the_definition_for_any_number_of_threads) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Queries queries = Queries::of(1 + 97 * seed, seed);
    const double slow = slow_sum(queries, num_leaves(queries.num_documents, 1));
    const Cuts cuts(DocumentRange(queries.num_documents), 1, queries.firsts.size(),
                    queries.first_of());
    for (const int threads : {1, 2, 3, 8}) EXPECT_EQ(sum_of(cuts, queries.values, threads), slow);
    EXPECT_EQ(sum_over_queries(cuts, queries.values), slow);
  }
}

TEST(ReduceQueries, of_nothing_is_zero) {
  const Cuts cuts(DocumentRange(0), 1, 0, [](std::size_t) { return std::int64_t{0}; });
  EXPECT_EQ(sum_of(cuts, {}, 2), 0);
}

TEST(ReduceQueries, has_the_same_bits_for_any_number_of_processes_cut_anywhere) {
  for (const std::size_t size : {1U, 2U, 3U, 4U, 7U}) {
    for (unsigned seed = 0; seed < 6; ++seed) {
      const Queries queries = Queries::of(900, seed);
      const std::size_t width = seed % 2 == 0 ? 1 : 1 << 18;
      const double slow = slow_sum(queries, num_leaves(queries.num_documents, width));
      const auto ends = oracles::uneven_ends(queries.firsts.size(), size, seed);
      oracles::as_processes(size, [&](Collective& collective) {
        const auto rank = static_cast<std::size_t>(collective.rank());
        // Whole leaves: those of a leaf that begins before an end go to the process before it.
        const std::int64_t leaves = num_leaves(queries.num_documents, 1 << 24);
        const auto whole = [&](std::size_t end) {
          while (end > 0 && end < queries.firsts.size() &&
                 Cuts::leaf_of(queries.firsts[end], leaves, queries.num_documents) ==
                     Cuts::leaf_of(queries.firsts[end - 1], leaves, queries.num_documents)) {
            ++end;
          }
          return end;
        };
        const std::size_t first = rank == 0 ? 0 : whole(ends[rank - 1]);
        const std::size_t last = whole(ends[rank]);
        const auto document = [&](std::size_t q) {
          return q < queries.firsts.size() ? queries.firsts[q] : queries.num_documents;
        };
        const DocumentRange range(document(last) - document(first), collective);
        const Cuts cuts(range, width, last - first, queries.first_of(std::min(first, 899UL)));
        for (const int threads : {1, 2, 3}) {
          EXPECT_EQ(sum_of(cuts, std::span(queries.values).subspan(first, last - first), threads),
                    slow);
        }
      });
    }
  }
}

/// Counts how many of its kind there are.
struct Counted {
  static inline std::atomic<int> now{0};
  static inline std::atomic<int> most{0};
  Counted() { born(); }
  Counted(const Counted&) { born(); }
  Counted(Counted&&) noexcept { born(); }
  Counted& operator=(const Counted&) = default;
  Counted& operator=(Counted&&) = default;
  ~Counted() { --now; }
  static void born() {
    const int here = ++now;
    int before = most.load();
    while (before < here && !most.compare_exchange_weak(before, here)) {
    }
  }
  void add(const Counted&) {}
  void write(Bytes&) const {}
  void read(std::span<const std::byte>&) {}
};

TEST(ReduceQueries, hold_a_few_sums_per_thread_however_many_leaves_there_are) {
  constexpr std::size_t kLeaves = 4096;
  for (const int threads : {1, 2}) {
    Counted::most = 0;
    reduce_queries(Cuts::of_items(kLeaves, kLeaves), threads, Counted(),
                   [](const Cuts::Leaf&, Counted&) {});
    EXPECT_LT(Counted::most, 20 + 40 * threads);
  }
}

struct OpenLeaf {
  double sum = 0;
  VectorSum<double> close() && {
    VectorSum<double> result(1);
    result.values[0] = sum;
    return result;
  }
};

TEST(StreamedSum, has_the_same_bits_however_the_stream_is_cut_into_blocks) {
  const Queries queries = Queries::of(2000, 3);
  const auto streamed = [&](std::size_t queries_each, int threads) {
    StreamedSum<OpenLeaf, VectorSum<double>> sum(1024, {}, VectorSum<double>(1));
    for (std::size_t first = 0; first < 2000; first += queries_each) {
      const std::size_t last = std::min<std::size_t>(first + queries_each, 2000);
      const std::int64_t end = last < 2000 ? queries.firsts[last] : queries.num_documents;
      sum.add(end - queries.firsts[first], last - first, queries.first_of(first), threads,
              [&](const Cuts::Leaf& leaf, OpenLeaf& open) {
                for (std::size_t q = leaf.first; q < leaf.last; ++q) {
                  open.sum += queries.values[first + q];
                }
              });
    }
    return sum.finish().values[0];
  };
  const double whole = streamed(2000, 1);
  const double plain = std::accumulate(queries.values.begin(), queries.values.end(), 0.0);
  EXPECT_NEAR(whole, plain, 1e-9 * plain);
  for (const std::size_t each : {1U, 3U, 17U, 400U}) {
    for (const int threads : {1, 3}) EXPECT_EQ(streamed(each, threads), whole);
  }
}

}  // namespace
}  // namespace rankine
