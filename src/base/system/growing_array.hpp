// An array that grows without a copy: its pages are moved to a larger range of addresses, so that
// the peak is what the array holds in the end. For large numbers of trivial values.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include <rankine/array.hpp>

namespace rankine {

/// Pages of anonymous memory, 0 until written.
class PageRange {
 public:
  PageRange() = default;
  ~PageRange();
  PageRange(const PageRange&) = delete;
  PageRange& operator=(const PageRange&) = delete;

  void* data() const { return data_; }
  std::size_t num_bytes() const { return num_bytes_; }
  /// At least `num_bytes`; may move the memory. Throws std::bad_alloc.
  void grow(std::size_t num_bytes);
  /// Gives back what lies beyond the first `num_bytes`.
  void shrink(std::size_t num_bytes) noexcept;
  /// Says how much will be used in the end: what does not fill a huge page by then is put in small
  /// pages, so that no huge page is brought in for its first part alone. May be called again when
  /// more is known.
  void expect(std::size_t num_bytes);
  /// So large that it is in huge pages, if the system has them.
  bool is_large() const;

 private:
  void* data_ = nullptr;
  std::size_t num_bytes_ = 0;
  std::size_t huge_end_ = 0;  // up to here in huge pages, 0 for none
};

template <class T>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  std::size_t size() const { return size_; }
  T* data() { return static_cast<T*>(pages_->data()); }
  T& operator[](std::size_t index) { return data()[index]; }

  /// Makes room for `size` values in all; new ones are 0 where the array was never larger.
  void resize(std::size_t size) {
    if (size * sizeof(T) > pages_->num_bytes()) pages_->grow(size * sizeof(T));
    size_ = size;
  }

  /// Says that in the end there will be about so many times what there is now.
  void expect(double times) {
    pages_->expect(static_cast<std::size_t>(times * static_cast<double>(size_ * sizeof(T))));
  }

  /// Ends a use of this array as room to work in: large memory, which is quickly had again, goes
  /// back to the system.
  void release_large() noexcept {
    if (!pages_->is_large()) return;
    pages_->shrink(0);
    size_ = 0;
  }

  /// The values, read-only from now on; leaves this array empty.
  Array<T> finish() {
    pages_->shrink(size_ * sizeof(T));
    const std::span<const T> view(data(), size_);
    size_ = 0;
    return Array<T>::borrow(view, std::exchange(pages_, std::make_shared<PageRange>()));
  }

 private:
  std::shared_ptr<PageRange> pages_ = std::make_shared<PageRange>();
  std::size_t size_ = 0;
};

}  // namespace rankine
