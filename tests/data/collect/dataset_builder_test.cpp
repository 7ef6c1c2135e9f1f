#include "data/collect/dataset_builder.hpp"

#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace rankine {
namespace {

ParsedRows dense_rows(std::vector<std::uint32_t> query_of_row, std::vector<std::string> ids) {
  const auto count = query_of_row.size();
  ParsedRows rows;
  std::vector<float> values(2 * count);
  std::iota(values.begin(), values.end(), 0.0F);
  rows.features = DenseMatrix{static_cast<std::int64_t>(count), 2, std::move(values)};
  std::vector<double> grades(count);
  std::iota(grades.begin(), grades.end(), 0.0);
  rows.grades = std::move(grades);
  rows.query_of_row = std::move(query_of_row);
  rows.query_ids = StringList::of(ids);
  return rows;
}

template <class T>
std::vector<T> to_vector(const Array<T>& array) {
  return {array.begin(), array.end()};
}

TEST(DatasetBuilderTest, moves_rows_that_are_already_gathered) {
  ParsedRows rows = dense_rows({0, 0, 1, 2, 2}, {"a", "b", "c"});
  const float* values = std::get<DenseMatrix>(rows.features).values.data();
  const double* grades = rows.grades.values().data();
  const Dataset data = build_dataset("here", std::move(rows));
  EXPECT_EQ(std::get<DenseMatrix>(data.features).values.data(), values);
  EXPECT_EQ(data.grades.values().data(), grades);
  EXPECT_EQ(to_vector(data.query_offsets), (std::vector<std::int64_t>{0, 2, 3, 5}));
  EXPECT_TRUE(data.input_rows.empty());
  EXPECT_EQ(data.source, "here");
}

TEST(DatasetBuilderTest, gathers_queries_in_order_of_first_appearance_and_keeps_row_order_in_them) {
  ParsedRows rows = dense_rows({0, 1, 0, 2, 1}, {"z", "a", "m"});
  rows.comments = StringList::of({"r0", "r1", "", "r3", "r4"});
  rows.document_weights = std::vector<double>{10, 11, 12, 13, 14};
  const Dataset data = build_dataset("", std::move(rows));
  EXPECT_EQ(to_vector(data.input_rows), (std::vector<std::int64_t>{0, 2, 1, 4, 3}));
  EXPECT_EQ(to_vector(data.query_offsets), (std::vector<std::int64_t>{0, 2, 4, 5}));
  EXPECT_EQ(to_vector(data.grades.values()), (std::vector<double>{0, 2, 1, 4, 3}));
  EXPECT_EQ(to_vector(data.document_weights), (std::vector<double>{10, 12, 11, 14, 13}));
  EXPECT_EQ(data.comments[1], "");
  EXPECT_EQ(data.comments[3], "r4");
  EXPECT_EQ(to_vector(std::get<DenseMatrix>(data.features).values),
            (std::vector<float>{0, 1, 4, 5, 2, 3, 8, 9, 6, 7}));
}

TEST(DatasetBuilderTest, gathers_sparse_rows_like_dense_ones) {
  std::mt19937 random(7);
  const std::size_t count = 200;
  std::vector<std::uint32_t> query_of_row;
  std::uint32_t num_queries = 0;
  for (std::size_t row = 0; row < count; ++row) {
    const auto query = std::min(num_queries, static_cast<std::uint32_t>(random() % 20));
    num_queries = std::max(num_queries, query + 1);
    query_of_row.push_back(query);
  }
  std::vector<std::int64_t> offsets{0};
  std::vector<std::uint32_t> columns;
  std::vector<float> values;
  std::vector<float> full(count * 5);
  for (std::size_t row = 0; row < count; ++row) {
    for (std::uint32_t column = 0; column < 5; ++column) {
      if (random() % 2 == 0) continue;
      columns.push_back(column);
      values.push_back(static_cast<float>(random() % 100));
      full[row * 5 + column] = values.back();
    }
    offsets.push_back(static_cast<std::int64_t>(values.size()));
  }
  ParsedRows sparse = dense_rows(query_of_row, std::vector<std::string>(num_queries, "q"));
  ParsedRows dense = sparse;
  sparse.features = CsrMatrix{static_cast<std::int64_t>(count), 5, offsets, columns, values};
  dense.features = DenseMatrix{static_cast<std::int64_t>(count), 5, full};
  const Dataset from_sparse = build_dataset("", std::move(sparse));
  const Dataset from_dense = build_dataset("", std::move(dense));
  const auto& csr = std::get<CsrMatrix>(from_sparse.features);
  std::vector<float> spread(count * 5);
  for (std::size_t row = 0; row < count; ++row) {
    for (auto at = csr.offsets[row]; at < csr.offsets[row + 1]; ++at) {
      spread[row * 5 + csr.columns[static_cast<std::size_t>(at)]] =
          csr.values[static_cast<std::size_t>(at)];
    }
  }
  EXPECT_EQ(spread, to_vector(std::get<DenseMatrix>(from_dense.features).values));
  EXPECT_EQ(to_vector(from_sparse.input_rows), to_vector(from_dense.input_rows));
}

TEST(DatasetBuilderTest, leaves_features_alone_that_are_gathered_already) {
  ParsedRows rows = dense_rows({0, 1, 0}, {"a", "b"});
  EXPECT_EQ(gathering_order(rows.query_of_row, 2), (std::vector<std::int64_t>{0, 2, 1}));
  rows.features_are_gathered = true;
  const float* values = std::get<DenseMatrix>(rows.features).values.data();
  const Dataset data = build_dataset("", std::move(rows));
  EXPECT_EQ(std::get<DenseMatrix>(data.features).values.data(), values);
  EXPECT_EQ(to_vector(data.grades.values()), (std::vector<double>{0, 2, 1}));
  EXPECT_EQ(to_vector(data.input_rows), (std::vector<std::int64_t>{0, 2, 1}));
}

TEST(DatasetBuilderTest, takes_no_rows_at_all) {
  const Dataset data = build_dataset("", dense_rows({}, {}));
  EXPECT_EQ(data.num_documents(), 0);
  EXPECT_EQ(data.num_queries(), 0);
}

}  // namespace
}  // namespace rankine
