#include "data/duplicate_rows.hpp"

#include <gtest/gtest.h>

#include "oracles/slow_summary.hpp"

namespace rankine {
namespace {

TEST(Duplicates, agree_with_comparing_every_pair_of_documents) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const Dataset data =
        oracles::tied_dataset(seed, {.num_queries = 1, .longest = 40, .sparse = seed % 2 == 1});
    std::int64_t documents = 0;
    for (std::int64_t doc = 0; doc < data.num_documents(); ++doc) {
      for (std::int64_t earlier = 0; earlier < doc; ++earlier) {
        if (oracles::slow_row(data, doc) == oracles::slow_row(data, earlier)) {
          ++documents;
          break;
        }
      }
    }
    std::int64_t pairs = 0;
    oracles::for_each_pair(data, 0, [&](std::int64_t winner, std::int64_t loser) {
      pairs += oracles::slow_row(data, winner) == oracles::slow_row(data, loser) ? 1 : 0;
    });
    const Duplicates found = find_duplicates(data, 0);
    EXPECT_EQ(found.num_documents, documents) << seed;
    EXPECT_EQ(found.num_pairs, pairs) << seed;
  }
}

TEST(Duplicates, are_looked_for_within_a_query_only) {
  Dataset data;
  data.features = DenseMatrix{2, 1, std::vector<float>{1, 1}};
  data.grades = std::vector<double>{0, 1};
  data.query_offsets = std::vector<std::int64_t>{0, 1, 2};
  EXPECT_EQ(find_duplicates(data, 0).num_documents, 0);
  EXPECT_EQ(find_duplicates(data, 1).num_documents, 0);
}

}  // namespace
}  // namespace rankine
