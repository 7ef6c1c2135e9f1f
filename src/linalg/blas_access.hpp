// Every call of BLAS and LAPACK goes through here: access->sgemm(...). Their own threads stay
// off: we thread above them, and the order of sums must not depend on the number of threads.
#pragma once

#include "linalg/blas_library.hpp"

namespace rankine {

/// Create one of these around every call. OpenBLAS needs memory for each call that runs at the same
/// time; where memory is short, calls wait for each other. They also wait if OpenBLAS was built
/// without threads: it then has no locks, and would give wrong results when several threads call
/// it.
class BlasAccess {
 public:
  /// Loads the library unless it is loaded already. Throws as blas_library() does, and
  /// std::bad_alloc where there is no memory for a single call.
  BlasAccess();
  ~BlasAccess();
  BlasAccess(const BlasAccess&) = delete;
  BlasAccess& operator=(const BlasAccess&) = delete;

  const BlasFunctions* operator->() const { return functions_; }

 private:
  const BlasFunctions* functions_;
};

}  // namespace rankine
