// The file is mapped over the start of an anonymous map that is a little longer: what follows the
// file's last byte is then readable and 0, even where the file ends with its page.
#include "base/system/mapped_file.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <rankine/error.hpp>

#include "base/contract.hpp"
#include "base/system/file_descriptor.hpp"

namespace rankine {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& cause) {
  throw Error(ErrorKind::data, path + ": cannot read: " + cause);
}

}  // namespace

std::size_t page_size() {
  return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

MappedFile::MappedFile(const std::string& path) : path_(path) {
  struct stat status {};
  // Before open(), which would wait for the other end of a pipe.
  if (::stat(path.c_str(), &status) != 0) fail(path, std::strerror(errno));
  if (S_ISDIR(status.st_mode)) fail(path, "it is a directory");
  if (!S_ISREG(status.st_mode)) fail(path, "it is not a regular file");
  const FileDescriptor descriptor = open_file(path, O_RDONLY);
  if (!descriptor.is_open()) fail(path, std::strerror(errno));
  identity_ = identity_of(descriptor.value());
  if (::fstat(descriptor.value(), &status) != 0) fail(path, std::strerror(errno));
  if (status.st_size == 0) return;  // mmap() refuses an empty map
  size_ = static_cast<std::size_t>(status.st_size);
  reserved_ = (size_ + kPadding + page_size() - 1) / page_size() * page_size();
  void* const map =
      ::mmap(nullptr, reserved_, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED) fail(path, std::strerror(errno));
  data_ = static_cast<const char*>(map);
  if (::mmap(map, size_, PROT_READ, MAP_PRIVATE | MAP_FIXED, descriptor.value(), 0) == MAP_FAILED) {
    const int code = errno;
    ::munmap(map, reserved_);
    fail(path, std::strerror(code));
  }
  range_ = std::make_unique<MappedRange>(data_, reserved_, path_, identity_);
}

MappedFile::~MappedFile() {
  range_.reset();
  if (data_ != nullptr) ::munmap(const_cast<char*>(data_), reserved_);
}

void MappedFile::check_unchanged() const {
  if (has_changed(path_, identity_)) fail(path_, "another program changed the file meanwhile");
}

void MappedFile::release(std::size_t first, std::size_t last) const noexcept {
  RANKINE_ASSERT(first <= last && last <= size_);
  const std::size_t page = page_size();
  const std::size_t begin = (first + page - 1) / page * page;
  // The last page of the file has no bytes beyond it, so it may go with the file's end.
  const std::size_t end = last == size_ ? last : last / page * page;
  if (begin < end) ::madvise(const_cast<char*>(data_) + begin, end - begin, MADV_DONTNEED);
}

}  // namespace rankine
