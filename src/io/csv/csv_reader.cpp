// The header says how many columns there are and counting line ends how many rows, so every chunk
// of rows knows where its values belong before any is read: chunks are parsed in parallel straight
// into the dense matrix. Only query ids, numbered within each chunk first, need a walk over the
// chunks in order. Sparse storage is made chunk by chunk from dense rows.
#include "io/csv/csv_reader.hpp"

#include <algorithm>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <rankine/error.hpp>

#include "base/parallel.hpp"
#include "data/collect/dataset_builder.hpp"
#include "data/collect/grade_collector.hpp"
#include "data/size_check.hpp"
#include "io/csv/csv_columns.hpp"
#include "io/csv/csv_rows.hpp"
#include "io/csv/csv_text.hpp"

namespace rankine {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 20;
constexpr double kSparseBelow = 0.25;  // automatic storage: share of cells that are not zero

struct SparseRows {
  std::vector<std::int64_t> lengths;
  std::vector<std::uint32_t> columns;
  std::vector<float> values;
};

/// Tells the caller how far we are; from one thread at a time.
class ReadingProgress {
 public:
  ReadingProgress(const CsvText& csv, const Progress& progress)
      : progress_(progress),
        name_(csv.source_name),
        stage_("reading " + csv.source_name),
        total_(static_cast<std::int64_t>(csv.text.size())) {}

  void add(const CsvChunk& chunk) {
    if (!progress_) return;
    const std::lock_guard lock(mutex_);
    done_ += chunk.end - chunk.begin;
    if (!progress_({stage_, done_, total_, "bytes"})) {
      throw Error(ErrorKind::interrupted, name_ + ": reading was interrupted");
    }
  }

 private:
  const Progress& progress_;
  std::string name_;
  std::string stage_;
  std::int64_t total_;
  std::int64_t done_ = 0;
  std::mutex mutex_;
};

SparseRows sparse_rows(std::span<const float> dense, std::size_t width, std::size_t num_rows) {
  SparseRows rows;
  rows.lengths.resize(num_rows);
  for (std::size_t row = 0; row < num_rows; ++row) {
    const auto before = rows.values.size();
    for (std::size_t column = 0; column < width; ++column) {
      const float value = dense[row * width + column];
      if (value == 0) continue;
      rows.columns.push_back(static_cast<std::uint32_t>(column));
      rows.values.push_back(value);
    }
    rows.lengths[row] = static_cast<std::int64_t>(rows.values.size() - before);
  }
  return rows;
}

CsrMatrix joined(std::vector<SparseRows> parts, std::size_t width, std::size_t num_rows) {
  std::size_t num_values = 0;
  for (const SparseRows& part : parts) num_values += part.values.size();
  std::vector<std::int64_t> offsets{0};
  std::vector<std::uint32_t> columns;
  std::vector<float> values;
  offsets.reserve(num_rows + 1);
  columns.reserve(num_values);
  values.reserve(num_values);
  for (SparseRows& part : parts) {
    for (const std::int64_t length : part.lengths) offsets.push_back(offsets.back() + length);
    columns.insert(columns.end(), part.columns.begin(), part.columns.end());
    values.insert(values.end(), part.values.begin(), part.values.end());
    part = {};
  }
  return {static_cast<std::int64_t>(num_rows), static_cast<std::int64_t>(width), std::move(offsets),
          std::move(columns), std::move(values)};
}

/// The names, and empty ones after them up to `count`.
StringList padded(const StringList& names, std::size_t count) {
  std::vector<std::int64_t> offsets(names.offsets().begin(), names.offsets().end());
  offsets.resize(count + 1, offsets.back());
  return {names.bytes(), std::move(offsets)};
}

/// Gives queries their numbers in the whole file and returns their ids.
StringList merge_queries(const std::vector<CsvChunkFindings>& findings,
                         const std::vector<std::size_t>& first_rows,
                         std::vector<std::uint32_t>& query_of_row) {
  std::vector<std::string> ids;
  std::unordered_map<std::string, std::uint32_t> numbers;
  for (std::size_t chunk = 0; chunk < findings.size(); ++chunk) {
    std::vector<std::uint32_t> in_file;
    for (const std::string& id : findings[chunk].query_ids) {
      const auto [place, is_new] = numbers.try_emplace(id, static_cast<std::uint32_t>(ids.size()));
      if (is_new) ids.push_back(id);
      in_file.push_back(place->second);
    }
    for (std::size_t row = first_rows[chunk]; row < first_rows[chunk + 1]; ++row) {
      query_of_row[row] = in_file[query_of_row[row]];
    }
  }
  return StringList::of(ids);
}

/// One file on its way to rows.
class CsvReading {
 public:
  CsvReading(const CsvText& csv, const CsvRow& header, const ReadOptions& options)
      : csv_(csv),
        threads_(options.threads),
        storage_(options.storage),
        columns_(read_csv_columns(csv, header, options)),
        names_(columns_.feature_names()),
        stride_(names_.size()),
        width_(std::max(stride_, static_cast<std::size_t>(options.num_features))),
        chunks_(csv_chunks(csv.text.substr(static_cast<std::size_t>(header.next - csv.text.data())),
                           kChunkBytes, options.threads)),
        findings_(chunks_.size()),
        sparse_(chunks_.size()) {
    for (const CsvChunk& chunk : chunks_) {
      first_rows_.push_back(first_rows_.back() + static_cast<std::size_t>(chunk.num_rows));
    }
    if (num_rows() == 0) csv.fail(header.next, "there are no rows after the header");
    rows_.resize(num_rows(), columns_);
    const bool cannot_be_dense =
        stride_ < width_ && share_of_cells(num_rows() * stride_) < kSparseBelow;
    if (storage_ == Storage::automatic && cannot_be_dense) storage_ = Storage::sparse;
  }

  /// Requires: called once.
  ParsedRows read(const Progress& progress) {
    parse(progress);
    return finish();
  }

 private:
  void parse(const Progress& progress) {
    if (storage_ != Storage::sparse) dense_.resize(num_rows() * stride_);
    ReadingProgress reading(csv_, progress);
    for_each_chunk([&](std::size_t k) {
      std::vector<float> block(storage_ == Storage::sparse ? rows_in(k) * stride_ : 0);
      float* const features =
          storage_ == Storage::sparse ? block.data() : dense_.data() + first_rows_[k] * stride_;
      findings_[k] =
          parse_csv_rows(csv_, columns_, chunks_[k], first_rows_[k], rows_, features, stride_);
      if (storage_ == Storage::sparse) sparse_[k] = sparse_rows(block, stride_, rows_in(k));
      reading.add(chunks_[k]);
    });
  }

  ParsedRows finish() {
    ParsedRows parsed;
    std::size_t num_nonzero = 0;
    for (const CsvChunkFindings& found : findings_) {
      parsed.missing.insert(parsed.missing.end(), found.missing.begin(), found.missing.end());
      num_nonzero += static_cast<std::size_t>(found.num_nonzero);
    }
    const bool sparse = storage_ == Storage::sparse || (storage_ == Storage::automatic &&
                                                        share_of_cells(num_nonzero) < kSparseBelow);
    parsed.features = sparse ? FeatureMatrix(take_sparse()) : FeatureMatrix(take_dense());
    parsed.query_ids = columns_.has_query_ids
                           ? merge_queries(findings_, first_rows_, rows_.query_of_row)
                           : StringList::of({""});
    parsed.grades = coded_if_few(std::move(rows_.grades));
    parsed.query_of_row = std::move(rows_.query_of_row);
    parsed.document_weights = std::move(rows_.weights);
    if (columns_.has_document_ids) parsed.comments = StringList::of(rows_.comments);
    parsed.feature_names = padded(StringList::of(names_), width_);
    return parsed;
  }

  std::size_t num_rows() const { return first_rows_.back(); }
  std::size_t rows_in(std::size_t k) const { return first_rows_[k + 1] - first_rows_[k]; }

  /// 1 when there are no cells: nothing is dense.
  double share_of_cells(std::size_t count) const {
    const double cells = static_cast<double>(num_rows()) * static_cast<double>(width_);
    return cells > 0 ? static_cast<double>(count) / cells : 1;
  }

  template <class Body>
  void for_each_chunk(const Body& body) const {
    parallel_for(static_cast<std::int64_t>(chunks_.size()), threads_,
                 [&](std::int64_t index) { body(static_cast<std::size_t>(index)); });
  }

  CsrMatrix take_sparse() {
    if (storage_ != Storage::sparse) {
      for_each_chunk([&](std::size_t k) {
        const auto block =
            std::span(dense_).subspan(first_rows_[k] * stride_, rows_in(k) * stride_);
        sparse_[k] = sparse_rows(block, stride_, rows_in(k));
      });
      dense_ = {};
    }
    return joined(std::move(sparse_), width_, num_rows());
  }

  DenseMatrix take_dense() {
    if (width_ > stride_) {
      check_dense_fits(csv_.source_name, static_cast<std::int64_t>(num_rows()),
                       static_cast<std::int64_t>(width_));
      std::vector<float> padded_rows(num_rows() * width_);
      for (std::size_t row = 0; row < num_rows(); ++row) {
        std::copy_n(dense_.begin() + static_cast<std::ptrdiff_t>(row * stride_), stride_,
                    padded_rows.begin() + static_cast<std::ptrdiff_t>(row * width_));
      }
      dense_ = std::move(padded_rows);
    }
    return {static_cast<std::int64_t>(num_rows()), static_cast<std::int64_t>(width_),
            std::move(dense_)};
  }

  const CsvText& csv_;
  int threads_;
  Storage storage_;
  CsvColumns columns_;
  std::vector<std::string> names_;  // of the features in the file
  std::size_t stride_;              // their number
  std::size_t width_;               // columns of the result
  std::vector<CsvChunk> chunks_;
  std::vector<std::size_t> first_rows_{0};  // by chunk, and the number of rows
  CsvRowValues rows_;
  std::vector<float> dense_;
  std::vector<CsvChunkFindings> findings_;
  std::vector<SparseRows> sparse_;
};

}  // namespace

Dataset read_csv(const std::string& source_name, std::span<const char> text,
                 const ReadOptions& options, const Progress& progress) {
  CsvText csv{source_name,
              without_byte_order_mark(source_name, std::string_view(text.data(), text.size()))};
  const CsvRow header = find_csv_header(csv);
  return build_dataset(source_name, CsvReading(csv, header, options).read(progress));
}

}  // namespace rankine
