#include "compute/query_table.hpp"

#include <algorithm>
#include <cstddef>

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

}  // namespace

QueryTable::QueryTable(const Dataset& data, PairNormalisation normalisation, int threads)
    : grade_ranks_(data.grades.size()), grades_(data.grades), weights_(data.document_weights) {
  const auto num_queries = static_cast<std::size_t>(data.num_queries());
  std::vector<Query> all(num_queries);
  std::vector<double> pairs(num_queries);
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
      all[q] = {begin, size, grades.num_grades, 1};
      pairs[q] = grades.num_pairs;
    }
  });
  for (const double count : pairs) num_pairs_ += count;
  for (std::size_t q = 0; q < num_queries; ++q) {
    if (all[q].num_grades < 2) continue;
    double factor = data.query_weights.empty() ? 1 : data.query_weights[q];
    if (normalisation == PairNormalisation::query) factor /= pairs[q];
    if (normalisation == PairNormalisation::total) factor /= num_pairs_;
    all[q].factor = factor;
    if (factor > 0) queries_.push_back(all[q]);
  }
}

QueryDocuments QueryTable::documents(const Query& query) const {
  const auto first = static_cast<std::size_t>(query.first);
  const auto size = static_cast<std::size_t>(query.size);
  return {grades_.subspan(first, size), std::span(grade_ranks_).subspan(first, size),
          query.num_grades,
          weights_.empty() ? std::span<const double>{} : weights_.subspan(first, size)};
}

}  // namespace rankine
