// The preconditioner is (l2 I + C H K)^-1 with K replaced by Phi Phi^T, Phi the features of a
// Nystroem map, and H by the Hessian at scores 0. The Woodbury identity leaves one Cholesky factor
// of as many rows as features: v -> (v - C H Phi (l2 I + C Phi^T H Phi)^-1 Phi^T v) / l2.
// Rudi, Carratino and Rosasco, "FALKON: an optimal large scale kernel method", 2017.
#include "objectives/kernel_objective.hpp"

#include <algorithm>
#include <utility>

#include "base/contract.hpp"
#include "base/parallel.hpp"
#include "base/sums/canonical_sum.hpp"
#include "compute/query_rows.hpp"

namespace rankine {
namespace {

constexpr std::int64_t kBlockRows = 2048;

}  // namespace

KernelObjective::KernelObjective(const KernelOperator& kernel, const ScoreEvaluator& loss,
                                 const KernelFeatures* features, int threads, Penalty penalty)
    : kernel_(kernel),
      loss_(loss),
      features_(features),
      threads_(threads),
      penalty_(std::move(penalty)) {
  RANKINE_ASSERT(penalty_.is_smooth() && penalty_.l2() > 0);
  if (features != nullptr) origin_ = loss.at(std::vector<double>(loss.num_documents()));
}

KernelObjective::Preconditioner::Preconditioner(const KernelObjective& objective, double C)
    : objective_(objective), C_(C) {
  if (objective.features_ == nullptr) return;
  std::vector<float> matrix(objective.features_->gram);
  const auto width = static_cast<std::size_t>(objective.features_->rows.num_columns);
  for (float& entry : matrix) entry *= static_cast<float>(C);
  objective.penalty_.add_hessian(std::span(matrix), width);
  factor_ = std::make_unique<SingleCholesky>(std::move(matrix), static_cast<std::int64_t>(width));
  if (factor_->failed()) factor_.reset();
}

void KernelObjective::Preconditioner::apply(std::span<const double> vector,
                                            std::span<double> out) const {
  const DenseMatrix& rows = objective_.features_->rows;
  const auto width = static_cast<std::size_t>(rows.num_columns);
  const std::int64_t count = rows.num_rows;
  const std::int64_t blocks = (count + kBlockRows - 1) / kBlockRows;
  const ScoreEvaluator& loss = objective_.loss_;
  std::vector<double> inner =
      reduce_queries(loss.cuts(width), objective_.threads_, VectorSum<double>(width),
                     [&](const Cuts::Leaf& leaf, VectorSum<double>& sum) {
                       const std::size_t first = loss.first_of(leaf.first);
                       QueryRows(rows.row(static_cast<std::int64_t>(first)).data())
                           .add_weighted(vector.subspan(first, loss.first_of(leaf.last) - first),
                                         sum.values);
                     })
          .values;
  factor_->solve(inner);
  std::vector<double> images(vector.size());
  parallel_for(blocks, objective_.threads_, [&](std::int64_t block) {
    const std::int64_t first = block * kBlockRows;
    const auto here = static_cast<std::size_t>(std::min(kBlockRows, count - first));
    QueryRows(rows.row(first).data())
        .products(inner, std::span(images).subspan(static_cast<std::size_t>(first), here));
  });
  objective_.loss_.hessian_times(*objective_.origin_, images, out);
  const double curvature = objective_.penalty_.l2();
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = (vector[k] - C_ * out[k]) / curvature;
}

}  // namespace rankine
