#include "methods/method.hpp"

namespace rankine {

double Method::exact_kernel_bytes(const Backend& backend, std::int64_t num_documents) const {
  return backend.kernel_bytes(num_documents);
}

}  // namespace rankine
