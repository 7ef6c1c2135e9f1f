// A counting sort by query number. It is stable, so documents keep the order of the input within
// their query.
#include "data/collect/dataset_builder.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "base/contract.hpp"

namespace rankine {
namespace {

using Order = std::vector<std::int64_t>;  // by document, its row in the input

std::vector<std::int64_t> count_documents(const std::vector<std::uint32_t>& query_of_row,
                                          std::size_t num_queries) {
  std::vector<std::int64_t> offsets(num_queries + 1);
  for (const std::uint32_t query : query_of_row) {
    RANKINE_ASSERT(query < num_queries);
    ++offsets[query + 1];
  }
  for (std::size_t query = 0; query < num_queries; ++query) offsets[query + 1] += offsets[query];
  return offsets;
}

template <class T>
std::vector<T> permuted(const Array<T>& values, const Order& order) {
  std::vector<T> result(values.size());
  if (values.empty()) return result;
  for (std::size_t doc = 0; doc < order.size(); ++doc) {
    result[doc] = values[static_cast<std::size_t>(order[doc])];
  }
  return result;
}

StringList permuted(const StringList& strings, const Order& order) {
  if (strings.empty()) return strings;
  std::vector<char> bytes(strings.bytes().size());
  std::vector<std::int64_t> offsets(order.size() + 1);
  auto next = bytes.begin();
  for (std::size_t doc = 0; doc < order.size(); ++doc) {
    const std::string_view text = strings[static_cast<std::size_t>(order[doc])];
    next = std::copy(text.begin(), text.end(), next);
    offsets[doc + 1] = next - bytes.begin();
  }
  return {std::move(bytes), std::move(offsets)};
}

DenseMatrix permuted(const DenseMatrix& matrix, const Order& order) {
  std::vector<float> values;
  values.reserve(matrix.values.size());
  for (const std::int64_t row : order) {
    const auto source = matrix.row(row);
    values.insert(values.end(), source.begin(), source.end());
  }
  return {matrix.num_rows, matrix.num_columns, std::move(values)};
}

CsrMatrix permuted(const CsrMatrix& matrix, const Order& order) {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::uint32_t> columns;
  std::vector<float> values;
  offsets.reserve(matrix.offsets.size());
  columns.reserve(matrix.columns.size());
  values.reserve(matrix.values.size());
  for (const std::int64_t row : order) {
    const auto first = matrix.offsets[static_cast<std::size_t>(row)];
    const auto last = matrix.offsets[static_cast<std::size_t>(row) + 1];
    columns.insert(columns.end(), matrix.columns.begin() + first, matrix.columns.begin() + last);
    values.insert(values.end(), matrix.values.begin() + first, matrix.values.begin() + last);
    offsets.push_back(static_cast<std::int64_t>(values.size()));
  }
  return {matrix.num_rows, matrix.num_columns, std::move(offsets), std::move(columns),
          std::move(values)};
}

/// Rows of the input become documents.
void to_documents(std::vector<MissingValue>& missing, const Order& order) {
  if (missing.empty()) return;
  Order document_of_row(order.size());
  for (std::size_t doc = 0; doc < order.size(); ++doc) {
    document_of_row[static_cast<std::size_t>(order[doc])] = static_cast<std::int64_t>(doc);
  }
  for (MissingValue& cell : missing) {
    cell.document = document_of_row[static_cast<std::size_t>(cell.document)];
  }
  std::stable_sort(
      missing.begin(), missing.end(),
      [](const MissingValue& a, const MissingValue& b) { return a.document < b.document; });
}

void gather(Dataset& data, const Order& order, bool features_too) {
  if (features_too) {
    data.features =
        std::visit([&](const auto& matrix) -> FeatureMatrix { return permuted(matrix, order); },
                   data.features);
  }
  data.grades =
      data.grades.chosen([&](const auto& by_document) { return permuted(by_document, order); });
  data.document_weights = permuted(data.document_weights, order);
  data.comments = permuted(data.comments, order);
}

}  // namespace

Order gathering_order(const std::vector<std::uint32_t>& query_of_row, std::size_t num_queries) {
  if (std::is_sorted(query_of_row.begin(), query_of_row.end())) return {};
  const std::vector<std::int64_t> offsets = count_documents(query_of_row, num_queries);
  Order order(query_of_row.size());
  std::vector<std::int64_t> next(offsets.begin(), offsets.end() - 1);
  for (std::size_t row = 0; row < query_of_row.size(); ++row) {
    order[static_cast<std::size_t>(next[query_of_row[row]]++)] = static_cast<std::int64_t>(row);
  }
  return order;
}

Dataset build_dataset(std::string source, ParsedRows rows) {
  const bool are_numbered = rows.query_offsets.empty();
  RANKINE_ASSERT(!are_numbered || rows.query_of_row.size() == rows.grades.size());
  auto query_offsets = are_numbered ? count_documents(rows.query_of_row, rows.query_ids.size())
                                    : std::move(rows.query_offsets);
  RANKINE_ASSERT(query_offsets.size() == rows.query_ids.size() + 1 &&
                 query_offsets.back() == static_cast<std::int64_t>(rows.grades.size()));
  Dataset data;
  data.source = std::move(source);
  data.features = std::move(rows.features);
  data.grades = std::move(rows.grades);
  data.query_ids = std::move(rows.query_ids);
  data.document_weights = std::move(rows.document_weights);
  data.comments = std::move(rows.comments);
  data.feature_names = std::move(rows.feature_names);
  data.num_missing = std::ssize(rows.missing);
  Order order = gathering_order(rows.query_of_row, data.query_ids.size());
  if (!order.empty()) {
    gather(data, order, !rows.features_are_gathered);
    to_documents(rows.missing, order);
    data.input_rows = std::move(order);
  }
  if (!rows.missing.empty()) data.missing = std::move(rows.missing);
  data.query_offsets = std::move(query_offsets);
  return data;
}

}  // namespace rankine
