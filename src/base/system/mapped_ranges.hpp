// Which addresses belong to which mapped file: so that a file that another program cuts short while
// it is mapped ends this one with a line that names it, and one that is changed is noticed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace rankine {

/// What a file was when it was opened.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t number = 0;
  std::int64_t num_bytes = 0;
  std::int64_t changed_ns = 0;  // time of the last change to its bytes
};

/// Of an open file. Requires: an open descriptor.
FileIdentity identity_of(int descriptor);

/// Whether the file of this name is the same one and has other bytes. One that was replaced by
/// another file is not changed: a process that has it open still sees the old one.
bool has_changed(const std::string& path, const FileIdentity& before);

/// A mapped file for as long as this lives.
class MappedRange {
 public:
  MappedRange(const void* begin, std::size_t num_bytes, const std::string& path,
              const FileIdentity& identity);
  ~MappedRange();
  MappedRange(const MappedRange&) = delete;
  MappedRange& operator=(const MappedRange&) = delete;

  struct Entry;

 private:
  Entry* entry_;
};

}  // namespace rankine
