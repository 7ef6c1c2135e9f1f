// One pass over each array. The loops over the large ones have no branches, so that they run at the
// speed of memory: they count what is wrong and judge at the end of each piece.
#include "data/dataset_check.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <variant>
#include <vector>

#include <rankine/error.hpp>

#include "base/checked_size.hpp"

namespace rankine {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;

[[noreturn]] void fail(const std::string& name, const std::string& what) {
  throw Error(ErrorKind::data, name + ": " + what);
}

std::string count_text(std::size_t count) {
  return std::to_string(count);
}

void check_size(const std::string& name, std::string_view what, std::size_t size,
                std::int64_t wanted) {
  if (size != static_cast<std::size_t>(wanted)) {
    fail(name, count_text(size) + " " + std::string(what) + " where there should be " +
                   std::to_string(wanted));
  }
}

/// Offsets that cut [0, total) into `num_parts` parts; with `no_empty`, each of them not empty.
void check_offsets(const std::string& name, std::string_view what,
                   const Array<std::int64_t>& offsets, std::int64_t num_parts, std::int64_t total,
                   bool no_empty) {
  if (num_parts == 0 && offsets.empty() && total == 0) return;
  check_size(name, what, offsets.size(), num_parts + 1);
  bool good = offsets.front() == 0 && offsets.back() == total;
  for (std::size_t part = 1; part < offsets.size(); ++part) {
    good &= no_empty ? offsets[part] > offsets[part - 1] : offsets[part] >= offsets[part - 1];
  }
  if (!good) fail(name, std::string(what) + " do not rise from 0 to " + std::to_string(total));
}

void check_strings(const std::string& name, std::string_view what, const StringList& strings,
                   std::int64_t wanted) {
  check_size(name, what, strings.size(), wanted);
  check_offsets(name, "offsets of " + std::string(what), strings.offsets(), wanted,
                static_cast<std::int64_t>(strings.bytes().size()), false);
}

void check_weights(const std::string& name, std::string_view what, const Array<double>& weights,
                   std::int64_t wanted) {
  if (weights.empty()) return;
  check_size(name, what, weights.size(), wanted);
  for (const double weight : weights) {
    if (!(weight >= 0) || std::isinf(weight)) {
      fail(name, std::string(what) + " must be finite and not negative");
    }
  }
}

/// A permutation under which documents keep the input's order within a query, and queries come in
/// the order of their first document.
void check_input_rows(const std::string& name, const Dataset& data) {
  const Array<std::int64_t>& rows = data.input_rows;
  if (rows.empty()) return;
  check_size(name, "input rows", rows.size(), data.num_documents());
  std::vector<bool> seen(rows.size());
  for (const std::int64_t row : rows) {
    if (row < 0 || row >= data.num_documents() || seen[static_cast<std::size_t>(row)]) {
      fail(name, "input rows are not a permutation of the documents");
    }
    seen[static_cast<std::size_t>(row)] = true;
  }
  std::int64_t last_first_row = -1;
  for (std::size_t query = 0; query + 1 < data.query_offsets.size(); ++query) {
    const auto first = static_cast<std::size_t>(data.query_offsets[query]);
    const auto last = static_cast<std::size_t>(data.query_offsets[query + 1]);
    bool rising = rows[first] > last_first_row;
    for (std::size_t doc = first + 1; doc < last; ++doc) rising &= rows[doc] > rows[doc - 1];
    if (!rising) fail(name, "documents or queries are not in the order of the input rows");
    last_first_row = rows[first];
  }
}

void check_preferences(const std::string& name, const Dataset& data) {
  if (!data.has_preferences && !data.preferences.empty()) {
    fail(name, "preferences that the data set says it does not have");
  }
  const auto offsets = data.query_offsets.span();
  for (const Preference& pair : data.preferences) {
    const auto exists = [&](std::int64_t doc) { return doc >= 0 && doc < data.num_documents(); };
    if (!exists(pair.winner) || !exists(pair.loser) || pair.winner == pair.loser) {
      fail(name, "a preference between documents that do not exist or are the same");
    }
    const auto end = std::upper_bound(offsets.begin(), offsets.end(), pair.winner);
    if (pair.loser >= *end || pair.loser < *(end - 1)) {
      fail(name, "a preference between documents of different queries");
    }
    if (!(pair.weight >= 0) || std::isinf(pair.weight) || !(pair.magnitude >= 0) ||
        std::isinf(pair.magnitude)) {
      fail(name, "a preference whose weight or magnitude is negative or not finite");
    }
  }
}

void check_missing(const std::string& name, const Dataset& data) {
  if (data.num_missing < 0) fail(name, "a negative number of missing values");
  if (data.missing.empty()) return;
  check_size(name, "missing values", data.missing.size(), data.num_missing);
  const MissingValue* before = nullptr;
  for (const MissingValue& cell : data.missing) {
    const bool exists = cell.document >= 0 && cell.document < data.num_documents() &&
                        cell.column >= 0 && cell.column < data.num_features();
    if (!exists) fail(name, "a missing value of a document or a feature that does not exist");
    const bool rises = before == nullptr || before->document < cell.document ||
                       (before->document == cell.document && before->column < cell.column);
    if (!rises) fail(name, "missing values that are not in order");
    before = &cell;
  }
}

void check_shape(const std::string& name, const DenseMatrix& matrix) {
  std::int64_t wanted = 0;
  if (__builtin_mul_overflow(matrix.num_rows, matrix.num_columns, &wanted)) {
    fail(name, "more feature values than memory can hold");
  }
  check_size(name, "feature values", matrix.values.size(), wanted);
}

void check_shape(const std::string& name, const CsrMatrix& matrix) {
  check_size(name, "columns", matrix.columns.size(),
             static_cast<std::int64_t>(matrix.values.size()));
  check_offsets(name, "row offsets", matrix.offsets, matrix.num_rows,
                static_cast<std::int64_t>(matrix.values.size()), false);
}

}  // namespace

void check_structure(const Dataset& data, const std::string& name) {
  const std::int64_t num_documents = data.num_documents();
  std::visit(
      [&](const auto& matrix) {
        if (matrix.num_columns < 0 || matrix.num_columns > kMostColumns) {
          fail(name, std::to_string(matrix.num_columns) + " features must be in [0, 2^32)");
        }
        if (matrix.num_rows != num_documents) {
          fail(name, std::to_string(matrix.num_rows) + " rows of features for " +
                         std::to_string(num_documents) + " documents");
        }
        check_shape(name, matrix);
      },
      data.features);
  const auto& codes = data.grades.codes();
  if (std::any_of(codes.begin(), codes.end(),
                  [&](std::uint8_t code) { return code >= data.grades.levels().size(); })) {
    fail(name, "a code that stands for no grade");
  }
  for (const double grade : data.grades) {
    if (!std::isfinite(grade)) fail(name, "a grade that is not finite");
  }
  check_offsets(name, "query offsets", data.query_offsets, data.num_queries(), num_documents, true);
  check_strings(name, "query ids", data.query_ids, data.num_queries());
  check_input_rows(name, data);
  check_weights(name, "document weights", data.document_weights, num_documents);
  check_weights(name, "query weights", data.query_weights, data.num_queries());
  if (!data.comments.empty()) check_strings(name, "comments", data.comments, num_documents);
  if (!data.feature_names.empty()) {
    check_strings(name, "feature names", data.feature_names, data.num_features());
  }
  check_preferences(name, data);
  check_missing(name, data);
}

bool all_finite(std::span<const float> values) noexcept {
  constexpr std::uint32_t kExponent = 0x7f800000U;  // all ones: infinite or not a number
  std::uint32_t any = 0;
  for (const float value : values) {
    any |= (std::bit_cast<std::uint32_t>(value) & kExponent) == kExponent ? 1U : 0U;
  }
  return any == 0;
}

// Columns may fall only where a row begins. So falls are counted twice, over all entries and over
// row beginnings alone; the first count, the one over much data, is a loop without branches.
bool columns_rise(const CsrMatrix& matrix, std::int64_t first, std::int64_t last) noexcept {
  if (first >= last) return true;
  const auto columns = matrix.columns.span();
  const auto falls_at = [&](std::size_t entry) { return columns[entry] <= columns[entry - 1]; };
  const auto begin = static_cast<std::size_t>(std::max<std::int64_t>(first, 1));
  const auto end = static_cast<std::size_t>(last);
  std::uint32_t largest = columns[static_cast<std::size_t>(first)];
  std::uint64_t falls = 0;
  for (std::size_t piece = begin; piece < end; piece += kPiece) {
    const std::size_t piece_end = std::min(piece + kPiece, end);
    std::uint32_t falls_here = 0;  // 32 bits fill vectors
    for (std::size_t entry = piece; entry < piece_end; ++entry) {
      falls_here += falls_at(entry) ? 1U : 0U;
      largest = std::max(largest, columns[entry]);
    }
    falls += falls_here;
  }
  const auto offsets = matrix.offsets.span();
  auto row = std::lower_bound(offsets.begin(), offsets.end(), static_cast<std::int64_t>(begin));
  std::uint64_t falls_between_rows = 0;
  std::int64_t before = -1;
  for (; row != offsets.end() && *row < last; ++row) {
    if (*row != before && falls_at(static_cast<std::size_t>(*row))) ++falls_between_rows;
    before = *row;  // empty rows begin where the next one does
  }
  return falls == falls_between_rows && std::int64_t{largest} < matrix.num_columns;
}

void throw_not_finite(const std::string& name) {
  fail(name, "a feature value that is not finite");
}

void throw_columns_do_not_rise(const std::string& name) {
  fail(name, "columns that do not exist or do not rise within a row");
}

void check_dataset(const Dataset& data, const std::string& name) {
  check_structure(data, name);
  std::visit(
      [&](const auto& matrix) {
        if (!all_finite(matrix.values)) throw_not_finite(name);
      },
      data.features);
  if (const auto* matrix = std::get_if<CsrMatrix>(&data.features)) {
    const auto num_entries = static_cast<std::int64_t>(matrix->values.size());
    if (!columns_rise(*matrix, 0, num_entries)) throw_columns_do_not_rise(name);
  }
}

}  // namespace rankine
