// A mapped file's blocks are views of the map, and its pages are given back behind the reader, so
// that the text never counts towards peak memory. A stream's blocks are copied into the caller's
// storage; the part of a line that a block ends with opens the next one.
#include "base/system/input_bytes.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <rankine/error.hpp>

#include "base/system/file_descriptor.hpp"

namespace rankine {
namespace {

/// A line of a stream has to fit in memory, and an endless one must not fill it.
constexpr std::size_t kLongestLine = std::size_t{1} << 28;

[[noreturn]] void fail(const std::string& name, const std::string& cause) {
  throw Error(ErrorKind::data, name + ": cannot read: " + cause);
}

const char* last_line_end(std::string_view text) {
  return static_cast<const char*>(::memrchr(text.data(), '\n', text.size()));
}

const char* first_line_end(std::string_view text) {
  return static_cast<const char*>(std::memchr(text.data(), '\n', text.size()));
}

bool is_compressed(int descriptor) {
  char head[4];
  const ssize_t count = ::pread(descriptor, head, sizeof head, 0);
  return count > 0 && compression_of({head, static_cast<std::size_t>(count)}) != Compression::none;
}

}  // namespace

InputBytes::InputBytes(const std::string& path, ReadWatch watch)
    : name_(path == "-" ? "standard input" : path) {
  if (path == "-") {
    if (!is_readable(STDIN_FILENO)) fail(name_, "it is closed");
    stream_ = open_stream(STDIN_FILENO, name_, std::move(watch));
  } else {
    open(path, std::move(watch));
  }
}

InputBytes::InputBytes(std::string name, std::span<const char> bytes)
    : name_(std::move(name)),
      num_bytes_(static_cast<std::int64_t>(bytes.size())),
      stream_(open_stream(bytes, name_)) {}

void InputBytes::open(const std::string& path, ReadWatch watch) {
  FileDescriptor descriptor = open_file(path, O_RDONLY);
  if (!descriptor.is_open()) fail(name_, std::strerror(errno));
  struct stat status {};
  if (::fstat(descriptor.value(), &status) != 0) fail(name_, std::strerror(errno));
  if (S_ISDIR(status.st_mode)) fail(name_, "it is a directory");
  if (S_ISREG(status.st_mode)) num_bytes_ = status.st_size;
  // Files of no size may have content all the same, as those of /proc do.
  if (num_bytes_ == 0 || is_compressed(descriptor.value())) {
    stream_ = open_stream(descriptor.release(), name_, std::move(watch));
    return;
  }
  map_ = std::make_unique<MappedFile>(path);
}

std::string_view InputBytes::peek(std::size_t count) {
  if (map_ != nullptr) {
    const auto bytes = map_->bytes();
    return {bytes.data(), std::min(count, bytes.size())};
  }
  if (rest_.size() < count) {
    const std::size_t had = rest_.size();
    rest_.resize(count);
    rest_.resize(had + stream_->read(std::span(rest_).subspan(had)));
  }
  return {rest_.data(), std::min(count, rest_.size())};
}

bool InputBytes::next_lines(LineBlock& block, std::size_t target) {
  return map_ != nullptr ? next_mapped_lines(block, target) : next_stream_lines(block, target);
}

bool InputBytes::next_mapped_lines(LineBlock& block, std::size_t target) {
  const std::string_view all(map_->bytes().data(), map_->bytes().size());
  const std::string_view left = all.substr(position_);
  if (left.empty()) {
    map_->check_unchanged();
    return false;
  }
  const char* end = left.data() + left.size();
  if (target < left.size()) {
    const char* line_end = last_line_end(left.substr(0, target));
    if (line_end == nullptr) line_end = first_line_end(left.substr(target));
    if (line_end != nullptr) end = line_end + 1;
  }
  block.text = {left.data(), static_cast<std::size_t>(end - left.data())};
  position_ += block.text.size();
  block.consumed = static_cast<std::int64_t>(position_);
  return true;
}

/// Fewer bytes than asked for mean the end, or a failure that is kept for later.
std::size_t InputBytes::read_stream(std::span<char> out) {
  const std::size_t count = stream_->read(out);
  if (count < out.size()) {
    try {
      stream_->read(out.subspan(count));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::data) throw;
      failure_ = std::current_exception();
    }
  }
  return count;
}

bool InputBytes::next_stream_lines(LineBlock& block, std::size_t target) {
  if (failure_) std::rethrow_exception(failure_);
  std::vector<char>& storage = block.storage;
  storage.assign(rest_.begin(), rest_.end());
  rest_.clear();
  std::size_t filled = storage.size();
  std::size_t searched = 0;
  const char* line_end = nullptr;
  bool at_end = false;
  for (std::size_t wanted = std::max(target, filled); line_end == nullptr && !at_end;
       wanted = 2 * filled) {
    if (filled >= kLongestLine) fail(name_, "a line of over 256 MiB: this is not text");
    storage.resize(wanted + kPadding);
    if (filled < wanted) {
      const std::size_t count = read_stream({storage.data() + filled, wanted - filled});
      at_end = count < wanted - filled;
      filled += count;
    }
    line_end = last_line_end({storage.data() + searched, filled - searched});
    searched = filled;
  }
  if (failure_ && line_end == nullptr) std::rethrow_exception(failure_);
  if (filled == 0) return false;
  std::size_t size = filled;
  if (!at_end || failure_) {
    size = static_cast<std::size_t>(line_end + 1 - storage.data());
    rest_.assign(storage.begin() + static_cast<std::ptrdiff_t>(size),
                 storage.begin() + static_cast<std::ptrdiff_t>(filled));
  }
  std::fill_n(storage.begin() + static_cast<std::ptrdiff_t>(size), kPadding, '\0');
  block.text = {storage.data(), size};
  block.consumed = stream_->consumed();
  return true;
}

void InputBytes::release(const LineBlock& block) {
  if (map_ == nullptr) return;
  const auto end = static_cast<std::size_t>(block.consumed);
  // A page fault in a block brings back pages before it: they are released again.
  map_->release(released_ - std::min(released_, MappedFile::kFaultBytes), end);
  released_ = end / page_size() * page_size();
}

std::string_view InputBytes::rest(std::string& storage) {
  if (map_ == nullptr) return storage = read_all();
  const auto bytes = map_->bytes().subspan(position_);
  position_ = map_->bytes().size();
  return {bytes.data(), bytes.size()};
}

std::string InputBytes::read_all() {
  return read_at_most(std::numeric_limits<std::size_t>::max());
}

std::string InputBytes::read_at_most(std::size_t most) {
  if (map_ != nullptr) {
    std::string unused;
    return std::string(rest(unused).substr(0, most));
  }
  std::string all(rest_.begin(), rest_.end());
  rest_.clear();
  for (std::size_t piece = std::size_t{1} << 16; all.size() < most; piece *= 2) {
    const std::size_t had = all.size();
    const std::size_t wanted = std::min(piece, most - had);
    all.resize(had + wanted);
    const std::size_t count = read_stream({all.data() + had, wanted});
    if (failure_) std::rethrow_exception(failure_);
    all.resize(had + count);
    if (count < wanted) break;
  }
  return all;
}

}  // namespace rankine
