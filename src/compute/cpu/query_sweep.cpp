#include "compute/cpu/query_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <exception>
#include <numeric>

#include "base/contract.hpp"
#include "base/parallel.hpp"
#include "compute/cpu/group_sums.hpp"
#include "compute/cpu/sampled_hessian.hpp"
#include "compute/document_order.hpp"
#include "losses/piecewise_quadratic_pairs.hpp"

namespace rankine {
namespace {

constexpr std::size_t kMostGroups = 64;
constexpr std::size_t kMostParts = 16;  // where sums are matrices
constexpr std::int64_t kLeastGroupRows = 512;

template <class T>
std::span<T> rows_of(std::vector<T>& values, const QueryTable::Query& query) {
  if (values.empty()) return {};
  return std::span(values).subspan(static_cast<std::size_t>(query.first),
                                   static_cast<std::size_t>(query.size));
}
template <class T>
std::span<const T> rows_of(const std::vector<T>& values, const QueryTable::Query& query) {
  if (values.empty()) return {};
  return std::span(values).subspan(static_cast<std::size_t>(query.first),
                                   static_cast<std::size_t>(query.size));
}

}  // namespace

/// Room for what the first product at a point finds, which is not to be trusted when the work that
/// finds it fails.
class QuerySweep::ToFind {
 public:
  ToFind(const QuerySweep& sweep, const Point& point)
      : point_(point),
        find_{sweep.has_others_ && sweep.loss_.needs_order() && point.order.empty(),
              sweep.has_ranges_ && point.ranges.empty()} {
    if (sweep.has_others_) sweep.need_scores(point);
    if (find_.order) point.order.resize(sweep.num_documents_);
    if (find_.ranges) point.ranges.resize(sweep.num_documents_);
  }
  ~ToFind() {
    if (std::uncaught_exceptions() > exceptions_) forget(point_);
  }
  ToFind(const ToFind&) = delete;
  ToFind& operator=(const ToFind&) = delete;
  Find find() const { return find_; }

 private:
  const Point& point_;
  Find find_;
  int exceptions_ = std::uncaught_exceptions();
};

QuerySweep::QuerySweep(const Dataset& data, const QueryTable& table, const QueryLoss& loss,
                       int threads)
    : QuerySweep(FeatureRows(data.features), data.num_documents(), table, loss, threads) {}

QuerySweep::QuerySweep(FeatureRows features, std::int64_t num_documents, const QueryTable& table,
                       const QueryLoss& loss, int threads)
    : features_(features),
      num_documents_(static_cast<std::size_t>(num_documents)),
      table_(table),
      loss_(loss),
      threads_(threads) {
  const auto* pieces = dynamic_cast<const PiecewiseQuadraticPairs*>(&loss);
  if (pieces != nullptr && pieces->weighting() == PairWeighting::uniform &&
      pieces->pieces().size() == 1) {
    one_piece_ = pieces;
  }
  const auto queries = table.queries();
  const std::int64_t group_rows =
      std::max(kLeastGroupRows, num_documents / static_cast<std::int64_t>(kMostGroups) + 1);
  std::size_t first = 0;
  std::int64_t rows = 0;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    most_grades_ = std::max(most_grades_, queries[q].num_grades);
    (by_ranges(table.documents(queries[q])) ? has_ranges_ : has_others_) = true;
    rows += queries[q].size;
    if (rows >= group_rows || q + 1 == queries.size()) {
      groups_.push_back({first, q + 1});
      first = q + 1;
      rows = 0;
    }
  }
}

std::size_t QuerySweep::num_parts() const {
  return std::min(kMostParts, groups_.size());
}

QuerySweep::Group QuerySweep::part(std::size_t index) const {
  const std::size_t first = index * groups_.size() / num_parts();
  const std::size_t last = (index + 1) * groups_.size() / num_parts() - 1;
  return {groups_[first].first_query, groups_[last].last_query};
}

template <class Body>
void QuerySweep::for_each_group(const Body& body) const {
  parallel_for(static_cast<std::int64_t>(groups_.size()), threads_, [&](std::int64_t index) {
    const auto group = static_cast<std::size_t>(index);
    for (std::size_t q = groups_[group].first_query; q < groups_[group].last_query; ++q) {
      body(group, table_.queries()[q]);
    }
  });
}

Prefetcher QuerySweep::next_rows(const Group& group, std::size_t query) const {
  if (query + 1 == group.last_query) return {};
  const QueryTable::Query& next = table_.queries()[query + 1];
  return features_.ahead(next.first, next.size);
}

void QuerySweep::forget(const Point& point) {
  point.scores = {};
  point.order = {};
  point.ranges = {};
}

bool QuerySweep::by_ranges(const QueryDocuments& query) const {
  return one_piece_ != nullptr && has_active_ranges(query);
}

void QuerySweep::need_scores(const Point& point) const {
  if (!point.scores.empty()) return;
  std::vector<double> scores(num_documents_);
  for_each_group([&](std::size_t, const QueryTable::Query& query) {
    features_.rows(query.first, query.size)
        .products(point.weights, threads_, rows_of(scores, query));
  });
  point.scores = std::move(scores);
}

std::span<const double> QuerySweep::query_scores(const QueryTable::Query& query,
                                                 const QueryRows& rows, const Point& point,
                                                 std::vector<double>& room) const {
  if (!point.scores.empty()) return rows_of(point.scores, query);
  room.resize(static_cast<std::size_t>(query.size));
  rows.products(point.weights, threads_, room);
  return room;
}

std::span<const std::uint32_t> QuerySweep::query_order(const QueryTable::Query& query,
                                                       const Point& point,
                                                       std::span<const double> scores,
                                                       std::vector<std::uint32_t>& room) const {
  if (!point.order.empty()) return rows_of(point.order, query);
  room.resize(loss_.needs_order() ? scores.size() : 0);
  order_documents(loss_, table_.documents(query), scores, room);
  return room;
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
    if (has_others_ && each.keep == Keep::scores) each.point->scores.resize(num_documents_);
  }
  if (evaluations.size() > 1 && features_.are_dense()) {
    if (accuracy == Accuracy::full) return dense_gradients<double>(evaluations);
    return dense_gradients<float>(evaluations);
  }
  const auto width = static_cast<std::size_t>(num_features());
  GroupSums sums(groups_.size(), evaluations.size() * width);
  GroupSums losses(groups_.size(), evaluations.size());
  for_each_group([&](std::size_t group, const QueryTable::Query& query) {
    thread_local std::vector<double> by_document;
    thread_local std::vector<double> room;
    thread_local std::vector<std::uint32_t> order;
    by_document.resize(static_cast<std::size_t>(query.size));
    const QueryRows rows = features_.rows(query.first, query.size);
    for (std::size_t k = 0; k < evaluations.size(); ++k) {
      const Point& point = *evaluations[k].point;
      if (point.scores.empty()) room.resize(by_document.size());
      const std::span<double> scores = point.scores.empty() ? room : rows_of(point.scores, query);
      rows.products(point.weights, threads_, scores);
      losses.of(group)[k] += query_gradient(
          query, {scores, query_order(query, point, scores, order)}, {}, by_document);
      rows.add_weighted(by_document, threads_, sums.of(group).subspan(k * width, width));
    }
  });
  for (std::size_t k = 0; k < evaluations.size(); ++k) {
    sums.total(evaluations[k].gradient, k * width);
    losses.total({&evaluations[k].loss, 1}, k);
  }
}

double QuerySweep::query_gradient(const QueryTable::Query& query, const QueryPoint& point,
                                  std::span<ActiveRange> ranges, std::span<double> out) const {
  const QueryDocuments documents = table_.documents(query);
  const double loss =
      query.factor * (ranges.empty() ? loss_.gradient(documents, point, out)
                                     : one_piece_->gradient(documents, point, ranges, out));
  for (double& value : out) value *= query.factor;
  return loss;
}

template <class T, class Body>
void QuerySweep::through_rows(std::span<const std::span<const double>> vectors,
                              std::span<const std::span<double>> outs, const Body& body) const {
  const auto width = static_cast<std::size_t>(num_features());
  const std::size_t count = in_vector_groups<T>(vectors.size());
  std::vector<T> columns(width * count);
  for (std::size_t k = 0; k < vectors.size(); ++k) {
    for (std::size_t f = 0; f < width; ++f) {
      columns[f * count + k] = static_cast<T>(vectors[k][f]);
    }
  }
  GroupSums sums(num_parts(), width * count);
  parallel_for(static_cast<std::int64_t>(num_parts()), threads_, [&](std::int64_t index) {
    const auto number = static_cast<std::size_t>(index);
    const Group group = part(number);
    std::vector<T> images;
    std::vector<double> products;
    std::vector<double> factors;
    PartialSums<T> partial(sums.of(number));
    for (std::size_t q = group.first_query; q < group.last_query; ++q) {
      const QueryTable::Query& query = table_.queries()[q];
      const auto size = static_cast<std::size_t>(query.size);
      const QueryRows query_rows = features_.rows(query.first, query.size);
      const float* rows = query_rows.dense();
      images.resize(size * count);
      products.resize(size);
      factors.resize(size);
      Prefetcher ahead = next_rows(group, q);
      for_each_row_block(size, threads_, [&](std::size_t first, std::size_t rows_here) {
        row_products(rows + first * width, width, rows_here, columns, count,
                     std::span(images).subspan(first * count, rows_here * count),
                     rows_here == size ? &ahead : nullptr);
      });
      for (std::size_t k = 0; k < vectors.size(); ++k) {
        for (std::size_t doc = 0; doc < size; ++doc) {
          products[doc] = static_cast<double>(images[doc * count + k]);
        }
        body(number, query, query_rows, k, std::span<const double>(products), ahead,
             std::span(factors));
        for (std::size_t doc = 0; doc < size; ++doc) {
          images[doc * count + k] = static_cast<T>(factors[doc]);
        }
      }
      add_rows_to(partial, size, threads_, ahead,
                  [&](std::size_t first, std::size_t rows_here, auto out, Prefetcher& memory) {
                    add_weighted_rows(rows + first * width, width, rows_here,
                                      std::span(images).subspan(first * count, rows_here * count),
                                      count, out, &memory);
                  });
    }
    partial.finish();
  });
  const std::vector<double> totals = sums.totals(threads_);
  for (std::size_t k = 0; k < outs.size(); ++k) {
    for (std::size_t f = 0; f < width; ++f) outs[k][f] = totals[f * count + k];
  }
}

template <class T>
void QuerySweep::dense_gradients(std::span<Evaluation> evaluations) const {
  // Points made together will have products: what those need is kept.
  std::deque<ToFind> found;
  std::vector<std::span<const double>> weights;
  std::vector<std::span<double>> gradients;
  for (const Evaluation& each : evaluations) {
    found.emplace_back(*this, *each.point);
    weights.emplace_back(each.weights);
    gradients.emplace_back(each.gradient);
  }
  GroupSums losses(num_parts(), evaluations.size());
  through_rows<T>(
      weights, gradients,
      [&](std::size_t part, const QueryTable::Query& query, const QueryRows&, std::size_t k,
          std::span<const double> scores, Prefetcher&, std::span<double> slopes) {
        thread_local std::vector<std::uint32_t> order;
        order.resize(loss_.needs_order() ? scores.size() : 0);
        const Point& point = *evaluations[k].point;
        const QueryDocuments documents = table_.documents(query);
        order_documents(loss_, documents, scores, order);
        if (has_others_) {
          std::copy(scores.begin(), scores.end(), rows_of(point.scores, query).begin());
          std::copy(order.begin(), order.end(), rows_of(point.order, query).begin());
        }
        const auto ranges =
            by_ranges(documents) ? rows_of(point.ranges, query) : std::span<ActiveRange>();
        losses.of(part)[k] += query_gradient(query, {scores, order}, ranges, slopes);
      });
  for (std::size_t k = 0; k < evaluations.size(); ++k) {
    losses.total({&evaluations[k].loss, 1}, k);
  }
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
  GroupSums gradients(groups_.size(), out.size());
  std::vector<double> losses(groups_.size());
  for_each_group([&](std::size_t group, const QueryTable::Query& query) {
    thread_local std::vector<double> by_document;
    thread_local std::vector<double> room;
    thread_local std::vector<std::uint32_t> order;
    by_document.resize(static_cast<std::size_t>(query.size));
    const QueryRows rows = features_.rows(query.first, query.size);
    const auto scores = query_scores(query, rows, point, room);
    losses[group] +=
        query_gradient(query, {scores, query_order(query, point, scores, order)}, {}, by_document);
    rows.add_weighted(by_document, threads_, gradients.of(group));
  });
  gradients.total(out);
  return std::accumulate(losses.begin(), losses.end(), 0.0);
}

void QuerySweep::query_product(const QueryTable::Query& query, const QueryRows& rows,
                               const Point& point, Find find, std::span<const double> along,
                               Prefetcher& ahead, std::span<double> out) const {
  const QueryDocuments documents = table_.documents(query);
  if (by_ranges(documents)) {
    const QuadraticPiece& piece = one_piece_->pieces()[0];
    const auto ranges = rows_of(point.ranges, query);
    if (find.ranges) {
      thread_local std::vector<double> room;
      thread_local std::vector<std::uint32_t> order;
      order.resize(along.size());
      const auto scores = query_scores(query, rows, point, room);
      order_documents(loss_, documents, scores, order);
      find_active_ranges(documents, {scores, order}, piece.margin, ranges);
    }
    active_differences(ranges, documents.num_grades, along, 2 * piece.coefficient * query.factor,
                       ahead, out);
    return;
  }
  const auto scores = rows_of(point.scores, query);
  const auto order = rows_of(point.order, query);
  if (find.order) order_documents(loss_, documents, scores, order);
  loss_.hessian_times(documents, {scores, order}, along, out);
  for (double& value : out) value *= query.factor;
}

void QuerySweep::hessian_times(const Point& point, std::span<const double> direction,
                               std::span<double> out) const {
  if (features_.are_dense() && hessian_times_single(point, direction, out)) return;
  const ToFind to_find(*this, point);
  GroupSums products(groups_.size(), out.size());
  for_each_group([&](std::size_t group, const QueryTable::Query& query) {
    thread_local std::vector<double> along;
    thread_local std::vector<double> by_document;
    along.resize(static_cast<std::size_t>(query.size));
    by_document.resize(static_cast<std::size_t>(query.size));
    const QueryRows rows = features_.rows(query.first, query.size);
    rows.products(direction, threads_, along);
    Prefetcher nothing;
    query_product(query, rows, point, to_find.find(), along, nothing, by_document);
    rows.add_weighted(by_document, threads_, products.of(group));
  });
  products.total(out);
}

/// In single precision within some hundred rows and in double beyond. False when numbers leave its
/// range: `out` is then of no use.
bool QuerySweep::hessian_times_single(const Point& point, std::span<const double> direction,
                                      std::span<double> out) const {
  double scale = 0;
  for (const double entry : direction) scale = std::max(scale, std::abs(entry));
  if (!(scale > 0) || !std::isfinite(1 / scale)) return false;
  std::vector<float> vector(direction.size());
  for (std::size_t k = 0; k < vector.size(); ++k) {
    vector[k] = static_cast<float>(direction[k] / scale);
  }
  const auto width = vector.size();
  const ToFind to_find(*this, point);
  GroupSums products(groups_.size(), width);
  parallel_for(static_cast<std::int64_t>(groups_.size()), threads_, [&](std::int64_t index) {
    const auto group = static_cast<std::size_t>(index);
    std::vector<double> along;
    std::vector<double> by_document;
    PartialSums<float> partial(products.of(group));
    for (std::size_t q = groups_[group].first_query; q < groups_[group].last_query; ++q) {
      const QueryTable::Query& query = table_.queries()[q];
      const auto size = static_cast<std::size_t>(query.size);
      along.resize(size);
      by_document.resize(size);
      const QueryRows query_rows = features_.rows(query.first, query.size);
      const float* rows = query_rows.dense();
      for_each_row_block(size, threads_, [&](std::size_t first, std::size_t count) {
        row_products_single(rows + first * width, vector, std::span(along).subspan(first, count));
      });
      Prefetcher ahead = next_rows(groups_[group], q);
      query_product(query, query_rows, point, to_find.find(), along, ahead, by_document);
      add_rows_to(partial, size, threads_, ahead,
                  [&](std::size_t first, std::size_t count, auto sum, Prefetcher& memory) {
                    add_weighted_rows_single(rows + first * width,
                                             std::span(by_document).subspan(first, count), sum,
                                             memory);
                  });
    }
    partial.finish();
  });
  products.total(out);
  bool is_finite = true;
  for (double& entry : out) {
    entry *= scale;
    is_finite = is_finite && std::isfinite(entry);
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
  through_rows<float>(
      directions, outs,
      [&](std::size_t, const QueryTable::Query& query, const QueryRows& rows, std::size_t k,
          std::span<const double> along, Prefetcher& ahead, std::span<double> out) {
        query_product(query, rows, *products[k].point, to_find[k].find(), along, ahead, out);
      });
}

QuerySweep::LineValue QuerySweep::between(const Point& a, const Point& b, double t) const {
  need_scores(a);
  need_scores(b);
  std::vector<LineValue> sums(groups_.size());
  for_each_group([&](std::size_t group, const QueryTable::Query& query) {
    thread_local std::vector<double> scores;
    thread_local std::vector<double> by_document;
    thread_local std::vector<std::uint32_t> order;
    const auto size = static_cast<std::size_t>(query.size);
    scores.resize(size);
    by_document.resize(size);
    const auto from = rows_of(a.scores, query);
    const auto to = rows_of(b.scores, query);
    for (std::size_t doc = 0; doc < size; ++doc)
      scores[doc] = from[doc] + t * (to[doc] - from[doc]);
    order.resize(loss_.needs_order() ? size : 0);
    order_documents(loss_, table_.documents(query), scores, order);
    const double loss = loss_.gradient(table_.documents(query), {scores, order}, by_document);
    double slope = 0;
    for (std::size_t doc = 0; doc < size; ++doc) slope += by_document[doc] * (to[doc] - from[doc]);
    sums[group].value += query.factor * loss;
    sums[group].slope += query.factor * slope;
  });
  LineValue total;
  for (const LineValue& sum : sums) {
    total.value += sum.value;
    total.slope += sum.slope;
  }
  return total;
}

bool QuerySweep::has_fast_hessian() const {
  return features_.are_dense() && has_sampled_hessian(loss_, most_grades_);
}

void QuerySweep::hessian(const Point& point, double share, std::span<double> out) const {
  RANKINE_ASSERT(has_fast_hessian());
  sampled_hessian(features_, table_, dynamic_cast<const PiecewiseQuadraticPairs&>(loss_),
                  point.weights, share, threads_, out);
}

}  // namespace rankine
