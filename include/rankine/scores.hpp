// Scores for the documents of a data set: from a file or one of its features, and to a file.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rankine/dataset.hpp"
#include "rankine/fields.hpp"
#include "rankine/visibility.hpp"

namespace rankine {

/// Reads a score file ("-": standard input; plain, gz or zst): a number a line, in the order of the
/// data's rows. Blank lines and lines that start with # are passed over. Returns the scores by
/// document of `data`. Throws Error{data}: "scores.txt:7: 'abc' is not a number".
RANKINE_API std::vector<double> read_scores(const std::string& path, const Dataset& data);

/// The values of feature `column`, from 0, by document. Throws Error{option} when there is none.
RANKINE_API std::vector<double> feature_scores(const Dataset& data, std::int64_t column);

/// plain: a score a line; trec: "query Q0 document rank score name", the best of a query first.
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

}  // namespace rankine
