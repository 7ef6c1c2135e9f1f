// Side files count rows in the order of the input, and data sets are gathered by query, so each
// entry goes through the map from rows to documents. Errors name the line and column of the side
// file.
#include "io/side/side_files.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fast_float/fast_float.h>

#include <rankine/error.hpp>

#include "base/system/input_bytes.hpp"
#include "io/row_text.hpp"

namespace rankine {
namespace {

struct Word {
  std::string_view text;
  std::size_t column = 0;  // from 1
};

/// A side file, plain or compressed, line by line. Blank lines are passed over.
class SideFile {
 public:
  explicit SideFile(const std::string& path)
      : path_(path), text_(InputBytes(path).read_all()), rest_(text_) {}
  SideFile(const SideFile&) = delete;
  SideFile& operator=(const SideFile&) = delete;

  /// The words of the next line that has any; false at the end.
  bool next(std::vector<Word>& words) {
    words.clear();
    while (words.empty() && !rest_.empty()) split(next_line(), words);
    return !words.empty();
  }
  /// The next line as it is, blank or not; false at the end.
  bool next_text(std::string_view& line) {
    if (rest_.empty()) return false;
    line = next_line();
    return true;
  }
  std::size_t line() const { return line_; }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::data, path_ + ": " + what);
  }
  [[noreturn]] void fail(std::size_t column, const std::string& what) const {
    throw Error(ErrorKind::data,
                path_ + ":" + std::to_string(line_) + ":" + std::to_string(column) + ": " + what);
  }

  /// A finite number that is not negative.
  double weight(const Word& word, const char* what) const {
    double value = 0;
    const char* const end = word.text.data() + word.text.size();
    const char* first = word.text.data();
    if (word.text.size() > 1 && *first == '+') ++first;
    const auto result = fast_float::from_chars(first, end, value);
    if (result.ec != std::errc{} || result.ptr != end)
      fail(word.column, quote(word) + "is not a number");
    if (!(value >= 0) || std::isinf(value)) {
      fail(word.column,
           std::string(what) + " " + std::string(word.text) + " must be finite and not negative");
    }
    return value;
  }

  std::int64_t whole_number(const Word& word, const char* what) const {
    std::int64_t value = 0;
    const char* const end = word.text.data() + word.text.size();
    const auto result = std::from_chars(word.text.data(), end, value);
    if (result.ec != std::errc{} || result.ptr != end) {
      fail(word.column, quote(word) + "is not " + what);
    }
    return value;
  }

  void expect_one(const std::vector<Word>& words) const {
    if (words.size() > 1) fail(words[1].column, quote(words[1]) + "after the one number of a line");
  }

 private:
  static std::string quote(const Word& word) {
    return std::string("'").append(word.text).append("' ");
  }

  std::string_view next_line() {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++line_;
    return line;
  }

  static void split(std::string_view line, std::vector<Word>& words) {
    constexpr std::string_view kBlanks = " \t";
    std::size_t first = line.find_first_not_of(kBlanks);
    while (first != std::string_view::npos) {
      const std::size_t end = std::min(line.find_first_of(kBlanks, first), line.size());
      words.push_back({line.substr(first, end - first), first + 1});
      first = line.find_first_not_of(kBlanks, end);
    }
  }

  std::string path_;
  std::string text_;
  std::string_view rest_;
  std::size_t line_ = 0;
};

/// By input row, its document.
std::vector<std::int64_t> documents_by_row(const Dataset& data) {
  std::vector<std::int64_t> documents(static_cast<std::size_t>(data.num_documents()));
  for (std::size_t doc = 0; doc < documents.size(); ++doc) {
    const auto row = data.input_rows.empty() ? doc : static_cast<std::size_t>(data.input_rows[doc]);
    documents[row] = static_cast<std::int64_t>(doc);
  }
  return documents;
}

void attach_query_sizes(Dataset& data, const std::string& path) {
  SideFile file(path);
  std::vector<std::int64_t> offsets{0};
  std::vector<std::string> ids;
  std::vector<Word> words;
  while (file.next(words)) {
    file.expect_one(words);
    const std::int64_t size = file.whole_number(words[0], "a number of documents");
    if (size < 1) file.fail(words[0].column, "a query has at least 1 document");
    if (size > data.num_documents() - offsets.back()) {
      file.fail(words[0].column, "the queries up to here have more documents than the data, " +
                                     std::to_string(data.num_documents()));
    }
    offsets.push_back(offsets.back() + size);
    ids.push_back(std::to_string(ids.size() + 1));
  }
  if (offsets.back() != data.num_documents()) {
    file.fail("its " + std::to_string(ids.size()) + " queries have " +
              std::to_string(offsets.back()) + " documents, the data has " +
              std::to_string(data.num_documents()));
  }
  data.query_offsets = std::move(offsets);
  data.query_ids = StringList::of(ids);
}

void attach_weights(Dataset& data, const std::string& path) {
  SideFile file(path);
  std::vector<double> weights;
  std::vector<Word> words;
  while (file.next(words)) {
    file.expect_one(words);
    weights.push_back(file.weight(words[0], "weight"));
  }
  const auto count = static_cast<std::int64_t>(weights.size());
  if (count == data.num_documents()) {
    if (!data.document_weights.empty()) {
      file.fail("weights by document, but the data has them already");
    }
    std::vector<double> by_document(weights.size());
    const auto documents = documents_by_row(data);
    for (std::size_t row = 0; row < weights.size(); ++row) {
      by_document[static_cast<std::size_t>(documents[row])] = weights[row];
    }
    data.document_weights = std::move(by_document);
  } else if (count == data.num_queries()) {
    if (!data.query_weights.empty()) file.fail("weights by query, but the data has them already");
    data.query_weights = std::move(weights);
  } else {
    file.fail(std::to_string(count) + " weights, but the data has " +
              std::to_string(data.num_documents()) + " documents and " +
              std::to_string(data.num_queries()) + " queries");
  }
}

void attach_preferences(Dataset& data, const std::string& path) {
  SideFile file(path);
  const auto documents = documents_by_row(data);
  const auto offsets = data.query_offsets.span();
  const auto document_at = [&](const Word& word) {
    const std::int64_t row = file.whole_number(word, "a row number");
    if (row < 1 || row > data.num_documents()) {
      file.fail(word.column, "row " + std::to_string(row) + " must be in [1, " +
                                 std::to_string(data.num_documents()) + "]");
    }
    return documents[static_cast<std::size_t>(row) - 1];
  };
  std::vector<Preference> preferences;
  std::vector<Word> words;
  while (file.next(words)) {
    if (words.size() < 2) file.fail(words[0].column, "a winner without a loser");
    if (words.size() > 4) {
      file.fail(words[4].column, "more than winner, loser, weight and magnitude");
    }
    Preference pair;
    pair.winner = document_at(words[0]);
    pair.loser = document_at(words[1]);
    if (pair.winner == pair.loser) {
      file.fail(words[1].column,
                "row " + std::string(words[1].text) + " is winner and loser of one pair");
    }
    const auto end = std::upper_bound(offsets.begin(), offsets.end(), pair.winner);
    if (pair.loser >= *end || pair.loser < *(end - 1)) {
      file.fail(words[1].column, "rows " + std::string(words[0].text) + " and " +
                                     std::string(words[1].text) + " are of different queries");
    }
    if (words.size() > 2) pair.weight = file.weight(words[2], "weight");
    if (words.size() > 3) pair.magnitude = file.weight(words[3], "magnitude");
    preferences.push_back(pair);
  }
  if (preferences.empty()) file.fail("no preferences in it");
  data.preferences = std::move(preferences);
  data.has_preferences = true;
}

void attach_feature_names(Dataset& data, const std::string& path) {
  SideFile file(path);
  std::vector<std::string> names;
  std::unordered_map<std::string, std::size_t> lines;
  std::size_t blank_line = 0;
  std::string_view line;
  while (file.next_text(line)) {
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos) {
      if (blank_line == 0) blank_line = file.line();
      continue;
    }
    if (blank_line != 0) {
      file.fail(first + 1, "a name after line " + std::to_string(blank_line) +
                               ", which has none: every feature needs one");
    }
    const std::size_t last = line.find_last_not_of(" \t");
    std::string name(line.substr(first, last + 1 - first));
    const auto [known, is_new] = lines.emplace(name, file.line());
    if (!is_new) {
      file.fail(first + 1,
                "the name '" + name + "' is taken by line " + std::to_string(known->second));
    }
    names.push_back(std::move(name));
  }
  const auto count = static_cast<std::int64_t>(names.size());
  if (count != data.num_features()) {
    file.fail(std::to_string(count) + " names for " + std::to_string(data.num_features()) +
              " features" +
              (count > data.num_features()
                   ? "; if the last columns are only missing, give num_features = " +
                         std::to_string(count)
                   : ""));
  }
  data.feature_names = StringList::of(names);
}

bool is_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

void refuse_stale(const std::string& path, const std::string& ending, const char* what) {
  if (path == "-" || !is_file(path + ending)) return;
  throw Error(ErrorKind::io, path + ending + ": would be read as the " + what + " of " + path +
                                 ", which it is not: remove it first");
}

/// Throws Error{data} unless the data goes to a regular file: beside a pipe or a device there can
/// be no side file.
void require_neighbours(const std::string& path, const char* what) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (path == "-" ||
      (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))) {
    throw Error(ErrorKind::data, (path == "-" ? "standard output" : path) + ": " + what +
                                     " need a file beside the data: write to a file, or a cache");
  }
}

std::unique_ptr<OutputFile> write_lines(const std::string& path, std::string text) {
  auto file = std::make_unique<OutputFile>(path);
  file->write(text);
  return file;
}

std::string weights_text(const Array<double>& weights) {
  RowText text;
  for (const double weight : weights) {
    text.add_number(weight);
    text.add('\n');
  }
  return text.take();
}

std::vector<double> in_input_order(const Dataset& data, const Array<double>& by_document) {
  std::vector<double> by_row;
  for (const std::int64_t document : documents_by_row(data)) {
    by_row.push_back(by_document[static_cast<std::size_t>(document)]);
  }
  return by_row;
}

std::string preferences_text(const Dataset& data) {
  RowText text;
  const auto row = [&](std::int64_t doc) {
    return 1 + (data.input_rows.empty() ? doc : data.input_rows[static_cast<std::size_t>(doc)]);
  };
  for (const Preference& pair : data.preferences) {
    text.add_number(row(pair.winner));
    text.add(' ');
    text.add_number(row(pair.loser));
    text.add(' ');
    text.add_number(pair.weight);
    text.add(' ');
    text.add_number(pair.magnitude);
    text.add('\n');
  }
  return text.take();
}

}  // namespace

bool has_query_ids(const Dataset& data) {
  return !(data.num_queries() == 1 && data.query_ids[0].empty());
}

void attach_side_files(Dataset& data, const std::string& path, const ReadOptions& options) {
  const auto default_name = [&](const char* ending) {
    const bool none = path == "-" || path.ends_with(".rkd") || !is_file(path + ending);
    return none ? std::string() : path + ending;
  };
  if (!options.query_file.empty()) {
    if (has_query_ids(data)) {
      throw Error(ErrorKind::data,
                  options.query_file + ": sizes of queries, but the data has query ids already");
    }
    attach_query_sizes(data, options.query_file);
  } else if (const auto name = default_name(".query"); !name.empty() && !has_query_ids(data)) {
    attach_query_sizes(data, name);
  }
  if (!options.weight_file.empty()) {
    attach_weights(data, options.weight_file);
  } else if (const auto name = default_name(".weight"); !name.empty()) {
    attach_weights(data, name);
  }
  if (!options.preferences.empty()) attach_preferences(data, options.preferences);
  if (!options.feature_names.empty()) attach_feature_names(data, options.feature_names);
}

std::vector<std::unique_ptr<OutputFile>> write_side_files(const std::string& path,
                                                          const Dataset& data, DataFormat format) {
  std::vector<std::unique_ptr<OutputFile>> files;
  const bool by_query = !data.query_weights.empty();
  const bool by_document = !data.document_weights.empty() && format != DataFormat::csv;
  if (by_query && by_document) {
    throw Error(ErrorKind::data,
                path +
                    ": a weight file holds weights by query or by document, and the data has "
                    "both: write CSV or a cache");
  }
  if (by_query && data.num_queries() == data.num_documents()) {
    throw Error(ErrorKind::data, path +
                                     ": weights by query would be read as weights by document, "
                                     "since every query has one document: write a cache");
  }
  if (by_query || by_document) {
    require_neighbours(path, "weights");
    files.push_back(write_lines(
        path + ".weight",
        weights_text(by_query ? data.query_weights
                              : Array<double>(in_input_order(data, data.document_weights)))));
  } else {
    refuse_stale(path, ".weight", "weights");
  }
  if (!has_query_ids(data)) refuse_stale(path, ".query", "sizes of queries");
  if (data.has_preferences) {
    require_neighbours(path, "preferences");
    files.push_back(write_lines(path + ".preferences", preferences_text(data)));
  }
  return files;
}

}  // namespace rankine
