// How fast the binary cache opens, every checksum and promise verified, against doing no more than
// adding up the same bytes through a fresh map, and against copying as many bytes in memory.
// Usage: cache_benchmark [MEGABYTES [FOLDER]]. The file is in the page cache: memory is measured,
// not the disk.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "base/system/mapped_file.hpp"
#include "io/cache/dataset_cache.hpp"

namespace rankine {
namespace {

constexpr std::int64_t kDocumentsPerQuery = 40;
constexpr std::int64_t kDenseFeatures = 46;
constexpr std::int64_t kSparseFeatures = 50000;
constexpr std::int64_t kEntriesPerRow = 100;

Dataset with_queries(std::int64_t num_documents, FeatureMatrix features) {
  Dataset data;
  data.features = std::move(features);
  std::vector<double> grades;
  std::vector<std::int64_t> offsets;
  std::vector<std::string> ids;
  for (std::int64_t doc = 0; doc < num_documents; ++doc) {
    grades.push_back(static_cast<double>(doc % 5));
    if (doc % kDocumentsPerQuery != 0) continue;
    offsets.push_back(doc);
    ids.push_back(std::to_string(ids.size() + 1));
  }
  offsets.push_back(num_documents);
  data.grades = std::move(grades);
  data.query_offsets = std::move(offsets);
  data.query_ids = StringList::of(ids);
  return data;
}

std::vector<float> some_values(std::int64_t count) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (std::size_t index = 0; index < values.size(); ++index) {
    values[index] = static_cast<float>(index * 2654435761U % 1000003U) / 1000003.0F;
  }
  return values;
}

Dataset dense_data(std::int64_t bytes) {
  const std::int64_t rows = bytes / (kDenseFeatures * 4);
  return with_queries(rows, DenseMatrix{rows, kDenseFeatures, some_values(rows * kDenseFeatures)});
}

Dataset sparse_data(std::int64_t bytes) {
  const std::int64_t rows = bytes / (kEntriesPerRow * 8);
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(rows) + 1);
  std::vector<std::uint32_t> columns;
  for (std::int64_t row = 0; row < rows; ++row) {
    offsets[static_cast<std::size_t>(row) + 1] = (row + 1) * kEntriesPerRow;
    for (std::int64_t entry = 0; entry < kEntriesPerRow; ++entry) {
      columns.push_back(static_cast<std::uint32_t>(entry * 500 + (row * 37 + entry * 11) % 500));
    }
  }
  return with_queries(rows, CsrMatrix{rows, kSparseFeatures, std::move(offsets), std::move(columns),
                                      some_values(rows * kEntriesPerRow)});
}

double best_seconds(const std::function<void()>& work) {
  double best = 1e30;
  for (int round = 0; round < 5; ++round) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  return best;
}

void print_rate(const std::string& what, std::size_t bytes, double seconds) {
  std::printf("  %-44s %7.3f s %8.2f GB/s\n", what.c_str(), seconds,
              static_cast<double>(bytes) / seconds / 1e9);
}

std::uint64_t sum_words(std::span<const char> bytes) {
  std::uint64_t sum = 0;
  for (std::size_t first = 0; first + 8 <= bytes.size(); first += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + first, sizeof word);
    sum += word;
  }
  return sum;
}

std::uint64_t sum_of_map(const std::string& path, int threads) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  const MappedFile file(path);
  std::vector<std::uint64_t> sums(file.bytes().size() / kPiece);
  parallel_for(static_cast<std::int64_t>(sums.size()), threads, [&](std::int64_t piece) {
    const auto index = static_cast<std::size_t>(piece);
    sums[index] = sum_words(file.bytes().subspan(index * kPiece, kPiece));
  });
  return std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
}

void run(const char* name, const Dataset& data, const std::string& path) {
  const double write_seconds = best_seconds([&] { write_cache(path, data); });
  const std::size_t bytes = std::filesystem::file_size(path);
  std::printf("%s, %.0f MB\n", name, static_cast<double>(bytes) / 1e6);
  print_rate("write", bytes, write_seconds);
  std::vector<char> target(bytes);
  const MappedFile file(path);
  print_rate("memcpy, 1 thread", bytes,
             best_seconds([&] { std::memcpy(target.data(), file.bytes().data(), bytes); }));
  std::uint64_t sum = 0;
  for (const int threads : {1, 0}) {
    const std::string suffix = ", " + std::to_string(num_worker_threads(threads)) + " thread(s)";
    print_rate("add up a fresh map" + suffix, bytes,
               best_seconds([&] { sum += sum_of_map(path, threads); }));
    print_rate("open the cache" + suffix, bytes,
               best_seconds([&] { sum += read_cache(path, threads).grades.size(); }));
  }
  std::printf("  (%llu)\n", static_cast<unsigned long long>(sum % 10));
}

}  // namespace
}  // namespace rankine

int main(int argc, char** argv) {
  const std::int64_t megabytes = argc > 1 ? std::strtoll(argv[1], nullptr, 10) : 500;
  const std::filesystem::path folder =
      argc > 2 ? std::filesystem::path(argv[2]) : std::filesystem::temp_directory_path();
  const std::string path = (folder / "rankine_cache_benchmark.rkd").string();
  rankine::run("dense, 46 features", rankine::dense_data(megabytes * 1'000'000), path);
  rankine::run("sparse, 50,000 features, 100 per row", rankine::sparse_data(megabytes * 1'000'000),
               path);
  std::filesystem::remove(path);
  return 0;
}
