// Where the heavy work of training is done: a device with its kernels, and what things cost on it.
// A backend is one entry of compute/registry. All operations give the same bits for any number
// of threads; two backends agree within the tolerance that tests/conformance states.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include <rankine/dataset.hpp>
#include <rankine/loss.hpp>

#include "compute/evaluator.hpp"
#include "compute/kernel_operator.hpp"
#include "compute/query_rows.hpp"
#include "compute/query_table.hpp"

namespace rankine {

class Backend {
 public:
  virtual ~Backend() = default;
  /// "cpu"
  virtual std::string_view name() const = 0;

  /// Keeps references to what the rows refer to, to table and loss.
  virtual std::unique_ptr<LossEvaluator> loss_evaluator(const FeatureRows& rows,
                                                        std::int64_t num_documents,
                                                        const QueryTable& table,
                                                        const QueryLoss& loss,
                                                        int threads) const = 0;
  /// Keeps references.
  virtual std::unique_ptr<ScoreEvaluator> score_evaluator(const QueryTable& table,
                                                          const QueryLoss& loss,
                                                          int threads) const = 0;

  /// The kernel of rows with each other: kept, or its values made anew for each product. Keeps a
  /// reference to the rows. Cost when kept: half of all values, symmetry gives the others.
  virtual std::unique_ptr<KernelOperator> kernel_operator(const FeatureMatrix& rows,
                                                          const KernelFormula& formula, bool keep,
                                                          int threads) const = 0;
  /// Of given values, square; the lower half counts. Keeps a reference.
  virtual std::unique_ptr<KernelOperator> kernel_operator(const DenseMatrix& values,
                                                          int threads) const = 0;
  /// Bytes that a kept operator of this size takes.
  virtual double kernel_bytes(std::int64_t size) const = 0;

  /// How many times faster a multiply-add is in a product of two matrices than in one of the rows
  /// with a vector.
  virtual double matrix_speedup() const = 0;
};

}  // namespace rankine
