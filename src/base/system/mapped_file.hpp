// A regular file's bytes, mapped read-only into memory.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace rankine {

std::size_t page_size();

class MappedFile {
 public:
  /// Throws Error{data}: "train.txt: cannot read: No such file or directory"; also for a directory
  /// and for anything else that is no regular file.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  /// So many bytes past the end may be read: they are 0.
  static constexpr std::size_t kPadding = 64;

  /// So many bytes around one that is read may enter memory with it.
  static constexpr std::size_t kFaultBytes = std::size_t{1} << 21;

  /// Starts at a page boundary. The file must not be cut short while it is mapped.
  std::span<const char> bytes() const { return {data_, size_}; }

  /// Tells the system that bytes [first, last) will not be needed soon: the whole pages among them
  /// leave this process's memory. They may still be read, at the cost of reading the file again.
  void release(std::size_t first, std::size_t last) const noexcept;

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t reserved_ = 0;  // with the padding, in whole pages
};

}  // namespace rankine
