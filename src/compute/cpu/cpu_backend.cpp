#include "compute/cpu/cpu_backend.hpp"

#include <algorithm>
#include <limits>

#include "compute/cpu/kernel_matrix.hpp"

namespace rankine {
namespace {

constexpr double kMatrixSpeedup = 6;  // measured: docs/notes/performance.md

class CpuPoint final : public LossEvaluator::Point {
 public:
  QuerySweep::Point sweep;
};

const QuerySweep::Point& sweep_point(const LossEvaluator::Point& point) {
  return dynamic_cast<const CpuPoint&>(point).sweep;
}

QuerySweep::Keep sweep_keep(LossEvaluator::Keep keep) {
  return keep == LossEvaluator::Keep::scores ? QuerySweep::Keep::scores : QuerySweep::Keep::nothing;
}

class CpuScorePoint final : public ScoreEvaluator::Point {
 public:
  explicit CpuScorePoint(ScoreSweep::Point point) : sweep(std::move(point)) {}
  double value() const override { return sweep.loss; }
  std::span<const double> scores() const override { return sweep.scores; }
  std::span<const double> slopes() const override { return sweep.slopes; }

  ScoreSweep::Point sweep;
};

}  // namespace

std::unique_ptr<LossEvaluator::Point> CpuLossEvaluator::at(std::span<const double> weights,
                                                           Keep keep) const {
  auto point = std::make_unique<CpuPoint>();
  point->gradient.resize(weights.size());
  point->value = sweep_.gradient(weights, point->sweep, point->gradient, sweep_keep(keep));
  return point;
}

LossEvaluator::Points CpuLossEvaluator::at_each(std::span<const std::vector<double>> weights,
                                                Accuracy accuracy) const {
  std::vector<std::unique_ptr<CpuPoint>> made;
  std::vector<QuerySweep::Evaluation> evaluations;
  for (const std::vector<double>& each : weights) {
    made.push_back(std::make_unique<CpuPoint>());
    made.back()->gradient.resize(each.size());
    evaluations.push_back({each, &made.back()->sweep, made.back()->gradient});
  }
  sweep_.gradients(evaluations, accuracy);
  Points points;
  for (std::size_t k = 0; k < made.size(); ++k) {
    made[k]->value = evaluations[k].loss;
    points.push_back(std::move(made[k]));
  }
  return points;
}

std::unique_ptr<LossEvaluator::Point> CpuLossEvaluator::on_segment(const Point& a, const Point& b,
                                                                   double t) const {
  auto point = std::make_unique<CpuPoint>();
  point->gradient.resize(static_cast<std::size_t>(num_weights()));
  sweep_.move(sweep_point(a), sweep_point(b), t, point->sweep);
  point->value = sweep_.gradient(point->sweep, point->gradient);
  return point;
}

LineValue CpuLossEvaluator::between(const Point& a, const Point& b, double t) const {
  const auto line = sweep_.between(sweep_point(a), sweep_point(b), t);
  return {line.value, line.slope};
}

void CpuLossEvaluator::forget(const Point& point) const {
  QuerySweep::forget(sweep_point(point));
}

void CpuLossEvaluator::hessian_times(const Point& point, std::span<const double> direction,
                                     std::span<double> out) const {
  sweep_.hessian_times(sweep_point(point), direction, out);
}

void CpuLossEvaluator::hessian_times_each(std::span<const Product> products) const {
  std::vector<QuerySweep::Product> each;
  for (const Product& product : products) {
    each.push_back({&sweep_point(*product.point), product.direction, product.out});
  }
  sweep_.hessian_times(each);
}

double CpuLossEvaluator::enough_share() const {
  constexpr double kDocumentsPerColumn = 2000;
  constexpr double kQueriesPerColumn = 20;
  const auto columns = static_cast<double>(num_weights());
  const double share = kDocumentsPerColumn * columns / static_cast<double>(num_documents());
  // Queries may differ from each other, so a share needs many of them. Long ones are all used.
  const auto queries = static_cast<double>(sweep_.num_short_queries());
  const double queries_share = queries > 0 ? kQueriesPerColumn * columns / queries : 0;
  return std::min(1.0, std::max(share, queries_share));
}

double CpuLossEvaluator::hessian_cost(double share) const {
  if (!sweep_.has_fast_hessian()) return std::numeric_limits<double>::infinity();
  // The matrix product does columns / 2 times the arithmetic of a product with one vector; copying
  // rows into blocks costs about two products.
  return share * (2 + static_cast<double>(num_weights()) / (2 * kMatrixSpeedup));
}

void CpuLossEvaluator::hessian(const Point& point, double share, std::span<double> out) const {
  sweep_.hessian(sweep_point(point), share, out);
}

double CpuLossEvaluator::gram_cost(double share) const {
  if (!sweep_.has_gram()) return std::numeric_limits<double>::infinity();
  // Half the arithmetic of hessian() on a share of the rows, and a Cholesky factorisation.
  const auto width = static_cast<double>(num_weights());
  const auto documents = static_cast<double>(num_documents());
  return share * (1 + width / (4 * kMatrixSpeedup)) +
         width * width / (60 * std::max(1.0, documents));
}

std::unique_ptr<ScoreEvaluator::Point> CpuScoreEvaluator::at(std::vector<double> scores) const {
  return std::make_unique<CpuScorePoint>(sweep_.at(std::move(scores)));
}

void CpuScoreEvaluator::hessian_times(const Point& point, std::span<const double> direction,
                                      std::span<double> out) const {
  sweep_.hessian_times(dynamic_cast<const CpuScorePoint&>(point).sweep, direction, out);
}

std::unique_ptr<LossEvaluator> CpuBackend::loss_evaluator(const FeatureRows& rows,
                                                          std::int64_t num_documents,
                                                          const QueryTable& table,
                                                          const QueryLoss& loss,
                                                          int threads) const {
  return std::make_unique<CpuLossEvaluator>(QuerySweep(rows, num_documents, table, loss, threads));
}

std::unique_ptr<ScoreEvaluator> CpuBackend::score_evaluator(const QueryTable& table,
                                                            const QueryLoss& loss,
                                                            int threads) const {
  return std::make_unique<CpuScoreEvaluator>(table, loss, threads);
}

std::unique_ptr<KernelOperator> CpuBackend::kernel_operator(const FeatureMatrix& rows,
                                                            const KernelFormula& formula, bool keep,
                                                            int threads) const {
  return std::make_unique<KernelMatrix>(rows, formula, keep, threads);
}

std::unique_ptr<KernelOperator> CpuBackend::kernel_operator(const DenseMatrix& values,
                                                            int threads) const {
  return std::make_unique<KernelMatrix>(values, threads);
}

double CpuBackend::kernel_bytes(std::int64_t size) const {
  return KernelMatrix::num_bytes(size);
}

double CpuBackend::matrix_speedup() const {
  return kMatrixSpeedup;
}

}  // namespace rankine
