// Collects grades as they are read: one byte each while few different ones occur.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include <rankine/grades.hpp>

namespace rankine {

class GradeCollector {
 public:
  GradeCollector() { small_.fill(kNone); }

  std::size_t size() const { return are_coded_ ? codes_.size() : values_.size(); }
  bool empty() const { return size() == 0; }
  bool are_coded() const { return are_coded_; }
  /// Reserves memory for about so many grades in all, so that it need not double on the way.
  void expect(std::size_t num_grades);
  void add(std::span<const double> grades);
  /// What was collected, bit for bit, codes rising with the grades; leaves nothing here.
  Grades finish();

 private:
  static constexpr std::uint16_t kNone = 0xffff;
  static constexpr std::size_t kMostLevels = 256;

  /// kNone when there are too many.
  std::uint16_t code(double grade);
  std::uint16_t code_by_bits(double grade);
  void sort_levels();

  bool are_coded_ = true;
  std::size_t num_expected_ = 0;
  std::vector<std::uint8_t> codes_;
  std::vector<double> levels_;
  std::array<std::uint16_t, kMostLevels> small_;  // codes of the grades 0, 1, 2, ...
  std::unordered_map<std::uint64_t, std::uint16_t> codes_by_bits_;
  std::vector<double> values_;
};

/// The same for grades that are in memory already.
Grades coded_if_few(std::vector<double> grades);

}  // namespace rankine
