#include "data/size_check.hpp"

#include <algorithm>
#include <cmath>

#include <unistd.h>

#include <rankine/error.hpp>

#include "base/system/process_memory.hpp"

namespace rankine {
namespace {

constexpr double kGigabyte = 1e9;
constexpr double kNeverRefused = 64e6;

double physical_memory() {
  return static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<double>(::sysconf(_SC_PAGESIZE));
}

std::string gigabytes(double bytes) {
  const auto tenths = static_cast<std::int64_t>(std::ceil(bytes / kGigabyte * 10));
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GB";
}

}  // namespace

void check_dense_fits(const std::string& source, std::int64_t num_rows, std::int64_t num_columns) {
  // In double, for the product may pass 2^63.
  const double num_bytes =
      static_cast<double>(num_rows) * static_cast<double>(num_columns) * sizeof(float);
  if (num_bytes <= physical_memory()) return;
  throw Error(ErrorKind::data,
              source + ": " + std::to_string(num_rows) + " documents by " +
                  std::to_string(num_columns) +
                  " features as a dense matrix are more than this machine's memory: storage = "
                  "sparse would hold them");
}

void check_columns_fit(const std::string& source, std::int64_t num_columns, double allowed,
                       double bytes_per_column) {
  const double num_bytes = static_cast<double>(num_columns) * bytes_per_column;
  if (num_bytes <= std::max(allowed, kNeverRefused)) return;
  throw Error(ErrorKind::data, source + ": work by feature needs about " + gigabytes(num_bytes) +
                                   " for " + std::to_string(num_columns) + " features, and " +
                                   gigabytes(allowed) +
                                   " are allowed: is the largest index right?");
}

void check_columns_fit(const std::string& source, std::int64_t num_columns) {
  constexpr double kShare = 0.75;
  const auto available = static_cast<double>(available_memory_bytes());
  if (available > 0) check_columns_fit(source, num_columns, kShare * available);
}

}  // namespace rankine
