// The system's getrusage() would do, were it not that a program inherits through it the peak of the
// process that started it; what /proc says of the address space begins anew with the program.
#include "base/system/process_memory.hpp"

#include <fstream>
#include <string>

#include <malloc.h>
#include <sys/resource.h>

namespace rankine {
namespace {

/// In KiB; 0 where there is no such line.
std::int64_t high_water_mark() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word != "VmHWM:") continue;
    std::int64_t amount = 0;
    status >> amount;
    return amount;
  }
  return 0;
}

}  // namespace

std::int64_t peak_memory_bytes() {
  constexpr std::int64_t kKibibyte = 1024;
  if (const std::int64_t amount = high_water_mark(); amount > 0) return amount * kKibibyte;
  rusage usage{};
  if (::getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return static_cast<std::int64_t>(usage.ru_maxrss) * kKibibyte;
}

void return_free_memory() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

std::int64_t available_memory_bytes() {
  std::ifstream file("/proc/meminfo");
  std::string name;
  std::int64_t kilobytes = 0;
  std::string unit;
  while (file >> name >> kilobytes && std::getline(file, unit)) {
    if (name == "MemAvailable:") return kilobytes * 1024;
  }
  return 0;
}

}  // namespace rankine
