#include "finite_values.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <utility>
#include <variant>
#include <vector>

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

namespace {

/// A copy with 0 for each NaN; empty where there is none.
std::vector<float> without_nan(std::span<const float> values) {
  if (std::none_of(values.begin(), values.end(), [](float v) { return std::isnan(v); })) return {};
  std::vector<float> copy(values.begin(), values.end());
  for (float& value : copy) value = std::isnan(value) ? 0 : value;
  return copy;
}

}  // namespace

void take_missing(Dataset& data) {
  std::vector<MissingValue> missing;
  if (auto* dense = std::get_if<DenseMatrix>(&data.features)) {
    std::vector<float> values = without_nan(dense->values);
    for (std::size_t at = 0; at < values.size(); ++at) {
      if (!std::isnan(dense->values[at])) continue;
      const auto place = static_cast<std::int64_t>(at);
      missing.push_back({place / dense->num_columns, place % dense->num_columns});
    }
    if (!values.empty()) dense->values = std::move(values);
  } else {
    auto& sparse = std::get<CsrMatrix>(data.features);
    std::vector<float> values = without_nan(sparse.values);
    const auto num_values = static_cast<std::int64_t>(sparse.values.size());
    const auto& offsets = sparse.offsets;
    if (offsets.empty() || offsets.front() != 0 || offsets.back() != num_values ||
        !std::is_sorted(offsets.begin(), offsets.end()) ||
        sparse.columns.size() != sparse.values.size()) {
      return;
    }
    for (std::size_t row = 0; !values.empty() && row + 1 < offsets.size(); ++row) {
      for (auto at = static_cast<std::size_t>(offsets[row]);
           at < static_cast<std::size_t>(offsets[row + 1]); ++at) {
        if (!std::isnan(sparse.values[at])) continue;
        missing.push_back({static_cast<std::int64_t>(row), std::int64_t{sparse.columns[at]}});
      }
    }
    if (!values.empty()) sparse.values = std::move(values);
  }
  data.num_missing = std::ssize(missing);
  if (!missing.empty()) data.missing = std::move(missing);
}

}  // namespace rankine::python
