// mremap() moves page tables, not bytes. Address space doubles, so moves are few; memory is used
// only where something was written. Huge pages save most of the page faults.
#include "base/system/growing_array.hpp"

#include <algorithm>
#include <cstdint>
#include <new>

#include <sys/mman.h>

#include "base/system/mapped_file.hpp"

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
  data_ = moved;
  num_bytes_ = wanted;
  huge_end_ = wanted >= kLarge ? wanted : 0;
  if (huge_end_ > 0) ::madvise(data_, huge_end_, MADV_HUGEPAGE);  // nothing depends on it
}

void PageRange::expect(std::size_t num_bytes) {
  if (huge_end_ == 0) return;
  const auto start = reinterpret_cast<std::uintptr_t>(data_);
  const auto whole_pages = (start + std::min(num_bytes, num_bytes_)) / kHugePage * kHugePage;
  const std::size_t end = whole_pages > start ? whole_pages - start : 0;
  char* const bytes = static_cast<char*>(data_);
  if (end < huge_end_) ::madvise(bytes + end, huge_end_ - end, MADV_NOHUGEPAGE);
  if (end > huge_end_) ::madvise(bytes + huge_end_, end - huge_end_, MADV_HUGEPAGE);
  huge_end_ = end;
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
