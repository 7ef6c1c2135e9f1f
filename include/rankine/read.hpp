// Reading data sets: LETOR / SVMlight text, CSV, the binary cache; plain, gz or zst; files or
// stdin.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "rankine/dataset.hpp"
#include "rankine/fields.hpp"
#include "rankine/missing.hpp"
#include "rankine/progress.hpp"
#include "rankine/visibility.hpp"

namespace rankine {

enum class DataFormat { automatic, letor, csv, cache };
template <>
struct EnumNames<DataFormat> {
  static constexpr std::array<std::string_view, 4> names{"auto", "letor", "csv", "cache"};
};

enum class Storage { automatic, dense, sparse };
template <>
struct EnumNames<Storage> {
  static constexpr std::array<std::string_view, 3> names{"auto", "dense", "sparse"};
};

struct ReadOptions {
  DataFormat format = DataFormat::automatic;
  Storage storage = Storage::automatic;
  Missing missing = Missing::zero;
  bool zero_based = false;
  bool keep_comments = false;     // not an option: set by what writes from them
  bool skip_features = false;     // not an option: grades and ids only; the matrix has no columns
  bool skip_grades = false;       // not an option: set by what needs none, which are 0 then
  std::int64_t num_features = 0;  // at least this many columns; 0: as the data has
  std::string label = "label";
  std::string qid = "qid";
  std::string weight = {};
  std::string docid = {};
  std::vector<std::string> ignore = {};
  std::string weight_file = {};
  std::string query_file = {};
  std::string preferences = {};
  std::string feature_names = {};
  int threads = 0;
};

constexpr auto fields(const ReadOptions&) {
  using O = ReadOptions;
  return std::tuple{
      Field{"format", &O::format, NoRange{}, "how the data is written; auto: by name and content"},
      Field{"storage", &O::storage, NoRange{}, "features in memory; auto: by density"},
      Field{"missing", &O::missing, NoRange{},
            "what stands for NULL, an empty cell or NaN: 0, the mean of the column's other values, "
            "or nothing: it is an error"},
      Field{"zero_based", &O::zero_based, NoRange{},
            "feature indices of the text start at 0, not 1"},
      Field{"num_features", &O::num_features, Range<std::int64_t>{0, 4294967295},
            "at least this many columns; 0: as many as the data has", "N"},
      Field{"label", &O::label, NoRange{}, "CSV: the column of grades", "COLUMN"},
      Field{"qid", &O::qid, NoRange{}, "CSV: the column of query ids", "COLUMN"},
      Field{"weight", &O::weight, NoRange{}, "CSV: the column of document weights", "COLUMN"},
      Field{"docid", &O::docid, NoRange{}, "CSV: the column of document ids, for runs", "COLUMN"},
      Field{"ignore", &O::ignore, NoRange{}, "CSV: columns to leave out", "COLUMN,..."},
      Field{"weight_file", &O::weight_file, NoRange{},
            "one weight per line, by document or by query (default: DATA.weight if it exists)",
            "FILE"},
      Field{"query_file", &O::query_file, NoRange{},
            "one number of documents per line, by query (default: DATA.query if it exists)",
            "FILE"},
      Field{"preferences", &O::preferences, NoRange{},
            "explicit pairs: winner loser [weight [magnitude]] by row number from 1", "FILE"},
      Field{"feature_names", &O::feature_names, NoRange{}, "one feature name per line", "FILE"},
      Field{"threads", &O::threads, Range<int>{0, 1024}, "worker threads; 0: one per core", "N"}};
}

/// Reads `path` ("-": standard input). Throws Error{data} with file, line and column. The result
/// does not depend on the number of threads.
RANKINE_API Dataset read_dataset(const std::string& path, const ReadOptions& options = {},
                                 const Progress& progress = {});

/// read_dataset with format = letor.
RANKINE_API Dataset read_letor(const std::string& path, ReadOptions options = {});

/// The document's id inside a comment: what follows "docid =" (LETOR) or the first word.
RANKINE_API std::string_view document_id(std::string_view comment);

}  // namespace rankine
