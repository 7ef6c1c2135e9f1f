// Sorted by score, a winner's active losers are a suffix and a loser's active winners a prefix: as
// a sweep moves through the documents, partners only ever become active, so one running tally by
// grade serves every document (a Fenwick tree where grades are many). Both sweeps are the same
// code: that for losers mirrors scores and grades.
//
// A tally of many grades would miss the cache at every step. Grades are therefore split into
// ranges, at most 2^kMostKeyBits of them: one sweep by range finds the pairs across ranges, and
// then each range, its documents gathered in score order, is a smaller problem of the same kind.
// Airola, Pahikkala and Salakoski, "Training linear ranking SVMs in linearithmic time using
// red-black trees", 2011; Lee and Lin, "Large-scale linear RankSVM", 2014.
#include "losses/pairs/pair_sweep.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/contract.hpp"
#include "base/sums/prefix_tally.hpp"
#include "base/system/work_array.hpp"
#include "losses/pairs/pair_cost.hpp"

namespace rankine {
namespace {

constexpr int kMostKeyBits = 11;  // tallies of so many keys stay in the nearest caches

/// One document as the sweep meets it, in score order, of weight 1 and with its score as value.
struct PlainDocument {
  double score;
  double result;
  std::uint32_t rank;
  std::uint32_t document;

  double value() const { return score; }
  static double weight() { return 1; }
};
/// The same with a value that is not the score.
struct ValuedDocument : PlainDocument {
  double own_value;

  double value() const { return own_value; }
};
struct WeightedDocument : ValuedDocument {
  double own_weight;

  double weight() const { return own_weight; }
};
struct GradedDocument : WeightedDocument {
  double grade;
};
/// The same with a gain in place of the grade.
struct DiscountedDocument : GradedDocument {
  double discount;
};

/// A weighting as a sum of products, weight(i, j) = sum over k of winner_k(i) * loser_k(j), so that
/// a tally of each factor serves all partners.
template <class DocumentType>
struct UniformFactors {
  static constexpr std::size_t kCount = 1;
  using Document = DocumentType;
  static std::array<double, 1> winner(const Document&) { return {1}; }
  static std::array<double, 1> loser(const Document&) { return {1}; }
};
struct GradeFactors {
  static constexpr std::size_t kCount = 2;
  using Document = GradedDocument;
  static std::array<double, 2> winner(const Document& doc) { return {doc.grade, -1}; }
  static std::array<double, 2> loser(const Document& doc) { return {1, doc.grade}; }
};
struct DcgFactors {
  static constexpr std::size_t kCount = 4;
  using Document = DiscountedDocument;
  static std::array<double, 4> winner(const Document& doc) {
    return {doc.grade * doc.discount, -doc.grade, -doc.discount, 1};
  }
  static std::array<double, 4> loser(const Document& doc) {
    return {1, doc.discount, doc.grade, doc.grade * doc.discount};
  }
};

/// The ranks first .. first + num_keys * 2^shift - 1, tallied under key (rank - first) / 2^shift.
struct RankRange {
  std::uint32_t first = 0;
  std::uint32_t shift = 0;
  std::uint32_t num_keys = 0;

  std::uint32_t key(const PlainDocument& doc) const { return (doc.rank - first) >> shift; }

  /// The fewest levels of ranges, with about the same number of keys each.
  static RankRange covering(std::uint32_t first, std::uint32_t num_ranks) {
    const auto bits = static_cast<int>(std::bit_width(num_ranks - 1));
    const int levels = std::max(1, (bits + kMostKeyBits - 1) / kMostKeyBits);
    const int shift = bits - (bits + levels - 1) / levels;
    return {first, static_cast<std::uint32_t>(shift), ((num_ranks - 1) >> shift) + 1};
  }
};

struct SweepParameters {
  double margin;
  double margin_v;
  double factor;
  double centre;  // of the values: only differences count, and sums of those from it cancel less
};

template <bool kWinners, class Factors, class KeyTally>
double sweep(std::span<typename Factors::Document> documents, const RankRange& range,
             const SweepParameters& parameters, std::array<KeyTally, Factors::kCount>& tallies) {
  using Document = typename Factors::Document;
  const std::size_t size = documents.size();
  constexpr double kSign = kWinners ? 1.0 : -1.0;
  const auto nth = [&](std::size_t k) -> Document& {
    return documents[kWinners ? size - 1 - k : k];
  };
  const auto key = [&](const Document& doc) {
    return kWinners ? range.key(doc) : range.num_keys - 1 - range.key(doc);
  };
  double total = 0;
  for (std::size_t k = 0, next = 0; k < size; ++k) {
    Document& doc = nth(k);
    for (; next < size && kSign * (doc.score - nth(next).score) < parameters.margin; ++next) {
      const Document& partner = nth(next);
      const double value = partner.value() - parameters.centre;
      const Tally entry{partner.weight(), partner.weight() * value};
      const auto factors = kWinners ? Factors::loser(partner) : Factors::winner(partner);
      for (std::size_t f = 0; f < Factors::kCount; ++f) {
        tallies[f].add(key(partner), {factors[f] * entry.weight, factors[f] * entry.sum});
      }
    }
    const double shifted = (doc.value() - parameters.centre) - kSign * parameters.margin_v;
    const auto factors = kWinners ? Factors::winner(doc) : Factors::loser(doc);
    double term = 0;
    for (std::size_t f = 0; f < Factors::kCount; ++f) {
      const Tally below = tallies[f].below(key(doc));
      term += factors[f] * (below.weight * shifted - below.sum);
    }
    term *= parameters.factor * doc.weight();
    doc.result += term;
    total += term;
  }
  return total;
}

template <class Factors>
double both_sweeps(std::span<typename Factors::Document> documents, const RankRange& range,
                   const SweepParameters& parameters) {
  thread_local std::array<std::vector<Tally>, Factors::kCount> nodes;
  const auto run = [&]<bool kWinners, std::size_t... kIndex>(std::bool_constant<kWinners>,
                                                             std::index_sequence<kIndex...>) {
    if (range.num_keys <= FewKeysTally::kMostKeys) {
      std::array<FewKeysTally, sizeof...(kIndex)> tallies{
          (static_cast<void>(kIndex), FewKeysTally(range.num_keys))...};
      return sweep<kWinners, Factors>(documents, range, parameters, tallies);
    }
    std::array<ManyKeysTally, sizeof...(kIndex)> tallies{
        ManyKeysTally(range.num_keys, nodes[kIndex])...};
    return sweep<kWinners, Factors>(documents, range, parameters, tallies);
  };
  constexpr auto kIndices = std::make_index_sequence<Factors::kCount>{};
  const double winner_sum = run(std::true_type{}, kIndices);
  run(std::false_type{}, kIndices);
  return winner_sum;
}

template <class Document>
void add_results(std::span<const Document> documents, std::span<double> out) {
  for (const Document& doc : documents) out[doc.document] += doc.result;
}

/// All pairs among `documents`, whose ranks are first .. first + num_ranks - 1; `scratch` is as
/// long. Neither holds anything of use afterwards.
template <class Factors>
double sweep_ranks(std::span<typename Factors::Document> documents,
                   std::span<typename Factors::Document> scratch, std::uint32_t first,
                   std::uint32_t num_ranks, const SweepParameters& parameters,
                   std::span<double> out) {
  using Document = typename Factors::Document;
  const RankRange range = RankRange::covering(first, num_ranks);
  double winner_sum = both_sweeps<Factors>(documents, range, parameters);
  if (range.shift == 0) {
    add_results<Document>(documents, out);
    return winner_sum;
  }
  std::vector<std::size_t> starts(range.num_keys + std::size_t{1});
  for (const Document& doc : documents) ++starts[range.key(doc) + std::size_t{1}];
  for (std::size_t k = 1; k < starts.size(); ++k) starts[k] += starts[k - 1];
  std::vector<std::size_t> next(starts);
  for (const Document& doc : documents) scratch[next[range.key(doc)]++] = doc;
  for (std::uint32_t k = 0; k < range.num_keys; ++k) {
    const std::size_t size = starts[k + 1] - starts[k];
    const std::span<Document> range_documents = scratch.subspan(starts[k], size);
    if (size < 2) {
      add_results<Document>(range_documents, out);
      continue;
    }
    winner_sum += sweep_ranks<Factors>(range_documents, documents.subspan(starts[k], size),
                                       first + (k << range.shift), std::uint32_t{1} << range.shift,
                                       parameters, out);
  }
  return winner_sum;
}

template <class Factors>
double sweep_documents(const QueryDocuments& query, const QueryPoint& point,
                       const SweepParameters& parameters, std::span<const double> values,
                       std::span<double> out) {
  using Document = typename Factors::Document;
  const std::size_t size = query.size();
  const bool in_levels = RankRange::covering(0, query.num_grades).shift > 0;
  const WorkArray<Document> memory(in_levels ? 2 * size : size);
  const std::span<Document> documents = memory.span().first(size);
  thread_local IdealRanking ideal;
  constexpr bool kIsDcg = std::is_same_v<Factors, DcgFactors>;
  if constexpr (kIsDcg) ideal.assign(query);
  for (std::size_t k = 0; k < size; ++k) {
    const std::uint32_t doc = point.order[k];
    const std::uint32_t rank = query.grade_ranks[doc];
    Document& swept = documents[k];
    swept.score = point.scores[doc];
    swept.result = 0;
    swept.rank = rank;
    swept.document = doc;
    if constexpr (std::is_base_of_v<ValuedDocument, Document>) {
      swept.own_value = values[doc];
    }
    if constexpr (std::is_base_of_v<WeightedDocument, Document>) {
      swept.own_weight = query.weights.empty() ? 1.0 : query.weights[doc];
    }
    if constexpr (std::is_same_v<Factors, GradeFactors>) {
      swept.grade = query.grades[doc];
    } else if constexpr (kIsDcg) {
      // Only differences count: measured from the lowest grade's, the products cancel less.
      swept.discount = ideal.discounts[rank] - ideal.discounts[0];
      swept.grade = ideal.gains[rank] - ideal.gains[0];
    }
  }
  return sweep_ranks<Factors>(documents, memory.span().subspan(size), 0, query.num_grades,
                              parameters, out);
}

}  // namespace

double sweep_pairs(const QueryDocuments& query, const QueryPoint& point,
                   const QuadraticPiece& piece, PairWeighting weighting,
                   std::span<const double> values, double margin_v, std::span<double> out) {
  RANKINE_ASSERT(point.order.size() == query.size() && values.size() == query.size());
  RANKINE_ASSERT(out.size() == query.size());
  RANKINE_ASSERT(query.pairs.empty());
  if (query.num_grades < 2) return 0;
  const SweepParameters parameters{piece.margin, margin_v, 2.0 * piece.coefficient,
                                   values[point.order[query.size() / 2]]};
  switch (weighting) {
    case PairWeighting::uniform:
      // What is the same for all documents need not be kept for each.
      if (!query.weights.empty()) {
        return sweep_documents<UniformFactors<WeightedDocument>>(query, point, parameters, values,
                                                                 out);
      }
      if (values.data() != point.scores.data()) {
        return sweep_documents<UniformFactors<ValuedDocument>>(query, point, parameters, values,
                                                               out);
      }
      return sweep_documents<UniformFactors<PlainDocument>>(query, point, parameters, values, out);
    case PairWeighting::grade_difference:
      return sweep_documents<GradeFactors>(query, point, parameters, values, out);
    case PairWeighting::dcg:
      return sweep_documents<DcgFactors>(query, point, parameters, values, out);
  }
  return 0;
}

}  // namespace rankine
