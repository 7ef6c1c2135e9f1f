// A block of rows and a chunk of landmarks are made by the first thread that claims them. Threads
// that come before it is done compute their own values from the features instead of waiting. Both
// ways give the same bits, so nobody can tell which was taken.
#include "features/kernel_product_cache.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "base/contract.hpp"
#include "base/parallel.hpp"
#include "features/kernel.hpp"
#include "features/landmarks.hpp"

namespace rankine {
namespace {

constexpr std::int64_t kBlockRows = 96;
/// A product is worth keeping from kReading + kWriting / (uses - 1) multiply-adds on. Measured
/// (docs/notes/performance.md): 0.024 ns per multiply-add, 0.5 ns to read a product, some 4 ns to
/// write it the first time, which all uses but the first must make up for. Reading alone would pay
/// from some 25 multiply-adds on; twice as many, because the memory should gain something.
constexpr double kReading = 48;
constexpr double kWriting = 170;

enum : std::uint8_t { kEmpty, kClaimed, kMade };

std::int64_t num_blocks(std::int64_t num_rows) {
  return (num_rows + kBlockRows - 1) / kBlockRows;
}

/// Kernels that are functions of the same comparison.
Kernel comparison_key(Kernel kind) {
  return kind == Kernel::polynomial ? Kernel::linear : kind;
}

}  // namespace

bool MemoryBudget::take(double bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes > left_) return false;
  left_ -= bytes;
  return true;
}

double MemoryBudget::left() const {
  const std::lock_guard lock(mutex_);
  return left_;
}

KeptColumns::Chunk::Chunk(const FeatureMatrix& landmarks, std::int64_t num_rows)
    : columns(landmarks), made(static_cast<std::size_t>(num_blocks(num_rows))) {
  values.resize(static_cast<std::size_t>(num_rows) * columns.num_columns());
}

bool KeptColumns::gather(std::int64_t first, std::int64_t count, float* out) const {
  const std::int64_t block = first / kBlockRows;
  for (const Part& part : parts_) {
    Chunk& chunk = *part.chunk;
    auto& made = chunk.made[static_cast<std::size_t>(block)];
    std::uint8_t state = made.load(std::memory_order_acquire);
    if (state == kMade) continue;
    if (state == kClaimed || !made.compare_exchange_strong(state, kClaimed)) return false;
    const std::int64_t start = block * kBlockRows;
    kernel_block(
        owner_->rows_, start, std::min(kBlockRows, owner_->num_rows_ - start), chunk.columns,
        product_,
        chunk.values.data() + static_cast<std::size_t>(start) * chunk.columns.num_columns());
    made.store(kMade, std::memory_order_release);
  }
  for (std::int64_t row = first; row < first + count; ++row, out += num_landmarks_) {
    for (const Part& part : parts_) {
      const float* from = part.chunk->values.data() +
                          static_cast<std::size_t>(row) * part.chunk->columns.num_columns();
      for (const Place place : part.places) out[place.to] = from[place.from];
    }
  }
  return true;
}

void KeptColumns::block(std::int64_t first, std::int64_t count, const PackedColumns& columns,
                        const KernelFormula& function, float* out) const {
  RANKINE_ASSERT(columns.num_columns() == num_landmarks_);
  const std::int64_t end = first + count;
  while (first < end) {
    const std::int64_t here = std::min(end, (first / kBlockRows + 1) * kBlockRows) - first;
    if (gather(first, here, out)) {
      finish_block(std::span(owner_->squared_norms_)
                       .subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(here)),
                   columns, function, out);
    } else {
      kernel_block(owner_->rows_, first, here, columns, function, out);
    }
    first += here;
    out += static_cast<std::size_t>(here) * num_landmarks_;
  }
}

KernelProductCache::KernelProductCache(FeatureMatrix rows, std::shared_ptr<MemoryBudget> budget,
                                       std::size_t num_uses, int threads)
    : rows_(std::move(rows)),
      num_uses_(num_uses),
      num_rows_(num_rows(rows_)),
      squared_norms_(static_cast<std::size_t>(num_rows_)),
      budget_(std::move(budget)) {
  parallel_for(num_blocks(num_rows_), threads, [&](std::int64_t block) {
    const std::int64_t first = block * kBlockRows;
    squared_norms(rows_, first, std::min(kBlockRows, num_rows_ - first),
                  squared_norms_.data() + first);
  });
}

KernelProductCache::~KernelProductCache() {
  budget_->give_back(taken_);
}

bool KernelProductCache::take(double bytes) {
  if (!budget_->take(bytes)) return false;
  taken_ += bytes;
  return true;
}

std::vector<std::int64_t> KernelProductCache::choose_landmarks(const KernelSpec& kernel,
                                                               Landmarks how, std::int64_t count,
                                                               std::uint64_t seed, int threads) {
  const auto choose = [&] {
    return rankine::choose_landmarks(rows_, kernel, how, count, seed, threads);
  };
  if (how == Landmarks::rpcholesky) return choose();  // looks at the kernel
  const LandmarkKey key(how, count, seed);
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = landmarks_.find(key); found != landmarks_.end()) return found->second;
  }
  auto chosen = choose();
  const std::lock_guard lock(mutex_);
  return landmarks_.try_emplace(key, std::move(chosen)).first->second;
}

std::vector<double> KernelProductCache::gram(const KernelSpec& kernel,
                                             const std::vector<std::int64_t>& chosen,
                                             const FeatureMatrix& landmarks, int threads) {
  const auto size = static_cast<std::int64_t>(chosen.size());
  const GramKey key(comparison_key(kernel.kind), chosen);
  std::shared_ptr<const std::vector<double>> known;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = comparisons_.find(key); found != comparisons_.end()) {
      known = found->second;
    }
  }
  if (known == nullptr) {
    auto made = std::make_shared<const std::vector<double>>(
        row_comparisons(kernel.kind, landmarks, threads));
    const std::lock_guard lock(mutex_);
    if (!comparisons_.contains(key) && take(sizeof(double) * static_cast<double>(made->size()))) {
      comparisons_.emplace(key, made);
    }
    known = std::move(made);
  }
  return kernel_gram(kernel, *known, size, threads);
}

std::unique_ptr<const KernelOperator> KernelProductCache::matrix(const KernelSpec& kernel,
                                                                 const Backend& backend,
                                                                 int threads) {
  if (!is_worth_keeping(kernel)) return nullptr;
  const KernelFormula function = kernel_formula(kernel);
  const std::pair key{&backend, kernel.kind == Kernel::laplacian};
  // The rows are stored once more, packed.
  const double bytes = backend.kernel_bytes(num_rows_) +
                       sizeof(float) * static_cast<double>(num_rows_ * num_columns(rows_));
  std::shared_ptr<const KernelOperator> products;
  {
    const std::lock_guard lock(mutex_);
    const auto found = matrices_.find(key);
    if (found != matrices_.end()) {
      products = found->second;
    } else if (!take(bytes)) {
      return nullptr;
    }
  }
  if (products == nullptr) {
    products = backend.kernel_operator(rows_, unfinished(function), true, threads);
    const std::lock_guard lock(mutex_);
    if (!matrices_.emplace(key, products).second) {  // another thread was faster
      budget_->give_back(bytes);
      taken_ -= bytes;
    }
  }
  return products->finished(function, threads);
}

bool KernelProductCache::is_worth_keeping(const KernelSpec& kernel) const {
  if (num_rows_ == 0 || num_uses_ < 2 || kernel.kind == Kernel::precomputed) return false;
  // A term of a distance costs two multiply-adds. Sparse rows go one at a time and load a line of
  // the landmarks for each of their values: four.
  double operations = kernel.kind == Kernel::laplacian ? 2 : 1;
  if (const auto* sparse = std::get_if<CsrMatrix>(&rows_)) {
    operations *= 4 * static_cast<double>(sparse->values.size()) / static_cast<double>(num_rows_);
  } else {
    operations *= static_cast<double>(num_columns(rows_));
  }
  return operations >= kReading + kWriting / static_cast<double>(num_uses_ - 1);
}

bool KernelProductCache::add(Products& products, const FeatureMatrix& landmarks) {
  std::vector<std::int64_t> missing;
  for (std::int64_t k = 0; k < num_rows(landmarks); ++k) {
    if (!products.lookup.find(landmarks, k).has_value()) missing.push_back(k);
  }
  if (missing.empty()) return true;
  const auto count = static_cast<double>(missing.size());
  // The landmarks are stored twice: packed, and for comparison.
  if (!take(sizeof(float) * count * static_cast<double>(num_rows_ + 2 * num_columns(landmarks)))) {
    return false;
  }
  const FeatureMatrix added = take_rows(landmarks, missing);
  for (std::size_t column = 0; column < missing.size(); ++column) {
    products.places.emplace_back(products.chunks.size(), static_cast<std::uint32_t>(column));
  }
  products.chunks.push_back(std::make_unique<KeptColumns::Chunk>(added, num_rows_));
  products.lookup.add(added);
  return true;
}

std::unique_ptr<const KeptColumns> KernelProductCache::columns(const KernelSpec& kernel,
                                                               const FeatureMatrix& landmarks) {
  if (!is_worth_keeping(kernel)) return nullptr;
  auto wanted = std::make_unique<KeptColumns>();
  wanted->owner_ = this;
  wanted->product_ = unfinished(kernel_formula(kernel));
  wanted->num_landmarks_ = static_cast<std::size_t>(num_rows(landmarks));
  const std::lock_guard lock(mutex_);
  Products& products = kernel.kind == Kernel::laplacian ? distances_ : products_;
  if (!add(products, landmarks)) return nullptr;
  wanted->parts_.resize(products.chunks.size());
  for (std::int64_t k = 0; k < num_rows(landmarks); ++k) {
    const auto [chunk, column] = products.places[*products.lookup.find(landmarks, k)];
    wanted->parts_[chunk].chunk = products.chunks[chunk].get();
    wanted->parts_[chunk].places.push_back({column, static_cast<std::uint32_t>(k)});
  }
  std::erase_if(wanted->parts_, [](const KeptColumns::Part& part) { return part.places.empty(); });
  return wanted;
}

}  // namespace rankine
