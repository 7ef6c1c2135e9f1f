// The stand-ins are /dev/null, opened the wrong way round: standard input for writing alone,
// standard output and error for reading. Using one is then an error like any other, not silence.
#include "base/system/file_descriptor.hpp"

#include <array>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include <rankine/program.hpp>

namespace rankine {

FileDescriptor::~FileDescriptor() {
  close();
}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  if (this != &other) {
    close();
    value_ = other.release();
  }
  return *this;
}

int FileDescriptor::release() {
  return std::exchange(value_, -1);
}

bool FileDescriptor::close() {
  return value_ < 0 || ::close(release()) == 0;
}

FileDescriptor open_file(const std::string& path, int flags, unsigned mode) {
  FileDescriptor opened(::open(path.c_str(), flags | O_CLOEXEC, mode));
  if (opened.value() > STDERR_FILENO || !opened.is_open()) return opened;
  // `opened` is closed when this returns, which must not hide why a copy could not be made.
  FileDescriptor moved(::fcntl(opened.value(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  const int code = errno;
  opened.close();
  errno = code;
  return moved;
}

bool is_readable(int descriptor) {
  const int flags = ::fcntl(descriptor, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) != O_WRONLY;
}

bool is_writable(int descriptor) {
  const int flags = ::fcntl(descriptor, F_GETFL);
  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

void reserve_standard_descriptors() {
  constexpr std::array kWrongWay{O_WRONLY, O_RDONLY, O_RDONLY};
  for (int descriptor = 0; descriptor < static_cast<int>(kWrongWay.size()); ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) >= 0) continue;
    // Without /dev, the root folder refuses just as well. The lowest free number is this one.
    const int opened = ::open("/dev/null", kWrongWay[static_cast<std::size_t>(descriptor)]);
    if (opened < 0) static_cast<void>(::open("/", O_RDONLY));
  }
}

}  // namespace rankine
