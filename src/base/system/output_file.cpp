// Bytes pass through a compressor (or none) into a buffer and from there to a temporary file beside
// the target (base/system/temporary_file), whose bytes reach the disk before its new name does:
// after a crash of the machine there is the old file or the whole new one.
#include "base/system/output_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <vector>

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <rankine/error.hpp>
#include <rankine/program.hpp>

#include "base/system/file_descriptor.hpp"
#include "base/system/temporary_file.hpp"

namespace rankine {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 18;

enum class Compression { none, gzip, zstd };

Compression compression_of(std::string_view path) {
  if (path.ends_with(".gz")) return Compression::gzip;
  if (path.ends_with(".zst")) return Compression::zstd;
  return Compression::none;
}

}  // namespace

class OutputFile::State {
 public:
  explicit State(const std::string& path)
      : name_(path == "-" ? "standard output" : path), compression_(compression_of(path)) {
    open(path);
    buffer_.reserve(kBufferBytes);
    if (compression_ == Compression::gzip) {
      constexpr int kGzipWindow = 15 + 16;  // zlib: largest window, gzip header
      if (deflateInit2(&gzip_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, 8,
                       Z_DEFAULT_STRATEGY) != Z_OK) {
        throw Error(ErrorKind::io, name_ + ": cannot start gzip");
      }
    } else if (compression_ == Compression::zstd) {
      zstd_ = ZSTD_createCStream();
    }
  }

  ~State() {
    if (compression_ == Compression::gzip) deflateEnd(&gzip_);
    if (zstd_ != nullptr) ZSTD_freeCStream(zstd_);
  }

  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void write(std::string_view bytes, bool last) {
    switch (compression_) {
      case Compression::none:
        append(bytes);
        break;
      case Compression::gzip:
        write_gzip(bytes, last);
        break;
      case Compression::zstd:
        write_zstd(bytes, last);
        break;
    }
    if (last) flush();
  }

  void commit() {
    write({}, true);
    if (temporary_ && !temporary_->commit()) fail();
    if (!direct_.close()) fail();
  }

  const std::string& name() const { return name_; }

 private:
  void open(const std::string& path) {
    if (path == "-") {
      if (!is_writable(STDOUT_FILENO)) throw_closed();
      descriptor_ = STDOUT_FILENO;
      return;
    }
    std::error_code ignored;
    const auto status = std::filesystem::status(path, ignored);
    if (std::filesystem::is_directory(status)) {
      throw Error(ErrorKind::io, name_ + ": cannot write: it is a directory");
    }
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
      direct_ = open_file(path, O_WRONLY);
      descriptor_ = direct_.value();
    } else {
      // Through a symbolic link the file it names is replaced, not the link.
      temporary_.emplace(std::filesystem::exists(status) ? std::filesystem::canonical(path).string()
                                                         : path);
      descriptor_ = temporary_->descriptor();
    }
    if (descriptor_ < 0) fail();
  }

  [[noreturn]] void throw_closed() const {
    throw Error(ErrorKind::io, name_ + ": cannot write: it is closed");
  }

  [[noreturn]] void fail() const {
    const int code = errno;
    if (code == EPIPE) throw Error(ErrorKind::io, name_ + ": the reader of the pipe has gone");
    throw Error(ErrorKind::io, name_ + ": cannot write: " + std::strerror(code));
  }

  void flush() {
    const char* next = buffer_.data();
    std::size_t left = buffer_.size();
    while (left > 0) {
      const ssize_t written = ::write(descriptor_, next, left);
      if (written < 0) {
        if (errno == EINTR) continue;
        fail();
      }
      next += written;
      left -= static_cast<std::size_t>(written);
    }
    buffer_.clear();
  }

  void append(std::string_view bytes) {
    if (buffer_.size() + bytes.size() > kBufferBytes) flush();
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    if (buffer_.size() >= kBufferBytes) flush();
  }

  void write_gzip(std::string_view bytes, bool last) {
    constexpr std::size_t kPiece = std::size_t{1} << 30;  // zlib counts in 32 bits
    do {
      const auto piece = bytes.substr(0, kPiece);
      bytes.remove_prefix(piece.size());
      gzip_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
      gzip_.avail_in = static_cast<uInt>(piece.size());
      const int mode = last && bytes.empty() ? Z_FINISH : Z_NO_FLUSH;
      do {
        gzip_.next_out = reinterpret_cast<Bytef*>(chunk_.data());
        gzip_.avail_out = static_cast<uInt>(chunk_.size());
        deflate(&gzip_, mode);
        append({chunk_.data(), chunk_.size() - gzip_.avail_out});
      } while (gzip_.avail_out == 0);
    } while (!bytes.empty());
  }

  void write_zstd(std::string_view bytes, bool last) {
    ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
    const ZSTD_EndDirective mode = last ? ZSTD_e_end : ZSTD_e_continue;
    std::size_t left = 0;
    do {
      ZSTD_outBuffer output{chunk_.data(), chunk_.size(), 0};
      left = ZSTD_compressStream2(zstd_, &output, &input, mode);
      if (ZSTD_isError(left) != 0) {
        throw Error(ErrorKind::io, name_ + ": cannot compress: " + ZSTD_getErrorName(left));
      }
      append({chunk_.data(), output.pos});
    } while (last ? left != 0 : input.pos < input.size);
  }

  std::string name_;
  Compression compression_;
  std::optional<TemporaryFile> temporary_;
  FileDescriptor direct_;  // of a device or a pipe
  int descriptor_ = -1;    // of any of them, or standard output
  z_stream gzip_{};
  ZSTD_CStream* zstd_ = nullptr;
  std::vector<char> buffer_;
  std::vector<char> chunk_ = std::vector<char>(kBufferBytes / 2);
};

OutputFile::OutputFile(const std::string& path) : state_(std::make_unique<State>(path)) {}
OutputFile::~OutputFile() = default;
void OutputFile::write(std::string_view bytes) {
  state_->write(bytes, false);
}
void OutputFile::commit() {
  state_->commit();
}
const std::string& OutputFile::name() const {
  return state_->name();
}

void check_output(const std::string& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  const bool is_special = std::filesystem::exists(status) &&
                          !std::filesystem::is_regular_file(status) &&
                          !std::filesystem::is_directory(status);
  if (path == "-" || !is_special) {
    const OutputFile file(path);
    return;
  }
  // Opening a pipe and closing it would tell its reader that all has been written.
  if (::access(path.c_str(), W_OK) == 0) return;
  throw Error(ErrorKind::io, path + ": cannot write: " + std::strerror(errno));
}

}  // namespace rankine
