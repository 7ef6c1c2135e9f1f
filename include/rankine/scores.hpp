// Scores for the documents of a data set: from a file or one of its features, and to a file; and
// straight from a file of documents to a file of scores.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rankine/dataset.hpp"
#include "rankine/fields.hpp"
#include "rankine/model.hpp"
#include "rankine/progress.hpp"
#include "rankine/read.hpp"
#include "rankine/visibility.hpp"

namespace rankine {

/// Reads a score file ("-": standard input; plain, gz or zst): one number per line, in the order of
/// the data's rows. Blank lines and lines that start with # are passed over. Returns the scores by
/// document of `data`. Throws Error{data}: "scores.txt:7: 'abc' is not a number".
RANKINE_API std::vector<double> read_scores(const std::string& path, const Dataset& data);

/// The values of feature `column`, from 0, by document. Throws Error{option} when there is none.
RANKINE_API std::vector<double> feature_scores(const Dataset& data, std::int64_t column);

/// plain: one score per line; trec: "query Q0 document rank score name", the best of a query first.
enum class ScoreFormat { plain, trec };
template <>
struct EnumNames<ScoreFormat> {
  static constexpr std::array<std::string_view, 2> names{"plain", "trec"};
};

/// Writes scores, given by document of `data`, to `path` ("-": standard output; .gz and .zst
/// compress) in the order of its rows, each as the shortest text that reads back the same. A run
/// names documents by their comments: throws Error{data} when `data` has none.
RANKINE_API void write_scores(const std::string& path, const Dataset& data,
                              std::span<const double> scores,
                              ScoreFormat format = ScoreFormat::plain,
                              const std::string& run_name = "rankine");

struct ScoreFileOptions {
  ScoreFormat format = ScoreFormat::plain;
  std::string run_name = "rankine";
  ReadOptions reading = {};
};

/// What score_file found in its input.
struct ScoredFile {
  std::string source;  // as messages name it
  std::int64_t num_documents = 0;
  std::int64_t num_features = 0;  // of the data
  std::int64_t num_missing = 0;   // values that it does not have, of the features the model sees
};

/// Scores the documents of `input` and writes what read_dataset, Model::score and write_scores
/// would, bit for bit, without holding the documents: memory is some tens of megabytes whatever the
/// size of `input`. Besides,
///   a run (trec) keeps every document's score and id, since its query may come back later;
///   query_minmax scaling keeps the longest query and every score; should a query come back after
///   thousands of other documents, a regular file is read again, whole, and for a pipe Error{data}
///   is thrown;
///   side files, where they matter, and a cache that is to be stored otherwise are read whole.
/// A CSV file needs no column of grades. Missing values are what the model was trained with;
/// options.reading may say error, but not another value. Where storage is automatic, the first
/// block of text decides between dense and sparse, and with it the order of sums.
RANKINE_API ScoredFile score_file(const Model& model, const std::string& input,
                                  const std::string& output, const ScoreFileOptions& options = {},
                                  const Progress& progress = {});

}  // namespace rankine
