// CSV as blocks of documents. Storage::automatic goes by the first rows, since the whole is never
// seen; otherwise as when a whole data set is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <rankine/progress.hpp>
#include <rankine/read.hpp>

#include "base/system/input_bytes.hpp"
#include "io/csv/csv_columns.hpp"
#include "io/csv/csv_rows.hpp"
#include "io/csv/csv_text.hpp"
#include "io/document_source.hpp"

namespace rankine {

struct CsvBlock final : DocumentBlock {
  std::string text;  // whole rows
  std::int64_t lines_before = 0;
  std::int64_t consumed = 0;
  bool dense = true;
  std::vector<float> rows;  // as wide as the file
  CsvRowValues cells;
  CsvChunkFindings findings;
};

class CsvSource final : public DocumentSource {
 public:
  /// Reads the header: throws Error{data} when it does not fit the options. Keeps references to
  /// `input` and `progress`.
  CsvSource(InputBytes& input, const ReadOptions& options, const Progress& progress);

  void set_blocks(const BlockOptions& options) override;
  std::unique_ptr<DocumentBlock> new_block() const override { return std::make_unique<CsvBlock>(); }
  bool take(DocumentBlock& block) override;
  void parse(DocumentBlock& block) const override;
  void check(const DocumentBlock& block) override { num_rows_ += std::ssize(block.grades); }
  void release(const DocumentBlock& block) override;
  void finish() override;

  std::int64_t num_features() const override { return num_features_; }
  bool is_width_known() const override { return true; }
  StringList feature_names() const override { return feature_names_; }

 private:
  bool next_rows(std::string& text);
  void read_header();
  void parse_cells(CsvBlock& block) const;
  CsvText csv_of(const CsvBlock& block) const;

  InputBytes& input_;
  const Progress& progress_;
  ReadOptions options_;
  std::size_t block_bytes_;
  LineBlock lines_;
  std::string rest_;          // read and not yet given out: the start of a row
  std::string after_header_;  // rows of the header's block
  bool at_end_ = false;
  std::int64_t num_lines_ = 0;  // given out
  char separator_ = ',';
  CsvColumns columns_;
  StringList feature_names_;
  std::string place_of_rows_;  // after the header
  std::size_t width_ = 0;      // features of the file
  std::int64_t num_features_ = 0;
  std::int64_t num_columns_ = 0;  // of blocks
  Storage storage_;
  std::int64_t num_rows_ = 0;
};

}  // namespace rankine
