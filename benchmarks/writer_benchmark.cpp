// How fast data sets are written as text, in MB of text per second.
// Usage: writer_benchmark [ROWS]. Writes to /dev/null: formatting is measured, not the disk.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "io/dataset_writer.hpp"

namespace rankine {
namespace {

Dataset one_query(std::int64_t num_rows, FeatureMatrix features) {
  Dataset data;
  data.features = std::move(features);
  data.grades = std::vector<double>(static_cast<std::size_t>(num_rows), 2.0);
  data.query_offsets = std::vector<std::int64_t>{0, num_rows};
  data.query_ids = StringList::of({"10032"});
  return data;
}

/// Values as LETOR has them: six decimals, a third of them 0.
std::vector<float> letor_values(std::int64_t count) {
  std::vector<float> values(static_cast<std::size_t>(count));
  std::uint64_t state = 1;
  for (float& value : values) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    const std::uint64_t draw = state >> 33;
    if (draw % 3 != 0) value = static_cast<float>(static_cast<double>(draw % 1000000) / 1e6);
  }
  return values;
}

/// The same with all 24 bits in use: the shortest text is longest.
std::vector<float> full_values(std::int64_t count) {
  std::vector<float> values = letor_values(count);
  for (float& value : values) value = value * 0.7310586F + 0.0001F;
  return values;
}

Dataset sparse_rows(std::int64_t num_rows) {
  constexpr std::int64_t kEntries = 100;
  std::vector<std::int64_t> offsets;
  std::vector<std::uint32_t> columns;
  for (std::int64_t row = 0; row <= num_rows; ++row) offsets.push_back(row * kEntries);
  for (std::int64_t entry = 0; entry < num_rows * kEntries; ++entry) {
    columns.push_back(static_cast<std::uint32_t>(entry % kEntries * 500 + entry * 7 % 500));
  }
  return one_query(num_rows, CsrMatrix{num_rows, 50000, std::move(offsets), std::move(columns),
                                       full_values(num_rows * kEntries)});
}

void run(const char* name, const Dataset& data, DataFormat format) {
  const auto scratch = std::filesystem::temp_directory_path() / "rankine_writer_benchmark";
  write_dataset_with(scratch.string(), data, format, 0, {});
  const auto bytes = static_cast<double>(std::filesystem::file_size(scratch));
  std::filesystem::remove(scratch);
  for (const int threads : {1, 0}) {
    double best = 1e30;
    for (int round = 0; round < 3; ++round) {
      const auto start = std::chrono::steady_clock::now();
      write_dataset_with("/dev/null", data, format, threads, {});
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
      best = std::min(best, took.count());
    }
    std::printf("%-34s %7.0f MB %3d thread(s) %8.0f MB/s\n", name, bytes / 1e6,
                num_worker_threads(threads), bytes / best / 1e6);
  }
}

}  // namespace
}  // namespace rankine

int main(int argc, char** argv) {
  using namespace rankine;
  constexpr std::int64_t kFeatures = 46;
  const std::int64_t rows = argc > 1 ? std::strtoll(argv[1], nullptr, 10) : 200000;
  const Dataset letor =
      one_query(rows, DenseMatrix{rows, kFeatures, letor_values(rows * kFeatures)});
  const Dataset full = one_query(rows, DenseMatrix{rows, kFeatures, full_values(rows * kFeatures)});
  run("LETOR text, six decimals", letor, DataFormat::letor);
  run("LETOR text, all digits", full, DataFormat::letor);
  run("LETOR text, sparse, all digits", sparse_rows(rows / 2), DataFormat::letor);
  run("CSV, all digits", full, DataFormat::csv);
  return 0;
}
