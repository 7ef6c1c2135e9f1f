// The minimum of  penalty * |w|^2 + factor * sum over pairs of l(t), t = difference of scores, by
// Newton's method on listed pairs in long double: it shares nothing with the library but the data.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include <rankine/dataset.hpp>

namespace rankine::oracles {

class LongDoubleMinimum {
 public:
  using Vector = std::vector<long double>;

  /// Squared: l = (d - t)^2 over all pairs, d the difference of grades; otherwise max(0, 1 - t)^2
  /// over pairs of different grades. `features` are the rows as training sees them.
  LongDoubleMinimum(const Dataset& data, std::vector<Vector> features, bool squared,
                    long double penalty, long double factor)
      : features_(std::move(features)), squared_(squared), penalty_(penalty) {
    for (std::size_t q = 0; q + 1 < data.query_offsets.size(); ++q) {
      const auto first = static_cast<std::size_t>(data.query_offsets[q]);
      const auto end = static_cast<std::size_t>(data.query_offsets[q + 1]);
      for (std::size_t i = first; i < end; ++i) {
        for (std::size_t j = first; j < end; ++j) {
          const long double d = data.grades[i] - data.grades[j];
          if (squared ? i > j : d > 0) pairs_.push_back({i, j, d, factor});
        }
      }
    }
  }

  long double objective(const Vector& w) const {
    long double sum = 0;
    for (const long double each : w) sum += penalty_ * each * each;
    for (const Pair& pair : pairs_) {
      const long double left = left_of(pair, score(pair, w));
      sum += pair.factor * left * left;
    }
    return sum;
  }
  /// Of a model: its weights for the penalty, its own scores for the loss.
  long double objective(const std::vector<double>& w, const std::vector<double>& scores) const {
    long double sum = 0;
    for (const long double each : w) sum += penalty_ * each * each;
    for (const Pair& pair : pairs_) {
      const long double t = static_cast<long double>(scores[pair.winner]) -
                            static_cast<long double>(scores[pair.loser]);
      const long double left = left_of(pair, t);
      sum += pair.factor * left * left;
    }
    return sum;
  }

  /// No less than the minimum, and close to it.
  long double minimum() const {
    const std::size_t width = features_.front().size();
    Vector w(width, 0.0L);
    long double best = objective(w);
    for (int iteration = 0; iteration < 60; ++iteration) {
      std::vector<Vector> hessian(width, Vector(width, 0.0L));
      Vector gradient(width);
      for (std::size_t f = 0; f < width; ++f) {
        gradient[f] = 2 * penalty_ * w[f];
        hessian[f][f] = 2 * penalty_;
      }
      for (const Pair& pair : pairs_) {
        const long double left = left_of(pair, score(pair, w));
        if (left == 0 && !squared_) continue;
        for (std::size_t f = 0; f < width; ++f) {
          const long double x = difference(pair, f);
          gradient[f] -= 2 * pair.factor * left * x;
          for (std::size_t g = 0; g < width; ++g) {
            hessian[f][g] += 2 * pair.factor * x * difference(pair, g);
          }
        }
      }
      const Vector step = solve(std::move(hessian), gradient);
      bool fell = false;
      for (long double t = 1; t > 1e-6L && !fell; t /= 2) {
        Vector next(w);
        for (std::size_t f = 0; f < width; ++f) next[f] -= t * step[f];
        const long double there = objective(next);
        fell = there < best;
        if (fell) {
          best = there;
          w = std::move(next);
        }
      }
      if (!fell) break;
    }
    return best;
  }

 private:
  struct Pair {
    std::size_t winner;
    std::size_t loser;
    long double asked;
    long double factor;
  };
  long double difference(const Pair& pair, std::size_t f) const {
    return features_[pair.winner][f] - features_[pair.loser][f];
  }
  long double score(const Pair& pair, const Vector& w) const {
    long double t = 0;
    for (std::size_t f = 0; f < w.size(); ++f) t += w[f] * difference(pair, f);
    return t;
  }
  long double left_of(const Pair& pair, long double t) const {
    return squared_ ? pair.asked - t : std::max(0.0L, 1 - t);
  }
  /// Elimination with pivots.
  static Vector solve(std::vector<Vector> matrix, Vector b) {
    const std::size_t n = b.size();
    for (std::size_t k = 0; k < n; ++k) {
      std::size_t pivot = k;
      for (std::size_t i = k; i < n; ++i) {
        if (std::abs(matrix[i][k]) > std::abs(matrix[pivot][k])) pivot = i;
      }
      std::swap(matrix[k], matrix[pivot]);
      std::swap(b[k], b[pivot]);
      for (std::size_t i = k + 1; i < n; ++i) {
        const long double ratio = matrix[i][k] / matrix[k][k];
        for (std::size_t j = k; j < n; ++j) matrix[i][j] -= ratio * matrix[k][j];
        b[i] -= ratio * b[k];
      }
    }
    for (std::size_t k = n; k-- > 0;) {
      for (std::size_t j = k + 1; j < n; ++j) b[k] -= matrix[k][j] * b[j];
      b[k] /= matrix[k][k];
    }
    return b;
  }

  std::vector<Vector> features_;
  bool squared_;
  long double penalty_;
  std::vector<Pair> pairs_;
};

}  // namespace rankine::oracles
