// A loss over all queries as a function of the weights w of a linear model: value, gradient and
// Hessian products, each in one pass over the features. A query's rows are multiplied, swept and
// multiplied back while they are in cache. All sums are canonical (base/sums/canonical_sum).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <rankine/dataset.hpp>
#include <rankine/loss.hpp>

#include "compute/accuracy.hpp"
#include "compute/cpu/pair_gram.hpp"
#include "compute/cpu/query_losses.hpp"
#include "compute/cpu/query_share.hpp"
#include "compute/query_rows.hpp"
#include "compute/query_table.hpp"

namespace rankine {

class QuerySweep {
 public:
  /// Keeps references: all three must outlive it.
  QuerySweep(const Dataset& data, const QueryTable& table, const QueryLoss& loss, int threads);
  /// The same with the feature rows from elsewhere.
  QuerySweep(FeatureRows features, std::int64_t num_documents, const QueryTable& table,
             const QueryLoss& loss, int threads);
  /// Another loss over the same data.
  QuerySweep(const QuerySweep& data, const QueryLoss& loss)
      : QuerySweep(data.features_, data.num_documents(), data.table_, loss, data.threads_) {}

  using Point = SweepPoint;
  static void forget(const Point& point);

  std::int64_t num_features() const { return features_.num_columns(); }
  int threads() const { return threads_; }
  const QueryLoss& loss() const { return losses_.loss(); }

  /// What gradient() leaves in a point beside its weights: the scores of queries without ranges,
  /// which products and searches want, or nothing.
  enum class Keep { scores, nothing };

  /// Makes `point` one at `weights`, writes the loss's gradient and returns the loss.
  double gradient(std::span<const double> weights, Point& point, std::span<double> out,
                  Keep keep = Keep::scores) const;

  /// Makes `point` one at weights a + t (b - a) from the scores of both, without a pass over the
  /// features; and the gradient and loss there. `point` is neither a nor b.
  void move(const Point& a, const Point& b, double t, Point& point) const;
  double gradient(const Point& point, std::span<double> out) const;

  /// out = (Hessian of the loss at `point`) * direction. Of dense rows, products and sums of some
  /// hundred rows are in single precision.
  void hessian_times(const Point& point, std::span<const double> direction,
                     std::span<double> out) const;

  /// gradient() for several weights in one pass over the features.
  struct Evaluation {
    std::span<const double> weights;
    Point* point;
    std::span<double> gradient;
    double loss = 0;
    Keep keep = Keep::scores;
  };
  void gradients(std::span<Evaluation> evaluations, Accuracy accuracy = Accuracy::full) const;

  /// hessian_times() for several points and directions in one pass; products in single precision.
  struct Product {
    const Point* point;
    std::span<const double> direction;
    std::span<double> out;
  };
  void hessian_times(std::span<const Product> products) const;

  /// Loss and slope at weights a + t (b - a), likewise.
  struct LineValue {
    double value = 0;
    double slope = 0;
  };
  LineValue between(const Point& a, const Point& b, double t) const;

  /// Whether hessian() is worth its memory and has a fast form for this loss and data.
  bool has_fast_hessian() const;
  /// Writes the Hessian of the loss, as a share of the queries tells it: see
  /// compute/cpu/sampled_hessian.hpp.
  void hessian(const Point& point, double share, std::span<double> out) const;

  /// The Hessian of the loss at weights 0 from a share of the queries: see
  /// compute/cpu/pair_gram.hpp.
  bool has_gram() const { return features_.are_dense() && loss().has_hessian(); }
  std::vector<float> gram(double share) const {
    return pair_gram(features_, table_, loss(), share, threads_);
  }
  std::int64_t num_documents() const { return static_cast<std::int64_t>(num_documents_); }
  /// See compute/cpu/query_share.hpp.
  std::size_t num_short_queries() const { return rankine::num_short_queries(table_); }

 private:
  class ToFind;

  void need_scores(const Point& point) const;
  /// One query after the other, each vector on its own: rows of any storage, in double.
  void gradients_by_row(std::span<Evaluation> evaluations) const;
  /// Several points in one pass over dense rows, in precision T.
  template <class T>
  void gradients_by_pass(std::span<Evaluation> evaluations) const;
  /// In double, of rows of any storage.
  void product_in_double(const Point& point, std::span<const double> direction,
                         std::span<double> out) const;
  /// Of dense rows, in single precision within some hundred rows and in double beyond. False when
  /// numbers leave its range: `out` is then of no use.
  bool product_in_single(const Point& point, std::span<const double> direction,
                         std::span<double> out) const;

  FeatureRows features_;
  std::size_t num_documents_;
  QueryLosses losses_;
  const QueryTable& table_;
  int threads_;
};

}  // namespace rankine
