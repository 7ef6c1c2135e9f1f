// Measures of a ranking, for one query, under every convention in use; docs/measures.md has their
// formulas. All measures of a query share one sort: O(n log n) for n documents.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "rankine/fields.hpp"
#include "rankine/visibility.hpp"

namespace rankine {

enum class Convention { rankine, letor, lightgbm, xgboost, trec, sklearn };
template <>
struct EnumNames<Convention> {
  static constexpr std::array<std::string_view, 6> names{"rankine", "letor", "lightgbm",
                                                         "xgboost", "trec",  "sklearn"};
};

enum class Gain { exponential, linear };  // 2^y - 1, y; a negative grade gains nothing
template <>
struct EnumNames<Gain> {
  static constexpr std::array<std::string_view, 2> names{"exponential", "linear"};
};

enum class Discount { log2, letor };  // 1/log2(1+r); 1, 1, then 1/log2(r)
template <>
struct EnumNames<Discount> {
  static constexpr std::array<std::string_view, 2> names{"log2", "letor"};
};

/// Equal scores: the mean over all orders of the documents that share one, the input's order, or
/// the document's id, descending.
enum class Ties { averaged, input_order, document_id };
template <>
struct EnumNames<Ties> {
  static constexpr std::array<std::string_view, 3> names{"averaged", "input_order", "document_id"};
};

/// Queries without relevant documents. Measures with a value there (DCG, precision, reciprocal
/// rank, ERR) count 0 under `one` as well; measures of pairs are always left out where there is no
/// pair.
enum class EmptyQueries { skip, zero, one };
template <>
struct EnumNames<EmptyQueries> {
  static constexpr std::array<std::string_view, 3> names{"skip", "zero", "one"};
};

/// A query with fewer than k documents: k = n; or the ranks without a document hold irrelevant
/// ones, which shows in P@k; or that, and NDCG@k is 0.
enum class ShortLists { truncate, pad, zero };
template <>
struct EnumNames<ShortLists> {
  static constexpr std::array<std::string_view, 3> names{"truncate", "pad", "zero"};
};

/// What MAP@k divides by: the relevant documents that fit, min(R, k), or all R.
enum class MapDivisor { reachable, relevant };
template <>
struct EnumNames<MapDivisor> {
  static constexpr std::array<std::string_view, 2> names{"reachable", "relevant"};
};

/// The precision in which scores are compared: in `single`, scores that round to the same float32
/// are equal.
enum class ScorePrecision { full, single };
template <>
struct EnumNames<ScorePrecision> {
  static constexpr std::array<std::string_view, 2> names{"double", "single"};
};

/// How a measure is computed. Start from measure_rules(convention) and change what you need.
struct MeasureRules {
  Gain gain = Gain::exponential;
  Discount discount = Discount::log2;
  Ties ties = Ties::averaged;
  EmptyQueries empty_queries = EmptyQueries::skip;
  ShortLists short_lists = ShortLists::truncate;
  MapDivisor map_divisor = MapDivisor::reachable;
  ScorePrecision score_precision = ScorePrecision::full;
  double relevant = 1;   // the smallest grade that counts as relevant in binary measures
  double max_grade = 0;  // ERR's largest grade; 0: the largest in the data

  bool operator==(const MeasureRules&) const = default;
};

constexpr auto fields(const MeasureRules&) {
  using O = MeasureRules;
  return std::tuple{Field{"gain", &O::gain, NoRange{}, "gain of grade y: 2^y - 1, or y"},
                    Field{"discount", &O::discount, NoRange{},
                          "discount at rank r: 1/log2(1+r), or LETOR's 1, 1, 1/log2(3), ..."},
                    Field{"ties", &O::ties, NoRange{},
                          "equal scores: averaged over their orders, or in an order"},
                    Field{"empty_queries", &O::empty_queries, NoRange{},
                          "queries without relevant documents: left out, or counted as 0 or 1"},
                    Field{"short_lists", &O::short_lists, NoRange{},
                          "queries with fewer than k documents: k = n, or padded with irrelevant "
                          "ones, or that and NDCG@k = 0"},
                    Field{"map_divisor", &O::map_divisor, NoRange{},
                          "MAP@k divides by min(R, k) or by all R relevant documents"},
                    Field{"score_precision", &O::score_precision, NoRange{},
                          "the precision in which scores are compared"},
                    Field{"relevant", &O::relevant, NoRange{},
                          "the smallest grade that counts as relevant", "GRADE"},
                    Field{"max_grade", &O::max_grade, Range<double>{0, kNoLimit},
                          "ERR: the largest grade; 0: the largest in the data", "GRADE"}};
}

RANKINE_API MeasureRules measure_rules(Convention convention);

/// A measure as users ask for it: "ndcg@10" is {"ndcg", 10}.
struct Measure {
  static constexpr std::int64_t kNoCut = std::numeric_limits<std::int64_t>::max();
  std::string name;
  std::int64_t k = kNoCut;

  std::string text() const { return k == kNoCut ? name : name + "@" + std::to_string(k); }
  bool operator==(const Measure&) const = default;
};

enum class CutOff { none, optional, required };

/// One measure there is.
struct MeasureInfo {
  std::string_view name;
  CutOff cut_off = CutOff::none;  // whether it takes @k
  std::string_view help;
};

/// Every measure there is, in the order of the documentation.
RANKINE_API std::vector<MeasureInfo> all_measures();

/// Reads measures as users write them, separated by commas; capitals and repetitions do not matter.
/// Throws Error{option}: "measures: map@0: k must be at least 1".
RANKINE_API std::vector<Measure> parse_measures(std::string_view text);
/// The same, one string per measure.
RANKINE_API std::vector<Measure> parse_measures(std::span<const std::string> texts);

/// One query and its ranking. Views, not copies.
struct QueryRanking {
  std::span<const double> scores;  // no NaN
  std::span<const double> grades;  // as many as scores
  /// Grades of judged documents that the ranking does not hold: they count in ideals and recalls.
  std::span<const double> missing_grades = {};
  /// As many as scores; needed for Ties::document_id only.
  std::span<const std::string_view> document_ids = {};
};

/// The values of `measures` on one query, in their order; NaN where the query is left out.
/// `rules.max_grade` = 0 stands for the largest grade of this query. Throws Error{data} for a grade
/// that the rules cannot take, Error{option} for a measure that does not exist.
RANKINE_API std::vector<double> measure_query(const QueryRanking& query,
                                              std::span<const Measure> measures,
                                              const MeasureRules& rules = {});

}  // namespace rankine
