// Small random data sets for tests, dense and sparse forms of the same numbers.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <rankine/dataset.hpp>

namespace rankine::oracles {

struct RandomDatasetShape {
  std::int64_t queries = 20;
  std::int64_t most_documents = 30;
  std::int64_t features = 7;
  int levels = 3;  // 0: real-valued grades
  bool weighted = false;
  double offset = 0;  // added to every feature
};

inline Dataset random_dataset(std::mt19937_64& random, const RandomDatasetShape& shape) {
  std::normal_distribution<double> normal;
  std::vector<float> values;
  std::vector<double> grades;
  std::vector<double> weights;
  std::vector<double> query_weights;
  std::vector<std::int64_t> offsets{0};
  std::vector<std::string> ids;
  for (std::int64_t q = 0; q < shape.queries; ++q) {
    const auto size =
        static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(shape.most_documents)) + 1;
    for (std::int64_t doc = 0; doc < size; ++doc) {
      double truth = normal(random);
      for (std::int64_t f = 0; f < shape.features; ++f) {
        const double value = random() % 4 == 0 ? 0.0 : normal(random);
        truth += value * static_cast<double>(f % 3 - 1);
        values.push_back(static_cast<float>(value + shape.offset));
      }
      const int level = truth > 2 ? 2 : truth > 0.5 ? 1 : 0;
      grades.push_back(shape.levels == 0 ? truth : static_cast<double>(level % shape.levels));
      weights.push_back(0.5 + static_cast<double>(random() % 4));
    }
    offsets.push_back(offsets.back() + size);
    query_weights.push_back(0.25 * static_cast<double>(1 + random() % 8));
    ids.push_back("q" + std::to_string(q));
  }
  Dataset data;
  data.source = "random";
  data.features =
      DenseMatrix{static_cast<std::int64_t>(grades.size()), shape.features, std::move(values)};
  data.grades = std::move(grades);
  data.query_offsets = std::move(offsets);
  data.query_ids = StringList::of(ids);
  if (shape.weighted) {
    data.document_weights = std::move(weights);
    data.query_weights = std::move(query_weights);
  }
  return data;
}

/// The same data set with its features in compressed rows.
inline Dataset as_sparse(const Dataset& data) {
  const auto& dense = std::get<DenseMatrix>(data.features);
  std::vector<std::int64_t> offsets{0};
  std::vector<std::uint32_t> columns;
  std::vector<float> values;
  for (std::int64_t row = 0; row < dense.num_rows; ++row) {
    const auto entries = dense.row(row);
    for (std::size_t f = 0; f < entries.size(); ++f) {
      if (entries[f] == 0) continue;
      columns.push_back(static_cast<std::uint32_t>(f));
      values.push_back(entries[f]);
    }
    offsets.push_back(static_cast<std::int64_t>(values.size()));
  }
  Dataset sparse = data;
  sparse.features = CsrMatrix{dense.num_rows, dense.num_columns, std::move(offsets),
                              std::move(columns), std::move(values)};
  return sparse;
}

}  // namespace rankine::oracles
