// Every open query keeps its own rows, so that one that comes back in time is continued wherever it
// stands. In the usual input, whose queries follow each other, the one open query that matters is
// the last.
#include "io/query_gatherer.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace rankine {
namespace {

constexpr std::uint32_t kNone = 0xffffffff;  // no query's number

template <class T>
Array<T> view(const std::vector<T>& values) {
  return Array<T>::borrow(values, nullptr);
}

template <class T, class Source>
void append_part(std::vector<T>& to, const Source& from, std::size_t first, std::size_t last) {
  to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(first),
            from.begin() + static_cast<std::ptrdiff_t>(last));
}

template <class T>
void append_all(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

void QueryGatherer::add(const DocumentBlock& block, const BatchWork& work) {
  batch_.documents.source = block.documents.source;
  batch_.documents.feature_names = block.documents.feature_names;
  // Batches have the form of the blocks; their arrays are set when they are handed out.
  if (const auto* dense = std::get_if<DenseMatrix>(&block.documents.features)) {
    batch_.documents.features = DenseMatrix{0, dense->num_columns, {}};
  } else {
    batch_.documents.features =
        CsrMatrix{0, std::get<CsrMatrix>(block.documents.features).num_columns, {}, {}, {}};
  }
  for (std::size_t run = 0; run < block.query_ids.size(); ++run) {
    append(find(block.query_ids[run], work), block,
           static_cast<std::size_t>(block.query_offsets[run]),
           static_cast<std::size_t>(block.query_offsets[run + 1]));
  }
}

QueryGatherer::OpenQuery& QueryGatherer::find(std::string_view id, const BatchWork& work) {
  const std::size_t known = numbers_.size();
  const std::uint32_t number = numbers_.number(id);
  if (known > 0 && last_ < open_.size() && open_[last_].number == number) return open_[last_];
  if (num_held_ >= 2 * num_documents_) hand_out(num_documents_, number, work);
  if (number == known) {
    OpenQuery query;
    if (!spare_.empty()) {
      query = std::move(spare_.back());
      spare_.pop_back();
    }
    query.number = number;
    open_.push_back(std::move(query));
    last_ = open_.size() - 1;
    return open_[last_];
  }
  const auto place = std::lower_bound(
      open_.begin(), open_.end(), number,
      [](const OpenQuery& open, std::uint32_t wanted) { return open.number < wanted; });
  if (place == open_.end() || place->number != number) {
    throw NonContiguousQuery{std::string(id), num_rows_};
  }
  last_ = static_cast<std::size_t>(place - open_.begin());
  return *place;
}

void QueryGatherer::append(OpenQuery& query, const DocumentBlock& block, std::size_t first,
                           std::size_t last) {
  const auto before = static_cast<std::int64_t>(query.grades.size());
  append_part(query.grades, block.documents.grades, first, last);
  if (!block.documents.document_weights.empty()) {
    append_part(query.weights, block.documents.document_weights, first, last);
  }
  for (std::size_t row = first; row < last; ++row) query.places.push_back(num_rows_++);
  num_held_ += last - first;
  query.last_row = num_rows_;
  const auto cells = block.documents.missing.span();
  const auto is_before = [](const MissingValue& cell, std::size_t row) {
    return cell.document < static_cast<std::int64_t>(row);
  };
  for (auto cell = std::lower_bound(cells.begin(), cells.end(), first, is_before);
       cell != cells.end() && cell->document < static_cast<std::int64_t>(last); ++cell) {
    query.missing.push_back(
        {cell->document - static_cast<std::int64_t>(first) + before, cell->column});
  }
  if (const auto* dense = std::get_if<DenseMatrix>(&block.documents.features)) {
    const auto width = static_cast<std::size_t>(dense->num_columns);
    append_part(query.values, dense->values, first * width, last * width);
    return;
  }
  const auto& sparse = std::get<CsrMatrix>(block.documents.features);
  for (std::size_t row = first; row < last; ++row) {
    query.row_lengths.push_back(sparse.offsets[row + 1] - sparse.offsets[row]);
  }
  const auto begin = static_cast<std::size_t>(sparse.offsets[first]);
  const auto end = static_cast<std::size_t>(sparse.offsets[last]);
  append_part(query.columns, sparse.columns, begin, end);
  append_part(query.values, sparse.values, begin, end);
}

void QueryGatherer::hand_out(std::size_t most_left, std::uint32_t going_on, const BatchWork& work) {
  // Queries are identified by their last row, which is different for each.
  std::vector<std::pair<std::int64_t, std::size_t>> sizes;
  sizes.reserve(open_.size());
  for (const OpenQuery& query : open_) {
    if (query.number != going_on) sizes.emplace_back(query.last_row, query.grades.size());
  }
  std::sort(sizes.begin(), sizes.end());
  std::size_t left = num_held_;
  std::int64_t newest_to_go = -1;
  for (const auto& [last_row, size] : sizes) {
    if (left <= most_left) break;
    left -= size;
    newest_to_go = last_row;
  }
  std::vector<OpenQuery> staying;
  batch_.query_offsets.assign(1, 0);
  for (OpenQuery& query : open_) {
    if (query.last_row > newest_to_go || query.number == going_on) {
      staying.push_back(std::move(query));
      continue;
    }
    append_to_batch(query);
    query.grades.clear();
    query.weights.clear();
    query.places.clear();
    query.values.clear();
    query.columns.clear();
    query.row_lengths.clear();
    query.missing.clear();
    spare_.push_back(std::move(query));
  }
  open_ = std::move(staying);
  last_ = open_.size();
  num_held_ = left;
  if (batch_.grades.empty()) return;
  set_documents(batch_);
  if (auto* dense = std::get_if<DenseMatrix>(&batch_.documents.features)) {
    dense->num_rows = std::ssize(batch_.grades);
    dense->values = view(batch_.values);
  } else {
    auto& sparse = std::get<CsrMatrix>(batch_.documents.features);
    sparse.num_rows = std::ssize(batch_.grades);
    sparse.offsets = view(batch_.row_offsets);
    sparse.columns = view(batch_.columns);
    sparse.values = view(batch_.values);
  }
  work({batch_.documents, places_});
  batch_.grades.clear();
  batch_.weights.clear();
  batch_.values.clear();
  batch_.columns.clear();
  batch_.row_offsets.clear();
  batch_.missing.clear();
  places_.clear();
}

void QueryGatherer::append_to_batch(const OpenQuery& query) {
  const auto before = std::ssize(batch_.grades);
  append_all(batch_.grades, query.grades);
  append_all(batch_.weights, query.weights);
  append_all(batch_.values, query.values);
  append_all(batch_.columns, query.columns);
  append_all(places_, query.places);
  if (batch_.row_offsets.empty()) batch_.row_offsets.push_back(0);
  for (const std::int64_t length : query.row_lengths) {
    batch_.row_offsets.push_back(batch_.row_offsets.back() + length);
  }
  for (const MissingValue& cell : query.missing) {
    batch_.missing.push_back({cell.document + before, cell.column});
  }
  batch_.query_offsets.push_back(std::ssize(batch_.grades));
}

void QueryGatherer::finish(const BatchWork& work) {
  hand_out(0, kNone, work);
}

}  // namespace rankine
