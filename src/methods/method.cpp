#include "methods/method.hpp"

#include "compute/cpu/kernel_matrix.hpp"

namespace rankine {

double Method::exact_kernel_bytes(std::int64_t num_documents) const {
  return KernelMatrix::num_bytes(num_documents);
}

}  // namespace rankine
