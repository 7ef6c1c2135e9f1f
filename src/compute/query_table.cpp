#include "compute/query_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include <rankine/error.hpp>
#include <rankine/fields.hpp>

#include "base/parallel.hpp"

namespace rankine {
namespace {

/// Numbers the grades from 0 in rising order, counts them, and counts the pairs of different
/// grades.
struct GradeCount {
  std::uint32_t num_grades = 0;
  double num_pairs = 0;
};

GradeCount rank_grades(std::span<const double> grades, std::span<std::uint32_t> ranks,
                       std::vector<double>& distinct) {
  distinct.assign(grades.begin(), grades.end());
  std::sort(distinct.begin(), distinct.end());
  double tied = 0;
  double run = 1;
  for (std::size_t k = 1; k <= distinct.size(); ++k) {
    if (k < distinct.size() && distinct[k] == distinct[k - 1]) {
      run += 1;
    } else {
      tied += run * (run - 1);
      run = 1;
    }
  }
  const double size = static_cast<double>(grades.size());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  for (std::size_t doc = 0; doc < grades.size(); ++doc) {
    ranks[doc] = static_cast<std::uint32_t>(
        std::lower_bound(distinct.begin(), distinct.end(), grades[doc]) - distinct.begin());
  }
  return {static_cast<std::uint32_t>(distinct.size()), (size * (size - 1) - tied) / 2};
}

/// Does any pair of the graph have a positive weight? A pair's weight is that of both documents.
bool has_weight(const QueryDocuments& query, PairGraph graph) {
  if (query.weights.empty()) return true;
  if (!query.pairs.empty()) {
    return std::any_of(query.pairs.begin(), query.pairs.end(), [&](const ListedPair& pair) {
      return pair.weight * query.weights[pair.winner] * query.weights[pair.loser] > 0;
    });
  }
  std::size_t num_weighted = 0;
  std::uint32_t least = query.num_grades;
  std::uint32_t most = 0;
  for (std::size_t doc = 0; doc < query.size(); ++doc) {
    if (!(query.weights[doc] > 0)) continue;
    ++num_weighted;
    least = std::min(least, query.grade_ranks[doc]);
    most = std::max(most, query.grade_ranks[doc]);
  }
  if (graph == PairGraph::none) return num_weighted > 0;
  return graph == PairGraph::all ? num_weighted > 1 : least < most;
}

[[noreturn]] void refuse(const Dataset& data, std::size_t index, const std::string& why) {
  throw Error(ErrorKind::data,
              data.source + ": preference " + std::to_string(index + 1) + ": " + why);
}

void check_preference(const Dataset& data, std::size_t index) {
  const Preference& pair = data.preferences[index];
  for (const std::int64_t doc : {pair.winner, pair.loser}) {
    if (doc < 0 || doc >= data.num_documents()) {
      refuse(data, index,
             "there is no document " + std::to_string(doc + 1) + ", the data has " +
                 std::to_string(data.num_documents()));
    }
  }
  if (pair.winner == pair.loser) {
    refuse(data, index, "document " + std::to_string(pair.winner + 1) + " over itself");
  }
  for (const double number : {pair.weight, pair.magnitude}) {
    if (!(number >= 0) || !std::isfinite(number)) {
      refuse(data, index,
             "weight " + real_text(pair.weight) + " and magnitude " + real_text(pair.magnitude) +
                 " must be finite and not negative");
    }
  }
}

/// The preferences as pairs within queries, gathered by query in their given order; starts[q] is
/// where those of query q begin.
std::vector<ListedPair> gather_pairs(const Dataset& data, std::vector<std::int64_t>& starts) {
  const auto num_queries = static_cast<std::size_t>(data.num_queries());
  const auto query_of = [&](std::int64_t doc) {
    return static_cast<std::size_t>(
        std::upper_bound(data.query_offsets.begin(), data.query_offsets.end(), doc) -
        data.query_offsets.begin() - 1);
  };
  starts.assign(num_queries + 1, 0);
  std::vector<std::size_t> queries(data.preferences.size());
  for (std::size_t k = 0; k < queries.size(); ++k) {
    check_preference(data, k);
    const Preference& pair = data.preferences[k];
    queries[k] = query_of(pair.winner);
    if (query_of(pair.loser) != queries[k]) {
      refuse(data, k,
             "documents " + std::to_string(pair.winner + 1) + " and " +
                 std::to_string(pair.loser + 1) + " are of different queries");
    }
    ++starts[queries[k] + 1];
  }
  for (std::size_t q = 0; q < num_queries; ++q) starts[q + 1] += starts[q];
  std::vector<std::int64_t> next(starts);
  std::vector<ListedPair> pairs(queries.size());
  for (std::size_t k = 0; k < queries.size(); ++k) {
    const Preference& pair = data.preferences[k];
    const std::int64_t first = data.query_offsets[queries[k]];
    pairs[static_cast<std::size_t>(next[queries[k]]++)] = {
        static_cast<std::uint32_t>(pair.winner - first),
        static_cast<std::uint32_t>(pair.loser - first), pair.weight, pair.magnitude};
  }
  return pairs;
}

}  // namespace

QueryTable::QueryTable(const Dataset& data, Normalisation normalisation, int threads,
                       PairGraph graph)
    : grade_ranks_(data.grades.size()), grades_(data.grades), weights_(data.document_weights) {
  const auto num_queries = static_cast<std::size_t>(data.num_queries());
  std::vector<Query> all(num_queries);
  constexpr std::size_t kBlock = 256;
  const auto num_blocks = static_cast<std::int64_t>((num_queries + kBlock - 1) / kBlock);
  parallel_for(num_blocks, threads, [&](std::int64_t block) {
    std::vector<double> distinct;
    const std::size_t first = static_cast<std::size_t>(block) * kBlock;
    for (std::size_t q = first; q < std::min(first + kBlock, num_queries); ++q) {
      const std::int64_t begin = data.query_offsets[q];
      const std::int64_t size = data.query_offsets[q + 1] - begin;
      const auto from = static_cast<std::size_t>(begin);
      const auto count = static_cast<std::size_t>(size);
      const GradeCount grades = rank_grades(grades_.subspan(from, count),
                                            std::span(grade_ranks_).subspan(from, count), distinct);
      all[q] = {begin, size, grades.num_grades, 1, grades.num_pairs, 0};
      const auto documents = static_cast<double>(size);
      if (graph == PairGraph::all) all[q].num_pairs = documents * (documents - 1) / 2;
      if (graph == PairGraph::none) all[q].num_pairs = documents;
    }
  });
  if (data.has_preferences && graph != PairGraph::none) {
    std::vector<std::int64_t> starts;
    pairs_ = gather_pairs(data, starts);
    for (std::size_t q = 0; q < num_queries; ++q) {
      all[q].first_pair = starts[q];
      all[q].num_pairs = static_cast<double>(starts[q + 1] - starts[q]);
    }
  }
  for (const Query& query : all) num_pairs_ += query.num_pairs;
  for (std::size_t q = 0; q < num_queries; ++q) {
    if (all[q].num_pairs == 0) continue;
    double factor = data.query_weights.empty() ? 1 : data.query_weights[q];
    if (normalisation == Normalisation::query) factor /= all[q].num_pairs;
    if (normalisation == Normalisation::total) factor /= num_pairs_;
    all[q].factor = factor;
    if (factor > 0 && has_weight(documents(all[q]), graph)) queries_.push_back(all[q]);
  }
}

QueryDocuments QueryTable::documents(const Query& query) const {
  const auto first = static_cast<std::size_t>(query.first);
  const auto size = static_cast<std::size_t>(query.size);
  return {grades_.subspan(first, size), std::span(grade_ranks_).subspan(first, size),
          query.num_grades,
          weights_.empty() ? std::span<const double>{} : weights_.subspan(first, size),
          pairs_.empty() ? std::span<const ListedPair>{}
                         : std::span(pairs_).subspan(static_cast<std::size_t>(query.first_pair),
                                                     static_cast<std::size_t>(query.num_pairs))};
}

}  // namespace rankine
