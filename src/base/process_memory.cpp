#include "base/process_memory.hpp"

#include <sys/resource.h>

namespace rankine {

std::int64_t peak_memory_bytes() {
  rusage usage{};
  if (::getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return static_cast<std::int64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace rankine
