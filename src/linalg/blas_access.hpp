// Every call of BLAS and LAPACK goes through here: access->sgemm(...). Their own threads stay
// off: we thread above them, and the order of sums must not depend on the number of threads.
#pragma once

#include "linalg/blas_library.hpp"

namespace rankine {

/// Hold one of these around every call. As many may be held at once as there is memory for: where
/// it is short, calls take turns. They take turns, too, with an OpenBLAS built without threads,
/// which has no locks inside and gives wrong results when called from several threads at once.
class BlasAccess {
 public:
  /// Loads the library where that is still to be done. Throws as blas_library() does, and
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
