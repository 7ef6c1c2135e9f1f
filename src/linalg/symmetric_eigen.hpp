// The eigendecomposition of a symmetric matrix, A = V S V^T. Cost: about 9 size^3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rankine {

class SymmetricEigen {
 public:
  /// `matrix` is size x size; its lower triangle is read.
  SymmetricEigen(std::vector<double> matrix, std::int64_t size);

  std::size_t size() const { return values_.size(); }
  /// In rising order.
  std::span<const double> values() const { return values_; }
  /// The unit eigenvector of values()[k].
  std::span<const double> vector(std::size_t k) const {
    return std::span(vectors_).subspan(k * size(), size());
  }
  /// V^T, row-major: row k is vector(k).
  std::span<const double> vectors() const { return vectors_; }

  /// Eigenvalues up to this cannot be told from 0: size * epsilon * largest.
  double negligible() const;

  /// V^T * in, and V * in.
  void to_eigenbasis(std::span<const double> in, std::span<double> out) const;
  void from_eigenbasis(std::span<const double> in, std::span<double> out) const;

 private:
  std::vector<double> values_;
  std::vector<double> vectors_;
};

}  // namespace rankine
