// CSV as blocks of documents. Storage::automatic goes by the first rows, since the whole is never
// seen; otherwise as when a whole data set is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <rankine/progress.hpp>
#include <rankine/read.hpp>

#include "base/system/input_bytes.hpp"
#include "io/csv/csv_columns.hpp"
#include "io/csv/csv_rows.hpp"
#include "io/csv/csv_text.hpp"
#include "io/document_block.hpp"

namespace rankine {

class CsvDocuments {
 public:
  struct Slot {
    std::string text;  // whole rows
    std::int64_t lines_before = 0;
    std::int64_t consumed = 0;
    bool dense = true;
    std::vector<float> rows;  // as wide as the file
    CsvRowValues values;
    CsvChunkFindings findings;
    DocumentBlock block;
  };

  /// Blocks of at most `num_columns` columns, fewer when the file has fewer, and of about
  /// `block_bytes` of text. Reads the header: throws Error{data} when it does not fit the options.
  CsvDocuments(InputBytes& input, const ReadOptions& options, const Progress& progress,
               std::int64_t num_columns, std::size_t block_bytes = std::size_t{1} << 18);

  /// As in LetorDocuments; parse() throws the block's mistakes.
  bool take(Slot& slot);
  void parse(Slot& slot) const;
  void check(const Slot& slot) { num_rows_ += std::ssize(slot.block.grades); }
  void release(const Slot& slot);
  void finish();

  std::int64_t num_features() const { return num_features_; }

 private:
  bool next_rows(std::string& text);
  void read_header(const ReadOptions& options);
  void parse_cells(Slot& slot) const;
  CsvText csv_of(const Slot& slot) const;

  InputBytes& input_;
  const Progress& progress_;
  std::size_t block_bytes_;
  LineBlock lines_;
  std::string rest_;          // read and not yet given out: the start of a row
  std::string after_header_;  // rows of the header's block
  bool at_end_ = false;
  std::int64_t num_lines_ = 0;  // given out
  char separator_ = ',';
  CsvColumns columns_;
  std::string place_of_rows_;  // after the header
  std::size_t width_ = 0;      // features of the file
  StringList feature_names_;   // of blocks
  std::int64_t num_features_;
  std::int64_t num_columns_;  // of blocks
  Storage storage_;
  std::int64_t num_rows_ = 0;
};

}  // namespace rankine
