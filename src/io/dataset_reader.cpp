#include "io/dataset_reader.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <rankine/error.hpp>
#include <rankine/missing.hpp>
#include <rankine/read.hpp>

#include "data/collect/feature_collector.hpp"
#include "io/cache/dataset_cache.hpp"
#include "io/csv/csv_reader.hpp"
#include "io/letor/letor_reader.hpp"
#include "io/side/side_files.hpp"

namespace rankine {
namespace {

constexpr std::size_t kPeekedBytes = 4096;

/// Whether text starts as a header does: names with separators, where LETOR text has a grade.
bool looks_like_csv(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::string_view line = text.substr(0, text.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.empty() || line.find("qid:") != std::string_view::npos) return false;
  if (std::string_view("0123456789+-.# \t").find(line.front()) != std::string_view::npos) {
    return false;
  }
  for (const char c : line) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < ' ' && c != '\t') || byte == 0x7F) return false;
  }
  return line.find_first_of(",;\t") != std::string_view::npos;
}

bool is_csv_name(std::string_view path) {
  for (const std::string_view compression : {".gz", ".zst"}) {
    if (path.ends_with(compression)) path.remove_suffix(compression.size());
  }
  return path.ends_with(".csv") || path.ends_with(".tsv");
}

Dataset read_csv_text(InputBytes& input, const ReadOptions& options, const Progress& progress) {
  std::string storage;
  return read_csv(input.name(), input.rest(storage), options, progress);
}

/// New columns get an empty name where the others have one.
StringList widened(const StringList& names, std::int64_t num_features) {
  if (names.empty()) return names;
  std::vector<std::int64_t> offsets(names.offsets().begin(), names.offsets().end());
  offsets.resize(static_cast<std::size_t>(num_features) + 1, offsets.back());
  return {names.bytes(), std::move(offsets)};
}

/// A cache has its form already; it takes another only when the options ask for one.
Dataset read_cache_as(const std::string& path, InputBytes& input, const ReadOptions& options) {
  Dataset data;
  if (input.is_mapped()) {
    data = read_cache(path, options.threads);
  } else {
    const auto bytes = std::make_shared<const std::string>(input.read_all());
    data = open_cache(*bytes, bytes, input.name(), options.threads);
  }
  const Storage present = data.is_dense() ? Storage::dense : Storage::sparse;
  const Storage wanted = options.storage == Storage::automatic ? present : options.storage;
  if (wanted != present || options.num_features > data.num_features()) {
    data.features = stored_as(input.name(), data.features, wanted, options.num_features);
    data.feature_names = widened(data.feature_names, data.num_features());
  }
  return data;
}

/// Of a cache, which has no lines.
[[noreturn]] void throw_missing(const Dataset& data) {
  std::string where;
  if (!data.missing.empty()) {
    where = ", the first of feature " + std::to_string(data.missing.front().column + 1);
  }
  throw Error(ErrorKind::data, data.source + ": " + std::to_string(data.num_missing) +
                                   " values are missing" + where + " (missing = error)");
}

Dataset read_as(DataFormat format, const std::string& path, InputBytes& input,
                const ReadOptions& options, const Progress& progress) {
  switch (format) {
    case DataFormat::csv:
      return read_csv_text(input, options, progress);
    case DataFormat::cache:
      return read_cache_as(path, input, options);
    case DataFormat::letor:
    case DataFormat::automatic:
      break;
  }
  return read_letor_text(input, options, progress);
}

}  // namespace

DataFormat data_format(const std::string& path, InputBytes& input) {
  const std::string_view head = input.peek(kPeekedBytes);
  if (is_cache(head) || path.ends_with(".rkd")) return DataFormat::cache;
  return is_csv_name(path) || looks_like_csv(head) ? DataFormat::csv : DataFormat::letor;
}

Dataset read_input(const std::string& path, InputBytes& input, DataFormat format,
                   const ReadOptions& options, const Progress& progress) {
  Dataset data = read_as(format, path, input, options, progress);
  attach_side_files(data, path, options);
  if (options.missing == Missing::error && data.num_missing > 0) throw_missing(data);
  if (options.missing == Missing::mean) {
    data = fill_missing(data, means_of_present(data, options.threads));
  }
  return data;
}

Dataset read_dataset(const std::string& path, const ReadOptions& options,
                     const Progress& progress) {
  validate(options);
  // A stream may be slow, so its reads are watched; the reader of a mapped file reports progress
  // itself.
  const std::string name = path == "-" ? "standard input" : path;
  const std::string stage = "reading " + name;
  std::int64_t total = 0;
  const auto watch = [&](std::int64_t consumed) {
    if (progress && !progress({stage, consumed, total, "bytes"})) {
      throw Error(ErrorKind::interrupted, name + ": reading was interrupted");
    }
  };
  InputBytes input(path, watch);
  total = input.num_bytes();
  const DataFormat format =
      options.format == DataFormat::automatic ? data_format(path, input) : options.format;
  return read_input(path, input, format, options, progress);
}

Dataset read_letor(const std::string& path, ReadOptions options) {
  options.format = DataFormat::letor;
  return read_dataset(path, options);
}

}  // namespace rankine
