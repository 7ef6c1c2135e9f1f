// Sorted by score, a winner's active losers are a suffix and a loser's active winners a prefix: as
// a sweep moves through the documents, partners only ever become active, so one running tally by
// grade serves every document. Both sweeps are the same code: the losers' one mirrors scores and
// grades.
//
// A tally of many grades would miss the cache at every step. Grades are therefore split into
// ranges, at most kMostKeys of them: one sweep by range finds the pairs across ranges, and then
// each range, its documents gathered in score order, is a smaller problem of the same kind.
#include "losses/pair_sweep.hpp"

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "base/contract.hpp"
#include "base/prefix_tally.hpp"

namespace rankine {
namespace {

constexpr std::uint32_t kMostKeys = 1024;  // tallies of so many keys stay in the first-level cache

/// One document as the sweep meets it, in score order.
struct SweptDocument {
  double score;
  double value;
  double weight;
  double grade;
  double result;
  std::uint32_t rank;
  std::uint32_t document;
};

/// The ranks first .. first + num_keys * 2^shift - 1, tallied under key (rank - first) / 2^shift.
struct RankRange {
  std::uint32_t first = 0;
  std::uint32_t shift = 0;
  std::uint32_t num_keys = 0;

  std::uint32_t key(const SweptDocument& doc) const { return (doc.rank - first) >> shift; }

  static RankRange covering(std::uint32_t first, std::uint32_t num_ranks) {
    std::uint32_t shift = 0;
    while (((num_ranks - 1) >> shift) + 1 > kMostKeys) ++shift;
    return {first, shift, ((num_ranks - 1) >> shift) + 1};
  }
};

struct SweepParameters {
  double margin;
  double margin_v;
  double factor;
};

/// `plain` tallies u and u v; with grade differences `graded` tallies u y and u y v as well.
template <bool kWinners, bool kGraded, class KeyTally>
double sweep(std::span<SweptDocument> documents, const RankRange& range,
             const SweepParameters& parameters, KeyTally& plain, KeyTally& graded) {
  const std::size_t size = documents.size();
  constexpr double kSign = kWinners ? 1.0 : -1.0;
  const auto nth = [&](std::size_t k) -> SweptDocument& {
    return documents[kWinners ? size - 1 - k : k];
  };
  const auto key = [&](const SweptDocument& doc) {
    return kWinners ? range.key(doc) : range.num_keys - 1 - range.key(doc);
  };
  double total = 0;
  for (std::size_t k = 0, next = 0; k < size; ++k) {
    SweptDocument& doc = nth(k);
    for (; next < size && kSign * (doc.score - nth(next).score) < parameters.margin; ++next) {
      const SweptDocument& partner = nth(next);
      const Tally entry{partner.weight, partner.weight * partner.value};
      plain.add(key(partner), entry);
      if constexpr (kGraded) {
        const double grade = kSign * partner.grade;
        graded.add(key(partner), {grade * entry.weight, grade * entry.sum});
      }
    }
    const Tally below = plain.below(key(doc));
    const double shifted = doc.value - kSign * parameters.margin_v;
    double term = below.weight * shifted - below.sum;
    if constexpr (kGraded) {
      const Tally graded_below = graded.below(key(doc));
      term = kSign * doc.grade * term - (graded_below.weight * shifted - graded_below.sum);
    }
    term *= parameters.factor * doc.weight;
    doc.result += term;
    total += term;
  }
  return total;
}

/// Memory that outlives one query; every thread has its own.
struct SweepWorkspace {
  std::vector<SweptDocument> documents;
  std::vector<SweptDocument> gathered;
  std::vector<Tally> nodes;
  std::vector<Tally> graded_nodes;
};

SweepWorkspace& workspace() {
  thread_local SweepWorkspace memory;
  return memory;
}

template <bool kGraded>
double both_sweeps(std::span<SweptDocument> documents, const RankRange& range,
                   const SweepParameters& parameters, SweepWorkspace& memory) {
  if (range.num_keys <= FewKeysTally::kMostKeys) {
    FewKeysTally plain(range.num_keys);
    FewKeysTally graded(range.num_keys);
    const double winner_sum = sweep<true, kGraded>(documents, range, parameters, plain, graded);
    plain = graded = FewKeysTally(range.num_keys);
    sweep<false, kGraded>(documents, range, parameters, plain, graded);
    return winner_sum;
  }
  const auto run = [&]<bool kWinners>(std::bool_constant<kWinners>) {
    ManyKeysTally plain(range.num_keys, memory.nodes);
    ManyKeysTally graded(kGraded ? range.num_keys : 0, memory.graded_nodes);
    return sweep<kWinners, kGraded>(documents, range, parameters, plain, graded);
  };
  const double winner_sum = run(std::true_type{});
  run(std::false_type{});
  return winner_sum;
}

/// All pairs among `documents`, whose ranks are first .. first + num_ranks - 1; `scratch` is as
/// long.
template <bool kGraded>
double sweep_ranks(std::span<SweptDocument> documents, std::span<SweptDocument> scratch,
                   std::uint32_t first, std::uint32_t num_ranks, const SweepParameters& parameters,
                   SweepWorkspace& memory) {
  const RankRange range = RankRange::covering(first, num_ranks);
  double winner_sum = both_sweeps<kGraded>(documents, range, parameters, memory);
  if (range.shift == 0) return winner_sum;
  std::vector<std::size_t> starts(range.num_keys + std::size_t{1});
  for (const SweptDocument& doc : documents) ++starts[range.key(doc) + std::size_t{1}];
  for (std::size_t k = 1; k < starts.size(); ++k) starts[k] += starts[k - 1];
  std::vector<std::size_t> next(starts);
  for (const SweptDocument& doc : documents) scratch[next[range.key(doc)]++] = doc;
  for (std::uint32_t k = 0; k < range.num_keys; ++k) {
    const std::size_t size = starts[k + 1] - starts[k];
    if (size < 2) continue;
    winner_sum += sweep_ranks<kGraded>(
        scratch.subspan(starts[k], size), documents.subspan(starts[k], size),
        first + (k << range.shift), std::uint32_t{1} << range.shift, parameters, memory);
  }
  // The results are in `scratch` now; which half of memory holds them is the caller's to know.
  std::copy(scratch.begin(), scratch.end(), documents.begin());
  return winner_sum;
}

}  // namespace

double sweep_pairs(const QueryDocuments& query, const QueryPoint& point,
                   const QuadraticPiece& piece, PairWeighting weighting,
                   std::span<const double> values, double margin_v, std::span<double> out) {
  const std::size_t size = query.size();
  RANKINE_ASSERT(point.order.size() == size && values.size() == size && out.size() == size);
  if (query.num_grades < 2) return 0;
  SweepWorkspace& memory = workspace();
  memory.documents.resize(size);
  if (query.num_grades > kMostKeys) memory.gathered.resize(size);
  for (std::size_t k = 0; k < size; ++k) {
    const std::uint32_t doc = point.order[k];
    memory.documents[k] = {point.scores[doc],
                           values[doc],
                           query.weights.empty() ? 1.0 : query.weights[doc],
                           query.grades[doc],
                           0.0,
                           query.grade_ranks[doc],
                           doc};
  }
  const SweepParameters parameters{piece.margin, margin_v, 2.0 * piece.coefficient};
  const double winner_sum = weighting == PairWeighting::grade_difference
                                ? sweep_ranks<true>(memory.documents, memory.gathered, 0,
                                                    query.num_grades, parameters, memory)
                                : sweep_ranks<false>(memory.documents, memory.gathered, 0,
                                                     query.num_grades, parameters, memory);
  for (const SweptDocument& doc : memory.documents) out[doc.document] += doc.result;
  return winner_sum;
}

}  // namespace rankine
