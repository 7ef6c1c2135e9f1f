// Row k of a table has, for each g, the sum over the first k documents of those with a grade below
// g: what a range of positions and grades holds is then a difference of two entries.
#include "losses/active_pairs.hpp"

#include <array>
#include <cstddef>
#include <vector>

#include "base/contract.hpp"

namespace rankine {
namespace {

constexpr std::size_t kMostDocuments = 8192;  // a position has 16 bits
constexpr std::size_t kMostGrades = 7;

template <class Number, std::size_t kLanes>
class RunningSums {
 public:
  template <class Value>
  RunningSums(const QueryDocuments& query, std::span<const std::uint32_t> order, MemoryAhead& ahead,
              const Value& value_of) {
    static constexpr auto kBelow = [] {
      std::array<std::array<Number, kLanes>, kLanes> below{};
      for (std::size_t rank = 0; rank < kLanes; ++rank) {
        for (std::size_t g = rank + 1; g < kLanes; ++g) below[rank][g] = 1;
      }
      return below;
    }();
    thread_local std::vector<std::array<Number, kLanes>> table;
    if (table.size() <= order.size()) table.resize(order.size() + 1);
    rows_ = table.data();
    std::array<Number, kLanes> sums{};
    rows_[0] = sums;
    for (std::size_t k = 0; k < order.size(); ++k) {
      const auto& below = kBelow[query.grade_ranks[order[k]]];
      const Number value = value_of(order[k]);
      ahead.ask();
      for (std::size_t g = 0; g < kLanes; ++g) sums[g] += value * below[g];
      rows_[k + 1] = sums;
    }
  }
  /// Over the first `count` documents, of the grades below `grade`.
  Number below(std::size_t grade, std::size_t count) const { return rows_[count][grade]; }

 private:
  std::array<Number, kLanes>* rows_;
};

template <std::size_t kLanes>
void find_ranges(const QueryDocuments& query, const QueryPoint& point, double margin,
                 std::span<ActiveRange> out) {
  const std::size_t size = query.size();
  MemoryAhead nothing;
  const RunningSums<std::uint32_t, kLanes> counts(query, point.order, nothing,
                                                  [](std::uint32_t) { return 1U; });
  const auto score = [&](std::size_t k) { return point.scores[point.order[k]]; };
  std::size_t first_loser = 0;
  std::size_t winners_end = 0;
  for (std::size_t k = 0; k < size; ++k) {
    while (first_loser < size && !(score(k) - score(first_loser) < margin)) ++first_loser;
    while (winners_end < size && score(winners_end) - score(k) < margin) ++winners_end;
    const std::size_t grade = query.grade_ranks[point.order[k]];
    const std::uint32_t num_losers = counts.below(grade, size) - counts.below(grade, first_loser);
    const std::uint32_t num_winners =
        counts.below(query.num_grades, winners_end) - counts.below(grade + 1, winners_end);
    out[k] = {static_cast<std::uint16_t>(first_loser), static_cast<std::uint16_t>(winners_end),
              static_cast<std::uint16_t>(num_losers + num_winners)};
  }
}

template <std::size_t kLanes>
void differences(const QueryDocuments& query, std::span<const std::uint32_t> order,
                 std::span<const ActiveRange> ranges, std::span<const double> values, double factor,
                 MemoryAhead& memory, std::span<double> out) {
  MemoryAhead ahead = memory;  // a copy stays in registers
  const RunningSums<double, kLanes> sums(query, order, ahead,
                                         [&](std::uint32_t doc) { return values[doc]; });
  const std::size_t size = order.size();
  for (std::size_t k = 0; k < size; ++k) {
    const std::uint32_t doc = order[k];
    const std::size_t grade = query.grade_ranks[doc];
    const ActiveRange& range = ranges[k];
    ahead.ask();
    const double losers = sums.below(grade, size) - sums.below(grade, range.first_loser);
    const double winners =
        sums.below(query.num_grades, range.winners_end) - sums.below(grade + 1, range.winners_end);
    out[doc] = factor * (range.num_partners * values[doc] - (losers + winners));
  }
  memory = ahead;
}

}  // namespace

bool has_active_ranges(const QueryDocuments& query) {
  return query.num_grades <= kMostGrades && query.size() <= kMostDocuments &&
         query.weights.empty() && query.pairs.empty();
}

void find_active_ranges(const QueryDocuments& query, const QueryPoint& point, double margin,
                        std::span<ActiveRange> out) {
  RANKINE_ASSERT(has_active_ranges(query));
  RANKINE_ASSERT(point.order.size() == query.size() && out.size() == query.size());
  if (query.num_grades <= 3) return find_ranges<4>(query, point, margin, out);
  find_ranges<8>(query, point, margin, out);
}

void active_differences(const QueryDocuments& query, std::span<const std::uint32_t> order,
                        std::span<const ActiveRange> ranges, std::span<const double> values,
                        double factor, MemoryAhead& ahead, std::span<double> out) {
  RANKINE_ASSERT(ranges.size() == query.size() && order.size() == query.size());
  RANKINE_ASSERT(values.size() == query.size() && out.size() == query.size());
  if (query.num_grades <= 3)
    return differences<4>(query, order, ranges, values, factor, ahead, out);
  differences<8>(query, order, ranges, values, factor, ahead, out);
}

}  // namespace rankine
