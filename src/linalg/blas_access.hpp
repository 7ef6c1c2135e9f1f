// Every call of BLAS and LAPACK goes through here. Their own threads stay off: we thread above
// them, and the order of sums must not depend on the number of threads. Hold one of these around
// every call.
#pragma once

#include <mutex>

namespace rankine {

/// OpenBLAS built without threads has no locks inside and gives wrong results when called from
/// several threads at once; with such a build calls take turns.
class BlasAccess {
 public:
  BlasAccess();

 private:
  std::unique_lock<std::mutex> turn_;
};

}  // namespace rankine
