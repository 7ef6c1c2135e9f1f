// The one exception type: a mistake of the user or a failure of the system, told in one line.
#pragma once

#include <stdexcept>
#include <string>

#include "rankine/printable.hpp"
#include "rankine/visibility.hpp"

namespace rankine {

enum class ErrorKind {
  data,         // an input is missing, unreadable or malformed
  option,       // an option's value is not allowed
  io,           // the system failed while reading or writing
  device,       // the hardware asked for is not there
  interrupted,  // the caller asked to stop
};

/// The message is complete and names file, line and column, or the option, its value and its bound.
/// It is one line that is safe to show, whatever the files that it quotes hold.
class RANKINE_API Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message)
      : std::runtime_error(printable(message)), kind_(kind) {}
  ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace rankine
