// A loss over all queries as a function of the weights w of a linear model: value, gradient and
// Hessian products, each in one pass over the features. A query's rows are multiplied, swept and
// multiplied back while they are in cache. Queries are split into groups by the data alone, and
// the groups' sums are added in order, so the result does not depend on the number of threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <rankine/dataset.hpp>
#include <rankine/loss.hpp>

#include "compute/accuracy.hpp"
#include "compute/cpu/pair_gram.hpp"
#include "compute/cpu/query_share.hpp"
#include "compute/query_rows.hpp"
#include "compute/query_table.hpp"
#include "losses/active_pairs.hpp"
#include "losses/piecewise_quadratic_pairs.hpp"

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

  /// Some weights, with what was found there. Nothing but the weights need be kept: what is missing
  /// is found again where it is needed, by the first Hessian product for all that follow. Two
  /// threads must not look for it at once.
  struct Point {
    std::vector<double> weights;
    mutable std::vector<double> scores;
    mutable std::vector<std::uint32_t> order;
    mutable std::vector<ActiveRange> ranges;
  };
  static void forget(const Point& point);

  std::int64_t num_features() const { return features_.num_columns(); }
  int threads() const { return threads_; }
  const QueryLoss& loss() const { return loss_; }

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
  /// compute/sampled_hessian.hpp.
  void hessian(const Point& point, double share, std::span<double> out) const;

  /// The Hessian of the loss at weights 0 from a share of the queries: see compute/pair_gram.hpp.
  bool has_gram() const { return features_.are_dense() && loss_.has_hessian(); }
  std::vector<float> gram(double share) const {
    return pair_gram(features_, table_, loss_, share, threads_);
  }
  std::int64_t num_documents() const { return static_cast<std::int64_t>(num_documents_); }
  /// See compute/query_share.hpp.
  std::size_t num_short_queries() const { return rankine::num_short_queries(table_); }

 private:
  struct Group {
    std::size_t first_query;
    std::size_t last_query;
  };
  template <class Body>
  void for_each_group(const Body& body) const;
  /// Groups put together, where each has sums so large that few are wanted.
  std::size_t num_parts() const;
  Group part(std::size_t index) const;
  /// The rows of the query after this one, if the group has one.
  Prefetcher next_rows(const Group& group, std::size_t query) const;
  bool hessian_times_single(const Point& point, std::span<const double> direction,
                            std::span<double> out) const;
  /// body(part, query, rows, k, products, ahead, factors) for every query and vector k: from the
  /// products of its rows with the vector to one factor a row. Writes the sums of all rows times
  /// their factors to outs[k]. In precision T.
  template <class T, class Body>
  void through_rows(std::span<const std::span<const double>> vectors,
                    std::span<const std::span<double>> outs, const Body& body) const;
  template <class T>
  void dense_gradients(std::span<Evaluation> evaluations) const;
  /// What the first product at a point has to find.
  struct Find {
    bool order;
    bool ranges;
  };
  class ToFind;

  /// Whether the pairs of a query are found as ranges.
  bool by_ranges(const QueryDocuments& query) const;
  void need_scores(const Point& point) const;
  /// The scores of one query at a point; `room` is for those that are not kept.
  std::span<const double> query_scores(const QueryTable::Query& query, const QueryRows& rows,
                                       const Point& point, std::vector<double>& room) const;
  /// Its order, likewise, given its scores.
  std::span<const std::uint32_t> query_order(const QueryTable::Query& query, const Point& point,
                                             std::span<const double> scores,
                                             std::vector<std::uint32_t>& room) const;
  /// Writes factor * (gradient of one query's loss) and returns factor * loss.
  double query_gradient(const QueryTable::Query& query, const QueryPoint& point,
                        std::span<ActiveRange> ranges, std::span<double> out) const;
  /// factor * (Hessian of one query's loss) * along; what is to be found comes first.
  void query_product(const QueryTable::Query& query, const QueryRows& rows, const Point& point,
                     Find find, std::span<const double> along, Prefetcher& ahead,
                     std::span<double> out) const;

  FeatureRows features_;
  std::size_t num_documents_;
  const QueryTable& table_;
  const QueryLoss& loss_;
  int threads_;
  const PiecewiseQuadraticPairs* one_piece_ = nullptr;  // the loss, where all pairs are alike
  bool has_ranges_ = false;                             // of some queries
  bool has_others_ = false;                             // queries without: points keep their scores
  std::uint32_t most_grades_ = 0;
  std::vector<Group> groups_;
};

}  // namespace rankine
