// A file written under a temporary name beside its target and renamed when complete, so that
// nothing a user had is lost and nothing half-written is seen, even when the machine stops. ".gz"
// and ".zst" compress; "-" is standard output.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace rankine {

class OutputFile {
 public:
  /// Throws Error{io} when the target cannot be written. Devices and pipes are written directly.
  explicit OutputFile(const std::string& path);
  /// Without commit(), removes what was written.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Throws Error{io}: "out.txt: cannot write: No space left on device".
  void write(std::string_view bytes);
  /// Finishes the file and gives it its name. Nothing may be written afterwards.
  void commit();
  /// The target as messages name it.
  const std::string& name() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace rankine
