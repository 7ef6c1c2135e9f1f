#include "linalg/blas_access.hpp"

#include <cblas.h>

namespace rankine {
namespace {

bool must_take_turns() {
  static const bool serial = [] {
    openblas_set_num_threads(1);
    return openblas_get_parallel() == OPENBLAS_SEQUENTIAL;
  }();
  return serial;
}

std::mutex& turns() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

BlasAccess::BlasAccess() {
  if (must_take_turns()) turn_ = std::unique_lock(turns());
}

}  // namespace rankine
