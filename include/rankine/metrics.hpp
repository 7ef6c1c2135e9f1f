// Measures of a ranking, for one query, under every convention in use. docs/measures.md explains
// them.
#pragma once

#include <array>
#include <cstdint>
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

enum class Gain { exponential, linear };  // 2^y - 1, y
template <>
struct EnumNames<Gain> {
  static constexpr std::array<std::string_view, 2> names{"exponential", "linear"};
};

enum class Discount { log2, letor };  // 1/log2(1+r); 1, 1, then 1/log2(r)
template <>
struct EnumNames<Discount> {
  static constexpr std::array<std::string_view, 2> names{"log2", "letor"};
};

enum class Ties { averaged, input_order, document_id };
template <>
struct EnumNames<Ties> {
  static constexpr std::array<std::string_view, 3> names{"averaged", "input_order", "document_id"};
};

enum class EmptyQueries { skip, zero, one };  // queries on which the measure is not defined
template <>
struct EnumNames<EmptyQueries> {
  static constexpr std::array<std::string_view, 3> names{"skip", "zero", "one"};
};

enum class ShortLists {
  truncate,
  zero
};  // a query with fewer than k documents: k = n, or 0 at NDCG@k
template <>
struct EnumNames<ShortLists> {
  static constexpr std::array<std::string_view, 2> names{"truncate", "zero"};
};

/// How a measure is computed. Start from measure_rules(convention) and change what you need.
struct MeasureRules {
  Gain gain = Gain::exponential;
  Discount discount = Discount::log2;
  Ties ties = Ties::averaged;
  EmptyQueries empty_queries = EmptyQueries::skip;
  ShortLists short_lists = ShortLists::truncate;
  double relevant = 1;   // the smallest grade that counts as relevant in binary measures
  double max_grade = 0;  // ERR's largest grade; 0: the largest in the data
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
                          "queries with fewer than k documents: k = n, or counted as 0 in NDCG@k"},
                    Field{"relevant", &O::relevant, NoRange{},
                          "the smallest grade that counts as relevant", "GRADE"},
                    Field{"max_grade", &O::max_grade, Range<double>{0, kNoLimit},
                          "ERR: the largest grade; 0: the largest in the data", "GRADE"}};
}

RANKINE_API MeasureRules measure_rules(Convention convention);

}  // namespace rankine
