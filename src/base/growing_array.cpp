// mremap() moves page tables, not bytes. Address space doubles, so moves are few; memory is used
// only where something was written. Huge pages save most of the page faults.
#include "base/growing_array.hpp"

#include <algorithm>
#include <new>

#include <sys/mman.h>

#include "base/mapped_file.hpp"

namespace rankine {
namespace {

constexpr std::size_t kSmallest = std::size_t{1} << 16;
constexpr std::size_t kHugePage = std::size_t{1} << 21;
constexpr std::size_t kLarge = 8 * kHugePage;  // a huge page more or less does not count

/// Small arrays in small steps; large ones in whole huge pages.
std::size_t whole_steps(std::size_t num_bytes) {
  const std::size_t step = num_bytes < kHugePage ? kSmallest : kHugePage;
  return (num_bytes + step - 1) / step * step;
}

}  // namespace

PageRange::~PageRange() {
  if (data_ != nullptr) ::munmap(data_, num_bytes_);
}

void PageRange::grow(std::size_t num_bytes) {
  const std::size_t wanted = whole_steps(std::max(num_bytes, 2 * num_bytes_));
  if (wanted < num_bytes) throw std::bad_alloc();
  void* const moved = data_ == nullptr ? ::mmap(nullptr, wanted, PROT_READ | PROT_WRITE,
                                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                                       : ::mremap(data_, num_bytes_, wanted, MREMAP_MAYMOVE);
  if (moved == MAP_FAILED) throw std::bad_alloc();
  if (wanted >= kLarge) ::madvise(moved, wanted, MADV_HUGEPAGE);  // nothing depends on it
  data_ = moved;
  num_bytes_ = wanted;
}

bool PageRange::is_large() const {
  return num_bytes_ >= kLarge;
}

void PageRange::shrink(std::size_t num_bytes) noexcept {
  const std::size_t page = page_size();
  const std::size_t kept = (num_bytes + page - 1) / page * page;
  if (kept >= num_bytes_ || data_ == nullptr) return;
  if (kept == 0) {
    ::munmap(data_, num_bytes_);
    data_ = nullptr;
  } else {
    ::munmap(static_cast<char*>(data_) + kept, num_bytes_ - kept);
  }
  num_bytes_ = kept;
}

}  // namespace rankine
