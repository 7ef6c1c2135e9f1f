// An active set method, as in Lawson and Hanson's non-negative least squares: solve with equality
// over the free variables; where the solution leaves the simplex, go as far towards it as allowed
// and fix the variable that became 0; otherwise free the variable with the steepest slope. G is
// singular as soon as there are more planes than features, so each solve adds a small multiple of
// the squared distance from where it starts: a proximal step, which does not change where the steps
// end. Lawson and Hanson, "Solving Least Squares Problems", 1974, chapter 23; Rockafellar,
// "Monotone operators and the proximal point algorithm", 1976.
#include "solvers/simplex_quadratic.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>

#include "linalg/dense_algebra.hpp"
#include "linalg/inner_product.hpp"

namespace rankine {
namespace {

class ActiveSet {
 public:
  static constexpr double kProximity = 1e-5;  // of G's diagonal

  ActiveSet(const SimplexQuadratic& problem, std::span<double> a) : problem_(problem), a_(a) {
    for (std::size_t k = 0; k < a.size(); ++k) {
      if (a[k] > 0) free_.push_back(k);
    }
  }

  int run(double tolerance) {
    const auto most = static_cast<int>(100 + 20 * a_.size());
    double least_gap = std::numeric_limits<double>::infinity();
    int idle = 0;
    int changes = 0;
    for (; changes < most; ++changes) {
      if (move_to_best_of_free()) continue;  // a variable was fixed
      const std::vector<double> slopes = problem_.slopes(a_);
      const auto steepest =
          static_cast<std::size_t>(std::max_element(slopes.begin(), slopes.end()) - slopes.begin());
      const double gap = slopes[steepest] - dot(a_, slopes);
      if (gap <= tolerance) break;
      constexpr int kPatience = 30;  // rounding may undo a few changes, but not for ever
      idle = gap < least_gap ? 0 : idle + 1;
      least_gap = std::min(gap, least_gap);
      if (idle == kPatience) break;
      if (std::find(free_.begin(), free_.end(), steepest) == free_.end()) {
        free_.push_back(steepest);
      }
    }
    return changes;
  }

 private:
  /// The maximiser over the free variables with sum 1, signs ignored, of the value less a small
  /// multiple of the squared distance from here.
  std::vector<double> best_of_free() const {
    for (double raise = kProximity;; raise *= 100) {
      const std::vector<double> matrix = free_gram(raise);
      const CholeskyFactor factor(matrix, static_cast<std::int64_t>(free_.size()));
      if (factor.not_positive_definite()) continue;
      std::vector<double> best(free_.size());
      std::vector<double> ones(free_.size(), 1.0);
      for (std::size_t k = 0; k < best.size(); ++k) {
        const double added = matrix[k * best.size() + k] - gram(free_[k], free_[k]);
        best[k] = problem_.linear[free_[k]] + added * a_[free_[k]];
      }
      factor.solve(best);
      factor.solve(ones);
      const double price = (std::accumulate(best.begin(), best.end(), 0.0) - 1) /
                           std::accumulate(ones.begin(), ones.end(), 0.0);
      for (std::size_t k = 0; k < best.size(); ++k) best[k] -= price * ones[k];
      return best;
    }
  }

  std::vector<double> free_gram(double raise) const {
    const std::size_t size = free_.size();
    double largest = 0;
    for (const std::size_t k : free_) largest = std::max(largest, gram(k, k));
    if (largest == 0) largest = 1;
    std::vector<double> matrix(size * size);
    for (std::size_t r = 0; r < size; ++r) {
      for (std::size_t c = 0; c < size; ++c) matrix[r * size + c] = gram(free_[r], free_[c]);
      // The plane of the zero function has a row of zeros: any small number on its diagonal does.
      double& diagonal = matrix[r * size + r];
      diagonal = diagonal > 0 ? diagonal * (1 + raise) : 1e-30 * largest;
    }
    return matrix;
  }

  /// Goes towards the best point of the free variables; true if one of them became 0 and is fixed.
  bool move_to_best_of_free() {
    const std::vector<double> best = best_of_free();
    double share = 1;
    std::size_t first = free_.size();
    for (std::size_t k = 0; k < free_.size(); ++k) {
      if (best[k] > 0) continue;
      const double here = a_[free_[k]];
      const double reach = here > 0 ? here / (here - best[k]) : 0.0;
      if (reach < share || first == free_.size()) {
        share = std::min(share, reach);
        first = k;
      }
    }
    for (std::size_t k = 0; k < free_.size(); ++k) {
      double& value = a_[free_[k]];
      value = std::max(0.0, value + share * (best[k] - value));
    }
    normalise();
    if (first == free_.size()) return false;
    fix(first);
    return true;
  }

  void fix(std::size_t position) {
    a_[free_[position]] = 0;
    free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(position));
    normalise();
  }

  void normalise() {
    const double sum = std::accumulate(a_.begin(), a_.end(), 0.0);
    for (double& value : a_) value /= sum;
  }

  double gram(std::size_t r, std::size_t c) const { return problem_.gram[r * a_.size() + c]; }

  const SimplexQuadratic& problem_;
  std::span<double> a_;
  std::vector<std::size_t> free_;
};

}  // namespace

std::vector<double> SimplexQuadratic::slopes(std::span<const double> a) const {
  std::vector<double> result(linear);
  for (std::size_t r = 0; r < size(); ++r) {
    result[r] -= dot(std::span(gram).subspan(r * size(), size()), a);
  }
  return result;
}

double SimplexQuadratic::value(std::span<const double> a) const {
  const std::vector<double> slope = slopes(a);
  return 0.5 * (dot(a, linear) + dot(a, slope));
}

double optimality_gap(const SimplexQuadratic& problem, std::span<const double> a) {
  const std::vector<double> slopes = problem.slopes(a);
  return *std::max_element(slopes.begin(), slopes.end()) - dot(a, slopes);
}

int maximise(const SimplexQuadratic& problem, double tolerance, std::span<double> a) {
  return ActiveSet(problem, a).run(tolerance);
}

}  // namespace rankine
