// A table of which loss has a fast form. All losses but the squared one are hinges or sums of
// quadratic pieces (the logistic loss approximately). Sweeps over sorted scores handle these in
// O(n log n), for weights that are sums of products. A margin equal to the difference of grades is
// the plain loss at scores s - y. Everything else lists pairs.
#include "losses/pairs/pair_loss.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <rankine/error.hpp>

#include "losses/pairs/grade_margin_pairs.hpp"
#include "losses/pairs/hinge_pairs.hpp"
#include "losses/pairs/listed_pairs.hpp"
#include "losses/pairs/logistic_pieces.hpp"
#include "losses/pairs/pair_cost.hpp"
#include "losses/pairs/piecewise_quadratic_pairs.hpp"
#include "losses/pairs/squared_error_pairs.hpp"
#include "losses/scalar_loss.hpp"

namespace rankine {
namespace {

/// Sums of gains that differ by more than this lose the pairs of low grades to rounding.
constexpr double kMostFastDcgSpan = 20;

void check_dcg(const Dataset& data) {
  if (data.has_preferences) {
    throw Error(ErrorKind::option,
                "pair_weight = dcg needs grades, but the data has explicit preferences; take "
                "grade_difference for their magnitudes");
  }
  for (const double grade : data.grades) {
    if (std::abs(grade) > kMostDcgGrade) {
      throw Error(ErrorKind::option,
                  "pair_weight = dcg takes grades of at most " + real_text(kMostDcgGrade) +
                      " in size (gains are 2^grade), the data has " + real_text(grade));
    }
  }
}

bool has_fast_form(const PairLossOptions& options, const Dataset& data) {
  if (data.has_preferences) return false;
  if (options.loss == Loss::logistic && options.exact_logistic) return false;
  if (options.pair_weight != PairWeight::dcg) return true;
  if (options.rescaling == Rescaling::margin) return false;
  const auto [least, most] = std::minmax_element(data.grades.begin(), data.grades.end());
  return data.grades.empty() || *most - *least <= kMostFastDcgSpan;
}

PairWeighting slack_weighting(PairWeight weight) {
  switch (weight) {
    case PairWeight::grade_difference:
      return PairWeighting::grade_difference;
    case PairWeight::dcg:
      return PairWeighting::dcg;
    case PairWeight::none:
      return PairWeighting::uniform;
  }
  throw_no_formula();
}

std::unique_ptr<QueryLoss> sum_of_pieces(Loss loss, std::vector<QuadraticPiece> pieces,
                                         PairWeighting weighting, double shift) {
  for (QuadraticPiece& piece : pieces) piece.margin -= shift;
  return std::make_unique<PiecewiseQuadraticPairs>(std::string(name_of(loss)), std::move(pieces),
                                                   weighting);
}

/// The fast loss with all margins less by `shift`. Requires: not the squared loss.
std::unique_ptr<QueryLoss> fast_loss(Loss loss, PairWeighting weighting, double shift) {
  switch (loss) {  // no default: a loss without a formula does not compile
    case Loss::squared_hinge:
      return sum_of_pieces(loss, squared_hinge_pieces(), weighting, shift);
    case Loss::hinge:
      return std::make_unique<HingePairs>(1 - shift, weighting);
    case Loss::huber:
      return sum_of_pieces(loss, huber_pieces(), weighting, shift);
    case Loss::logistic:
      return sum_of_pieces(loss, logistic_pieces(), weighting, shift);
    case Loss::squared:
      break;
  }
  throw_no_formula();
}

}  // namespace

std::unique_ptr<QueryLoss> make_pair_loss(const PairLossOptions& options, const Dataset& data) {
  if (options.loss == Loss::squared) {
    if (options.pair_weight != PairWeight::none) {
      throw Error(ErrorKind::option, "pair_weight = " + std::string(name_of(options.pair_weight)) +
                                         ": the squared loss knows the grades already; take none");
    }
    return std::make_unique<SquaredErrorPairs>(PairGraph::different_grades);
  }
  if (options.pair_weight == PairWeight::dcg) check_dcg(data);
  if (!has_fast_form(options, data)) {
    return std::make_unique<ListedPairs>(options.loss, options.pair_weight, options.rescaling);
  }
  if (options.pair_weight == PairWeight::grade_difference &&
      options.rescaling == Rescaling::margin) {
    return std::make_unique<GradeMarginPairs>(fast_loss(options.loss, PairWeighting::uniform, 1));
  }
  return fast_loss(options.loss, slack_weighting(options.pair_weight), 0);
}

}  // namespace rankine
