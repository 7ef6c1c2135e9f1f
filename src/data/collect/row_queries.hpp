// The query of each row, as rows are read: the first row of each query while queries are
// contiguous, and one number per row once they are not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rankine {

class RowQueries {
 public:
  /// Reserves memory for about so many rows, so that it need not double on the way.
  void expect(std::size_t num_rows) { num_expected_ = num_rows; }
  /// From `row` on, rows are of `query`. Requires: rows do not fall, the first is 0, and queries
  /// first appear in the order 0, 1, 2, ...
  void start(std::size_t row, std::uint32_t query);

  bool are_gathered() const { return numbers_.empty(); }
  /// Where each query begins, and the number of rows at the end. Requires: are_gathered().
  std::vector<std::int64_t> offsets(std::size_t num_rows) &&;
  /// By row. Requires: !are_gathered().
  std::vector<std::uint32_t> numbers(std::size_t num_rows) &&;

 private:
  void number_rows(std::size_t num_rows);

  std::size_t num_expected_ = 0;
  std::uint32_t query_ = 0;             // of the last rows
  std::vector<std::int64_t> starts_;    // by query, while rows are gathered
  std::vector<std::uint32_t> numbers_;  // by row, up to where the last rows start
};

}  // namespace rankine
