#include "linalg/symmetric_eigen.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include <rankine/error.hpp>

#include "linalg/blas_access.hpp"
#include "linalg/lapack.hpp"

namespace rankine {

SymmetricEigen::SymmetricEigen(std::vector<double> matrix, std::int64_t size)
    : values_(static_cast<std::size_t>(size)), vectors_(std::move(matrix)) {
  if (size == 0) return;
  // Eigenvectors come as columns, that is as our rows.
  struct Values {
    std::vector<double> values;
    bool succeeded = false;
  };
  const auto found = std::make_shared<Values>();
  found->values = std::move(values_);
  vectors_ = lapack::on_matrix(std::move(vectors_), size, [=](double* entries) {
    found->succeeded = lapack::eigenpairs(size, entries, found->values);
  });
  values_ = std::move(found->values);
  if (!found->succeeded) {
    throw Error(ErrorKind::data, "the eigendecomposition of a " + std::to_string(size) + " x " +
                                     std::to_string(size) +
                                     " matrix failed: its entries are not finite or too large");
  }
}

double SymmetricEigen::negligible() const {
  if (values_.empty()) return 0;
  const double largest = std::max(std::abs(values_.front()), std::abs(values_.back()));
  return static_cast<double>(size()) * std::numeric_limits<double>::epsilon() * largest;
}

void SymmetricEigen::to_eigenbasis(std::span<const double> in, std::span<double> out) const {
  if (in.empty()) return;
  const auto n = static_cast<int>(size());
  const BlasAccess access;
  access->dgemv(CblasRowMajor, CblasNoTrans, n, n, 1.0, vectors_.data(), n, in.data(), 1, 0.0,
                out.data(), 1);
}

void SymmetricEigen::from_eigenbasis(std::span<const double> in, std::span<double> out) const {
  if (in.empty()) return;
  const auto n = static_cast<int>(size());
  const BlasAccess access;
  access->dgemv(CblasRowMajor, CblasTrans, n, n, 1.0, vectors_.data(), n, in.data(), 1, 0.0,
                out.data(), 1);
}

}  // namespace rankine
