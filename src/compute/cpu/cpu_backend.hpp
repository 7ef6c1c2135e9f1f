// The backend of every machine: its cores and their vector units. The evaluators are QuerySweep and
// ScoreSweep behind the interface, with what their operations were measured to cost.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/backend.hpp"
#include "compute/cpu/query_sweep.hpp"
#include "compute/cpu/score_sweep.hpp"

namespace rankine {

class CpuLossEvaluator final : public LossEvaluator {
 public:
  explicit CpuLossEvaluator(QuerySweep sweep) : sweep_(std::move(sweep)) {}
  /// Keeps references: all three must outlive it.
  CpuLossEvaluator(const Dataset& data, const QueryTable& table, const QueryLoss& loss, int threads)
      : sweep_(data, table, loss, threads) {}

  std::int64_t num_weights() const override { return sweep_.num_features(); }
  std::int64_t num_documents() const override { return sweep_.num_documents(); }
  int threads() const override { return sweep_.threads(); }
  const QueryLoss& loss() const override { return sweep_.loss(); }
  std::unique_ptr<LossEvaluator> with_loss(const QueryLoss& loss) const override {
    return std::make_unique<CpuLossEvaluator>(QuerySweep(sweep_, loss));
  }

  std::unique_ptr<Point> at(std::span<const double> weights,
                            Keep keep = Keep::scores) const override;
  Points at_each(std::span<const std::vector<double>> weights, Accuracy accuracy) const override;
  std::unique_ptr<Point> on_segment(const Point& a, const Point& b, double t) const override;
  LineValue between(const Point& a, const Point& b, double t) const override;
  void forget(const Point& point) const override;
  void hessian_times(const Point& point, std::span<const double> direction,
                     std::span<double> out) const override;
  void hessian_times_each(std::span<const Product> products) const override;
  double enough_share() const override;
  double hessian_cost(double share) const override;
  void hessian(const Point& point, double share, std::span<double> out) const override;
  double gram_cost(double share) const override;
  std::vector<float> gram(double share) const override { return sweep_.gram(share); }

 private:
  QuerySweep sweep_;
};

class CpuScoreEvaluator final : public ScoreEvaluator {
 public:
  /// Keeps references.
  CpuScoreEvaluator(const QueryTable& table, const QueryLoss& loss, int threads)
      : sweep_(table, loss, threads) {}

  std::size_t num_documents() const override { return sweep_.num_documents(); }
  std::span<const std::int64_t> rows() const override { return sweep_.rows(); }
  const Cuts& cuts(std::size_t width) const override { return sweep_.cuts(width); }
  std::size_t first_of(std::size_t query) const override { return sweep_.first_of(query); }
  std::unique_ptr<Point> at(std::vector<double> scores) const override;
  void hessian_times(const Point& point, std::span<const double> direction,
                     std::span<double> out) const override;

 private:
  ScoreSweep sweep_;
};

class CpuBackend final : public Backend {
 public:
  std::string_view name() const override { return "cpu"; }
  std::unique_ptr<LossEvaluator> loss_evaluator(const FeatureRows& rows, std::int64_t num_documents,
                                                const QueryTable& table, const QueryLoss& loss,
                                                int threads) const override;
  std::unique_ptr<ScoreEvaluator> score_evaluator(const QueryTable& table, const QueryLoss& loss,
                                                  int threads) const override;
  std::unique_ptr<KernelOperator> kernel_operator(const FeatureMatrix& rows,
                                                  const KernelFormula& formula, bool keep,
                                                  int threads) const override;
  std::unique_ptr<KernelOperator> kernel_operator(const DenseMatrix& values,
                                                  int threads) const override;
  double kernel_bytes(std::int64_t size) const override;
  double matrix_speedup() const override;
};

}  // namespace rankine
