// Random feature rows for the tests of this folder, dense and sparse forms of the same numbers.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include <rankine/dataset.hpp>

namespace rankine {

inline DenseMatrix random_rows(std::int64_t count, std::int64_t width, unsigned seed = 1) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(static_cast<std::size_t>(count * width));
  for (float& value : values) value = random() % 3 == 0 ? 0.0F : normal(random);
  return {count, width, std::move(values)};
}

inline CsrMatrix sparse_form(const DenseMatrix& dense) {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::uint32_t> columns;
  std::vector<float> values;
  for (std::int64_t r = 0; r < dense.num_rows; ++r) {
    for (std::int64_t f = 0; f < dense.num_columns; ++f) {
      const float value = dense.row(r)[static_cast<std::size_t>(f)];
      if (value == 0) continue;
      columns.push_back(static_cast<std::uint32_t>(f));
      values.push_back(value);
    }
    offsets.push_back(static_cast<std::int64_t>(values.size()));
  }
  return {dense.num_rows, dense.num_columns, std::move(offsets), std::move(columns),
          std::move(values)};
}

}  // namespace rankine
