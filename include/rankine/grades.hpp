// Grades by document: a double each or, where few different values occur, one byte each and the
// list of values that the bytes stand for. Data sets have millions of grades and few different
// ones.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "rankine/array.hpp"

namespace rankine {

/// A read-only view of grades, cheap to copy.
class GradeView {
 public:
  GradeView() = default;
  GradeView(std::span<const double> values)  // NOLINT: numbers are grades
      : size_(values.size()), values_(values.data()) {}
  GradeView(const std::vector<double>& values) : GradeView(std::span(values)) {}  // NOLINT
  GradeView(const Array<double>& values) : GradeView(values.span()) {}            // NOLINT
  /// Document i has grade levels[codes[i]]. Requires: every code is below levels.size().
  GradeView(std::span<const std::uint8_t> codes, std::span<const double> levels)
      : size_(codes.size()), values_(levels.data()), codes_(codes.data()) {}

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  double operator[](std::size_t document) const {
    return values_[codes_ != nullptr ? codes_[document] : document];
  }

  GradeView subview(std::size_t first, std::size_t count) const {
    GradeView part(*this);
    part.size_ = count;
    if (codes_ != nullptr) {
      part.codes_ += first;
    } else {
      part.values_ += first;
    }
    return part;
  }

  /// The grades as contiguous numbers: the viewed ones or, where they are coded, decoded into
  /// `room`.
  std::span<const double> values(std::vector<double>& room) const {
    if (codes_ == nullptr) return {values_, size_};
    room.resize(size_);
    for (std::size_t document = 0; document < size_; ++document) room[document] = (*this)[document];
    return room;
  }

  class Iterator {
   public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = double;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = double;

    Iterator() = default;
    Iterator(const GradeView& view, std::size_t at)
        : values_(view.values_), codes_(view.codes_), at_(static_cast<std::ptrdiff_t>(at)) {}

    double operator*() const { return (*this)[0]; }
    double operator[](std::ptrdiff_t step) const {
      return values_[codes_ != nullptr ? codes_[at_ + step] : at_ + step];
    }
    Iterator& operator++() { return *this += 1; }
    Iterator operator++(int) { return std::exchange(*this, *this + 1); }
    Iterator& operator--() { return *this -= 1; }
    Iterator operator--(int) { return std::exchange(*this, *this - 1); }
    Iterator& operator+=(std::ptrdiff_t steps) {
      at_ += steps;
      return *this;
    }
    Iterator& operator-=(std::ptrdiff_t steps) { return *this += -steps; }
    friend Iterator operator+(Iterator from, std::ptrdiff_t steps) { return from += steps; }
    friend Iterator operator+(std::ptrdiff_t steps, Iterator from) { return from += steps; }
    friend Iterator operator-(Iterator from, std::ptrdiff_t steps) { return from -= steps; }
    friend std::ptrdiff_t operator-(const Iterator& a, const Iterator& b) { return a.at_ - b.at_; }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }
    friend std::strong_ordering operator<=>(const Iterator& a, const Iterator& b) {
      return a.at_ <=> b.at_;
    }

   private:
    const double* values_ = nullptr;
    const std::uint8_t* codes_ = nullptr;
    std::ptrdiff_t at_ = 0;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size_}; }

 private:
  std::size_t size_ = 0;
  const double* values_ = nullptr;  // by document or, where there are codes, by code
  const std::uint8_t* codes_ = nullptr;
};

/// The grades of a data set, immutable. Copies share the memory.
class Grades {
 public:
  Grades() = default;
  Grades(std::vector<double> values) : values_(std::move(values)) {}  // NOLINT: as for an Array
  Grades(Array<double> values) : values_(std::move(values)) {}        // NOLINT
  /// Document i has grade levels[codes[i]]. Requires: every code is below levels.size().
  Grades(Array<std::uint8_t> codes, Array<double> levels)
      : values_(std::move(levels)), codes_(std::move(codes)), are_coded_(true) {}

  std::size_t size() const { return are_coded_ ? codes_.size() : values_.size(); }
  bool empty() const { return size() == 0; }
  double operator[](std::size_t document) const { return view()[document]; }
  GradeView view() const {
    return are_coded_ ? GradeView(codes_.span(), values_.span()) : GradeView(values_.span());
  }
  operator GradeView() const { return view(); }  // NOLINT: grades can be viewed
  auto begin() const { return view().begin(); }
  auto end() const { return view().end(); }

  /// In a byte each.
  bool are_coded() const { return are_coded_; }
  const Array<std::uint8_t>& codes() const { return codes_; }
  /// What the codes stand for. Requires: are_coded().
  const Array<double>& levels() const { return values_; }
  /// Eight bytes each: the same memory or, where they are coded, a copy that lives as long as what
  /// is returned.
  Array<double> values() const {
    return are_coded_ ? Array<double>(std::vector<double>(begin(), end())) : values_;
  }
  /// The grades that `choose` picks: it is called with the array by document, of codes or of
  /// values.
  template <class Choose>
  Grades chosen(const Choose& choose) const {
    return are_coded_ ? Grades(choose(codes_), values_) : Grades(choose(values_));
  }
  std::size_t num_bytes() const { return codes_.size() + values_.size() * sizeof(double); }

 private:
  Array<double> values_;  // by document or, where there are codes, by code
  Array<std::uint8_t> codes_;
  bool are_coded_ = false;
};

}  // namespace rankine
