#include "objectives/kernel_objective.hpp"

#include <algorithm>

#include "base/canonical_sum.hpp"
#include "base/parallel.hpp"
#include "compute/cpu/products/dense_products.hpp"

namespace rankine {
namespace {

constexpr std::int64_t kBlockRows = 2048;

}  // namespace

KernelObjective::KernelObjective(const KernelMatrix& kernel, const ScoreSweep& sweep,
                                 const KernelFeatures* features, int threads)
    : kernel_(kernel), sweep_(sweep), features_(features), threads_(threads) {
  if (features != nullptr) origin_ = sweep.at(std::vector<double>(sweep.num_documents()));
}

KernelObjective::Preconditioner::Preconditioner(const KernelObjective& objective, double C)
    : objective_(objective), C_(C) {
  if (objective.features_ == nullptr) return;
  std::vector<float> matrix(objective.features_->gram);
  const auto width = static_cast<std::size_t>(objective.features_->rows.num_columns);
  for (float& entry : matrix) entry *= static_cast<float>(C);
  for (std::size_t k = 0; k < width; ++k) matrix[k * width + k] += 1;
  factor_ = std::make_unique<SingleCholesky>(std::move(matrix), static_cast<std::int64_t>(width));
  if (factor_->failed()) factor_.reset();
}

void KernelObjective::Preconditioner::apply(std::span<const double> vector,
                                            std::span<double> out) const {
  const DenseMatrix& rows = objective_.features_->rows;
  const auto width = static_cast<std::size_t>(rows.num_columns);
  const std::int64_t count = rows.num_rows;
  const std::int64_t blocks = (count + kBlockRows - 1) / kBlockRows;
  const ScoreSweep& sweep = objective_.sweep_;
  std::vector<double> inner =
      reduce_queries(sweep.cuts(width), objective_.threads_, VectorSum<double>(width),
                     [&](const Cuts::Leaf& leaf, VectorSum<double>& sum) {
                       const std::size_t first = sweep.first_of(leaf.first);
                       add_weighted_rows(rows.row(static_cast<std::int64_t>(first)).data(),
                                         vector.subspan(first, sweep.first_of(leaf.last) - first),
                                         sum.values);
                     })
          .values;
  factor_->solve(inner);
  std::vector<double> images(vector.size());
  parallel_for(blocks, objective_.threads_, [&](std::int64_t block) {
    const std::int64_t first = block * kBlockRows;
    const auto here = static_cast<std::size_t>(std::min(kBlockRows, count - first));
    row_products(rows.row(first).data(), inner,
                 std::span(images).subspan(static_cast<std::size_t>(first), here));
  });
  objective_.sweep_.hessian_times(objective_.origin_, images, out);
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = vector[k] - C_ * out[k];
}

}  // namespace rankine
