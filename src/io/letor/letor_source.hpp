// LETOR / SVMlight text as blocks: of parsed rows for reading whole data sets, of documents for
// streaming. Storage::automatic goes by the first lines that have documents, since the
// whole is never seen; otherwise as when a whole data set is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <rankine/progress.hpp>
#include <rankine/read.hpp>

#include "base/system/input_bytes.hpp"
#include "io/document_source.hpp"
#include "io/letor/svmlight_parser.hpp"

namespace rankine {

inline constexpr std::size_t kTextBlockBytes = std::size_t{1} << 18;

struct LetorBlock final : DocumentBlock {
  LineBlock lines;
  ParsedBlock rows;
  bool dense = true;
};

class LetorSource final : public DocumentSource {
 public:
  enum class Makes { documents, rows };

  /// Keeps references to `input` and `progress`. `makes` rows: blocks have no documents, and
  /// LetorBlock::rows is what they are read for.
  LetorSource(InputBytes& input, const ReadOptions& options, const Progress& progress,
              Makes makes = Makes::documents);

  void set_blocks(const BlockOptions& options) override { blocks_ = options; }
  std::unique_ptr<DocumentBlock> new_block() const override {
    return std::make_unique<LetorBlock>();
  }
  bool take(DocumentBlock& block) override;
  void parse(DocumentBlock& block) const override;
  void check(const DocumentBlock& block) override;
  void release(const DocumentBlock& block) override;
  void finish() override;
  std::int64_t num_features() const override { return num_features_; }

  std::int64_t num_rows() const { return num_rows_; }
  const InputBytes& input() const { return input_; }

 private:
  bool take_lines(LetorBlock& block);
  void parse_rows(LetorBlock& block) const;
  void decide_storage(LetorBlock& block);
  [[noreturn]] void fail(const TextError& error) const;
  void report();

  InputBytes& input_;
  const Progress& progress_;
  SvmlightOptions options_;
  std::string stage_;
  Makes makes_;
  BlockOptions blocks_;
  Storage storage_;
  const std::int64_t least_features_;
  std::int64_t num_features_;
  bool at_start_ = true;
  bool has_query_ids_ = false;
  std::int64_t num_rows_ = 0;
  std::int64_t num_lines_ = 0;
  std::int64_t consumed_ = 0;  // bytes
  std::int64_t reported_ = 0;
};

}  // namespace rankine
