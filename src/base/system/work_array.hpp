// Memory for one piece of work after the other: every thread has one block, which successive pieces
// of work share, so that the peak is that of the largest.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

namespace rankine {

/// This thread's block while it is in use.
class WorkBlock {
 public:
  /// Requires: no other is in use on this thread. Throws std::bad_alloc.
  explicit WorkBlock(std::size_t num_bytes);
  /// Large memory, which is quickly had again, goes back to the system.
  ~WorkBlock();
  WorkBlock(const WorkBlock&) = delete;
  WorkBlock& operator=(const WorkBlock&) = delete;

  void* data() const { return data_; }

 private:
  void* data_;
};

/// `size` uninitialised values.
template <class T>
class WorkArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit WorkArray(std::size_t size) : block_(size * sizeof(T)), size_(size) {}
  std::span<T> span() const { return {static_cast<T*>(block_.data()), size_}; }

 private:
  WorkBlock block_;
  std::size_t size_;
};

}  // namespace rankine
