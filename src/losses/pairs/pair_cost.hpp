// What a pair weighs by its documents' grades, and which margin it has:
//   slack:   weight = delta, margin = 1              margin:  weight = 1, margin as below
//   none               delta = 1                     1
//   grade_difference   delta = y_i - y_j             y_i - y_j
//   dcg                delta = (2^y_i - 2^y_j)(D_i - D_j)      sqrt(delta)
// D is the discount 1 / log2(1 + p) at a document's position p in the ideal ranking; documents of
// one grade share the mean discount of their positions, so delta depends on the two grades only.
// Explicit preferences have their magnitude in place of y_i - y_j, and no dcg.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <rankine/loss.hpp>
#include <rankine/options.hpp>

namespace rankine {

/// Gains 2^y and mean discounts D of one query, by grade rank.
struct IdealRanking {
  std::vector<double> gains;
  std::vector<double> discounts;

  /// Overwrites with those of `query`: O(n).
  void assign(const QueryDocuments& query);
  double delta(std::uint32_t winner_rank, std::uint32_t loser_rank) const {
    return (gains[winner_rank] - gains[loser_rank]) *
           (discounts[winner_rank] - discounts[loser_rank]);
  }
};

/// dcg takes grades up to this size: gains are 2^grade.
inline constexpr double kMostDcgGrade = 64;

struct PairCost {
  double weight = 1;
  double margin = 1;
};

/// The costs of one query's pairs. Requires: no dcg where pairs are listed.
class PairCosts {
 public:
  PairCosts(PairWeight weight, Rescaling rescaling) : weight_(weight), rescaling_(rescaling) {}

  /// Must be called before of() whenever the query changes.
  void assign(const QueryDocuments& query) {
    if (weight_ == PairWeight::dcg) ideal_.assign(query);
  }
  /// Of the pair (winner, loser) of `query`'s grades.
  PairCost of(const QueryDocuments& query, std::uint32_t winner, std::uint32_t loser) const;
  /// Of a listed pair, its own weight included.
  PairCost of(const ListedPair& pair) const;

 private:
  PairWeight weight_;
  Rescaling rescaling_;
  IdealRanking ideal_;
};

}  // namespace rankine
