// A data set of some of another's queries; declared in include/rankine/folds.hpp.
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <rankine/error.hpp>
#include <rankine/folds.hpp>

namespace rankine {
namespace {

/// Documents or queries [first, last) of the data set, next to each other in the selection too.
struct Run {
  std::size_t first = 0;
  std::size_t last = 0;
};
using Runs = std::vector<Run>;

std::size_t num_selected(const Runs& runs) {
  return std::accumulate(
      runs.begin(), runs.end(), std::size_t{0},
      [](std::size_t sum, const Run& run) { return sum + run.last - run.first; });
}

template <class T>
std::vector<T> select(const Array<T>& items, const Runs& runs, std::size_t width = 1) {
  std::vector<T> chosen;
  if (items.empty()) return chosen;
  chosen.reserve(num_selected(runs) * width);
  for (const Run& run : runs) {
    chosen.insert(chosen.end(), items.data() + run.first * width, items.data() + run.last * width);
  }
  return chosen;
}

/// For each of `runs`, the items that `offsets` gives to it; and the offsets of the selection.
std::pair<Runs, std::vector<std::int64_t>> select_parts(const Array<std::int64_t>& offsets,
                                                        const Runs& runs) {
  Runs parts;
  std::vector<std::int64_t> chosen{0};
  chosen.reserve(num_selected(runs) + 1);
  for (const Run& run : runs) {
    const std::int64_t shift = chosen.back() - offsets[run.first];
    parts.push_back({static_cast<std::size_t>(offsets[run.first]),
                     static_cast<std::size_t>(offsets[run.last])});
    for (std::size_t part = run.first; part < run.last; ++part) {
      chosen.push_back(offsets[part + 1] + shift);
    }
  }
  return {std::move(parts), std::move(chosen)};
}

StringList select(const StringList& strings, const Runs& runs) {
  if (strings.empty()) return {};
  auto [bytes, offsets] = select_parts(strings.offsets(), runs);
  return {select(strings.bytes(), bytes), std::move(offsets)};
}

DenseMatrix select(const DenseMatrix& matrix, const Runs& documents) {
  const auto width = static_cast<std::size_t>(matrix.num_columns);
  return {static_cast<std::int64_t>(num_selected(documents)), matrix.num_columns,
          select(matrix.values, documents, width)};
}

CsrMatrix select(const CsrMatrix& matrix, const Runs& documents) {
  auto [entries, offsets] = select_parts(matrix.offsets, documents);
  return {static_cast<std::int64_t>(num_selected(documents)), matrix.num_columns,
          std::move(offsets), select(matrix.columns, entries), select(matrix.values, entries)};
}

/// Neighbouring queries make one run, copied in one piece.
Runs query_runs(const Dataset& data, std::span<const std::int64_t> queries) {
  std::vector<std::int64_t> sorted(queries.begin(), queries.end());
  std::sort(sorted.begin(), sorted.end());
  Runs runs;
  for (std::size_t index = 0; index < sorted.size(); ++index) {
    const std::int64_t query = sorted[index];
    if (query < 0 || query >= data.num_queries()) {
      throw Error(ErrorKind::option, "query " + std::to_string(query) + " must be in [0, " +
                                         std::to_string(data.num_queries()) + ")");
    }
    if (index > 0 && sorted[index - 1] == query) {
      throw Error(ErrorKind::option, "query " + std::to_string(query) + " is selected twice");
    }
    const auto first = static_cast<std::size_t>(query);
    if (runs.empty() || runs.back().last != first) runs.push_back({first, first});
    runs.back().last = first + 1;
  }
  return runs;
}

/// The rank of each row among those left; empty when they are in order.
std::vector<std::int64_t> closed_ranks(const std::vector<std::int64_t>& rows,
                                       std::size_t num_rows) {
  if (std::is_sorted(rows.begin(), rows.end())) return {};
  std::vector<std::int64_t> rank(num_rows);
  for (const std::int64_t row : rows) rank[static_cast<std::size_t>(row)] = 1;
  std::exclusive_scan(rank.begin(), rank.end(), rank.begin(), std::int64_t{0});
  std::vector<std::int64_t> closed;
  closed.reserve(rows.size());
  for (const std::int64_t row : rows) closed.push_back(rank[static_cast<std::size_t>(row)]);
  return closed;
}

std::vector<Preference> select_preferences(const std::vector<Preference>& preferences,
                                           const Runs& documents) {
  std::vector<std::size_t> starts;  // by run: its first document in the selection
  std::size_t next = 0;
  for (const Run& run : documents) {
    starts.push_back(next);
    next += run.last - run.first;
  }
  std::vector<Preference> chosen;
  for (Preference pair : preferences) {
    const auto winner = static_cast<std::size_t>(pair.winner);
    const auto after =
        std::upper_bound(documents.begin(), documents.end(), winner,
                         [](std::size_t document, const Run& run) { return document < run.first; });
    if (after == documents.begin() || winner >= (after - 1)->last) continue;
    const auto index = static_cast<std::size_t>(after - documents.begin()) - 1;
    const auto shift = static_cast<std::int64_t>(starts[index]) -
                       static_cast<std::int64_t>(documents[index].first);
    pair.winner += shift;
    pair.loser += shift;  // of the same query, so of the same run
    chosen.push_back(pair);
  }
  return chosen;
}

std::vector<MissingValue> select_missing(const Array<MissingValue>& missing,
                                         const Runs& documents) {
  std::vector<MissingValue> chosen;
  std::int64_t before = 0;  // documents of the selection
  for (const Run& run : documents) {
    const auto first = static_cast<std::int64_t>(run.first);
    const auto last = static_cast<std::int64_t>(run.last);
    auto cell = std::lower_bound(
        missing.begin(), missing.end(), first,
        [](const MissingValue& value, std::int64_t document) { return value.document < document; });
    for (; cell != missing.end() && cell->document < last; ++cell) {
      chosen.push_back({cell->document - first + before, cell->column});
    }
    before += last - first;
  }
  return chosen;
}

}  // namespace

Dataset select_queries(const Dataset& data, std::span<const std::int64_t> queries) {
  const Runs chosen = query_runs(data, queries);
  Dataset selection;
  auto [documents, query_offsets] = select_parts(data.query_offsets, chosen);
  selection.source = data.source;
  selection.features = std::visit(
      [&runs = documents](const auto& matrix) -> FeatureMatrix { return select(matrix, runs); },
      data.features);
  selection.grades = data.grades.chosen(
      [&runs = documents](const auto& by_document) { return select(by_document, runs); });
  selection.query_offsets = std::move(query_offsets);
  selection.query_ids = select(data.query_ids, chosen);
  selection.input_rows = closed_ranks(select(data.input_rows, documents), data.input_rows.size());
  selection.document_weights = select(data.document_weights, documents);
  selection.query_weights = select(data.query_weights, chosen);
  selection.comments = select(data.comments, documents);
  selection.feature_names = data.feature_names;
  selection.preferences = select_preferences(data.preferences, documents);
  selection.has_preferences = data.has_preferences;
  selection.missing = select_missing(data.missing, documents);
  selection.num_missing = std::ssize(selection.missing);
  return selection;
}

}  // namespace rankine
