// The chain rule for scaled columns: the loss is evaluated at D w, its gradient is multiplied by D,
// its Hessian from both sides, and the penalty is added to each. A path does the same for several
// C, whose points and products share passes over the data.
#include "objectives/ranking_objective.hpp"

#include <cstddef>
#include <utility>

namespace rankine {
namespace {

class RankingPoint final : public SmoothObjective::Point {
 public:
  /// Turns the loss's value and gradient at `weights` into the objective's.
  RankingPoint(std::unique_ptr<LossEvaluator::Point> at, std::span<const double> at_weights,
               double C, const ColumnScale& columns, const Penalty& penalty)
      : loss(std::move(at)) {
    weights.assign(at_weights.begin(), at_weights.end());
    gradient = std::move(loss->gradient);
    columns.apply(gradient);
    for (double& entry : gradient) entry *= C;
    penalty.add_gradient(weights, gradient);
    value = penalty.value(weights) + C * loss->value;
  }

  std::unique_ptr<LossEvaluator::Point> loss;
};

const LossEvaluator::Point& loss_point(const SmoothObjective::Point& point) {
  return *dynamic_cast<const RankingPoint&>(point).loss;
}

/// From a product with the loss's Hessian at scaled columns to one with the objective's.
void finish_product(std::span<const double> direction, double C, const ColumnScale& columns,
                    const Penalty& penalty, std::span<double> product) {
  columns.apply(product);
  for (double& entry : product) entry *= C;
  penalty.add_hessian_times(direction, product);
}

}  // namespace

std::unique_ptr<SmoothObjective::Point> RankingObjective::at(std::span<const double> weights,
                                                             LossEvaluator::Keep keep) const {
  return std::make_unique<RankingPoint>(loss_.at(columns_.times(weights), keep), weights, C_,
                                        columns_, penalty_);
}

void RankingObjective::forget(Point& point) const {
  loss_.forget(loss_point(point));
}

void RankingObjective::hessian_times(const Point& point, std::span<const double> direction,
                                     std::span<double> out) const {
  loss_.hessian_times(loss_point(point), columns_.times(direction), out);
  finish_product(direction, C_, columns_, penalty_, out);
}

LineValue RankingObjective::between(const Point& a, const Point& b, double t) const {
  const LineValue loss = loss_.between(loss_point(a), loss_point(b), t);
  LineValue line{C_ * loss.value, C_ * loss.slope};
  penalty_.add_line(a.weights, b.weights, t, line);
  return line;
}

void RankingObjective::hessian(const Point& point, double share, std::span<double> out) const {
  loss_.hessian(loss_point(point), share, out);
  columns_.apply_both_sides(out);
  for (double& entry : out) entry *= C_;
  penalty_.add_hessian(out, static_cast<std::size_t>(size()));
}

std::vector<float> RankingObjective::preconditioner(double share) const {
  std::vector<float> matrix = preconditioning_.gram(share);
  columns_.apply_both_sides(std::span(matrix));
  for (float& entry : matrix) entry *= static_cast<float>(C_);
  penalty_.add_hessian(std::span(matrix), static_cast<std::size_t>(size()));
  return matrix;
}

std::vector<float> RankingPath::loss_preconditioner(double share) const {
  std::vector<float> matrix = loss_.gram(share);
  columns_.apply_both_sides(std::span(matrix));
  return matrix;
}

RankingPath::RankingPath(const LossEvaluator& loss, std::vector<double> values_of_c,
                         ColumnScale columns, const Penalty& penalty)
    : loss_(loss), values_(std::move(values_of_c)), columns_(std::move(columns)) {
  for (const double C : values_) problems_.emplace_back(loss, C, columns_, penalty);
}

std::vector<std::unique_ptr<SmoothObjective::Point>> RankingPath::at(
    std::span<const std::size_t> indices, std::span<const std::vector<double>> weights,
    Accuracy accuracy) const {
  std::vector<std::vector<double>> scaled;
  for (const std::vector<double>& w : weights) scaled.push_back(columns_.times(w));
  LossEvaluator::Points made = loss_.at_each(scaled, accuracy);
  std::vector<std::unique_ptr<Point>> points;
  for (std::size_t k = 0; k < made.size(); ++k) {
    points.push_back(std::make_unique<RankingPoint>(std::move(made[k]), weights[k],
                                                    values_[indices[k]], columns_,
                                                    problems_[indices[k]].penalty()));
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
  std::vector<LossEvaluator::Product> products;
  for (std::size_t k = 0; k < indices.size(); ++k) {
    outs[k].resize(directions[k].size());
    products.push_back({&loss_point(*points[k]), scaled[k], outs[k]});
  }
  loss_.hessian_times_each(products);
  for (std::size_t k = 0; k < indices.size(); ++k) {
    finish_product(directions[k], values_[indices[k]], columns_, problems_[indices[k]].penalty(),
                   outs[k]);
  }
}

}  // namespace rankine
