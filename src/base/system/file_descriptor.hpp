// Opening files so that none of them takes the place of standard input, output or error. Where a
// program was started with one of these closed, the system would give its number to the next file,
// and what is meant for a terminal would be written into a model.
#pragma once

#include <string>

namespace rankine {

/// A descriptor that is closed when this ends. Negative: none.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int value) : value_(value) {}
  ~FileDescriptor();
  FileDescriptor(FileDescriptor&& other) noexcept : value_(other.release()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  int value() const { return value_; }
  bool is_open() const { return value_ >= 0; }
  /// Gives the descriptor away.
  int release();
  /// Closes; returns false with errno set where the system reports an earlier write that failed.
  bool close();

 private:
  int value_ = -1;
};

/// As open(2), close-on-exec, with a descriptor above 2. Not open, with errno set, on failure.
FileDescriptor open_file(const std::string& path, int flags, unsigned mode = 0666);

/// Whether this standard descriptor was open for what it is there for. Programs that were started
/// without one get a stand-in that refuses (reserve_standard_descriptors), as have those that close
/// it later.
bool is_readable(int descriptor);
bool is_writable(int descriptor);

}  // namespace rankine
