// Sums over groups of queries whose bits do not depend on the number of threads: each group has a
// sum of its own, and these are added up in order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.hpp"

namespace rankine {

/// One sum a group, added up in order.
class GroupSums {
 public:
  GroupSums(std::size_t num_groups, std::size_t width) : width_(width), sums_(num_groups * width) {}
  std::span<double> of(std::size_t group) {
    return std::span(sums_).subspan(group * width_, width_);
  }
  /// The totals of entries first .. first + out.size() - 1.
  void total(std::span<double> out, std::size_t first = 0) const {
    std::fill(out.begin(), out.end(), 0.0);
    for (std::size_t start = first; start < sums_.size(); start += width_) {
      for (std::size_t k = 0; k < out.size(); ++k) out[k] += sums_[start + k];
    }
  }
  /// All totals, by several threads.
  std::vector<double> totals(int threads) const {
    constexpr std::size_t kPiece = 2048;
    std::vector<double> out(width_);
    parallel_for(static_cast<std::int64_t>((width_ + kPiece - 1) / kPiece), threads,
                 [&](std::int64_t piece) {
                   const std::size_t first = static_cast<std::size_t>(piece) * kPiece;
                   total(std::span(out).subspan(first, std::min(kPiece, width_ - first)), first);
                 });
    return out;
  }

 private:
  std::size_t width_;
  std::vector<double> sums_;
};

/// Sums over rows: those in single precision go over some hundred of them, added up in double.
template <class T>
class PartialSums {
 public:
  explicit PartialSums(std::span<double> total) : total_(total) {}

  template <class AddRows>
  void add(std::size_t count, const AddRows& add_rows) {
    add_rows(0, count, total_);
  }
  void finish() {}
  std::span<double> total() const { return total_; }

 private:
  std::span<double> total_;
};

template <>
class PartialSums<float> {
 public:
  explicit PartialSums(std::span<double> total) : total_(total), partial_(total.size()) {}

  /// add_rows(first, count, sum) adds rows first .. first + count - 1 of the next `count` ones.
  template <class AddRows>
  void add(std::size_t count, const AddRows& add_rows) {
    for (std::size_t first = 0; first < count;) {
      const std::size_t here = std::min(kSinglePrecisionRows - num_summed_, count - first);
      add_rows(first, here, std::span(partial_));
      first += here;
      num_summed_ += here;
      if (num_summed_ == kSinglePrecisionRows) finish();
    }
  }
  void finish() {
    for (std::size_t k = 0; k < partial_.size(); ++k) {
      total_[k] += static_cast<double>(partial_[k]);
    }
    std::fill(partial_.begin(), partial_.end(), 0.0F);
    num_summed_ = 0;
  }
  /// What has been added up in double so far.
  std::span<double> total() const { return total_; }

 private:
  static constexpr std::size_t kSinglePrecisionRows = 512;

  std::span<double> total_;
  std::vector<float> partial_;
  std::size_t num_summed_ = 0;
};

}  // namespace rankine
