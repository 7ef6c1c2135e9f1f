// Statistics of a data set by listing everything, and small random data sets full of ties.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <rankine/dataset.hpp>
#include <rankine/summary.hpp>

namespace rankine::oracles {

inline std::vector<float> slow_row(const Dataset& data, std::int64_t doc) {
  std::vector<float> row(static_cast<std::size_t>(data.num_features()), 0.0F);
  if (const auto* dense = std::get_if<DenseMatrix>(&data.features)) {
    for (std::size_t c = 0; c < row.size(); ++c) row[c] = dense->row(doc)[c];
  } else {
    const auto& sparse = std::get<CsrMatrix>(data.features);
    for (auto at = sparse.offsets[static_cast<std::size_t>(doc)];
         at < sparse.offsets[static_cast<std::size_t>(doc) + 1]; ++at) {
      row[sparse.columns[static_cast<std::size_t>(at)]] =
          sparse.values[static_cast<std::size_t>(at)];
    }
  }
  return row;
}

/// Calls visit(winner, loser) for every pair of one query with different grades.
template <class Visit>
void for_each_pair(const Dataset& data, std::int64_t query, Visit visit) {
  const auto first = data.query_offsets[static_cast<std::size_t>(query)];
  const auto last = data.query_offsets[static_cast<std::size_t>(query) + 1];
  for (auto i = first; i < last; ++i) {
    for (auto j = first; j < last; ++j) {
      if (data.grades[static_cast<std::size_t>(i)] > data.grades[static_cast<std::size_t>(j)]) {
        visit(i, j);
      }
    }
  }
}

inline ColumnStatistics slow_column(const Dataset& data, std::size_t column) {
  ColumnStatistics result;
  const auto n = data.num_documents();
  for (std::int64_t doc = 0; doc < n; ++doc) {
    const float value = slow_row(data, doc)[column];
    result.least = doc == 0 ? value : std::fmin(result.least, value);
    result.most = doc == 0 ? value : std::fmax(result.most, value);
    result.mean += static_cast<double>(value) / static_cast<double>(n);
    result.num_nonzero += value != 0 ? 1 : 0;
  }
  for (std::int64_t doc = 0; doc < n; ++doc) {
    const double distance = static_cast<double>(slow_row(data, doc)[column]) - result.mean;
    result.deviation += distance * distance / static_cast<double>(n);
  }
  result.deviation = std::sqrt(result.deviation);
  return result;
}

struct TiedShape {
  int num_queries = 6;
  int longest = 12;  // queries have 1 .. longest documents
  int num_features = 4;
  int num_values = 3;  // features and grades take few values, so that ties abound
  bool sparse = false;
};

/// Feature 0 is constant; stored zeros and negative values occur.
inline Dataset tied_dataset(unsigned seed, const TiedShape& shape = {}) {
  std::mt19937 random(seed);
  const auto draw = [&](int below) {
    return static_cast<int>(random() % static_cast<unsigned>(below));
  };
  std::vector<double> grades;
  std::vector<std::int64_t> query_offsets{0};
  std::vector<std::int64_t> offsets{0};
  std::vector<std::uint32_t> columns;
  std::vector<float> values;
  for (int query = 0; query < shape.num_queries; ++query) {
    const int length = 1 + draw(shape.longest);
    for (int doc = 0; doc < length; ++doc) {
      grades.push_back(draw(shape.num_values));
      for (int column = 0; column < shape.num_features; ++column) {
        const int value = column == 0 ? 2 : draw(shape.num_values) - 1;
        if (shape.sparse && value == 0 && draw(4) > 0) continue;
        columns.push_back(static_cast<std::uint32_t>(column));
        values.push_back(static_cast<float>(value) * 0.75F);
      }
      offsets.push_back(static_cast<std::int64_t>(values.size()));
    }
    query_offsets.push_back(static_cast<std::int64_t>(grades.size()));
  }
  Dataset data;
  data.source = "tied";
  const auto num_rows = static_cast<std::int64_t>(grades.size());
  if (shape.sparse) {
    data.features = CsrMatrix{num_rows, shape.num_features, std::move(offsets), std::move(columns),
                              std::move(values)};
  } else {
    data.features = DenseMatrix{num_rows, shape.num_features, std::move(values)};
  }
  data.grades = std::move(grades);
  data.query_offsets = std::move(query_offsets);
  return data;
}

}  // namespace rankine::oracles
