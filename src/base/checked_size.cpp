#include "base/checked_size.hpp"

#include <array>
#include <cstdio>

#include <rankine/error.hpp>

#include "base/system/process_memory.hpp"

namespace rankine {
namespace {

constexpr std::size_t kSmall = std::size_t{1} << 28;

std::string bytes_text(double bytes) {
  constexpr std::array kUnits{"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < kUnits.size()) {
    bytes /= 1000;
    ++unit;
  }
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.3g %s", bytes, kUnits[unit]);
  return buffer.data();
}

}  // namespace

void require_memory(std::size_t bytes, const std::string& name, const std::string& what) {
  if (bytes <= kSmall) return;
  // Where the system does not say, at least what no machine has is refused.
  constexpr double kMoreThanAny = 1e15;
  const auto available = static_cast<double>(available_memory_bytes());
  if (static_cast<double>(bytes) <= (available > 0 ? available : kMoreThanAny)) return;
  throw Error(ErrorKind::data,
              name + ": " + what + " would take " + bytes_text(static_cast<double>(bytes)) +
                  " of memory" +
                  (available > 0 ? ", and there are " + bytes_text(available) : std::string()));
}

}  // namespace rankine
