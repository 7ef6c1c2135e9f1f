// A regular file's bytes, mapped read-only into memory.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "base/system/mapped_ranges.hpp"

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

  /// Starts at a page boundary. Where the file is cut short meanwhile, reading what is gone raises
  /// SIGBUS (end_when_inputs_are_cut() in <rankine/program.hpp>).
  std::span<const char> bytes() const { return {data_, size_}; }

  /// Throws Error{data} where another program has changed the file since it was mapped.
  void check_unchanged() const;

  /// Tells the system that bytes [first, last) will not be needed soon: the whole pages among them
  /// leave this process's memory. They may still be read, at the cost of reading the file again.
  void release(std::size_t first, std::size_t last) const noexcept;

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t reserved_ = 0;  // with the padding, in whole pages
  std::string path_;
  FileIdentity identity_;
  std::unique_ptr<MappedRange> range_;  // none for an empty file
};

}  // namespace rankine
