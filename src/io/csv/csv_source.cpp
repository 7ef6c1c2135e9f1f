// A line end ends a row when the quotes before it are even in number. A block of lines is cut at
// the last such end, and what follows waits for the next.
#include "io/csv/csv_source.hpp"

#include <algorithm>
#include <string_view>

#include <rankine/error.hpp>

namespace rankine {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 18;
constexpr std::size_t kLongestRow = std::size_t{1} << 28;
constexpr double kSparseBelow = 0.25;  // share of cells that are not zero, as in csv_reader

}  // namespace

CsvSource::CsvSource(InputBytes& input, const ReadOptions& options, const Progress& progress)
    : input_(input),
      progress_(progress),
      options_(options),
      block_bytes_(kBlockBytes),
      storage_(options.storage) {
  read_header();
}

void CsvSource::set_blocks(const BlockOptions& options) {
  if (options.num_bytes != 0) block_bytes_ = options.num_bytes;
  num_columns_ = std::min(options.num_columns, num_features_);
}

/// Whole rows, at least one; false at the end.
bool CsvSource::next_rows(std::string& text) {
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

void CsvSource::read_header() {
  std::string text;
  std::string block;
  const auto is_blank = [](std::string_view rows) {
    return rows.find_first_not_of("\r\n") == std::string_view::npos;
  };
  while (is_blank(text) && next_rows(block)) text += block;
  CsvText csv{input_.name(), without_byte_order_mark(input_.name(), text)};
  const CsvRow header = find_csv_header(csv);
  separator_ = csv.separator;
  columns_ = read_csv_columns(csv, header, options_);
  place_of_rows_ = csv.place(header.next);
  num_lines_ = std::count(csv.text.data(), header.next, '\n');
  after_header_.assign(header.next, csv.end());
  std::vector<std::string> names = columns_.feature_names();
  width_ = names.size();
  num_features_ = std::max(options_.num_features, static_cast<std::int64_t>(width_));
  if (num_features_ == static_cast<std::int64_t>(width_)) feature_names_ = StringList::of(names);
  num_columns_ = num_features_;
}

bool CsvSource::take(DocumentBlock& taken) {
  auto& block = static_cast<CsvBlock&>(taken);
  block.text.assign(after_header_);
  after_header_.clear();
  if (block.text.empty() && !next_rows(block.text)) return false;
  block.lines_before = num_lines_;
  block.consumed = lines_.consumed;
  num_lines_ += std::count(block.text.begin(), block.text.end(), '\n');
  if (storage_ == Storage::automatic) {
    parse_cells(block);
    const auto cells =
        static_cast<double>(block.grades.size()) * static_cast<double>(num_features_);
    if (cells > 0) {
      const bool sparse = static_cast<double>(block.findings.num_nonzero) / cells < kSparseBelow;
      storage_ = sparse ? Storage::sparse : Storage::dense;
    }
  }
  block.dense = storage_ != Storage::sparse;
  return true;
}

CsvText CsvSource::csv_of(const CsvBlock& block) const {
  return {input_.name(), block.text, separator_, block.lines_before};
}

void CsvSource::parse_cells(CsvBlock& block) const {
  const CsvText csv = csv_of(block);
  CsvChunk chunk{block.text.data(), csv.end(), 0};
  for (const char* next = chunk.begin; next != chunk.end;) {
    const CsvRow row = csv_row(next, chunk.end);
    if (!row.blank()) ++chunk.num_rows;
    next = row.next;
  }
  const auto num_rows = static_cast<std::size_t>(chunk.num_rows);
  block.cells.resize(num_rows, columns_);
  block.rows.resize(num_rows * width_);
  block.findings = parse_csv_rows(csv, columns_, chunk, 0, block.cells, block.rows.data(), width_);
  block.grades = block.cells.grades;
  block.weights = block.cells.weights;
  block.missing = block.findings.missing;
}

void CsvSource::parse(DocumentBlock& parsed) const {
  auto& block = static_cast<CsvBlock&>(parsed);
  parse_cells(block);
  block.documents.source = input_.name();
  if (num_columns_ == num_features_) block.documents.feature_names = feature_names_;
  block.query_ids.clear();
  block.query_offsets.clear();
  const auto& queries = block.cells.query_of_row;
  for (std::size_t row = 0; row < queries.size(); ++row) {
    if (row > 0 && queries[row] == queries[row - 1]) continue;
    block.query_offsets.push_back(static_cast<std::int64_t>(row));
    block.query_ids.push_back(columns_.has_query_ids
                                  ? std::string_view(block.findings.query_ids[queries[row]])
                                  : std::string_view());
  }
  block.query_offsets.push_back(std::ssize(queries));
  block.comments.assign(block.cells.comments.begin(), block.cells.comments.end());
  set_features(block, block.rows, width_, block.dense, num_columns_);
  set_documents(block);
}

void CsvSource::release(const DocumentBlock& used) {
  if (!input_.is_mapped() || !progress_) return;
  const std::string stage = "reading " + input_.name();
  const std::int64_t consumed = static_cast<const CsvBlock&>(used).consumed;
  if (!progress_({stage, consumed, input_.num_bytes(), "bytes"})) {
    throw Error(ErrorKind::interrupted, input_.name() + ": reading was interrupted");
  }
}

void CsvSource::finish() {
  if (num_rows_ == 0) {
    throw Error(ErrorKind::data, place_of_rows_ + ": there are no rows after the header");
  }
}

}  // namespace rankine
