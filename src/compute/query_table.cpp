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

/// Pairs that are not of two documents of a kind, given how many documents there are of each.
double num_unlike_pairs(std::size_t size, const std::vector<std::size_t>& counts) {
  const auto ordered = [](double count) { return count * (count - 1); };
  double alike = 0;
  for (const std::size_t count : counts) alike += ordered(static_cast<double>(count));
  return (ordered(static_cast<double>(size)) - alike) / 2;
}

/// Leaves the grades in `distinct`, rising, where they are few; nothing when they are many.
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

void rank_few_grades(GradeView grades, const std::vector<double>& distinct,
                     std::span<std::uint8_t> ranks) {
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

void QueryTable::rank_all(const Dataset& data, int threads) {
  queries_.resize(static_cast<std::size_t>(data.num_queries()));
  const auto grades_of = [&](const Query& query) {
    return grades_.subview(static_cast<std::size_t>(query.first),
                           static_cast<std::size_t>(query.size));
  };
  const auto set_count = [](Query& query, const GradeCount& count) {
    query.num_grades = count.num_grades;
    query.num_pairs = count.num_pairs;
  };
  for_each_query(queries_.size(), threads, [&](std::size_t q) {
    thread_local std::vector<double> distinct;
    Query& query = queries_[q];
    query.first = data.query_offsets[q];
    query.size = data.query_offsets[q + 1] - query.first;
    const GradeView grades = grades_of(query);
    const auto count = count_few_grades(grades, distinct);
    set_count(query, count.value_or(GradeCount{kMostInBytes + 1, 0}));  // many: counted below
    if (!count) return;
    rank_few_grades(
        grades, distinct,
        std::span(rank_bytes_).subspan(static_cast<std::size_t>(query.first), grades.size()));
  });
  std::int64_t num_words = 0;
  for (Query& query : queries_) {
    query.first_word = num_words;
    if (query.num_grades > kMostInBytes) num_words += query.size;
  }
  if (num_words == 0) return;
  rank_words_.resize(static_cast<std::size_t>(num_words));
  for_each_query(queries_.size(), threads, [&](std::size_t q) {
    Query& query = queries_[q];
    if (query.num_grades <= kMostInBytes) return;
    std::vector<double> room;  // never filled: so many grades are not coded
    const std::span<const double> grades = grades_of(query).values(room);
    set_count(query,
              rank_many_grades(
                  grades, std::span(rank_words_)
                              .subspan(static_cast<std::size_t>(query.first_word), grades.size())));
  });
}

QueryTable::QueryTable(const Dataset& data, Normalisation normalisation, int threads,
                       PairGraph graph)
    : rank_bytes_(data.grades.size()), grades_(data.grades), weights_(data.document_weights) {
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
      queries_[q].first_pair = starts[q];
      queries_[q].num_pairs = static_cast<double>(starts[q + 1] - starts[q]);
    }
  }
  for (const Query& query : queries_) num_pairs_ += query.num_pairs;
  for (std::size_t q = 0; q < queries_.size(); ++q) {
    Query& query = queries_[q];
    if (!data.query_weights.empty()) query.factor = data.query_weights[q];
    if (normalisation == Normalisation::query) query.factor /= query.num_pairs;
    if (normalisation == Normalisation::total) query.factor /= num_pairs_;
  }
  std::erase_if(queries_, [&](const Query& query) {
    return query.num_pairs == 0 || !(query.factor > 0) || !has_weight(documents(query), graph);
  });
}

QueryDocuments QueryTable::documents(const Query& query) const {
  const auto first = static_cast<std::size_t>(query.first);
  const auto size = static_cast<std::size_t>(query.size);
  const auto ranks =
      query.num_grades <= kMostInBytes
          ? GradeRanks(std::span(rank_bytes_).subspan(first, size))
          : GradeRanks(
                std::span(rank_words_).subspan(static_cast<std::size_t>(query.first_word), size));
  return {grades_.subview(first, size), ranks, query.num_grades,
          weights_.empty() ? std::span<const double>{} : weights_.subspan(first, size),
          pairs_.empty() ? std::span<const ListedPair>{}
                         : std::span(pairs_).subspan(static_cast<std::size_t>(query.first_pair),
                                                     static_cast<std::size_t>(query.num_pairs))};
}

}  // namespace rankine
