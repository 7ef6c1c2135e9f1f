// Bytes pass through a compressor (or none) into a buffer and from there to the descriptor. The
// temporary name is unique to this process and object, in the target's own folder: rename() is then
// atomic, and two writers of one target do not mix.
#include "base/system/output_file.hpp"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <rankine/error.hpp>

namespace rankine {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 18;

std::string temporary_name(const std::string& target) {
  static std::atomic<unsigned> counter{0};
  return target + ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(counter++);
}

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
    if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
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
    if (descriptor_ == STDOUT_FILENO) return;
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) fail();
    if (temporary_.empty()) return;
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail();
    temporary_.clear();
  }

  const std::string& name() const { return name_; }

 private:
  void open(const std::string& path) {
    if (path == "-") {
      descriptor_ = STDOUT_FILENO;
      return;
    }
    std::error_code ignored;
    const auto status = std::filesystem::status(path, ignored);
    if (std::filesystem::is_directory(status)) {
      throw Error(ErrorKind::io, name_ + ": cannot write: it is a directory");
    }
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
      descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    } else {
      // Through a symbolic link the file it names is replaced, not the link.
      target_ = std::filesystem::exists(status) ? std::filesystem::canonical(path).string() : path;
      temporary_ = temporary_name(target_);
      descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      struct stat existing {};
      if (descriptor_ >= 0 && ::stat(target_.c_str(), &existing) == 0) {
        // Keeping the mode is a courtesy; a file system without modes is no reason to fail.
        static_cast<void>(::fchmod(descriptor_, existing.st_mode & 07777) == 0);
      }
    }
    if (descriptor_ < 0) {
      temporary_.clear();
      fail();
    }
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
  std::string target_;
  std::string temporary_;
  Compression compression_;
  int descriptor_ = -1;
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

}  // namespace rankine
