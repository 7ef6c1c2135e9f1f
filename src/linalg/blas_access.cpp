// Every call works in a buffer, which OpenBLAS keeps for later calls. When it cannot have another
// it asks again for ever. So we look first whether there is room for one more than were ever in use
// at once; where there is none, and some call is under way, we wait for that to end.
#include "linalg/blas_access.hpp"

#include <condition_variable>
#include <mutex>
#include <new>

namespace rankine {
namespace {

// 128 MiB as Debian builds it, and some for what other threads may take meanwhile.
constexpr std::size_t kBufferBytes = std::size_t{192} << 20;

class Turns {
 public:
  void begin(bool only_one) {
    std::unique_lock lock(mutex_);
    while (in_use_ == num_buffers_) {
      const bool may_grow = num_buffers_ == 0 || !only_one;
      if (may_grow && can_map(kBufferBytes)) {
        ++num_buffers_;
      } else if (num_buffers_ == 0) {
        throw std::bad_alloc();
      } else {
        ended_.wait(lock);
      }
    }
    ++in_use_;
  }
  void end() {
    {
      const std::lock_guard lock(mutex_);
      --in_use_;
    }
    ended_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  int in_use_ = 0;
  int num_buffers_ = 0;
};

Turns& turns() {
  static auto& turns = *new Turns;  // threads may outlive main
  return turns;
}

}  // namespace

BlasAccess::BlasAccess() {
  const BlasLibrary& library = blas_library();
  turns().begin(library.is_serial);
  functions_ = &library.functions;
}

BlasAccess::~BlasAccess() {
  turns().end();
}

}  // namespace rankine
