// A ranking loss over all queries as a function: of the weights of a linear model (LossEvaluator),
// or of the scores of the documents (ScoreEvaluator). This is all that an objective knows of the
// data. Where and how the sums are made is the business of a backend (compute/backend.hpp).
//
// Everything is asked at a point, which is bound to where it was made, so derivatives cannot be
// asked for in the wrong order. A point belongs to the evaluator that made it. The same data, loss
// and points give the same bits whatever the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include <rankine/loss.hpp>

#include "base/sums/canonical_sum.hpp"
#include "compute/accuracy.hpp"

namespace rankine {

/// Value and derivative of a function along a segment.
struct LineValue {
  double value = 0;
  double slope = 0;
};

class LossEvaluator {
 public:
  /// Some weights with the loss and its gradient there. Whatever else a backend keeps is found
  /// again from the weights where it is missing; one point must not be used by two threads at the
  /// same time.
  class Point {
   public:
    Point() = default;
    Point(const Point&) = delete;
    Point& operator=(const Point&) = delete;
    virtual ~Point() = default;

    double value = 0;
    std::vector<double> gradient;  // for the caller to take: no operation reads it
  };
  using Points = std::vector<std::unique_ptr<Point>>;

  /// What a point keeps of the pass that made it: the scores, which products and segments need, or
  /// nothing. Nothing takes less memory; products are then still possible, at the cost of another
  /// pass over the data.
  enum class Keep { scores, nothing };

  virtual ~LossEvaluator() = default;
  virtual std::int64_t num_weights() const = 0;
  virtual std::int64_t num_documents() const = 0;
  virtual int threads() const = 0;
  virtual const QueryLoss& loss() const = 0;
  /// Another loss over the same data. Keeps a reference to `loss`; must not outlive the data.
  virtual std::unique_ptr<LossEvaluator> with_loss(const QueryLoss& loss) const = 0;

  /// One pass over the features.
  virtual std::unique_ptr<Point> at(std::span<const double> weights,
                                    Keep keep = Keep::scores) const = 0;
  /// at() each of these, in one pass.
  virtual Points at_each(std::span<const std::vector<double>> weights, Accuracy accuracy) const = 0;
  /// At weights a + t (b - a), from what a and b keep: half the cost of at().
  virtual std::unique_ptr<Point> on_segment(const Point& a, const Point& b, double t) const = 0;
  /// Value and slope there (any slope where there are several). No pass over the features, unless
  /// a or b has nothing kept.
  virtual LineValue between(const Point& a, const Point& b, double t) const = 0;
  /// Frees what a point keeps beside its weights.
  virtual void forget(const Point& point) const = 0;

  /// out = (Hessian of the loss at the point) * direction, to some six digits. Costs about as much
  /// as at(). Requires: loss().has_hessian().
  virtual void hessian_times(const Point& point, std::span<const double> direction,
                             std::span<double> out) const = 0;
  struct Product {
    const Point* point;
    std::span<const double> direction;
    std::span<double> out;
  };
  /// Each of these, in one pass.
  virtual void hessian_times_each(std::span<const Product> products) const = 0;

  // Whole matrices, num_weights() x num_weights() and row-major, estimated from a share of the data
  // (0 < share <= 1). Costs are stated in units of one hessian_times(), and are infinite where
  // there is no fast form. They are functions of the share, because what a part of the data costs
  // is not proportional to the part.

  /// The share that is enough for a Hessian that is right within some per cent.
  virtual double enough_share() const { return 1; }

  virtual double hessian_cost(double /*share*/) const {
    return std::numeric_limits<double>::infinity();
  }
  /// The Hessian at the point. Requires: hessian_cost() is finite.
  virtual void hessian(const Point& point, double share, std::span<double> out) const = 0;

  virtual double gram_cost(double /*share*/) const {
    return std::numeric_limits<double>::infinity();
  }
  /// About the Hessian at weights 0, its lower triangle, in single precision: the matrix of a
  /// preconditioner. Requires: gram_cost() is finite.
  virtual std::vector<float> gram(double share) const = 0;
};

/// Only the documents of queries that the loss uses, in their order.
class ScoreEvaluator {
 public:
  /// Some scores with the loss and its slopes there.
  class Point {
   public:
    Point() = default;
    Point(const Point&) = delete;
    Point& operator=(const Point&) = delete;
    virtual ~Point() = default;

    virtual double value() const = 0;
    virtual std::span<const double> scores() const = 0;
    virtual std::span<const double> slopes() const = 0;
  };

  virtual ~ScoreEvaluator() = default;
  virtual std::size_t num_documents() const = 0;
  /// By document: its row in the data set.
  virtual std::span<const std::int64_t> rows() const = 0;
  /// How sums of `width` values over these documents are cut, by query, and the first document of a
  /// query; that of the query after the last is num_documents().
  virtual const Cuts& cuts(std::size_t width) const = 0;
  virtual std::size_t first_of(std::size_t query) const = 0;

  virtual std::unique_ptr<Point> at(std::vector<double> scores) const = 0;
  /// out = (Hessian in the scores at the point) * direction. Requires: the loss has one.
  virtual void hessian_times(const Point& point, std::span<const double> direction,
                             std::span<double> out) const = 0;
};

}  // namespace rankine
