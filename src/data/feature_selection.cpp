// A part of the list is first looked up as a whole, so a feature may be named `7` or `a-b`. Only
// then is it tried as a number, and as a range at each of its dashes.
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <rankine/error.hpp>
#include <rankine/feature_selection.hpp>
#include <rankine/fields.hpp>

namespace rankine {
namespace {

[[noreturn]] void fail(std::string_view part, const std::string& message) {
  throw Error(ErrorKind::option, "features: '" + std::string(part) + "' " + message);
}

/// Finds what the parts of a list mean.
class FeatureFinder {
 public:
  FeatureFinder(std::int64_t num_features, const StringList& names) : num_features_(num_features) {
    for (std::size_t k = 0; k < names.size(); ++k) {
      if (names[k].empty()) continue;
      columns_.emplace(names[k], static_cast<std::int64_t>(k));
      names_.push_back(names[k]);
    }
  }

  std::pair<std::int64_t, std::int64_t> range(std::string_view part) const {
    if (const auto column = find(part)) return {*column, *column};
    for (auto dash = part.find('-'); dash != std::string_view::npos;
         dash = part.find('-', dash + 1)) {
      const auto first = find(part.substr(0, dash));
      const auto last =
          dash + 1 == part.size() ? std::optional(num_features_ - 1) : find(part.substr(dash + 1));
      if (!first || !last) continue;
      check(part, *first);
      check(part, *last);
      if (*last < *first) fail(part, "is a range that ends before it begins");
      return {*first, *last};
    }
    fail_unknown(part);
  }

  void check(std::string_view part, std::int64_t column) const {
    if (column < 0) fail(part, "is no feature: they are numbered from 1");
    if (column >= num_features_) {
      fail(part, "is no feature: there are " + std::to_string(num_features_));
    }
  }

 private:
  /// The column of a name or a number, which may be beyond those there are.
  std::optional<std::int64_t> find(std::string_view text) const {
    if (const auto named = columns_.find(text); named != columns_.end()) return named->second;
    constexpr std::int64_t kBeyondAll = std::int64_t{1} << 62;
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, number);
    if (text.empty() || text.front() == '-' || result.ptr != end) return std::nullopt;
    return result.ec == std::errc{} ? number - 1 : kBeyondAll;
  }

  [[noreturn]] void fail_unknown(std::string_view part) const {
    if (names_.empty()) fail(part, "is neither a feature's number nor a range like 1-10");
    const auto nearest = nearest_spelling(part, names_);
    fail(part, "is neither a feature's name or number nor a range like 1-10" +
                   (nearest.empty() ? "" : " (did you mean " + std::string(nearest) + "?)"));
  }

  std::int64_t num_features_;
  std::vector<std::string_view> names_;
  std::unordered_map<std::string_view, std::int64_t> columns_;
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

DenseMatrix selected(const DenseMatrix& matrix, std::span<const std::int64_t> columns) {
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(matrix.num_rows) * columns.size());
  for (std::int64_t row = 0; row < matrix.num_rows; ++row) {
    const auto from = matrix.row(row);
    for (const std::int64_t column : columns) {
      values.push_back(from[static_cast<std::size_t>(column)]);
    }
  }
  return {matrix.num_rows, std::ssize(columns), std::move(values)};
}

CsrMatrix selected(const CsrMatrix& matrix, std::span<const std::int64_t> columns) {
  constexpr std::int64_t kLeftOut = -1;
  std::vector<std::int64_t> new_column(static_cast<std::size_t>(matrix.num_columns), kLeftOut);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    new_column[static_cast<std::size_t>(columns[k])] = static_cast<std::int64_t>(k);
  }
  std::vector<std::int64_t> offsets{0};
  std::vector<std::uint32_t> new_columns;
  std::vector<float> values;
  std::vector<std::pair<std::uint32_t, float>> entries;
  offsets.reserve(matrix.offsets.size());
  for (std::size_t row = 0; row < static_cast<std::size_t>(matrix.num_rows); ++row) {
    entries.clear();
    const auto last = static_cast<std::size_t>(matrix.offsets[row + 1]);
    for (auto k = static_cast<std::size_t>(matrix.offsets[row]); k < last; ++k) {
      const std::int64_t column = new_column[matrix.columns[k]];
      if (column == kLeftOut) continue;
      entries.emplace_back(static_cast<std::uint32_t>(column), matrix.values[k]);
    }
    std::sort(entries.begin(), entries.end());
    for (const auto& [column, value] : entries) {
      new_columns.push_back(column);
      values.push_back(value);
    }
    offsets.push_back(static_cast<std::int64_t>(values.size()));
  }
  return {matrix.num_rows, std::ssize(columns), std::move(offsets), std::move(new_columns),
          std::move(values)};
}

std::vector<MissingValue> selected(const Array<MissingValue>& missing,
                                   std::span<const std::int64_t> columns,
                                   std::int64_t num_features) {
  std::vector<std::int64_t> new_column(static_cast<std::size_t>(num_features), -1);
  for (std::size_t k = 0; k < columns.size(); ++k) {
    new_column[static_cast<std::size_t>(columns[k])] = static_cast<std::int64_t>(k);
  }
  std::vector<MissingValue> result;
  for (const MissingValue& cell : missing) {
    const std::int64_t column = new_column[static_cast<std::size_t>(cell.column)];
    if (column >= 0) result.push_back({cell.document, column});
  }
  std::sort(result.begin(), result.end(), [](const MissingValue& a, const MissingValue& b) {
    return std::pair(a.document, a.column) < std::pair(b.document, b.column);
  });
  return result;
}

}  // namespace

std::vector<std::int64_t> parse_feature_list(std::string_view text, std::int64_t num_features,
                                             const StringList& feature_names) {
  const FeatureFinder finder(num_features, feature_names);
  std::vector<std::int64_t> columns;
  std::vector<bool> seen(static_cast<std::size_t>(num_features));
  for (const std::string& item : parse_list(text)) {
    const std::string_view part = trimmed(item);
    const auto [first, last] = finder.range(part);
    finder.check(part, first);
    for (std::int64_t column = first; column <= last; ++column) {
      if (seen[static_cast<std::size_t>(column)]) {
        fail(text, "names feature " + std::to_string(column + 1) + " twice");
      }
      seen[static_cast<std::size_t>(column)] = true;
      columns.push_back(column);
    }
  }
  if (columns.empty()) fail(text, "names no feature");
  return columns;
}

Dataset select_features(const Dataset& data, std::span<const std::int64_t> columns) {
  std::vector<bool> seen(static_cast<std::size_t>(data.num_features()));
  std::vector<std::string> names;
  for (const std::int64_t column : columns) {
    if (column < 0 || column >= data.num_features()) {
      throw_out_of_range("features", std::to_string(column + 1),
                         "in [1, " + std::to_string(data.num_features()) + "]");
    }
    const auto index = static_cast<std::size_t>(column);
    if (seen[index]) fail(std::to_string(column + 1), "is named twice");
    seen[index] = true;
    if (!data.feature_names.empty()) names.emplace_back(data.feature_names[index]);
  }
  Dataset result = data;
  result.features =
      std::visit([&](const auto& matrix) -> FeatureMatrix { return selected(matrix, columns); },
                 data.features);
  if (!data.feature_names.empty()) result.feature_names = StringList::of(names);
  if (!data.missing.empty()) {
    std::vector<MissingValue> missing = selected(data.missing, columns, data.num_features());
    result.num_missing = std::ssize(missing);
    result.missing = std::move(missing);
  }
  return result;
}

}  // namespace rankine
