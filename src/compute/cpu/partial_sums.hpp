// Sums over the rows of one leaf, as wide as the precision allows: single precision is good for
// some hundred rows, which are then added up in double. An object serves one leaf, so that where it
// rounds does not depend on what was summed before.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace rankine {

/// In double: rows go straight into the total.
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
