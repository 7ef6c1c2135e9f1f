#include "io/cache/cache_source.hpp"

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "io/cache/dataset_cache.hpp"
#include "io/document_stream.hpp"
#include "oracles/random_dataset.hpp"
#include "temporary_folder.hpp"

namespace rankine {
namespace {

void expect_all_documents(const Dataset& data, bool whole_queries, std::size_t block_values) {
  const TemporaryFolder folder;
  write_cache(folder.path("a.rkd"), data);
  const Progress progress;
  InputBytes input(folder.path("a.rkd"));
  CacheSource source(folder.path("a.rkd"), input, 2, progress);
  source.set_blocks({.num_bytes = 4 * block_values, .whole_queries = whole_queries});
  std::vector<float> values;
  std::vector<std::uint32_t> columns;
  std::vector<double> weights;
  std::vector<MissingValue> missing;
  std::vector<std::int64_t> query_ends;
  std::int64_t num_documents = 0;
  for_each_block(source, 1, {}, [&](const DocumentBlock& block, std::size_t) {
    const Dataset& documents = block.documents;
    for (std::size_t q = 1; q < documents.query_offsets.size(); ++q) {
      query_ends.push_back(num_documents + documents.query_offsets[q]);
    }
    weights.insert(weights.end(), documents.document_weights.begin(),
                   documents.document_weights.end());
    for (const MissingValue& cell : documents.missing) {
      missing.push_back({num_documents + cell.document, cell.column});
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
  });
  EXPECT_EQ(num_documents, data.num_documents());
  EXPECT_EQ(weights,
            std::vector<double>(data.document_weights.begin(), data.document_weights.end()));
  EXPECT_EQ(missing, std::vector<MissingValue>(data.missing.begin(), data.missing.end()));
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

TEST(CacheSource, give_every_document_once_and_cut_no_query) {
  std::mt19937_64 random(8);
  Dataset dense =
      oracles::random_dataset(random, {.queries = 300, .most_documents = 9, .features = 12});
  dense.document_weights =
      std::vector<double>(static_cast<std::size_t>(dense.num_documents()), 0.5);
  std::vector<MissingValue> missing;
  for (std::int64_t doc = 1; doc < dense.num_documents(); doc += 3) missing.push_back({doc, 4});
  dense.num_missing = std::ssize(missing);
  dense.missing = std::move(missing);
  for (const Dataset& data : {dense, oracles::as_sparse(dense)}) {
    for (const bool whole_queries : {false, true}) {
      for (const std::size_t values : {1U, 100U, 5000U, 1000000U}) {
        expect_all_documents(data, whole_queries, values);
      }
    }
  }
}

}  // namespace
}  // namespace rankine
