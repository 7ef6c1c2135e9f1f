// Bytes that come one after the other: a descriptor's, plain or through gzip or zstd.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace rankine {

class ByteStream {
 public:
  ByteStream() = default;
  virtual ~ByteStream() = default;
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  /// Writes the next bytes to the front of `out`, which is not empty; returns how many: fewer than
  /// asked for only at the end, or where compressed data is damaged. What could be decoded before
  /// the damage is given out first; the next call then throws Error{data}. Throws Error{io} for a
  /// failing device.
  virtual std::size_t read(std::span<char> out) = 0;
  /// Bytes taken from the file or pipe so far, as they are there.
  virtual std::int64_t consumed() const = 0;
};

/// Called with the bytes taken so far whenever the system has returned from reading, even when a
/// signal made it return with nothing. It may throw to give the stream up.
using ReadWatch = std::function<void(std::int64_t consumed)>;

/// Reads `descriptor` and closes it, unless it is standard input. gzip and zstd are known by their
/// first bytes, whatever the name. `name` is for messages.
std::unique_ptr<ByteStream> open_stream(int descriptor, const std::string& name,
                                        ReadWatch watch = {});

/// The same for bytes in memory, which must outlive the stream.
std::unique_ptr<ByteStream> open_stream(std::span<const char> bytes, const std::string& name);

enum class Compression { none, gzip, zstd };
/// What data that starts with `head` (4 bytes or more, where there are so many) is.
Compression compression_of(std::span<const char> head);

}  // namespace rankine
