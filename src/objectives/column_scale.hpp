// Learning on scaled columns without making the scaled data: with D = diag(factors), the loss at
// weights w of the scaled data is that of the data at D w, and its gradient there times D.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace rankine {

class ColumnScale {
 public:
  /// No factors: every column stays as it is.
  ColumnScale() = default;
  explicit ColumnScale(std::vector<double> factors) : factors_(std::move(factors)) {}

  bool is_identity() const { return factors_.empty(); }
  /// Of one column.
  double factor(std::size_t column) const { return factors_.empty() ? 1 : factors_[column]; }

  /// D * vector.
  std::vector<double> times(std::span<const double> vector) const {
    std::vector<double> result(vector.begin(), vector.end());
    apply(result);
    return result;
  }
  void apply(std::span<double> vector) const {
    for (std::size_t k = 0; k < factors_.size(); ++k) vector[k] *= factors_[k];
  }
  /// D matrix D, for a row-major square matrix.
  template <class T>
  void apply_both_sides(std::span<T> matrix) const {
    const std::size_t width = factors_.size();
    for (std::size_t row = 0; row < width; ++row) {
      for (std::size_t column = 0; column < width; ++column) {
        matrix[row * width + column] *= static_cast<T>(factors_[row] * factors_[column]);
      }
    }
  }

 private:
  std::vector<double> factors_;
};

}  // namespace rankine
