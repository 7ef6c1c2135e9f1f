// Dictionary coding: a grade is stored as the number of its value in a list of the different values
// seen so far, one byte, as long as there are at most 256. Whole numbers, which judgements usually
// are, find their code in a table; other values by a hash of their bits. With the 257th value all
// grades are written out in full, once. At the end the codes are renumbered in the order of the
// grades.
#include "data/collect/grade_collector.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <compare>
#include <utility>

namespace rankine {

void GradeCollector::expect(std::size_t num_grades) {
  num_expected_ = num_grades;
  if (are_coded_) {
    codes_.reserve(num_grades);
  } else {
    values_.reserve(num_grades);
  }
}

std::uint16_t GradeCollector::code(double grade) {
  if (!(grade >= 0 && grade < static_cast<double>(kMostLevels))) return code_by_bits(grade);
  const auto whole = static_cast<std::size_t>(grade);
  const bool is_fraction = static_cast<double>(whole) != grade;
  if (is_fraction || std::signbit(grade)) return code_by_bits(grade);  // -0 is not 0
  if (small_[whole] == kNone) small_[whole] = code_by_bits(grade);
  return small_[whole];
}

std::uint16_t GradeCollector::code_by_bits(double grade) {
  const auto bits = std::bit_cast<std::uint64_t>(grade);
  const auto found = codes_by_bits_.find(bits);
  if (found != codes_by_bits_.end()) return found->second;
  if (levels_.size() == kMostLevels) return kNone;
  const auto next = static_cast<std::uint16_t>(levels_.size());
  levels_.push_back(grade);
  codes_by_bits_.emplace(bits, next);
  return next;
}

void GradeCollector::add(std::span<const double> grades) {
  std::size_t taken = 0;
  for (; are_coded_ && taken < grades.size(); ++taken) {
    const std::uint16_t next = code(grades[taken]);
    if (next == kNone) {
      values_.reserve(num_expected_);
      values_.resize(codes_.size());
      for (std::size_t k = 0; k < codes_.size(); ++k) values_[k] = levels_[codes_[k]];
      codes_ = {};
      are_coded_ = false;
      break;
    }
    codes_.push_back(static_cast<std::uint8_t>(next));
  }
  if (are_coded_) return;
  const auto rest = grades.subspan(taken);
  values_.insert(values_.end(), rest.begin(), rest.end());
}

/// Codes were given in the order of first appearance.
void GradeCollector::sort_levels() {
  const auto order_of = [](double a, double b) {
    return std::strong_order(a, b) < 0;  // -0 before 0
  };
  if (std::is_sorted(levels_.begin(), levels_.end(), order_of)) return;
  std::vector<double> sorted(levels_);
  std::sort(sorted.begin(), sorted.end(), order_of);
  std::array<std::uint8_t, kMostLevels> places{};
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    places[k] = static_cast<std::uint8_t>(
        std::lower_bound(sorted.begin(), sorted.end(), levels_[k], order_of) - sorted.begin());
  }
  for (std::uint8_t& code : codes_) code = places[code];
  levels_ = std::move(sorted);
}

Grades GradeCollector::finish() {
  if (are_coded_) sort_levels();
  GradeCollector whole = std::exchange(*this, {});
  if (!whole.are_coded_) return std::move(whole.values_);
  return {std::move(whole.codes_), std::move(whole.levels_)};
}

Grades coded_if_few(std::vector<double> grades) {
  constexpr std::size_t kBlock = 4096;  // what is copied in vain when there are many
  GradeCollector collector;
  for (std::size_t first = 0; first < grades.size(); first += kBlock) {
    const std::size_t count = std::min(kBlock, grades.size() - first);
    collector.add(std::span(grades).subspan(first, count));
    if (!collector.are_coded()) return grades;
  }
  return collector.finish();
}

}  // namespace rankine
