// The lock decides between a living writer and a dead one, whatever their process numbers: in
// containers all programs may have the same. A sweep that meets a file between its making and its
// locking takes the lock and removes the file; its writer sees that and makes another.
#include "base/system/temporary_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <random>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rankine {
namespace {

constexpr std::string_view kMark = ".tmp-";
constexpr std::size_t kNumDigits = 12;
constexpr int kAttempts = 100;

std::string random_digits() {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::random_device source;
  std::string digits;
  while (digits.size() < kNumDigits) digits += kDigits[source() % kDigits.size()];
  return digits;
}

std::filesystem::path folder_of(const std::string& target) {
  const auto folder = std::filesystem::path(target).parent_path();
  return folder.empty() ? "." : folder;
}

/// Whether `path` is still the name of the open file.
bool is_its_name(const FileDescriptor& file, const std::string& path) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(file.value(), &opened) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/// Removes the file unless its writer lives; without locks that cannot be known.
void remove_when_stale(const std::string& path) {
  const FileDescriptor file = open_file(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK);
  if (!file.is_open() || ::flock(file.value(), LOCK_EX | LOCK_NB) != 0) return;
  struct stat status {};
  const bool is_regular = ::fstat(file.value(), &status) == 0 && S_ISREG(status.st_mode);
  if (is_regular && is_its_name(file, path)) ::unlink(path.c_str());
}

void remove_stale(const std::string& target) {
  const std::string start = std::filesystem::path(target).filename().string() + std::string(kMark);
  const auto is_ours = [&start](const std::string& name) {
    return name.size() == start.size() + kNumDigits && name.starts_with(start) &&
           name.find_first_not_of("0123456789abcdef", start.size()) == std::string::npos;
  };
  std::error_code failure;  // a folder that cannot be listed keeps what it has
  std::filesystem::directory_iterator entry(folder_of(target), failure);
  while (!failure && entry != std::filesystem::directory_iterator()) {
    if (is_ours(entry->path().filename().string())) remove_when_stale(entry->path().string());
    entry.increment(failure);
  }
}

/// False only where bytes may be missing: some devices have nothing to synchronise.
bool synchronise(int descriptor) {
  return ::fsync(descriptor) == 0 || errno == EINVAL || errno == ENOSYS || errno == EROFS;
}

}  // namespace

TemporaryFile::TemporaryFile(std::string target) : target_(std::move(target)) {
  remove_stale(target_);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (make()) return;
    if (errno != EEXIST) break;
  }
  const int code = errno;
  path_.clear();
  descriptor_.close();
  errno = code;
}

bool TemporaryFile::make() {
  path_ = target_ + std::string(kMark) + random_digits();
  descriptor_ = open_file(path_, O_WRONLY | O_CREAT | O_EXCL);
  if (!descriptor_.is_open()) return false;
  // A file system without locks is no reason to fail.
  const bool taken = ::flock(descriptor_.value(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (taken || !is_its_name(descriptor_, path_)) {
    errno = EEXIST;
    return false;
  }
  struct stat existing {};
  if (::stat(target_.c_str(), &existing) == 0) {
    // Keeping the mode is a courtesy; a file system without modes is no reason to fail.
    static_cast<void>(::fchmod(descriptor_.value(), existing.st_mode & 07777) == 0);
  }
  return true;
}

TemporaryFile::~TemporaryFile() {
  if (!path_.empty()) ::unlink(path_.c_str());
}

bool TemporaryFile::commit() {
  if (!synchronise(descriptor_.value())) return false;
  // Before it is closed: the lock must last until the name has gone.
  if (::rename(path_.c_str(), target_.c_str()) != 0) return false;
  path_.clear();
  const bool closed = descriptor_.close();
  // The file is complete whatever becomes of this; a folder may be writable and not readable.
  if (const FileDescriptor folder = open_file(folder_of(target_), O_RDONLY | O_DIRECTORY);
      folder.is_open()) {
    synchronise(folder.value());
  }
  return closed;
}

}  // namespace rankine
