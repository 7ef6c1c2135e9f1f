// A sweep chooses among three strategies, each a canonical sum over the leaves of the queries:
//   row by row      products with one vector, sweep, products back; any storage, in double
//   several         several points or directions in one pass over dense rows (vector_pass)
//   single          one direction, dense rows, single precision: half the work of a Hessian
//                   product, whose errors of 1e-6 cost conjugate gradients nothing
// A product with the Hessian needs sorted scores, not a matrix.
// Airola, Pahikkala and Salakoski, "Training linear ranking SVMs in linearithmic time using
// red-black trees", 2011; Lee and Lin, "Large-scale linear RankSVM", 2014.
#include "compute/cpu/query_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <exception>
#include <utility>

#include "base/contract.hpp"
#include "base/parallel.hpp"
#include "compute/cpu/sampled_hessian.hpp"
#include "compute/cpu/vector_pass.hpp"
#include "compute/document_order.hpp"

namespace rankine {

/// Room for what the first product at a point computes. If that work fails, the point forgets it.
class QuerySweep::ToFind {
 public:
  ToFind(const QuerySweep& sweep, const Point& point)
      : point_(point),
        find_{sweep.losses_.has_others() && sweep.loss().needs_order() && point.order.empty(),
              sweep.losses_.has_ranges() && point.ranges.empty()} {
    if (sweep.losses_.has_others()) sweep.need_scores(point);
    if (find_.order) point.order.resize(sweep.num_documents_);
    if (find_.ranges) point.ranges.resize(sweep.num_documents_);
  }
  ~ToFind() {
    if (std::uncaught_exceptions() > exceptions_) forget(point_);
  }
  ToFind(const ToFind&) = delete;
  ToFind& operator=(const ToFind&) = delete;
  QueryLosses::Find find() const { return find_; }

 private:
  const Point& point_;
  QueryLosses::Find find_;
  int exceptions_ = std::uncaught_exceptions();
};

QuerySweep::QuerySweep(const Dataset& data, const QueryTable& table, const QueryLoss& loss,
                       int threads)
    : QuerySweep(FeatureRows(data.features), data.num_documents(), table, loss, threads) {}

QuerySweep::QuerySweep(FeatureRows features, std::int64_t num_documents, const QueryTable& table,
                       const QueryLoss& loss, int threads)
    : features_(features),
      num_documents_(static_cast<std::size_t>(num_documents)),
      losses_(table, loss, threads),
      table_(table),
      threads_(threads) {}

void QuerySweep::forget(const Point& point) {
  point.scores = {};
  point.order = {};
  point.ranges = {};
}

void QuerySweep::need_scores(const Point& point) const {
  if (!point.scores.empty()) return;
  std::vector<double> scores(num_documents_);
  const Cuts& cuts = table_.cuts(1);
  parallel_for(static_cast<std::int64_t>(cuts.size()), threads_, [&](std::int64_t index) {
    const Cuts::Leaf& leaf = cuts[static_cast<std::size_t>(index)];
    for (const auto& query : table_.queries().subspan(leaf.first, leaf.last - leaf.first)) {
      features_.rows(query.first, query.size)
          .products(point.weights, threads_, rows_of(scores, query));
    }
  });
  point.scores = std::move(scores);
}

double QuerySweep::gradient(std::span<const double> weights, Point& point, std::span<double> out,
                            Keep keep) const {
  Evaluation one{weights, &point, out, 0, keep};
  gradients({&one, 1});
  return one.loss;
}

void QuerySweep::gradients(std::span<Evaluation> evaluations, Accuracy accuracy) const {
  for (const Evaluation& each : evaluations) {
    each.point->weights.assign(each.weights.begin(), each.weights.end());
    forget(*each.point);
    if (losses_.has_others() && each.keep == Keep::scores) {
      each.point->scores.resize(num_documents_);
    }
  }
  if (evaluations.size() == 1 || !features_.are_dense()) {
    gradients_by_row(evaluations);
  } else if (accuracy == Accuracy::full) {
    gradients_by_pass<double>(evaluations);
  } else {
    gradients_by_pass<float>(evaluations);
  }
}

void QuerySweep::gradients_by_row(std::span<Evaluation> evaluations) const {
  const auto width = static_cast<std::size_t>(num_features());
  const std::size_t count = evaluations.size();
  const std::size_t num_values = count * (width + 1);
  const auto total = reduce_queries(
      table_.cuts(num_values), threads_, VectorSum<double>(num_values),
      [&](const Cuts::Leaf& leaf, VectorSum<double>& sum) {
        QueryScratch scratch;
        const auto loss_sums = std::span(sum.values).subspan(count * width);
        for (std::size_t q = leaf.first; q < leaf.last; ++q) {
          const QueryTable::Query& query = table_.queries()[q];
          const QueryRows rows = features_.rows(query.first, query.size);
          scratch.resize(static_cast<std::size_t>(query.size));
          for (std::size_t k = 0; k < count; ++k) {
            const Point& point = *evaluations[k].point;
            const std::span<double> scores =
                point.scores.empty() ? std::span(scratch.scores) : rows_of(point.scores, query);
            rows.products(point.weights, threads_, scores);
            const auto order = losses_.order(query, point, scores, scratch);
            loss_sums[k] += losses_.gradient(query, {scores, order}, {}, scratch.factors);
            rows.add_weighted(scratch.factors, threads_,
                              std::span(sum.values).subspan(k * width, width));
          }
        }
      });
  for (std::size_t k = 0; k < count; ++k) {
    std::copy_n(total.values.begin() + static_cast<std::ptrdiff_t>(k * width), width,
                evaluations[k].gradient.begin());
    evaluations[k].loss = total.values[count * width + k];
  }
}

template <class T>
void QuerySweep::gradients_by_pass(std::span<Evaluation> evaluations) const {
  // Points made together will have products: what those need is kept.
  std::deque<ToFind> found;
  std::vector<std::span<const double>> weights;
  std::vector<std::span<double>> gradients;
  for (const Evaluation& each : evaluations) {
    found.emplace_back(*this, *each.point);
    weights.emplace_back(each.weights);
    gradients.emplace_back(each.gradient);
  }
  const auto loss_sums = vector_pass<T>(
      features_, table_, threads_, weights, gradients,
      [&](const QueryTable::Query& query, const QueryRows&, std::size_t k,
          std::span<const double> scores, Prefetcher&, QueryScratch& scratch,
          std::span<double> slopes, double& sum) {
        scratch.order.resize(loss().needs_order() ? scores.size() : 0);
        const Point& point = *evaluations[k].point;
        const QueryDocuments documents = table_.documents(query);
        order_documents(loss(), documents, scores, scratch.order);
        if (losses_.has_others()) {
          std::copy(scores.begin(), scores.end(), rows_of(point.scores, query).begin());
          std::copy(scratch.order.begin(), scratch.order.end(),
                    rows_of(point.order, query).begin());
        }
        const auto ranges =
            losses_.by_ranges(documents) ? rows_of(point.ranges, query) : std::span<ActiveRange>();
        sum += losses_.gradient(query, {scores, scratch.order}, ranges, slopes);
      });
  for (std::size_t k = 0; k < evaluations.size(); ++k) evaluations[k].loss = loss_sums[k];
}

void QuerySweep::move(const Point& a, const Point& b, double t, Point& point) const {
  need_scores(a);
  need_scores(b);
  const auto between = [t](const std::vector<double>& from, const std::vector<double>& to,
                           std::vector<double>& out) {
    out.resize(from.size());
    for (std::size_t k = 0; k < from.size(); ++k) out[k] = from[k] + t * (to[k] - from[k]);
  };
  forget(point);
  between(a.weights, b.weights, point.weights);
  between(a.scores, b.scores, point.scores);
}

double QuerySweep::gradient(const Point& point, std::span<double> out) const {
  const std::size_t width = out.size();
  const auto total = reduce_queries(
      table_.cuts(width + 1), threads_, VectorSum<double>(width + 1),
      [&](const Cuts::Leaf& leaf, VectorSum<double>& sum) {
        QueryScratch scratch;
        for (std::size_t q = leaf.first; q < leaf.last; ++q) {
          const QueryTable::Query& query = table_.queries()[q];
          const QueryRows rows = features_.rows(query.first, query.size);
          scratch.factors.resize(static_cast<std::size_t>(query.size));
          const auto scores = losses_.scores(query, rows, point, scratch);
          const auto order = losses_.order(query, point, scores, scratch);
          sum.values[width] += losses_.gradient(query, {scores, order}, {}, scratch.factors);
          rows.add_weighted(scratch.factors, threads_, std::span(sum.values).first(width));
        }
      });
  std::copy_n(total.values.begin(), width, out.begin());
  return total.values[width];
}

void QuerySweep::hessian_times(const Point& point, std::span<const double> direction,
                               std::span<double> out) const {
  if (features_.are_dense() && product_in_single(point, direction, out)) return;
  product_in_double(point, direction, out);
}

void QuerySweep::product_in_double(const Point& point, std::span<const double> direction,
                                   std::span<double> out) const {
  const ToFind to_find(*this, point);
  const auto total =
      reduce_queries(table_.cuts(out.size()), threads_, VectorSum<double>(out.size()),
                     [&](const Cuts::Leaf& leaf, VectorSum<double>& sum) {
                       QueryScratch scratch;
                       for (std::size_t q = leaf.first; q < leaf.last; ++q) {
                         const QueryTable::Query& query = table_.queries()[q];
                         const QueryRows rows = features_.rows(query.first, query.size);
                         scratch.resize(static_cast<std::size_t>(query.size));
                         rows.products(direction, threads_, scratch.along);
                         Prefetcher nothing;
                         losses_.product(query, rows, point, to_find.find(), scratch.along, nothing,
                                         scratch, scratch.factors);
                         rows.add_weighted(scratch.factors, threads_, sum.values);
                       }
                     });
  std::copy(total.values.begin(), total.values.end(), out.begin());
}

bool QuerySweep::product_in_single(const Point& point, std::span<const double> direction,
                                   std::span<double> out) const {
  double scale = 0;
  for (const double entry : direction) scale = std::max(scale, std::abs(entry));
  if (!(scale > 0) || !std::isfinite(1 / scale)) return false;
  const std::size_t width = direction.size();
  std::vector<float> vector(width);
  for (std::size_t k = 0; k < width; ++k) vector[k] = static_cast<float>(direction[k] / scale);
  const ToFind to_find(*this, point);
  const auto total = reduce_queries(
      table_.cuts(width), threads_, VectorSum<double>(width),
      [&](const Cuts::Leaf& leaf, VectorSum<double>& sum) {
        QueryScratch scratch;
        PartialSums<float> partial(sum.values);
        for (std::size_t q = leaf.first; q < leaf.last; ++q) {
          const QueryTable::Query& query = table_.queries()[q];
          const auto size = static_cast<std::size_t>(query.size);
          scratch.resize(size);
          const QueryRows query_rows = features_.rows(query.first, query.size);
          const float* rows = query_rows.dense();
          for_each_row_block(size, threads_, [&](std::size_t first, std::size_t count) {
            row_products_single(rows + first * width, vector,
                                std::span(scratch.along).subspan(first, count));
          });
          Prefetcher ahead = next_rows(features_, table_, leaf, q);
          losses_.product(query, query_rows, point, to_find.find(), scratch.along, ahead, scratch,
                          scratch.factors);
          add_rows_to(partial, size, threads_, ahead,
                      [&](std::size_t first, std::size_t count, auto target, Prefetcher& memory) {
                        add_weighted_rows_single(rows + first * width,
                                                 std::span(scratch.factors).subspan(first, count),
                                                 target, memory);
                      });
        }
        partial.finish();
      });
  bool is_finite = true;
  for (std::size_t k = 0; k < width; ++k) {
    out[k] = scale * total.values[k];
    is_finite = is_finite && std::isfinite(out[k]);
  }
  return is_finite;
}

void QuerySweep::hessian_times(std::span<const Product> products) const {
  if (!features_.are_dense() || products.size() == 1) {
    for (const Product& each : products) hessian_times(*each.point, each.direction, each.out);
    return;
  }
  std::deque<ToFind> to_find;
  std::vector<std::span<const double>> directions;
  std::vector<std::span<double>> outs;
  for (const Product& each : products) {
    to_find.emplace_back(*this, *each.point);
    directions.emplace_back(each.direction);
    outs.emplace_back(each.out);
  }
  vector_pass<float>(features_, table_, threads_, directions, outs,
                     [&](const QueryTable::Query& query, const QueryRows& rows, std::size_t k,
                         std::span<const double> along, Prefetcher& ahead, QueryScratch& scratch,
                         std::span<double> out, double& /*sum*/) {
                       losses_.product(query, rows, *products[k].point, to_find[k].find(), along,
                                       ahead, scratch, out);
                     });
}

QuerySweep::LineValue QuerySweep::between(const Point& a, const Point& b, double t) const {
  need_scores(a);
  need_scores(b);
  const auto total =
      reduce_queries(table_.cuts(2), threads_, VectorSum<double>(2),
                     [&](const Cuts::Leaf& leaf, VectorSum<double>& sum) {
                       QueryScratch scratch;
                       for (std::size_t q = leaf.first; q < leaf.last; ++q) {
                         const QueryTable::Query& query = table_.queries()[q];
                         const QueryDocuments documents = table_.documents(query);
                         const auto size = static_cast<std::size_t>(query.size);
                         scratch.resize(size);
                         const auto from = rows_of(std::as_const(a.scores), query);
                         const auto to = rows_of(std::as_const(b.scores), query);
                         for (std::size_t doc = 0; doc < size; ++doc) {
                           scratch.scores[doc] = from[doc] + t * (to[doc] - from[doc]);
                         }
                         scratch.order.resize(loss().needs_order() ? size : 0);
                         order_documents(loss(), documents, scratch.scores, scratch.order);
                         const double value = loss().gradient(
                             documents, {scratch.scores, scratch.order}, scratch.factors);
                         double slope = 0;
                         for (std::size_t doc = 0; doc < size; ++doc) {
                           slope += scratch.factors[doc] * (to[doc] - from[doc]);
                         }
                         sum.values[0] += query.factor * value;
                         sum.values[1] += query.factor * slope;
                       }
                     });
  return {total.values[0], total.values[1]};
}

bool QuerySweep::has_fast_hessian() const {
  return features_.are_dense() && has_sampled_hessian(loss(), table_.most_grades());
}

void QuerySweep::hessian(const Point& point, double share, std::span<double> out) const {
  RANKINE_ASSERT(has_fast_hessian());
  sampled_hessian(features_, table_, dynamic_cast<const PiecewiseQuadraticPairs&>(loss()),
                  point.weights, share, threads_, out);
}

}  // namespace rankine
