// A decoder pulls compressed bytes from the plain stream below it through one buffer. Files made of
// several compressed parts one after the other are one stream, as gzip and zstd themselves have it.
#include "base/system/byte_stream.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <utility>
#include <vector>

#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <rankine/error.hpp>

namespace rankine {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 17;
constexpr std::size_t kMagicBytes = 4;

class PlainStream final : public ByteStream {
 public:
  PlainStream(int descriptor, std::string name, ReadWatch watch)
      : descriptor_(descriptor), name_(std::move(name)), watch_(std::move(watch)) {}
  ~PlainStream() override {
    if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
  }

  std::size_t read(std::span<char> out) override {
    std::size_t filled = 0;
    if (!head_.empty()) {
      filled = std::min(head_.size(), out.size());
      std::copy_n(head_.begin(), filled, out.begin());
      head_.erase(head_.begin(), head_.begin() + static_cast<std::ptrdiff_t>(filled));
    }
    filled += read_descriptor(out.subspan(filled));
    consumed_ += static_cast<std::int64_t>(filled);
    return filled;
  }
  std::int64_t consumed() const override { return consumed_; }

  /// The first bytes, which read() will give again.
  std::span<const char> head() {
    std::array<char, kMagicBytes> first{};
    const std::size_t count = read_descriptor(first);
    head_.assign(first.begin(), first.begin() + count);
    return head_;
  }

 private:
  std::size_t read_descriptor(std::span<char> out) {
    std::size_t filled = 0;
    while (filled < out.size()) {
      const ssize_t count = ::read(descriptor_, out.data() + filled, out.size() - filled);
      if (count == 0) break;
      if (count > 0) {
        filled += static_cast<std::size_t>(count);
        taken_ += count;
      } else if (errno != EINTR) {
        const ErrorKind kind = errno == EISDIR ? ErrorKind::data : ErrorKind::io;
        throw Error(kind, name_ + ": cannot read: " + std::strerror(errno));
      }
      if (watch_) watch_(taken_);
    }
    return filled;
  }

  int descriptor_;
  std::string name_;
  ReadWatch watch_;
  std::vector<char> head_;
  std::int64_t taken_ = 0;     // from the descriptor
  std::int64_t consumed_ = 0;  // of that, given out
};

class MemoryStream final : public ByteStream {
 public:
  explicit MemoryStream(std::span<const char> bytes) : bytes_(bytes) {}
  std::size_t read(std::span<char> out) override {
    const auto count = std::min(out.size(), bytes_.size() - position_);
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(position_), count, out.begin());
    position_ += count;
    return count;
  }
  std::int64_t consumed() const override { return static_cast<std::int64_t>(position_); }

 private:
  std::span<const char> bytes_;
  std::size_t position_ = 0;
};

class DecodedStream : public ByteStream {
 public:
  DecodedStream(std::unique_ptr<ByteStream> below, std::string name)
      : below_(std::move(below)), name_(std::move(name)) {}
  std::int64_t consumed() const final { return below_->consumed(); }

  std::size_t read(std::span<char> out) final {
    if (failure_) std::rethrow_exception(failure_);
    std::size_t filled = 0;
    try {
      decode(out, filled);
    } catch (const Error& error) {
      if (filled == 0 || error.kind() != ErrorKind::data) throw;
      failure_ = std::current_exception();
    }
    return filled;
  }

 protected:
  /// read() with the number of bytes kept up to date, so that it is right when this throws.
  virtual void decode(std::span<char> out, std::size_t& filled) = 0;

  /// What is buffered; more is read when nothing is. Empty at the end of the file.
  std::span<char> input() {
    if (first_ == last_) {
      first_ = 0;
      last_ = below_->read(buffer_);
    }
    return std::span(buffer_).subspan(first_, last_ - first_);
  }
  void drop_input(std::size_t count) { first_ += count; }

  [[noreturn]] void fail_short(const char* kind) const {
    throw Error(ErrorKind::data, name_ + ": the " + kind + " data ends too early: it is cut short");
  }
  [[noreturn]] void fail_damaged(const char* kind, const char* cause) const {
    throw Error(ErrorKind::data, name_ + ": the " + kind + " data is damaged: " + cause);
  }

 private:
  std::unique_ptr<ByteStream> below_;
  std::string name_;
  std::exception_ptr failure_;
  std::vector<char> buffer_ = std::vector<char>(kBufferBytes);
  std::size_t first_ = 0;
  std::size_t last_ = 0;
};

class GzipStream final : public DecodedStream {
 public:
  GzipStream(std::unique_ptr<ByteStream> below, std::string name)
      : DecodedStream(std::move(below), std::move(name)) {
    constexpr int kGzipWindow = 15 + 16;  // zlib: largest window, gzip header
    if (inflateInit2(&state_, kGzipWindow) != Z_OK) throw std::bad_alloc();
  }
  ~GzipStream() override { inflateEnd(&state_); }

 private:
  void decode(std::span<char> out, std::size_t& filled) override {
    while (filled < out.size() && !finished_) {
      const std::span<char> in = input();
      if (in.empty()) {
        if (!between_members_) fail_short("gzip");
        finished_ = true;
        break;
      }
      if (between_members_ && !start_member(in)) continue;
      inflate_some(in, out, filled);
    }
  }

  /// Zeros may follow the last member (tapes pad so); anything else must be another member.
  bool start_member(std::span<char> in) {
    if (in.front() != '\0') {
      between_members_ = false;
      return true;
    }
    drop_input(1);
    return false;
  }

  void inflate_some(std::span<char> in, std::span<char> out, std::size_t& filled) {
    constexpr std::size_t kPiece = std::size_t{1} << 30;  // zlib counts in 32 bits
    const std::size_t room = std::min(out.size() - filled, kPiece);
    state_.next_in = reinterpret_cast<Bytef*>(in.data());
    state_.avail_in = static_cast<uInt>(in.size());
    state_.next_out = reinterpret_cast<Bytef*>(out.data() + filled);
    state_.avail_out = static_cast<uInt>(room);
    const int status = inflate(&state_, Z_NO_FLUSH);
    drop_input(in.size() - state_.avail_in);
    filled += room - state_.avail_out;
    if (status == Z_STREAM_END) {
      between_members_ = true;
      inflateReset(&state_);
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      fail_damaged("gzip", state_.msg != nullptr ? state_.msg : "it cannot be decoded");
    }
  }

  z_stream state_{};
  bool between_members_ = false;
  bool finished_ = false;
};

class ZstdStream final : public DecodedStream {
 public:
  ZstdStream(std::unique_ptr<ByteStream> below, std::string name)
      : DecodedStream(std::move(below), std::move(name)), state_(ZSTD_createDStream()) {
    if (state_ == nullptr) throw std::bad_alloc();
  }
  ~ZstdStream() override { ZSTD_freeDStream(state_); }

 private:
  void decode(std::span<char> out, std::size_t& filled) override {
    while (filled < out.size()) {
      if (given_ == decoded_ && !decode_more()) return;
      const std::size_t count = std::min(out.size() - filled, decoded_ - given_);
      std::copy_n(plain_.begin() + static_cast<std::ptrdiff_t>(given_), count,
                  out.begin() + static_cast<std::ptrdiff_t>(filled));
      given_ += count;
      filled += count;
    }
  }

  /// Through a buffer of one size: how much zstd gives out before damage depends on the room it
  /// has.
  bool decode_more() {
    given_ = decoded_ = 0;
    while (decoded_ == 0) {
      const std::span<char> in = input();
      // After a complete frame `left_` is 0; what is held back inside a frame needs no input.
      if (in.empty() && left_ == 0) return false;
      ZSTD_inBuffer source{in.data(), in.size(), 0};
      ZSTD_outBuffer output{plain_.data(), plain_.size(), 0};
      left_ = ZSTD_decompressStream(state_, &output, &source);
      if (ZSTD_isError(left_) != 0) fail_damaged("zstd", ZSTD_getErrorName(left_));
      drop_input(source.pos);
      decoded_ = output.pos;
      if (in.empty() && decoded_ == 0) fail_short("zstd");
    }
    return true;
  }

  ZSTD_DStream* state_;
  std::size_t left_ = 0;
  std::vector<char> plain_ = std::vector<char>(kBufferBytes);
  std::size_t given_ = 0;    // of plain_
  std::size_t decoded_ = 0;  // into plain_
};

std::unique_ptr<ByteStream> decoded(std::unique_ptr<ByteStream> plain, Compression compression,
                                    const std::string& name) {
  switch (compression) {
    case Compression::gzip:
      return std::make_unique<GzipStream>(std::move(plain), name);
    case Compression::zstd:
      return std::make_unique<ZstdStream>(std::move(plain), name);
    case Compression::none:
      break;
  }
  return plain;
}

}  // namespace

Compression compression_of(std::span<const char> head) {
  const std::string_view text(head.data(), head.size());
  if (text.starts_with("\x1f\x8b")) return Compression::gzip;
  if (text.starts_with("\x28\xb5\x2f\xfd")) return Compression::zstd;
  return Compression::none;
}

std::unique_ptr<ByteStream> open_stream(int descriptor, const std::string& name, ReadWatch watch) {
  auto plain = std::make_unique<PlainStream>(descriptor, name, std::move(watch));
  const Compression compression = compression_of(plain->head());
  return decoded(std::move(plain), compression, name);
}

std::unique_ptr<ByteStream> open_stream(std::span<const char> bytes, const std::string& name) {
  return decoded(std::make_unique<MemoryStream>(bytes), compression_of(bytes), name);
}

}  // namespace rankine
