#include "finite_values.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

#include <rankine/error.hpp>

namespace rankine::python {

void check_finite(std::span<const float> values, std::int64_t num_columns, const std::string& name,
                  std::span<const std::int64_t> input_rows) {
  constexpr std::size_t kPiece = 4096;
  constexpr std::uint32_t kExponent = 0x7f800000U;  // all ones: infinite or not a number
  for (std::size_t piece = 0; piece < values.size(); piece += kPiece) {
    const auto part = values.subspan(piece, std::min(kPiece, values.size() - piece));
    std::uint32_t bad = 0;  // no exit from the loop, so that it fills vectors
    for (const float value : part) {
      bad |= (std::bit_cast<std::uint32_t>(value) & kExponent) == kExponent ? 1U : 0U;
    }
    if (bad == 0) continue;
    const auto found =
        std::find_if_not(part.begin(), part.end(), [](float v) { return std::isfinite(v); });
    const auto entry = static_cast<std::int64_t>(piece) + (found - part.begin());
    const std::int64_t row = entry / num_columns;
    const std::int64_t input_row =
        input_rows.empty() ? row : input_rows[static_cast<std::size_t>(row)];
    const std::string what =
        std::isnan(*found) ? "NaN" : "infinity or a value too large for float32";
    throw Error(ErrorKind::data, name + " contains " + what + " in row " +
                                     std::to_string(input_row) + ", column " +
                                     std::to_string(entry % num_columns));
  }
}

}  // namespace rankine::python
