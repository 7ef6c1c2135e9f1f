// Splits that never cut a query: K parts of the queries, and train / vali / test made of them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "rankine/dataset.hpp"
#include "rankine/fields.hpp"
#include "rankine/progress.hpp"
#include "rankine/read.hpp"
#include "rankine/visibility.hpp"

namespace rankine {

/// hash: by a hash of query id and seed, whatever the order of rows; position: blocks of queries as
/// they come.
enum class FoldBy { hash, position };
template <>
struct EnumNames<FoldBy> {
  static constexpr std::array<std::string_view, 2> names{"hash", "position"};
};

struct FoldOptions {
  int folds = 5;
  FoldBy fold_by = FoldBy::hash;
  std::uint64_t seed = 0;
};

constexpr auto fields(const FoldOptions&) {
  using O = FoldOptions;
  return std::tuple{
      Field{"folds", &O::folds, Range<int>{2, 1'000'000},
            "number of parts the queries are cut into", "K"},
      Field{"fold_by", &O::fold_by, NoRange{},
            "which part a query belongs to: by a hash of its id and the seed, or by its position"},
      Field{"seed", &O::seed, NoRange{}, "seed of the hash", "N"}};
}

/// The queries of each of `folds` parts, rising; sizes differ by one query at most. By hash the
/// parts are ranges of the sorted hashes, so a query stays where it was when rows are reordered
/// and, all but near the ends of a range, when queries are added. Throws Error{option} when there
/// are fewer queries than parts.
RANKINE_API std::vector<std::vector<std::int64_t>> query_folds(const Dataset& data,
                                                               const FoldOptions& options);

/// Query indices, rising.
struct FoldSplit {
  std::vector<std::int64_t> train;
  std::vector<std::int64_t> vali;
  std::vector<std::int64_t> test;
};

/// K splits of K parts, in LETOR's manner: split f (from 0) trains on parts f .. f+K-3, validates
/// on f+K-2 and tests on f+K-1, counted around. Throws Error{option} for fewer than 3 parts.
RANKINE_API std::vector<FoldSplit> fold_splits(std::span<const std::vector<std::int64_t>> parts);

/// A copy of these queries alone, in the data set's order whatever the order they are named in.
/// Their rows count as an input of their own, in the order they had. Throws Error{option} for a
/// query named twice or not there.
RANKINE_API Dataset select_queries(const Dataset& data, std::span<const std::int64_t> queries);

/// Writes DIRECTORY/Fold1 .. FoldK/{train,vali,test}, named .txt, .csv or .rkd as `format` has it
/// (automatic: LETOR text). Folders are made where they are missing.
RANKINE_API void write_folds(const std::string& directory, const Dataset& data,
                             const FoldOptions& options, DataFormat format = DataFormat::automatic,
                             const Progress& progress = {});

}  // namespace rankine
