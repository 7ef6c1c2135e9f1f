// Sorted by score, a winner's active losers are a suffix and a loser's active winners a prefix: as
// a sweep moves through the documents, partners only ever become active, so one running tally by
// grade serves every document. Both sweeps are the same code: the losers' one mirrors scores and
// grades.
#include "losses/pair_sweep.hpp"

#include <cstddef>
#include <vector>

#include "base/contract.hpp"
#include "base/prefix_tally.hpp"

namespace rankine {
namespace {

constexpr std::size_t kPrefetchAhead = 12;

/// One document as the sweep meets it, in score order.
struct SweptDocument {
  double score;
  double value;
  double weight;
  double grade;
  std::uint32_t rank;
  std::uint32_t document;
};

struct SweepWorkspace {
  std::vector<SweptDocument> documents;
  std::vector<Tally> nodes;
  std::vector<Tally> graded_nodes;
};

SweepWorkspace& workspace() {
  thread_local SweepWorkspace memory;
  return memory;
}

/// `plain` tallies u and u v; with grade differences `graded` tallies u y and u y v as well.
template <bool kWinners, bool kGraded, class KeyTally>
double sweep(std::span<const SweptDocument> documents, std::uint32_t num_grades, double margin,
             double margin_v, double factor, KeyTally& plain, KeyTally& graded, double* out) {
  const std::size_t size = documents.size();
  constexpr double kSign = kWinners ? 1.0 : -1.0;
  const auto nth = [&](std::size_t k) -> const SweptDocument& {
    return documents[kWinners ? size - 1 - k : k];
  };
  const auto key = [&](const SweptDocument& doc) {
    return kWinners ? doc.rank : num_grades - 1 - doc.rank;
  };
  double total = 0;
  for (std::size_t k = 0, next = 0; k < size; ++k) {
    const SweptDocument& doc = nth(k);
    for (; next < size && kSign * (doc.score - nth(next).score) < margin; ++next) {
      const SweptDocument& partner = nth(next);
      if (next + kPrefetchAhead < size) plain.prefetch(key(nth(next + kPrefetchAhead)));
      const Tally entry{partner.weight, partner.weight * partner.value};
      plain.add(key(partner), entry);
      if constexpr (kGraded) {
        const double grade = kSign * partner.grade;
        graded.add(key(partner), {grade * entry.weight, grade * entry.sum});
      }
    }
    const Tally below = plain.below(key(doc));
    const double shifted = doc.value - kSign * margin_v;
    double term = below.weight * shifted - below.sum;
    if constexpr (kGraded) {
      const Tally graded_below = graded.below(key(doc));
      term = kSign * doc.grade * term - (graded_below.weight * shifted - graded_below.sum);
    }
    term *= factor * doc.weight;
    out[doc.document] += term;
    total += term;
  }
  return total;
}

template <bool kGraded, class MakeTally>
double both_sweeps(std::span<const SweptDocument> documents, std::uint32_t num_grades,
                   double margin, double margin_v, double factor, const MakeTally& make_tally,
                   double* out) {
  double winner_sum = 0;
  {
    auto plain = make_tally(false);
    auto graded = make_tally(true);
    winner_sum =
        sweep<true, kGraded>(documents, num_grades, margin, margin_v, factor, plain, graded, out);
  }
  auto plain = make_tally(false);
  auto graded = make_tally(true);
  sweep<false, kGraded>(documents, num_grades, margin, margin_v, factor, plain, graded, out);
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
  for (std::size_t k = 0; k < size; ++k) {
    const std::uint32_t doc = point.order[k];
    memory.documents[k] = {point.scores[doc],
                           values[doc],
                           query.weights.empty() ? 1.0 : query.weights[doc],
                           query.grades[doc],
                           query.grade_ranks[doc],
                           doc};
  }
  const double factor = 2.0 * piece.coefficient;
  const auto run = [&](const auto& make_tally) {
    return weighting == PairWeighting::grade_difference
               ? both_sweeps<true>(memory.documents, query.num_grades, piece.margin, margin_v,
                                   factor, make_tally, out.data())
               : both_sweeps<false>(memory.documents, query.num_grades, piece.margin, margin_v,
                                    factor, make_tally, out.data());
  };
  if (query.num_grades <= FewKeysTally::kMostKeys) {
    return run([&](bool) { return FewKeysTally(query.num_grades); });
  }
  return run([&](bool graded) {
    return ManyKeysTally(graded && weighting == PairWeighting::uniform ? 0 : query.num_grades,
                         graded ? memory.graded_nodes : memory.nodes);
  });
}

}  // namespace rankine
