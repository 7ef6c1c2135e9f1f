// Kernel RankSVM with the squared hinge, every pair alike, in double throughout: Newton's method
// with all pairs listed and Gaussian elimination.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <rankine/dataset.hpp>

#include "oracles/dense_rls.hpp"

namespace rankine::oracles {

class DenseKernelSvm {
 public:
  /// `kernel`: of all documents with each other, row-major.
  DenseKernelSvm(const Dataset& data, std::vector<double> kernel, double C)
      : size_(data.grades.size()), kernel_(std::move(kernel)), C_(C) {
    for (std::size_t q = 0; q + 1 < data.query_offsets.size(); ++q) {
      const auto first = static_cast<std::size_t>(data.query_offsets[q]);
      const auto last = static_cast<std::size_t>(data.query_offsets[q + 1]);
      for (std::size_t i = first; i < last; ++i) {
        for (std::size_t j = first; j < last; ++j) {
          if (data.grades[i] > data.grades[j]) pairs_.emplace_back(i, j);
        }
      }
    }
  }

  /// Sum over pairs of the squared hinge.
  double loss(std::span<const double> scores) const {
    double sum = 0;
    for (const auto& [i, j] : pairs_) {
      const double short_by = std::max(0.0, 1 - (scores[i] - scores[j]));
      sum += short_by * short_by;
    }
    return sum;
  }

  double minimum() const {
    std::vector<double> beta(size_);
    double value = objective(beta);
    for (int iteration = 0; iteration < 200; ++iteration) {
      const auto step = newton_step(beta);
      double t = 1;
      std::vector<double> next;
      double there = value;
      for (; t > 1e-6; t /= 2) {
        next = beta;
        for (std::size_t k = 0; k < size_; ++k) next[k] += t * step[k];
        there = objective(next);
        if (there < value) break;
      }
      if (!(there < value)) break;
      beta = std::move(next);
      value = there;
    }
    return value;
  }

 private:
  std::vector<double> scores(std::span<const double> beta) const {
    std::vector<double> out(size_);
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t j = 0; j < size_; ++j) out[i] += kernel_[i * size_ + j] * beta[j];
    }
    return out;
  }
  double objective(std::span<const double> beta) const {
    const auto s = scores(beta);
    double norm = 0;
    for (std::size_t k = 0; k < size_; ++k) norm += beta[k] * s[k];
    return 0.5 * norm + C_ * loss(s);
  }
  /// (I + C H K) step = -(beta + C slope), H and slope of the loss.
  std::vector<double> newton_step(std::span<const double> beta) const {
    const auto s = scores(beta);
    std::vector<double> right(size_);
    std::vector<double> matrix(size_ * size_);
    for (std::size_t k = 0; k < size_; ++k) {
      right[k] = -beta[k];
      matrix[k * size_ + k] = 1;
    }
    for (const auto& [i, j] : pairs_) {
      const double short_by = 1 - (s[i] - s[j]);
      if (!(short_by > 0)) continue;
      right[i] += 2 * C_ * short_by;
      right[j] -= 2 * C_ * short_by;
      for (std::size_t k = 0; k < size_; ++k) {
        const double difference = 2 * C_ * (kernel_[i * size_ + k] - kernel_[j * size_ + k]);
        matrix[i * size_ + k] += difference;
        matrix[j * size_ + k] -= difference;
      }
    }
    return eliminate(std::move(matrix), std::move(right));
  }

  std::size_t size_;
  std::vector<double> kernel_;
  double C_;
  std::vector<std::pair<std::size_t, std::size_t>> pairs_;
};

}  // namespace rankine::oracles
