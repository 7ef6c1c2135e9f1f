// A file under a name of its own beside the target it is to become. It is locked while its writer
// lives, so what writers that were killed left behind is known, and the next one removes it.
#pragma once

#include <string>

#include "base/system/file_descriptor.hpp"

namespace rankine {

class TemporaryFile {
 public:
  /// Makes "TARGET.tmp-" and twelve random digits, with the target's mode where it exists, and
  /// removes those of dead writers of the same target. descriptor() is negative, with errno set,
  /// when that fails.
  explicit TemporaryFile(std::string target);
  /// Removes the file unless it was committed.
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  int descriptor() const { return descriptor_.value(); }
  /// Has the bytes written to the disk, gives the file the target's name and has that written, too.
  /// Returns false with errno set; the target is then what it was.
  bool commit();

 private:
  bool make();

  std::string target_;
  std::string path_;  // empty: none
  FileDescriptor descriptor_;
};

}  // namespace rankine
