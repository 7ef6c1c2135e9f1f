#include "compute/query_sweep.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <exception>
#include <numeric>

#include "base/contract.hpp"
#include "base/parallel.hpp"
#include "compute/cpu/pair_hessian.hpp"
#include "compute/document_order.hpp"
#include "compute/group_sums.hpp"
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

void forget_order(const QuerySweep::Point& point) {
  point.order = {};
  point.ranges = {};
}

/// Room for the order and ranges of a point, which are not to be trusted when the work that finds
/// them fails.
class OrderToFind {
 public:
  OrderToFind(const QuerySweep::Point& point, bool has_order, bool has_ranges)
      : point_(point), find_{has_order && point.order.empty(), has_ranges && point.ranges.empty()} {
    if (find_.order) point.order.resize(point.scores.size());
    if (find_.ranges) point.ranges.resize(point.scores.size());
  }
  ~OrderToFind() {
    if (std::uncaught_exceptions() > exceptions_) forget_order(point_);
  }
  OrderToFind(const OrderToFind&) = delete;
  OrderToFind& operator=(const OrderToFind&) = delete;
  QuerySweep::Find find() const { return find_; }

 private:
  const QuerySweep::Point& point_;
  QuerySweep::Find find_;
  int exceptions_ = std::uncaught_exceptions();
};

/// The order of one query's documents at a point; `room` is for one that is not known yet.
std::span<const std::uint32_t> order_of(const QueryLoss& loss, const QueryDocuments& documents,
                                        const QueryTable::Query& query,
                                        const QuerySweep::Point& point,
                                        std::vector<std::uint32_t>& room) {
  if (!point.order.empty()) return rows_of(std::as_const(point.order), query);
  room.resize(loss.needs_order() ? documents.size() : 0);
  order_documents(loss, documents, rows_of(point.scores, query), room);
  return room;
}

}  // namespace

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
    only_piece_ = &pieces->pieces()[0];
  }
  const auto queries = table.queries();
  const std::int64_t group_rows =
      std::max(kLeastGroupRows, num_documents / static_cast<std::int64_t>(kMostGroups) + 1);
  std::size_t first = 0;
  std::int64_t rows = 0;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    most_grades_ = std::max(most_grades_, queries[q].num_grades);
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

MemoryAhead QuerySweep::next_rows(const Group& group, std::size_t query) const {
  if (query + 1 == group.last_query) return {};
  const QueryTable::Query& next = table_.queries()[query + 1];
  return features_.ahead(next.first, next.size);
}

double QuerySweep::gradient(std::span<const double> weights, Point& point,
                            std::span<double> out) const {
  Evaluation one{weights, &point, out};
  gradients({&one, 1});
  return one.loss;
}

void QuerySweep::gradients(std::span<Evaluation> evaluations) const {
  for (const Evaluation& each : evaluations) {
    each.point->scores.resize(num_documents_);
    forget_order(*each.point);
  }
  if (evaluations.size() > 1 && features_.are_dense()) return dense_gradients(evaluations);
  const auto width = static_cast<std::size_t>(num_features());
  GroupSums sums(groups_.size(), evaluations.size() * width);
  GroupSums losses(groups_.size(), evaluations.size());
  for_each_group([&](std::size_t group, const QueryTable::Query& query) {
    thread_local std::vector<double> by_document;
    by_document.resize(static_cast<std::size_t>(query.size));
    const QueryRows rows = features_.rows(query.first, query.size);
    for (std::size_t k = 0; k < evaluations.size(); ++k) {
      Point& point = *evaluations[k].point;
      rows.products(evaluations[k].weights, rows_of(point.scores, query));
      losses.of(group)[k] += query_gradient(query, point, by_document);
      rows.add_weighted(by_document, sums.of(group).subspan(k * width, width));
    }
  });
  for (std::size_t k = 0; k < evaluations.size(); ++k) {
    sums.total(evaluations[k].gradient, k * width);
    losses.total({&evaluations[k].loss, 1}, k);
  }
}

double QuerySweep::query_gradient(const QueryTable::Query& query, const Point& point,
                                  std::span<double> out) const {
  thread_local std::vector<std::uint32_t> room;
  const QueryDocuments documents = table_.documents(query);
  const QueryPoint here{rows_of(point.scores, query),
                        order_of(loss_, documents, query, point, room)};
  const double loss = query.factor * loss_.gradient(documents, here, out);
  for (double& value : out) value *= query.factor;
  return loss;
}

void QuerySweep::dense_gradients(std::span<Evaluation> evaluations) const {
  // Points made together will have products: their order is kept.
  if (loss_.needs_order()) {
    for (const Evaluation& each : evaluations) each.point->order.resize(num_documents_);
  }
  const auto width = static_cast<std::size_t>(num_features());
  const std::size_t count = in_vector_groups<double>(evaluations.size());
  std::vector<double> vectors(width * count);
  for (std::size_t k = 0; k < evaluations.size(); ++k) {
    for (std::size_t f = 0; f < width; ++f) vectors[f * count + k] = evaluations[k].weights[f];
  }
  GroupSums sums(num_parts(), width * count);
  GroupSums losses(num_parts(), evaluations.size());
  parallel_for(static_cast<std::int64_t>(num_parts()), threads_, [&](std::int64_t index) {
    const auto number = static_cast<std::size_t>(index);
    const Group group = part(number);
    std::vector<double> images;
    std::vector<double> by_document;
    for (std::size_t q = group.first_query; q < group.last_query; ++q) {
      const QueryTable::Query& query = table_.queries()[q];
      const auto size = static_cast<std::size_t>(query.size);
      const float* rows = features_.rows(query.first, query.size).dense();
      images.resize(size * count);
      by_document.resize(size);
      MemoryAhead ahead = next_rows(group, q);
      row_products(rows, width, size, vectors, count, images, &ahead);
      for (std::size_t k = 0; k < evaluations.size(); ++k) {
        Point& point = *evaluations[k].point;
        const auto scores = rows_of(point.scores, query);
        for (std::size_t doc = 0; doc < size; ++doc) scores[doc] = images[doc * count + k];
        order_documents(loss_, table_.documents(query), scores, rows_of(point.order, query));
        losses.of(number)[k] += query_gradient(query, point, by_document);
        for (std::size_t doc = 0; doc < size; ++doc) images[doc * count + k] = by_document[doc];
      }
      add_weighted_rows(rows, width, size, images, count, sums.of(number), &ahead);
    }
  });
  const std::vector<double> totals = sums.totals(threads_);
  for (std::size_t k = 0; k < evaluations.size(); ++k) {
    for (std::size_t f = 0; f < width; ++f) evaluations[k].gradient[f] = totals[f * count + k];
    losses.total({&evaluations[k].loss, 1}, k);
  }
}

void QuerySweep::move(std::span<const double> weights, Point& point) const {
  point.scores.resize(num_documents_);
  forget_order(point);
  for_each_group([&](std::size_t, const QueryTable::Query& query) {
    features_.rows(query.first, query.size).products(weights, rows_of(point.scores, query));
  });
}

void QuerySweep::move(const Point& a, const Point& b, double t, Point& point) const {
  point.scores.resize(a.scores.size());
  forget_order(point);
  for (std::size_t doc = 0; doc < a.scores.size(); ++doc) {
    point.scores[doc] = a.scores[doc] + t * (b.scores[doc] - a.scores[doc]);
  }
}

double QuerySweep::gradient(const Point& point, std::span<double> out) const {
  GroupSums gradients(groups_.size(), out.size());
  std::vector<double> losses(groups_.size());
  for_each_group([&](std::size_t group, const QueryTable::Query& query) {
    thread_local std::vector<double> by_document;
    by_document.resize(static_cast<std::size_t>(query.size));
    losses[group] += query_gradient(query, point, by_document);
    features_.rows(query.first, query.size).add_weighted(by_document, gradients.of(group));
  });
  gradients.total(out);
  return std::accumulate(losses.begin(), losses.end(), 0.0);
}

void QuerySweep::query_product(const QueryTable::Query& query, const Point& point, Find find,
                               std::span<const double> along, MemoryAhead& ahead,
                               std::span<double> out) const {
  const QueryDocuments documents = table_.documents(query);
  const auto scores = rows_of(point.scores, query);
  const auto order = rows_of(point.order, query);
  if (find.order) order_documents(loss_, documents, scores, order);
  const QueryPoint here{scores, order};
  if (only_piece_ != nullptr && has_active_ranges(documents)) {
    const auto ranges = rows_of(point.ranges, query);
    if (find.ranges) find_active_ranges(documents, here, only_piece_->margin, ranges);
    active_differences(documents, order, ranges, along, 2 * only_piece_->coefficient * query.factor,
                       ahead, out);
    return;
  }
  loss_.hessian_times(documents, here, along, out);
  for (double& value : out) value *= query.factor;
}

void QuerySweep::hessian_times(const Point& point, std::span<const double> direction,
                               std::span<double> out) const {
  if (features_.are_dense() && hessian_times_single(point, direction, out)) return;
  const OrderToFind order(point, loss_.needs_order(), only_piece_ != nullptr);
  GroupSums products(groups_.size(), out.size());
  for_each_group([&](std::size_t group, const QueryTable::Query& query) {
    thread_local std::vector<double> along;
    thread_local std::vector<double> by_document;
    along.resize(static_cast<std::size_t>(query.size));
    by_document.resize(static_cast<std::size_t>(query.size));
    const QueryRows rows = features_.rows(query.first, query.size);
    rows.products(direction, along);
    MemoryAhead nothing;
    query_product(query, point, order.find(), along, nothing, by_document);
    rows.add_weighted(by_document, products.of(group));
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
  const OrderToFind order(point, loss_.needs_order(), only_piece_ != nullptr);
  GroupSums products(groups_.size(), width);
  parallel_for(static_cast<std::int64_t>(groups_.size()), threads_, [&](std::int64_t index) {
    const auto group = static_cast<std::size_t>(index);
    std::vector<double> along;
    std::vector<double> by_document;
    std::vector<float> factors;
    PartialSums partial(products.of(group));
    for (std::size_t q = groups_[group].first_query; q < groups_[group].last_query; ++q) {
      const QueryTable::Query& query = table_.queries()[q];
      const auto size = static_cast<std::size_t>(query.size);
      along.resize(size);
      by_document.resize(size);
      factors.resize(size);
      const float* rows = features_.rows(query.first, query.size).dense();
      row_products_single(rows, vector, along);
      MemoryAhead ahead = next_rows(groups_[group], q);
      query_product(query, point, order.find(), along, ahead, by_document);
      for (std::size_t doc = 0; doc < size; ++doc) {
        factors[doc] = static_cast<float>(by_document[doc]);
      }
      partial.add(size, [&](std::size_t first, std::size_t count, std::span<float> sum) {
        add_weighted_rows_single(rows + first * width, std::span(factors).subspan(first, count),
                                 sum, ahead);
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
  const auto width = static_cast<std::size_t>(num_features());
  const std::size_t count = in_vector_groups<float>(products.size());
  std::vector<float> vectors(width * count);
  for (std::size_t k = 0; k < products.size(); ++k) {
    for (std::size_t f = 0; f < width; ++f) {
      vectors[f * count + k] = static_cast<float>(products[k].direction[f]);
    }
  }
  std::deque<OrderToFind> orders;
  for (const Product& each : products) {
    orders.emplace_back(*each.point, loss_.needs_order(), only_piece_ != nullptr);
  }
  GroupSums sums(num_parts(), width * count);
  parallel_for(static_cast<std::int64_t>(num_parts()), threads_, [&](std::int64_t index) {
    const auto number = static_cast<std::size_t>(index);
    const Group group = part(number);
    std::vector<float> images;
    std::vector<double> along;
    std::vector<double> by_document;
    PartialSums partial(sums.of(number));
    for (std::size_t q = group.first_query; q < group.last_query; ++q) {
      const QueryTable::Query& query = table_.queries()[q];
      const auto size = static_cast<std::size_t>(query.size);
      const float* rows = features_.rows(query.first, query.size).dense();
      images.resize(size * count);
      along.resize(size);
      by_document.resize(size);
      MemoryAhead ahead = next_rows(group, q);
      row_products(rows, width, size, vectors, count, images, &ahead);
      for (std::size_t k = 0; k < products.size(); ++k) {
        for (std::size_t doc = 0; doc < size; ++doc) {
          along[doc] = static_cast<double>(images[doc * count + k]);
        }
        query_product(query, *products[k].point, orders[k].find(), along, ahead, by_document);
        for (std::size_t doc = 0; doc < size; ++doc) {
          images[doc * count + k] = static_cast<float>(by_document[doc]);
        }
      }
      partial.add(size, [&](std::size_t first, std::size_t rows_here, std::span<float> out) {
        add_weighted_rows(rows + first * width, width, rows_here,
                          std::span(images).subspan(first * count, rows_here * count), count, out,
                          &ahead);
      });
    }
    partial.finish();
  });
  const std::vector<double> totals = sums.totals(threads_);
  for (std::size_t k = 0; k < products.size(); ++k) {
    for (std::size_t f = 0; f < width; ++f) products[k].out[f] = totals[f * count + k];
  }
}

QuerySweep::LineValue QuerySweep::between(const Point& a, const Point& b, double t) const {
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
  return features_.are_dense() && most_grades_ <= PairHessian::kMostGrades &&
         dynamic_cast<const PiecewiseQuadraticPairs*>(&loss_) != nullptr &&
         dynamic_cast<const PiecewiseQuadraticPairs&>(loss_).weighting() == PairWeighting::uniform;
}

void QuerySweep::hessian(const Point& point, std::span<double> out) const {
  RANKINE_ASSERT(has_fast_hessian());
  const auto& loss = dynamic_cast<const PiecewiseQuadraticPairs&>(loss_);
  const auto width = static_cast<std::size_t>(num_features());
  // Each part has a matrix of its own, so as many are at work as there are threads; they are added
  // up in order.
  const std::size_t parts = num_parts();
  const auto wave = std::min(parts, static_cast<std::size_t>(num_worker_threads(threads_)));
  std::vector<double> half(width * width);
  for (std::size_t start = 0; start < parts; start += wave) {
    const std::size_t count = std::min(wave, parts - start);
    std::vector<std::vector<double>> sums(count);
    parallel_for(static_cast<std::int64_t>(count), threads_, [&](std::int64_t index) {
      const Group group = part(start + static_cast<std::size_t>(index));
      std::vector<double>& sum = sums[static_cast<std::size_t>(index)];
      sum.resize(width * width);
      PairHessian hessian(width);
      std::vector<std::uint32_t> room;
      for (std::size_t q = group.first_query; q < group.last_query; ++q) {
        const QueryTable::Query& query = table_.queries()[q];
        const QueryDocuments documents = table_.documents(query);
        hessian.add(features_.rows(query.first, query.size).dense(), documents,
                    {rows_of(point.scores, query), order_of(loss_, documents, query, point, room)},
                    loss.pieces(), query.factor, sum);
      }
      hessian.finish(sum);
    });
    for (const std::vector<double>& sum : sums) {
      for (std::size_t k = 0; k < half.size(); ++k) half[k] += sum[k];
    }
  }
  for (std::size_t row = 0; row < width; ++row) {
    for (std::size_t column = 0; column < width; ++column) {
      out[row * width + column] = half[row * width + column] + half[column * width + row];
    }
  }
}

}  // namespace rankine
