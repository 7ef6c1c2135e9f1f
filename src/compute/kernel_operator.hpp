// The kernel matrix of some rows, known by its products with vectors.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "compute/kernel_blocks.hpp"

namespace rankine {

class KernelOperator {
 public:
  KernelOperator() = default;
  KernelOperator(const KernelOperator&) = delete;
  KernelOperator& operator=(const KernelOperator&) = delete;
  virtual ~KernelOperator() = default;

  virtual std::int64_t size() const = 0;
  /// out = K * vector. Cost: size() squared.
  virtual void times(std::span<const double> vector, std::span<double> out) const = 0;

  /// For an operator of unfinished(formula) whose values are kept: the operator of `formula`, with
  /// the same bits as from the rows, kept as well. Cost: the formula alone.
  virtual std::unique_ptr<KernelOperator> finished(const KernelFormula& formula,
                                                   int threads) const = 0;
};

}  // namespace rankine
