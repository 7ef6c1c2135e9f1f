// Rows are formatted in blocks of about a megabyte, some blocks at a time in parallel, and written
// in order. What the text itself cannot say goes into the side files from which the reader would
// take it (io/side/side_files.hpp), or is refused: nothing is lost without a word.
#include "io/dataset_writer.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <rankine/error.hpp>
#include <rankine/write.hpp>

#include "base/parallel.hpp"
#include "base/system/output_file.hpp"
#include "data/dataset_check.hpp"
#include "io/cache/dataset_cache.hpp"
#include "io/row_text.hpp"
#include "io/side/side_files.hpp"

namespace rankine {
namespace {

std::string_view without_compression(std::string_view path) {
  for (const std::string_view ending : {".gz", ".zst"}) {
    if (path.ends_with(ending)) return path.substr(0, path.size() - ending.size());
  }
  return path;
}

DataFormat format_of(std::string_view path) {
  const std::string_view name = without_compression(path);
  if (name.ends_with(".rkd")) return DataFormat::cache;
  if (name.ends_with(".csv")) return DataFormat::csv;
  return DataFormat::letor;
}

/// Formats rows of the input, one of the two text formats.
class RowFormatter {
 public:
  explicit RowFormatter(const Dataset& data) : data_(data), with_ids_(has_query_ids(data)) {
    if (data.input_rows.empty()) return;
    documents_.resize(data.input_rows.size());
    for (std::size_t doc = 0; doc < documents_.size(); ++doc) {
      documents_[static_cast<std::size_t>(data.input_rows[doc])] = doc;
    }
  }
  virtual ~RowFormatter() = default;
  RowFormatter(const RowFormatter&) = delete;
  RowFormatter& operator=(const RowFormatter&) = delete;

  virtual std::string header() const { return {}; }

  std::string rows(std::int64_t first, std::int64_t last) const {
    RowText text;
    std::size_t query = 0;
    const auto& offsets = data_.query_offsets;
    for (auto row = static_cast<std::size_t>(first); row < static_cast<std::size_t>(last); ++row) {
      const std::size_t doc = documents_.empty() ? row : documents_[row];
      const auto document = static_cast<std::int64_t>(doc);
      if (document < offsets[query] || document >= offsets[query + 1]) {
        const auto after = std::upper_bound(offsets.begin(), offsets.end(), document);
        query = static_cast<std::size_t>(after - offsets.begin()) - 1;
      }
      add_row(text, doc, query);
      text.add('\n');
    }
    return text.take();
  }

 protected:
  virtual void add_row(RowText& text, std::size_t doc, std::size_t query) const = 0;
  const Dataset& data() const { return data_; }
  bool with_ids() const { return with_ids_; }

 private:
  const Dataset& data_;
  bool with_ids_;
  std::vector<std::size_t> documents_;  // by input row; empty: the same order
};

bool ends_word(char letter) {
  return static_cast<unsigned char>(letter) <= ' ' || letter == '#';
}

class LetorFormatter final : public RowFormatter {
 public:
  explicit LetorFormatter(const Dataset& data) : RowFormatter(data) {
    check_texts();
    if (const auto* sparse = std::get_if<CsrMatrix>(&data.features)) {
      const auto& columns = sparse->columns;
      const auto largest = std::max_element(columns.begin(), columns.end());
      const std::int64_t num_used = largest == columns.end() ? 0 : std::int64_t{*largest} + 1;
      last_column_unused_ = num_used < sparse->num_columns;
      return;
    }
    for (std::int64_t column = 0; column < data.num_features(); ++column) {
      RowText prefix;
      prefix.add(' ');
      prefix.add_number(column + 1);
      prefix.add(':');
      prefixes_.push_back(prefix.take());
    }
  }

 private:
  void check_texts() const {
    const auto fail = [&](const char* what, std::string_view text, const char* why) {
      throw Error(ErrorKind::data, data().source + ": " + what + " '" + std::string(text) +
                                       "' cannot stand in LETOR text: " + why);
    };
    for (std::size_t query = 0; with_ids() && query < data().query_ids.size(); ++query) {
      const std::string_view id = data().query_ids[query];
      if (id.empty() || std::any_of(id.begin(), id.end(), ends_word)) {
        fail("query id", id, "it is empty or has a blank or '#'");
      }
    }
    for (std::size_t doc = 0; doc < data().comments.size(); ++doc) {
      const std::string_view comment = data().comments[doc];
      const std::size_t end = comment.find_first_of("\r\n");
      if (end != std::string_view::npos) {
        fail("comment", comment.substr(0, end), "it goes on in another line");
      }
    }
  }

  void add_row(RowText& text, std::size_t doc, std::size_t query) const override {
    text.add_number(data().grades[doc]);
    if (with_ids()) {
      text.add(" qid:");
      text.add(data().query_ids[query]);
    }
    if (const auto* dense = std::get_if<DenseMatrix>(&data().features)) {
      const auto row = dense->row(static_cast<std::int64_t>(doc));
      for (std::size_t column = 0; column < row.size(); ++column) {
        text.add(prefixes_[column]);
        text.add_number(row[column]);
      }
    } else {
      const auto& sparse = std::get<CsrMatrix>(data().features);
      const auto last = static_cast<std::size_t>(sparse.offsets[doc + 1]);
      for (auto entry = static_cast<std::size_t>(sparse.offsets[doc]); entry < last; ++entry) {
        text.add(' ');
        text.add_number(std::uint64_t{sparse.columns[entry]} + 1);
        text.add(':');
        text.add_number(sparse.values[entry]);
      }
      // A zero, which readers do not store, tells how many columns there are.
      if (last_column_unused_ && doc == 0) {
        text.add(' ');
        text.add_number(sparse.num_columns);
        text.add(":0");
      }
    }
    if (!data().comments.empty() && !data().comments[doc].empty()) {
      text.add(" #");
      text.add(data().comments[doc]);
    }
  }

  bool last_column_unused_ = false;    // sparse
  std::vector<std::string> prefixes_;  // dense: " 1:", " 2:", ...
};

class CsvFormatter final : public RowFormatter {
 public:
  explicit CsvFormatter(const Dataset& data) : RowFormatter(data) {
    for (std::size_t query = 0; query < data.query_ids.size(); ++query) {
      ids_.push_back(quoted(data.query_ids[query]));
    }
  }

  std::string header() const override {
    std::vector<std::string> names{"label"};
    if (with_ids()) names.push_back("qid");
    if (!data().document_weights.empty()) names.push_back("weight");
    const std::size_t num_own = names.size();
    for (std::size_t column = 0; column < static_cast<std::size_t>(data().num_features());
         ++column) {
      std::string name(1, 'f');
      if (data().feature_names.empty() || data().feature_names[column].empty()) {
        name += std::to_string(column + 1);
      } else {
        name = data().feature_names[column];
      }
      const auto own_end = names.begin() + static_cast<std::ptrdiff_t>(num_own);
      if (std::find(names.begin(), own_end, name) != own_end) {
        throw Error(ErrorKind::data, data().source + ": a feature named '" + name +
                                         "' cannot stand in CSV beside the column of that name");
      }
      names.push_back(std::move(name));
    }
    std::string line;
    for (const std::string& name : names) {
      if (!line.empty()) line += ',';
      line += quoted(name);
    }
    return line + "\n";
  }

 private:
  static std::string quoted(std::string_view text) {
    // Tabs and semicolons could be taken for the separator; blanks at the ends would be left out.
    if (!text.empty() && text.find_first_of(",;\t\"\r\n") == std::string_view::npos &&
        text.front() != ' ' && text.back() != ' ') {
      return std::string(text);
    }
    std::string result = "\"";
    for (const char letter : text) result += letter == '"' ? "\"\"" : std::string(1, letter);
    return result + "\"";
  }

  void add_row(RowText& text, std::size_t doc, std::size_t query) const override {
    text.add_number(data().grades[doc]);
    if (with_ids()) {
      text.add(',');
      text.add(ids_[query]);
    }
    if (!data().document_weights.empty()) {
      text.add(',');
      text.add_number(data().document_weights[doc]);
    }
    if (const auto* dense = std::get_if<DenseMatrix>(&data().features)) {
      for (const float value : dense->row(static_cast<std::int64_t>(doc))) {
        text.add(',');
        text.add_number(value);
      }
      return;
    }
    const auto& sparse = std::get<CsrMatrix>(data().features);
    std::int64_t column = 0;
    for (std::int64_t entry = sparse.offsets[doc]; entry < sparse.offsets[doc + 1]; ++entry) {
      for (; column < sparse.columns[static_cast<std::size_t>(entry)]; ++column) text.add(",0");
      text.add(',');
      text.add_number(sparse.values[static_cast<std::size_t>(entry)]);
      ++column;
    }
    for (; column < sparse.num_columns; ++column) text.add(",0");
  }

  std::vector<std::string> ids_;  // by query, quoted where they must be
};

/// Rows whose text is about a megabyte.
std::int64_t rows_per_block(const Dataset& data, DataFormat format) {
  constexpr std::int64_t kBlockBytes = 1 << 20;
  constexpr std::int64_t kBytesPerValue = 12;
  std::int64_t num_values = data.num_documents() * data.num_features();
  if (const auto* sparse = std::get_if<CsrMatrix>(&data.features);
      sparse != nullptr && format == DataFormat::letor) {
    num_values = static_cast<std::int64_t>(sparse->values.size());
  }
  const std::int64_t row_bytes =
      32 + num_values / std::max<std::int64_t>(data.num_documents(), 1) * kBytesPerValue;
  return std::max<std::int64_t>(kBlockBytes / row_bytes, 1);
}

void report(const Progress& progress, const std::string& stage, std::int64_t done,
            std::int64_t total) {
  if (progress && !progress({stage, done, total, "rows"})) {
    throw Error(ErrorKind::interrupted, stage + ": interrupted");
  }
}

void write_rows(OutputFile& file, const Dataset& data, DataFormat format, int threads,
                const Progress& progress) {
  std::unique_ptr<RowFormatter> formatter;
  if (format == DataFormat::csv) {
    formatter = std::make_unique<CsvFormatter>(data);
  } else {
    formatter = std::make_unique<LetorFormatter>(data);
  }
  const std::string stage = "writing " + file.name();
  const std::int64_t num_rows = data.num_documents();
  const std::int64_t block_rows = rows_per_block(data, format);
  const std::int64_t num_blocks = (num_rows + block_rows - 1) / block_rows;
  std::vector<std::string> texts(static_cast<std::size_t>(4 * num_worker_threads(threads)));
  const auto batch = static_cast<std::int64_t>(texts.size());
  file.write(formatter->header());
  for (std::int64_t first = 0; first < num_blocks; first += batch) {
    const std::int64_t count = std::min(batch, num_blocks - first);
    parallel_for(count, threads, [&](std::int64_t index) {
      const std::int64_t row = (first + index) * block_rows;
      texts[static_cast<std::size_t>(index)] =
          formatter->rows(row, std::min(row + block_rows, num_rows));
    });
    for (std::int64_t index = 0; index < count; ++index) {
      file.write(texts[static_cast<std::size_t>(index)]);
      report(progress, stage, std::min((first + index + 1) * block_rows, num_rows), num_rows);
    }
  }
}

}  // namespace

void write_dataset_with(const std::string& path, const Dataset& data, DataFormat format,
                        int threads, const Progress& progress) {
  if (format == DataFormat::automatic) format = format_of(path);
  if (format == DataFormat::cache) {
    write_cache(path, data, threads, progress);
    return;
  }
  check_dataset(data, data.source.empty() ? path : data.source);
  // The data gets its name last: once it is there, its side files are there, too.
  auto side_files = write_side_files(path, data, format);
  OutputFile file(path);
  write_rows(file, data, format, threads, progress);
  for (const auto& side_file : side_files) side_file->commit();
  file.commit();
}

void write_dataset(const std::string& path, const Dataset& data, DataFormat format,
                   const Progress& progress) {
  write_dataset_with(path, data, format, 0, progress);
}

}  // namespace rankine
