// Small random data sets that have everything a Dataset can have, and how tests compare two.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/dataset.hpp>

#include "data/collect/dataset_builder.hpp"
#include "data/collect/grade_collector.hpp"

namespace rankine {

struct RandomDatasetShape {
  int num_rows = 60;
  int num_queries = 7;
  std::uint32_t num_features = 5;
  bool sparse = false;
  bool shuffled = true;  // rows of a query lie apart in the input
  bool extras = true;    // comments, weights, names, preferences
};

/// Any finite float32: all exponents, both zeros, subnormal numbers.
inline float random_float(std::mt19937& random) {
  if (random() % 4 == 0) return static_cast<float>(random() % 5);
  for (;;) {
    const auto bits = static_cast<std::uint32_t>(random());
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    if (value - value == 0) return value;
  }
}

inline FeatureMatrix random_features(std::mt19937& random, const RandomDatasetShape& shape) {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::uint32_t> columns;
  std::vector<float> values;
  for (int row = 0; row < shape.num_rows; ++row) {
    for (std::uint32_t column = 0; column < shape.num_features; ++column) {
      // The last column is always there, so that text without it says as much.
      if (shape.sparse && random() % 2 == 0 && column + 1 < shape.num_features) continue;
      columns.push_back(column);
      values.push_back(random_float(random));
    }
    offsets.push_back(static_cast<std::int64_t>(values.size()));
  }
  if (!shape.sparse) return DenseMatrix{shape.num_rows, shape.num_features, std::move(values)};
  return CsrMatrix{shape.num_rows, shape.num_features, std::move(offsets), std::move(columns),
                   std::move(values)};
}

inline Dataset random_dataset(unsigned seed, const RandomDatasetShape& shape = {}) {
  std::mt19937 random(seed);
  ParsedRows rows;
  rows.features = random_features(random, shape);
  std::vector<std::string> ids;
  std::vector<std::string> comments;
  std::vector<double> grades;
  std::vector<double> weights;
  for (int row = 0; row < shape.num_rows; ++row) {
    auto query = static_cast<std::uint32_t>(row * shape.num_queries / shape.num_rows);
    if (query == ids.size()) {
      ids.push_back("q" + std::to_string(random() % 1000) + "-" + std::to_string(query));
    } else if (shape.shuffled) {
      query = static_cast<std::uint32_t>(random()) % (query + 1);
    }
    rows.query_of_row.push_back(query);
    grades.push_back(random() % 3 == 0 ? static_cast<double>(random()) / 7 - 1e8
                                       : static_cast<double>(random() % 5));
    comments.push_back(row % 3 == 0 ? "" : "docid = d" + std::to_string(row));
    weights.push_back(static_cast<double>(random() % 100) / 7);
  }
  rows.grades = coded_if_few(std::move(grades));  // both kinds: some shapes have many rows
  rows.query_ids = StringList::of(ids);
  for (std::int64_t row = 0;
       shape.extras && shape.num_features > 0 && row < std::min(3, shape.num_rows); ++row) {
    rows.missing.push_back({row, row % shape.num_features});
  }
  if (shape.extras) {
    rows.comments = StringList::of(comments);
    rows.document_weights = weights;
    std::vector<std::string> names;
    for (std::uint32_t column = 0; column < shape.num_features; ++column) {
      names.push_back("name " + std::to_string(column));
    }
    rows.feature_names = StringList::of(names);
  }
  Dataset data = build_dataset("random", std::move(rows));
  if (!shape.extras) return data;
  data.query_weights = std::vector<double>(static_cast<std::size_t>(data.num_queries()), 0.5);
  data.has_preferences = true;
  for (std::int64_t query = 0; query < data.num_queries(); ++query) {
    const auto first = data.query_offsets[static_cast<std::size_t>(query)];
    const auto last = data.query_offsets[static_cast<std::size_t>(query) + 1];
    if (last - first > 1) data.preferences.push_back({last - 1, first, 0.25, 2});
  }
  return data;
}

template <class T>
void expect_same_array(const Array<T>& left, const Array<T>& right, const char* what) {
  ASSERT_EQ(left.size(), right.size()) << what;
  if (left.empty()) return;
  EXPECT_EQ(std::memcmp(left.data(), right.data(), left.size() * sizeof(T)), 0) << what;
}

inline void expect_same_strings(const StringList& left, const StringList& right, const char* what) {
  ASSERT_EQ(left.size(), right.size()) << what;
  for (std::size_t index = 0; index < left.size(); ++index) {
    EXPECT_EQ(left[index], right[index]) << what << ' ' << index;
  }
}

/// Grades, features, queries and order: what every format keeps, bit for bit.
inline void expect_same_rows(const Dataset& left, const Dataset& right) {
  expect_same_array(left.grades.values(), right.grades.values(), "grades");
  expect_same_array(left.query_offsets, right.query_offsets, "query offsets");
  expect_same_array(left.input_rows, right.input_rows, "input rows");
  expect_same_strings(left.query_ids, right.query_ids, "query ids");
  ASSERT_EQ(left.is_dense(), right.is_dense());
  EXPECT_EQ(left.num_features(), right.num_features());
  if (left.is_dense()) {
    const auto& a = std::get<DenseMatrix>(left.features);
    const auto& b = std::get<DenseMatrix>(right.features);
    EXPECT_EQ(a.num_rows, b.num_rows);
    expect_same_array(a.values, b.values, "dense values");
  } else {
    const auto& a = std::get<CsrMatrix>(left.features);
    const auto& b = std::get<CsrMatrix>(right.features);
    EXPECT_EQ(a.num_rows, b.num_rows);
    expect_same_array(a.offsets, b.offsets, "row offsets");
    expect_same_array(a.columns, b.columns, "columns");
    expect_same_array(a.values, b.values, "sparse values");
  }
}

inline void expect_same_dataset(const Dataset& left, const Dataset& right) {
  expect_same_rows(left, right);
  EXPECT_EQ(left.source, right.source);
  expect_same_array(left.document_weights, right.document_weights, "document weights");
  expect_same_array(left.query_weights, right.query_weights, "query weights");
  expect_same_strings(left.comments, right.comments, "comments");
  expect_same_strings(left.feature_names, right.feature_names, "feature names");
  expect_same_array<Preference>(left.preferences, right.preferences, "preferences");
  EXPECT_EQ(left.has_preferences, right.has_preferences);
  EXPECT_EQ(left.num_missing, right.num_missing);
  expect_same_array(left.missing, right.missing, "missing values");
}

}  // namespace rankine
