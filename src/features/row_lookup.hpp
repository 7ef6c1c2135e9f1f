// Numbers rows by their content, bit by bit: a row that was seen before keeps its number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include <rankine/dataset.hpp>

namespace rankine {

class RowLookup {
 public:
  /// The number of row `row` of `matrix`, if it was added.
  std::optional<std::size_t> find(const FeatureMatrix& matrix, std::int64_t row) const;
  /// Adds all rows of `matrix`, sharing its memory: they get the next numbers. Where several are
  /// equal, find gives the number of any.
  void add(const FeatureMatrix& matrix);
  std::size_t size() const { return places_.size(); }

 private:
  struct Place {
    std::size_t matrix;
    std::int64_t row;
  };

  std::vector<FeatureMatrix> matrices_;
  std::vector<Place> places_;  // by number
  std::unordered_multimap<std::uint64_t, std::size_t> numbers_;
};

/// Whether both share the same memory, so that they are equal without comparing their values.
bool is_same_memory(const FeatureMatrix& a, const FeatureMatrix& b);

}  // namespace rankine
