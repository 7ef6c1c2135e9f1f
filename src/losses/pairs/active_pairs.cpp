// With scores sorted, the active partners of a document are a range of positions, found by two
// pointers that only move forwards. Row k of a table has, for each g, the sum over the first k
// documents of those with a grade below g: what a range of positions and grades holds is then a
// difference of two entries.
#include "losses/pairs/active_pairs.hpp"

#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "base/contract.hpp"

namespace rankine {
namespace {

/// kBelow[rank][g] is 1 where rank < g.
template <std::size_t kLanes>
constexpr auto kBelow = [] {
  std::array<std::array<double, kLanes>, kLanes> below{};
  for (std::size_t rank = 0; rank < kLanes; ++rank) {
    for (std::size_t g = rank + 1; g < kLanes; ++g) below[rank][g] = 1;
  }
  return below;
}();

/// A table of running sums, in memory that outlives one query.
template <class Row>
class RunningSums {
 public:
  explicit RunningSums(std::size_t size) {
    thread_local std::vector<Row> table;
    if (table.size() <= size) table.resize(size + 1);
    rows_ = table.data();
    rows_[0] = {};
  }
  Row& operator[](std::size_t row) { return rows_[row]; }
  const Row& operator[](std::size_t row) const { return rows_[row]; }

 private:
  Row* rows_;
};

template <std::size_t kLanes>
struct CountsAndSums {
  std::array<double, kLanes> counts;
  std::array<double, kLanes> sums;
};

/// The order's scores and grades, one after the other.
struct SortedDocuments {
  std::vector<double> scores;
  std::vector<std::uint32_t> grades;

  static const SortedDocuments& of(const QueryDocuments& query, const QueryPoint& point) {
    thread_local SortedDocuments sorted;
    const std::size_t size = query.size();
    if (sorted.scores.size() < size) {
      sorted.scores.resize(size);
      sorted.grades.resize(size);
    }
    for (std::size_t k = 0; k < size; ++k) {
      sorted.scores[k] = point.scores[point.order[k]];
      sorted.grades[k] = query.grade_ranks[point.order[k]];
    }
    return sorted;
  }
};

/// The active partners of the document at one position.
struct Partners {
  std::size_t first_loser = 0;
  std::size_t winners_end = 0;
  double num_losers = 0;
  double num_winners = 0;
  double losers_sum = 0;  // of scores, measured from the query's centre
  double winners_sum = 0;
};

/// Calls visit(position, grade, score from the centre, partners) for every document; sums are those
/// of nothing without kWithSums.
template <std::size_t kLanes, bool kWithSums, class Visit>
void for_each_document(const QueryDocuments& query, const QueryPoint& point, double margin,
                       const Visit& visit) {
  const std::size_t size = query.size();
  const SortedDocuments& sorted = SortedDocuments::of(query, point);
  const std::span<const double> scores = std::span(sorted.scores).first(size);
  const double centre = scores[size / 2];  // sums of differences from it cancel less
  RunningSums<CountsAndSums<kLanes>> table(size);
  CountsAndSums<kLanes> running{};
  for (std::size_t k = 0; k < size; ++k) {
    const auto& below = kBelow<kLanes>[sorted.grades[k]];
    const double value = scores[k] - centre;
    for (std::size_t g = 0; g < kLanes; ++g) running.counts[g] += below[g];
    if constexpr (kWithSums) {
      for (std::size_t g = 0; g < kLanes; ++g) running.sums[g] += value * below[g];
    }
    table[k + 1] = running;
  }
  const std::size_t top = query.num_grades;
  Partners partners;
  for (std::size_t k = 0; k < size; ++k) {
    std::size_t& first = partners.first_loser;
    std::size_t& end = partners.winners_end;
    while (first < size && !(scores[k] - scores[first] < margin)) ++first;
    while (end < size && scores[end] - scores[k] < margin) ++end;
    const std::size_t grade = sorted.grades[k];
    const auto& losers = table[first];
    const auto& winners = table[end];
    partners.num_losers = running.counts[grade] - losers.counts[grade];
    partners.num_winners = winners.counts[top] - winners.counts[grade + 1];
    if constexpr (kWithSums) {
      partners.losers_sum = running.sums[grade] - losers.sums[grade];
      partners.winners_sum = winners.sums[top] - winners.sums[grade + 1];
    }
    visit(k, grade, scores[k] - centre, partners);
  }
}

/// Calls body with as many lanes as the grades need.
template <class Body>
auto with_lanes(std::uint32_t num_grades, const Body& body) {
  if (num_grades <= 3) return body(std::integral_constant<std::size_t, 4>{});
  return body(std::integral_constant<std::size_t, 8>{});
}

ActiveRange range_of(std::uint32_t document, std::size_t grade, const Partners& partners) {
  return ActiveRange(document, grade, partners.first_loser, partners.winners_end,
                     static_cast<std::size_t>(partners.num_losers + partners.num_winners));
}

template <std::size_t kLanes>
void differences(std::span<const ActiveRange> ranges, std::uint32_t num_grades,
                 std::span<const double> values, double factor, Prefetcher& memory,
                 std::span<double> out) {
  Prefetcher ahead = memory;  // a copy stays in registers
  const std::size_t size = ranges.size();
  RunningSums<std::array<double, kLanes>> table(size);
  std::array<double, kLanes> running{};
  for (std::size_t k = 0; k < size; ++k) {
    const auto& below = kBelow<kLanes>[ranges[k].grade()];
    const double value = values[ranges[k].document()];
    ahead.prefetch();
    for (std::size_t g = 0; g < kLanes; ++g) running[g] += value * below[g];
    table[k + 1] = running;
  }
  for (const ActiveRange& range : ranges) {
    const std::size_t grade = range.grade();
    ahead.prefetch();
    const double losers = running[grade] - table[range.first_loser()][grade];
    const auto& winners = table[range.winners_end()];
    const double own = static_cast<double>(range.num_partners()) * values[range.document()];
    out[range.document()] = factor * (own - (losers + (winners[num_grades] - winners[grade + 1])));
  }
  memory = ahead;
}

}  // namespace

bool has_active_ranges(const QueryDocuments& query) {
  return query.num_grades <= ActiveRange::kMostGrades &&
         query.size() <= ActiveRange::kMostDocuments && query.weights.empty() &&
         query.pairs.empty();
}

double active_gradient(const QueryDocuments& query, const QueryPoint& point,
                       const QuadraticPiece& piece, std::span<ActiveRange> ranges,
                       std::span<double> out) {
  RANKINE_ASSERT(has_active_ranges(query) && query.size() > 0);
  RANKINE_ASSERT(point.order.size() == query.size() && out.size() == query.size());
  RANKINE_ASSERT(ranges.empty() || ranges.size() == query.size());
  const double factor = 2 * piece.coefficient;
  double winner_sum = 0;
  with_lanes(query.num_grades, [&](auto lanes) {
    for_each_document<lanes, true>(
        query, point, piece.margin,
        [&](std::size_t k, std::size_t grade, double value, const Partners& partners) {
          if (!ranges.empty()) ranges[k] = range_of(point.order[k], grade, partners);
          const double as_winner =
              factor * (partners.num_losers * (value - piece.margin) - partners.losers_sum);
          const double as_loser =
              factor * (partners.num_winners * (value + piece.margin) - partners.winners_sum);
          out[point.order[k]] += as_winner + as_loser;
          winner_sum += as_winner;
        });
  });
  return winner_sum;
}

double active_counts(const QueryDocuments& query, const QueryPoint& point, double margin,
                     std::span<double> out) {
  RANKINE_ASSERT(has_active_ranges(query) && query.size() > 0);
  RANKINE_ASSERT(point.order.size() == query.size() && out.size() == query.size());
  double num_pairs = 0;
  with_lanes(query.num_grades, [&](auto lanes) {
    for_each_document<lanes, false>(
        query, point, margin, [&](std::size_t k, std::size_t, double, const Partners& partners) {
          out[point.order[k]] = partners.num_winners - partners.num_losers;
          num_pairs += partners.num_losers;
        });
  });
  return num_pairs;
}

void find_active_ranges(const QueryDocuments& query, const QueryPoint& point, double margin,
                        std::span<ActiveRange> ranges) {
  RANKINE_ASSERT(has_active_ranges(query) && query.size() > 0);
  RANKINE_ASSERT(point.order.size() == query.size() && ranges.size() == query.size());
  with_lanes(query.num_grades, [&](auto lanes) {
    for_each_document<lanes, false>(
        query, point, margin,
        [&](std::size_t k, std::size_t grade, double, const Partners& partners) {
          ranges[k] = range_of(point.order[k], grade, partners);
        });
  });
}

void active_differences(std::span<const ActiveRange> ranges, std::uint32_t num_grades,
                        std::span<const double> values, double factor, Prefetcher& ahead,
                        std::span<double> out) {
  RANKINE_ASSERT(values.size() == ranges.size() && out.size() == ranges.size());
  with_lanes(num_grades, [&](auto lanes) {
    differences<lanes>(ranges, num_grades, values, factor, ahead, out);
  });
}

}  // namespace rankine
