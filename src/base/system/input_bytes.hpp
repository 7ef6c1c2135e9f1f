// The bytes of whatever a user names: a regular file (mapped), "-" for standard input, a pipe, and
// each of them plain, gzip or zstd. Given out in blocks of whole lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/system/byte_stream.hpp"
#include "base/system/mapped_file.hpp"

namespace rankine {

/// Some lines of the input. Reuse one object for many blocks: it keeps its memory.
struct LineBlock {
  std::string_view text;
  std::vector<char> storage;  // holds `text` where the input is not mapped
  std::int64_t consumed = 0;  // bytes of the input used up with this block
};

class InputBytes {
 public:
  /// So many bytes after a block may be read. Those after the input's last are 0.
  static constexpr std::size_t kPadding = MappedFile::kPadding;

  /// Throws Error{data}: "train.txt: cannot read: No such file or directory". `watch` sees what is
  /// read from a stream, which may come slowly; a mapped file is read when its bytes are used.
  explicit InputBytes(const std::string& path, ReadWatch watch = {});

  /// Bytes in memory, which must outlive this.
  InputBytes(std::string name, std::span<const char> bytes);

  /// As messages name it: the path, or "standard input".
  const std::string& name() const { return name_; }
  /// Of the file as it is stored; 0 when not known.
  std::int64_t num_bytes() const { return num_bytes_; }
  /// Whether blocks are views of the file itself, so that num_bytes() is the size of the text.
  bool is_mapped() const { return map_ != nullptr; }

  /// The first `count` bytes, or all when there are fewer; they remain to be read. Only before the
  /// first block.
  std::string_view peek(std::size_t count);
  /// The next lines, about `target` bytes of them and at least one; only the input's last may lack
  /// its line end. False at the end. Throws Error{data} for damaged compressed data, once every
  /// line before the damage has been given out.
  bool next_lines(LineBlock& block, std::size_t target);
  /// Gives back the memory of the file up to this block's end. Blocks must come in order.
  void release(const LineBlock& block);
  /// Everything that is left, in memory.
  std::string read_all();
  /// The same, but `most` bytes at most: memory grows with what has come, not with `most`.
  std::string read_at_most(std::size_t most);
  /// The same without a copy where the input is mapped; otherwise `storage` holds it. Valid while
  /// both live.
  std::string_view rest(std::string& storage);

 private:
  void open(const std::string& path, ReadWatch watch);
  bool next_mapped_lines(LineBlock& block, std::size_t target);
  bool next_stream_lines(LineBlock& block, std::size_t target);
  std::size_t read_stream(std::span<char> out);

  std::string name_;
  std::int64_t num_bytes_ = 0;
  std::unique_ptr<MappedFile> map_;
  std::size_t position_ = 0;  // in the map
  std::size_t released_ = 0;
  std::unique_ptr<ByteStream> stream_;
  std::exception_ptr failure_;  // of the stream, once every line before it has been given out
  std::vector<char> rest_;      // read from the stream, not yet given out
};

}  // namespace rankine
