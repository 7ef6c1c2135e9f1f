// One pass over the queries counts grades and pairs; grades are replaced by ranks, in one byte each
// where a query has few. Pairs of different grades are counted, not listed: all ordered pairs minus
// those within a grade. Normalisation needs sums over all queries, which are canonical.
#include "compute/query_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>

#include <rankine/error.hpp>
#include <rankine/fields.hpp>

#include "base/parallel.hpp"
#include "compute/document_order.hpp"

namespace rankine {
namespace {

constexpr std::uint32_t kMostInBytes = 256;

struct GradeCount {
  std::uint32_t num_grades = 0;
  double num_pairs = 0;  // of different grades
};

/// The number of pairs of documents of different kinds, given how many documents there are of each
/// kind.
double num_unlike_pairs(std::size_t size, const std::vector<std::size_t>& counts) {
  const auto ordered = [](double count) { return count * (count - 1); };
  double alike = 0;
  for (const std::size_t count : counts) alike += ordered(static_cast<double>(count));
  return (ordered(static_cast<double>(size)) - alike) / 2;
}

/// Leaves the different grades in `distinct`, rising, if they are few. Returns nothing if they are
/// many.
std::optional<GradeCount> count_few_grades(GradeView grades, std::vector<double>& distinct) {
  thread_local std::vector<std::size_t> counts;
  distinct.clear();
  counts.clear();
  for (const double grade : grades) {
    const auto at = std::lower_bound(distinct.begin(), distinct.end(), grade);
    const auto count = counts.begin() + (at - distinct.begin());
    if (at != distinct.end() && *at == grade) {
      ++*count;
    } else if (distinct.size() == kMostInBytes) {
      return std::nullopt;
    } else {
      distinct.insert(at, grade);
      counts.insert(count, 1);
    }
  }
  return GradeCount{static_cast<std::uint32_t>(distinct.size()),
                    num_unlike_pairs(grades.size(), counts)};
}

/// Requires: they are few.
void rank_few_grades(GradeView grades, std::span<std::uint8_t> ranks) {
  thread_local std::vector<double> distinct;
  count_few_grades(grades, distinct);
  for (std::size_t doc = 0; doc < grades.size(); ++doc) {
    ranks[doc] = static_cast<std::uint8_t>(
        std::lower_bound(distinct.begin(), distinct.end(), grades[doc]) - distinct.begin());
  }
}

GradeCount rank_many_grades(std::span<const double> grades, std::span<std::uint32_t> ranks) {
  std::vector<std::uint32_t> order(grades.size());
  order_by_value(grades, order);
  std::vector<std::size_t> counts;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k == 0 || grades[order[k]] != grades[order[k - 1]]) counts.push_back(0);
    ++counts.back();
    ranks[order[k]] = static_cast<std::uint32_t>(counts.size() - 1);
  }
  return {static_cast<std::uint32_t>(counts.size()), num_unlike_pairs(grades.size(), counts)};
}

/// body(q) for every query, some hundred at a time.
template <class Body>
void for_each_query(std::size_t num_queries, int threads, const Body& body) {
  constexpr std::size_t kBlock = 256;
  const auto num_blocks = static_cast<std::int64_t>((num_queries + kBlock - 1) / kBlock);
  parallel_for(num_blocks, threads, [&](std::int64_t block) {
    const std::size_t first = static_cast<std::size_t>(block) * kBlock;
    for (std::size_t q = first; q < std::min(first + kBlock, num_queries); ++q) body(q);
  });
}

/// Whether any pair of the graph has a positive weight. The weight of a pair is the product of its
/// documents' weights.
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

/// Whether documents rank as the codes of their grades do.
bool codes_rise(const Grades& grades) {
  if (!grades.are_coded()) return false;
  const auto& levels = grades.levels();
  return std::adjacent_find(levels.begin(), levels.end(),
                            [](double a, double b) { return !(a < b); }) == levels.end();
}

}  // namespace

GradeView QueryTable::grades_of(const Query& query) const {
  return grades_.subview(static_cast<std::size_t>(query.first), query.size);
}

/// Null where the query has none.
const QueryTable::Start* QueryTable::find(const Starts& starts, const Query& query) {
  const auto found =
      std::lower_bound(starts.begin(), starts.end(), query.first,
                       [](const Start& start, std::int64_t first) { return start.first < first; });
  return found != starts.end() && found->first == query.first ? &*found : nullptr;
}

void QueryTable::rank_all(const Dataset& data, int threads) {
  if (codes_rise(data.grades)) codes_ = data.grades.codes().span();
  queries_.resize(static_cast<std::size_t>(data.num_queries()));
  std::vector<std::uint8_t> ranked_by_codes(queries_.size());
  for_each_query(queries_.size(), threads, [&](std::size_t q) {
    thread_local std::vector<double> distinct;
    Query& query = queries_[q];
    query.first = data.query_offsets[q];
    query.size = static_cast<std::uint32_t>(data.query_offsets[q + 1] - query.first);
    const auto count = count_few_grades(grades_of(query), distinct);
    query.num_grades = count ? count->num_grades : kMostInBytes + 1;  // many are counted below
    query.num_pairs = count ? count->num_pairs : 0;
    ranked_by_codes[q] = !codes_.empty() &&
                         std::equal(distinct.begin(), distinct.end(), data.grades.levels().begin());
  });
  std::size_t num_bytes = 0;
  std::size_t num_words = 0;
  for (std::size_t q = 0; q < queries_.size(); ++q) {
    if (ranked_by_codes[q] != 0) continue;
    std::size_t& end = queries_[q].num_grades <= kMostInBytes ? num_bytes : num_words;
    rank_starts_.push_back({queries_[q].first, static_cast<std::int64_t>(end)});
    end += queries_[q].size;
  }
  rank_bytes_.resize(num_bytes);
  rank_words_.resize(num_words);
  for_each_query(queries_.size(), threads, [&](std::size_t q) {
    if (ranked_by_codes[q] != 0) return;
    Query& query = queries_[q];
    const auto start = static_cast<std::size_t>(find(rank_starts_, query)->at);
    const GradeView grades = grades_of(query);
    if (query.num_grades <= kMostInBytes) {
      rank_few_grades(grades, std::span(rank_bytes_).subspan(start, grades.size()));
      return;
    }
    std::vector<double> room;  // never filled: so many grades are not coded
    const GradeCount count =
        rank_many_grades(grades.values(room), std::span(rank_words_).subspan(start, grades.size()));
    query.num_grades = count.num_grades;
    query.num_pairs = count.num_pairs;
  });
}

GradeRanks QueryTable::ranks_of(const Query& query) const {
  const Start* const start = find(rank_starts_, query);
  if (start == nullptr) return codes_.subspan(static_cast<std::size_t>(query.first), query.size);
  const auto at = static_cast<std::size_t>(start->at);
  if (query.num_grades <= kMostInBytes) return std::span(rank_bytes_).subspan(at, query.size);
  return std::span(rank_words_).subspan(at, query.size);
}

QueryTable::QueryTable(const Dataset& data, Normalisation normalisation, int threads,
                       PairGraph graph, Collective& collective)
    : grades_(data.grades),
      weights_(data.document_weights),
      documents_(data.num_documents(), collective) {
  rank_all(data, threads);
  for (Query& query : queries_) {
    const auto documents = static_cast<double>(query.size);
    if (graph == PairGraph::all) query.num_pairs = documents * (documents - 1) / 2;
    if (graph == PairGraph::none) query.num_pairs = documents;
  }
  if (data.has_preferences && graph != PairGraph::none) {
    std::vector<std::int64_t> starts;
    pairs_ = gather_pairs(data, starts);
    for (std::size_t q = 0; q < queries_.size(); ++q) {
      pair_starts_.push_back({queries_[q].first, starts[q]});
      queries_[q].num_pairs = static_cast<double>(starts[q + 1] - starts[q]);
    }
  }
  const auto first_of = [&](std::size_t q) { return queries_[q].first; };
  std::vector<double> pairs_of;
  for (const Query& query : queries_) pairs_of.push_back(query.num_pairs);
  num_pairs_ = sum_over_queries(Cuts(documents_, 1, queries_.size(), first_of), pairs_of);
  for (std::size_t q = 0; q < queries_.size(); ++q) {
    Query& query = queries_[q];
    if (!data.query_weights.empty()) query.factor = data.query_weights[q];
    if (normalisation == Normalisation::query) query.factor /= query.num_pairs;
    if (normalisation == Normalisation::total) query.factor /= num_pairs_;
  }
  std::erase_if(queries_, [&](const Query& query) {
    return query.num_pairs == 0 || !(query.factor > 0) || !has_weight(documents(query), graph);
  });
  cuts_ = CutsByWidth(documents_, queries_.size(), first_of);
  for (const Query& query : queries_) most_grades_ = std::max(most_grades_, query.num_grades);
  for (const std::uint32_t others :
       gather_values(collective, std::span<const std::uint32_t>(&most_grades_, 1))) {
    most_grades_ = std::max(most_grades_, others);
  }
}

QueryDocuments QueryTable::documents(const Query& query) const {
  QueryDocuments result{grades_of(query), ranks_of(query), query.num_grades, {}};
  if (!weights_.empty()) {
    result.weights = weights_.subspan(static_cast<std::size_t>(query.first), query.size);
  }
  if (!pairs_.empty()) {
    result.pairs =
        std::span(pairs_).subspan(static_cast<std::size_t>(find(pair_starts_, query)->at),
                                  static_cast<std::size_t>(query.num_pairs));
  }
  return result;
}

}  // namespace rankine
