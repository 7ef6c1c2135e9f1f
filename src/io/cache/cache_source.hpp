// A cache as blocks of documents: views of the file, whose pages are released once they were used.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <rankine/dataset.hpp>
#include <rankine/progress.hpp>

#include "base/system/input_bytes.hpp"
#include "base/system/mapped_file.hpp"
#include "io/document_source.hpp"

namespace rankine {

struct CacheBlock final : DocumentBlock {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

class CacheSource final : public DocumentSource {
 public:
  /// `input` is that of `path`: mapped again, or where it is no plain file read into memory. Keeps
  /// a reference to `progress`. Throws Error{data} when the cache is damaged.
  CacheSource(const std::string& path, InputBytes& input, int threads, const Progress& progress);

  /// Blocks always have all columns. num_bytes counts those of feature values.
  void set_blocks(const BlockOptions& options) override;
  std::unique_ptr<DocumentBlock> new_block() const override {
    return std::make_unique<CacheBlock>();
  }
  bool take(DocumentBlock& block) override;
  void parse(DocumentBlock& block) const override;
  void check(const DocumentBlock& block) override;
  void release(const DocumentBlock& block) override;
  void finish() override;

  std::int64_t num_features() const override { return data_.num_features(); }
  bool is_width_known() const override { return true; }
  StringList feature_names() const override { return data_.feature_names; }
  bool gives_whole_queries() const override { return true; }
  Array<std::int64_t> input_rows() const override { return data_.input_rows; }

 private:
  std::int64_t end_of_block(std::int64_t first) const;
  void set_queries(CacheBlock& block) const;

  std::string name_;
  std::shared_ptr<const MappedFile> file_;  // null: the data is in memory
  Dataset data_;
  Array<double> grades_;  // of data_
  const Progress& progress_;
  BlockOptions blocks_;
  std::int64_t block_values_ = 0;
  std::int64_t next_ = 0;
  std::size_t next_missing_ = 0;
};

}  // namespace rankine
