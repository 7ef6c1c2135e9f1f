// A line end ends a row when the quotes before it are even in number. A block of lines is cut at
// the last such end, and what follows waits for the next.
#include "io/csv/csv_documents.hpp"

#include <algorithm>
#include <string_view>

#include <rankine/error.hpp>

namespace rankine {
namespace {

constexpr std::size_t kLongestRow = std::size_t{1} << 28;
constexpr double kSparseBelow = 0.25;  // share of cells that are not zero, as in csv_reader

}  // namespace

CsvDocuments::CsvDocuments(InputBytes& input, const ReadOptions& options, const Progress& progress,
                           std::int64_t num_columns, std::size_t block_bytes)
    : input_(input),
      progress_(progress),
      block_bytes_(block_bytes),
      num_features_(options.num_features),
      num_columns_(num_columns),
      storage_(options.storage) {
  read_header(options);
}

/// Whole rows, at least one; false at the end.
bool CsvDocuments::next_rows(std::string& text) {
  text.assign(rest_);
  rest_.clear();
  while (!at_end_) {
    if (input_.next_lines(lines_, block_bytes_)) {
      text.append(lines_.text);
      input_.release(lines_);
    } else {
      at_end_ = true;
      break;
    }
    if (const char* const end = last_row_end(text)) {
      const auto size = static_cast<std::size_t>(end - text.data());
      rest_.assign(text, size);
      text.resize(size);
      break;
    }
    if (text.size() > kLongestRow) {
      throw Error(ErrorKind::data, input_.name() + ":" + std::to_string(num_lines_ + 1) +
                                       ":1: a row of over 256 MiB: is a quote never closed?");
    }
  }
  return !text.empty();
}

void CsvDocuments::read_header(const ReadOptions& options) {
  std::string text;
  std::string block;
  const auto is_blank = [](std::string_view rows) {
    return rows.find_first_not_of("\r\n") == std::string_view::npos;
  };
  while (is_blank(text) && next_rows(block)) text += block;
  CsvText csv{input_.name(), without_byte_order_mark(input_.name(), text)};
  const CsvRow header = find_csv_header(csv);
  separator_ = csv.separator;
  columns_ = read_csv_columns(csv, header, options);
  place_of_rows_ = csv.place(header.next);
  num_lines_ = std::count(csv.text.data(), header.next, '\n');
  after_header_.assign(header.next, csv.end());
  std::vector<std::string> names = columns_.feature_names();
  width_ = names.size();
  num_features_ = std::max(num_features_, static_cast<std::int64_t>(width_));
  num_columns_ = std::min(num_columns_, num_features_);
  names.resize(static_cast<std::size_t>(num_columns_));
  feature_names_ = StringList::of(names);
}

bool CsvDocuments::take(Slot& slot) {
  slot.text.assign(after_header_);
  after_header_.clear();
  if (slot.text.empty() && !next_rows(slot.text)) return false;
  slot.lines_before = num_lines_;
  slot.consumed = lines_.consumed;
  num_lines_ += std::count(slot.text.begin(), slot.text.end(), '\n');
  if (storage_ == Storage::automatic) {
    parse_cells(slot);
    const auto cells =
        static_cast<double>(slot.block.grades.size()) * static_cast<double>(num_features_);
    if (cells > 0) {
      const bool sparse = static_cast<double>(slot.findings.num_nonzero) / cells < kSparseBelow;
      storage_ = sparse ? Storage::sparse : Storage::dense;
    }
  }
  slot.dense = storage_ != Storage::sparse;
  return true;
}

CsvText CsvDocuments::csv_of(const Slot& slot) const {
  return {input_.name(), slot.text, separator_, slot.lines_before};
}

void CsvDocuments::parse_cells(Slot& slot) const {
  const CsvText csv = csv_of(slot);
  CsvChunk chunk{slot.text.data(), csv.end(), 0};
  for (const char* next = chunk.begin; next != chunk.end;) {
    const CsvRow row = csv_row(next, chunk.end);
    if (!row.blank()) ++chunk.num_rows;
    next = row.next;
  }
  const auto num_rows = static_cast<std::size_t>(chunk.num_rows);
  slot.values.grades.resize(num_rows);
  slot.values.query_of_row.assign(num_rows, 0);
  if (columns_.has_weights) slot.values.weights.resize(num_rows);
  slot.rows.resize(num_rows * width_);
  slot.findings = parse_csv_rows(csv, columns_, chunk, 0, slot.values, slot.rows.data(), width_);
  slot.block.grades = slot.values.grades;
}

void CsvDocuments::parse(Slot& slot) const {
  parse_cells(slot);
  DocumentBlock& block = slot.block;
  block.documents.source = input_.name();
  block.documents.feature_names = feature_names_;
  block.query_ids.clear();
  block.query_offsets.clear();
  const auto& queries = slot.values.query_of_row;
  for (std::size_t row = 0; row < queries.size(); ++row) {
    if (row > 0 && queries[row] == queries[row - 1]) continue;
    block.query_offsets.push_back(static_cast<std::int64_t>(row));
    block.query_ids.push_back(columns_.has_query_ids
                                  ? std::string_view(slot.findings.query_ids[queries[row]])
                                  : std::string_view());
  }
  block.query_offsets.push_back(std::ssize(queries));
  set_features(block, slot.rows, width_, slot.dense, num_columns_);
  set_documents(block);
}

void CsvDocuments::release(const Slot& slot) {
  if (!input_.is_mapped() || !progress_) return;
  const std::string stage = "reading " + input_.name();
  if (!progress_({stage, slot.consumed, input_.num_bytes(), "bytes"})) {
    throw Error(ErrorKind::interrupted, input_.name() + ": reading was interrupted");
  }
}

void CsvDocuments::finish() {
  if (num_rows_ == 0) {
    throw Error(ErrorKind::data, place_of_rows_ + ": there are no rows after the header");
  }
}

}  // namespace rankine
