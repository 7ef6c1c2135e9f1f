// LETOR / SVMlight text as a sequence of parsed blocks: what the reader of whole data sets and the
// readers that stream have in common. Blocks may be parsed side by side; their mistakes are told in
// the order of the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <rankine/progress.hpp>
#include <rankine/read.hpp>

#include "base/system/input_bytes.hpp"
#include "io/letor/svmlight_parser.hpp"

namespace rankine {

inline constexpr std::size_t kTextBlockBytes = std::size_t{1} << 18;

struct LetorBlock {
  LineBlock lines;
  ParsedBlock rows;
};

class LetorBlocks {
 public:
  /// Keeps references to all three.
  LetorBlocks(InputBytes& input, const ReadOptions& options, const Progress& progress);

  /// Takes the next lines, about `num_bytes` of them; false at the end.
  bool take(LetorBlock& block, std::size_t num_bytes);
  /// May run for several blocks at once.
  void parse(LetorBlock& block) const;
  /// To be called for the blocks in order. Throws Error{data}, "train.txt:1042:17: ...", when the
  /// block has a mistake or differs from those before it in having query ids.
  void check(const LetorBlock& block);
  /// Tells how far we are and gives back the text up to this block's end. In order.
  void release(const LetorBlock& block);
  /// After the last block. Throws Error{data} when there were no documents.
  void finish();

  std::int64_t num_rows() const { return num_rows_; }
  const InputBytes& input() const { return input_; }

 private:
  [[noreturn]] void fail(const TextError& error) const;
  void report();

  InputBytes& input_;
  const Progress& progress_;
  SvmlightOptions options_;
  std::string stage_;
  bool at_start_ = true;
  bool has_query_ids_ = false;
  std::int64_t num_rows_ = 0;
  std::int64_t num_lines_ = 0;
  std::int64_t consumed_ = 0;  // bytes
  std::int64_t reported_ = 0;
};

}  // namespace rankine
