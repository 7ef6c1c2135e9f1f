#include "io/cache/cache_documents.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "io/cache/dataset_cache.hpp"
#include "oracles/random_dataset.hpp"
#include "temporary_folder.hpp"

namespace rankine {
namespace {

void expect_all_documents(const Dataset& data, bool whole_queries, std::int64_t block_values) {
  const TemporaryFolder folder;
  write_cache(folder.path("a.rkd"), data);
  const Progress progress;
  CacheDocuments source(folder.path("a.rkd"), 2, progress, whole_queries, block_values);
  CacheDocuments::Slot slot;
  std::vector<float> values;
  std::vector<std::uint32_t> columns;
  std::vector<std::int64_t> query_ends;
  std::int64_t num_documents = 0;
  while (source.take(slot)) {
    source.parse(slot);
    source.check(slot);
    const Dataset& documents = slot.block.documents;
    for (std::size_t q = 1; q < documents.query_offsets.size(); ++q) {
      query_ends.push_back(num_documents + documents.query_offsets[q]);
    }
    num_documents += documents.num_documents();
    std::visit(
        [&](const auto& matrix) {
          EXPECT_EQ(matrix.num_rows, documents.num_documents());
          values.insert(values.end(), matrix.values.begin(), matrix.values.end());
        },
        documents.features);
    if (const auto* sparse = std::get_if<CsrMatrix>(&documents.features)) {
      EXPECT_EQ(sparse->offsets.front(), 0);
      EXPECT_EQ(sparse->offsets.back(), static_cast<std::int64_t>(sparse->values.size()));
      columns.insert(columns.end(), sparse->columns.begin(), sparse->columns.end());
    }
    source.release(slot);
  }
  EXPECT_EQ(num_documents, data.num_documents());
  std::visit(
      [&](const auto& matrix) {
        EXPECT_EQ(values, std::vector<float>(matrix.values.begin(), matrix.values.end()));
      },
      data.features);
  if (const auto* sparse = std::get_if<CsrMatrix>(&data.features)) {
    EXPECT_EQ(columns, std::vector<std::uint32_t>(sparse->columns.begin(), sparse->columns.end()));
  }
  if (whole_queries) {
    EXPECT_EQ(query_ends,
              std::vector<std::int64_t>(data.query_offsets.begin() + 1, data.query_offsets.end()));
  }
}

TEST(CacheDocuments, give_every_document_once_and_cut_no_query) {
  std::mt19937_64 random(8);
  const Dataset dense =
      oracles::random_dataset(random, {.queries = 300, .most_documents = 9, .features = 12});
  for (const Dataset& data : {dense, oracles::as_sparse(dense)}) {
    for (const bool whole_queries : {false, true}) {
      for (const std::int64_t values : {1, 100, 5000, 1000000}) {
        expect_all_documents(data, whole_queries, values);
      }
    }
  }
}

}  // namespace
}  // namespace rankine
