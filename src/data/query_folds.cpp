// Queries are sorted by a seeded hash of their ids, and the folds are ranges of that order. So a
// fold does not depend on the order of the rows, and adding queries moves few of the others.
// Declared in include/rankine/folds.hpp.
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <rankine/error.hpp>
#include <rankine/folds.hpp>
#include <rankine/write.hpp>

#include "base/checksum.hpp"
#include "data/fold_folder.hpp"

namespace rankine {
namespace {

/// All queries, sorted by the hash of their id; by the id where hashes are equal.
std::vector<std::int64_t> queries_by_hash(const Dataset& data, std::uint64_t seed) {
  struct Key {
    std::uint64_t hash;
    std::int64_t query;
  };
  std::vector<Key> keys;
  for (std::int64_t query = 0; query < data.num_queries(); ++query) {
    keys.push_back({seeded_hash(data.query_ids[static_cast<std::size_t>(query)], seed), query});
  }
  std::sort(keys.begin(), keys.end(), [&](const Key& a, const Key& b) {
    if (a.hash != b.hash) return a.hash < b.hash;
    return data.query_ids[static_cast<std::size_t>(a.query)] <
           data.query_ids[static_cast<std::size_t>(b.query)];
  });
  std::vector<std::int64_t> order;
  for (const Key& key : keys) order.push_back(key.query);
  return order;
}

std::string_view file_ending(DataFormat format) {
  switch (format) {
    case DataFormat::csv:
      return ".csv";
    case DataFormat::cache:
      return ".rkd";
    default:
      return ".txt";
  }
}

}  // namespace

std::vector<std::vector<std::int64_t>> query_folds(const Dataset& data,
                                                   const FoldOptions& options) {
  validate(options);
  const auto num_queries = static_cast<std::size_t>(data.num_queries());
  const auto num_folds = static_cast<std::size_t>(options.folds);
  if (num_queries < num_folds) {
    throw Error(ErrorKind::option, "folds = " + std::to_string(num_folds) +
                                       " must be at most the number of queries, " +
                                       std::to_string(num_queries));
  }
  std::vector<std::int64_t> order(num_queries);
  if (options.fold_by == FoldBy::hash) {
    order = queries_by_hash(data, options.seed);
  } else {
    std::iota(order.begin(), order.end(), 0);
  }
  std::vector<std::vector<std::int64_t>> parts(num_folds);
  std::size_t next = 0;
  for (std::size_t fold = 0; fold < num_folds; ++fold) {
    // The first parts take the remainder, one each.
    const std::size_t size = num_queries / num_folds + (fold < num_queries % num_folds ? 1 : 0);
    const auto first = order.begin() + static_cast<std::ptrdiff_t>(next);
    parts[fold].assign(first, first + static_cast<std::ptrdiff_t>(size));
    std::sort(parts[fold].begin(), parts[fold].end());
    next += size;
  }
  return parts;
}

std::vector<FoldSplit> fold_splits(std::span<const std::vector<std::int64_t>> parts) {
  const std::size_t num_folds = parts.size();
  if (num_folds < 3) {
    throw Error(ErrorKind::option, "folds = " + std::to_string(num_folds) +
                                       " must be at least 3 for train, vali and test");
  }
  std::vector<FoldSplit> splits(num_folds);
  for (std::size_t fold = 0; fold < num_folds; ++fold) {
    FoldSplit& split = splits[fold];
    for (std::size_t step = 0; step + 2 < num_folds; ++step) {
      const auto& part = parts[(fold + step) % num_folds];
      split.train.insert(split.train.end(), part.begin(), part.end());
    }
    std::sort(split.train.begin(), split.train.end());
    split.vali = parts[(fold + num_folds - 2) % num_folds];
    split.test = parts[(fold + num_folds - 1) % num_folds];
  }
  return splits;
}

void write_folds(const std::string& directory, const Dataset& data, const FoldOptions& options,
                 DataFormat format, const Progress& progress) {
  if (format == DataFormat::automatic) format = DataFormat::letor;
  const auto splits = fold_splits(query_folds(data, options));
  FoldFolder folder(directory, splits.size(), std::string(file_ending(format)));
  for (std::size_t fold = 0; fold < splits.size(); ++fold) {
    const auto write = [&](const std::string& part, const std::vector<std::int64_t>& queries) {
      write_dataset(folder.new_path(fold, part), select_queries(data, queries), format, progress);
    };
    write("train", splits[fold].train);
    write("vali", splits[fold].vali);
    write("test", splits[fold].test);
  }
  folder.commit();
}

}  // namespace rankine
