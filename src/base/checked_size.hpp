// Sizes that a file, a model or an array of the caller's states. None is used in arithmetic before
// it is bounded, and no memory is asked for by a size that only states itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace rankine {

/// Columns are numbered by 32 bits, and fewer than 2^32 everywhere.
inline constexpr std::int64_t kMostColumns = std::numeric_limits<std::uint32_t>::max();

/// a * b and a + b; where that does not fit, the largest size there is, which no memory holds.
constexpr std::size_t product_or_most(std::size_t a, std::size_t b) noexcept {
  std::size_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::size_t>::max() : product;
}
constexpr std::size_t sum_or_most(std::size_t a, std::size_t b) noexcept {
  std::size_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::size_t>::max() : sum;
}

/// Is `count` == rows * columns, all of them at least 0?
constexpr bool is_product(std::int64_t count, std::int64_t rows, std::int64_t columns) noexcept {
  std::int64_t product = 0;
  return rows >= 0 && columns >= 0 && !__builtin_mul_overflow(rows, columns, &product) &&
         product == count;
}

/// To be asked before memory whose size follows from what a file states rather than from what it
/// holds. Throws Error{data} where `bytes` are more than this machine has left: "m.rkn: its
/// landmarks need 22 TB of memory and there are 3.1 GB". Small sizes cost nothing.
void require_memory(std::size_t bytes, const std::string& name, const std::string& what);

}  // namespace rankine
