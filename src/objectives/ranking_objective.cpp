#include "objectives/ranking_objective.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "base/contract.hpp"
#include "linalg/inner_product.hpp"

namespace rankine {
namespace {

class RankingPoint final : public SmoothObjective::Point {
 public:
  QuerySweep::Point sweep;
};

const QuerySweep::Point& sweep_point(const SmoothObjective::Point& point) {
  return dynamic_cast<const RankingPoint&>(point).sweep;
}

std::unique_ptr<RankingPoint> new_point(std::span<const double> weights) {
  auto point = std::make_unique<RankingPoint>();
  point->weights.assign(weights.begin(), weights.end());
  point->gradient.resize(weights.size());
  return point;
}

/// Turns the loss's value and gradient into the objective's.
void add_penalty(RankingPoint& point, double C, double loss, const ColumnScale& columns) {
  columns.apply(point.gradient);
  for (std::size_t k = 0; k < point.weights.size(); ++k) {
    point.gradient[k] = point.weights[k] + C * point.gradient[k];
  }
  point.value = 0.5 * dot(point.weights, point.weights) + C * loss;
}

}  // namespace

std::unique_ptr<SmoothObjective::Point> RankingObjective::at(std::span<const double> weights,
                                                             QuerySweep::Keep keep) const {
  auto point = new_point(weights);
  const double loss = sweep_.gradient(columns_.times(weights), point->sweep, point->gradient, keep);
  add_penalty(*point, C_, loss, columns_);
  return point;
}

void RankingObjective::forget(Point& point) const {
  QuerySweep::forget(sweep_point(point));
}

void RankingObjective::hessian_times(const Point& point, std::span<const double> direction,
                                     std::span<double> out) const {
  sweep_.hessian_times(sweep_point(point), columns_.times(direction), out);
  columns_.apply(out);
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = direction[k] + C_ * out[k];
}

LineValue RankingObjective::between(const Point& a, const Point& b, double t) const {
  const auto loss = sweep_.between(sweep_point(a), sweep_point(b), t);
  LineValue line{C_ * loss.value, C_ * loss.slope};
  for (std::size_t k = 0; k < a.weights.size(); ++k) {
    const double step = b.weights[k] - a.weights[k];
    const double weight = a.weights[k] + t * step;
    line.value += 0.5 * weight * weight;
    line.slope += weight * step;
  }
  return line;
}

double RankingObjective::enough_share() const {
  constexpr double kDocumentsAColumn = 2000;
  constexpr double kQueriesAColumn = 20;
  const auto columns = static_cast<double>(size());
  const double share = kDocumentsAColumn * columns / static_cast<double>(sweep_.num_documents());
  // Where queries are unlike each other, each tells of itself alone. Long ones are all looked at.
  const auto queries = static_cast<double>(sweep_.num_short_queries());
  const double queries_share = queries > 0 ? kQueriesAColumn * columns / queries : 0;
  return std::min(1.0, std::max(share, queries_share));
}

double RankingObjective::hessian_cost(double share) const {
  if (!sweep_.has_fast_hessian()) return std::numeric_limits<double>::infinity();
  // The matrix product does size/2 times the arithmetic of a product with one vector, at six times
  // its rate (measured: docs/performance.md); sorting rows into blocks costs about two products.
  return share * (2 + static_cast<double>(size()) / 12);
}

void RankingObjective::hessian(const Point& point, double share, std::span<double> out) const {
  sweep_.hessian(sweep_point(point), share, out);
  columns_.apply_both_sides(out);
  const auto width = static_cast<std::size_t>(size());
  for (double& entry : out) entry *= C_;
  for (std::size_t k = 0; k < width; ++k) out[k * width + k] += 1;
}

double RankingObjective::preconditioner_cost(double share) const {
  if (!preconditioning_.has_gram()) return std::numeric_limits<double>::infinity();
  // Half the arithmetic of hessian() on a share of the rows, and a Cholesky factorisation.
  const auto width = static_cast<double>(size());
  const auto documents = static_cast<double>(sweep_.num_documents());
  return share * (1 + width / 24) + width * width / (60 * std::max(1.0, documents));
}

std::vector<float> RankingObjective::preconditioner(double share) const {
  std::vector<float> matrix = preconditioning_.gram(share);
  columns_.apply_both_sides(std::span(matrix));
  const auto width = static_cast<std::size_t>(size());
  for (float& entry : matrix) entry *= static_cast<float>(C_);
  for (std::size_t k = 0; k < width; ++k) matrix[k * width + k] += 1;
  return matrix;
}

std::vector<float> RankingPath::loss_preconditioner(double share) const {
  std::vector<float> matrix = sweep_.gram(share);
  columns_.apply_both_sides(std::span(matrix));
  return matrix;
}

RankingPath::RankingPath(const QuerySweep& sweep, std::vector<double> values_of_c,
                         ColumnScale columns)
    : sweep_(sweep), values_(std::move(values_of_c)), columns_(std::move(columns)) {
  for (const double C : values_) problems_.emplace_back(sweep, C, columns_);
}

std::vector<std::unique_ptr<SmoothObjective::Point>> RankingPath::at(
    std::span<const std::size_t> indices, std::span<const std::vector<double>> weights,
    Accuracy accuracy) const {
  std::vector<std::unique_ptr<RankingPoint>> made;
  std::vector<std::vector<double>> scaled;
  for (const std::vector<double>& w : weights) {
    made.push_back(new_point(w));
    scaled.push_back(columns_.times(w));
  }
  std::vector<QuerySweep::Evaluation> evaluations;
  for (std::size_t k = 0; k < made.size(); ++k) {
    evaluations.push_back({scaled[k], &made[k]->sweep, made[k]->gradient, 0});
  }
  sweep_.gradients(evaluations, accuracy);
  std::vector<std::unique_ptr<Point>> points;
  for (std::size_t k = 0; k < made.size(); ++k) {
    add_penalty(*made[k], values_[indices[k]], evaluations[k].loss, columns_);
    points.push_back(std::move(made[k]));
  }
  return points;
}

void RankingPath::hessian_times(std::span<const std::size_t> indices,
                                std::span<const Point* const> points,
                                std::span<const std::vector<double>> directions,
                                std::span<std::vector<double>> outs) const {
  std::vector<std::vector<double>> scaled;
  for (const std::vector<double>& direction : directions) {
    scaled.push_back(columns_.times(direction));
  }
  std::vector<QuerySweep::Product> products;
  for (std::size_t k = 0; k < indices.size(); ++k) {
    outs[k].resize(directions[k].size());
    products.push_back({&sweep_point(*points[k]), scaled[k], outs[k]});
  }
  sweep_.hessian_times(products);
  for (std::size_t k = 0; k < indices.size(); ++k) {
    columns_.apply(outs[k]);
    for (std::size_t f = 0; f < outs[k].size(); ++f) {
      outs[k][f] = directions[k][f] + values_[indices[k]] * outs[k][f];
    }
  }
}

}  // namespace rankine
