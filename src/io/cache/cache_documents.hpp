// A mapped cache as blocks of documents: views of the file, whose pages are given back behind.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <rankine/dataset.hpp>
#include <rankine/progress.hpp>

#include "base/system/mapped_file.hpp"
#include "io/document_block.hpp"

namespace rankine {

class CacheDocuments {
 public:
  struct Slot {
    std::int64_t first = 0;
    std::int64_t last = 0;
    DocumentBlock block;
  };

  /// With `whole_queries` no query is cut; otherwise the blocks have no queries. About
  /// `block_values` stored values a block. Throws Error{data} when the file is damaged.
  CacheDocuments(const std::string& path, int threads, const Progress& progress, bool whole_queries,
                 std::int64_t block_values = std::int64_t{1} << 18);

  /// As in LetorDocuments. Documents come in the order of whole().
  bool take(Slot& slot);
  void parse(Slot& slot) const;
  void check(const Slot& slot);
  void release(const Slot& slot) const;
  void finish() const {}

  std::int64_t num_features() const { return data_.num_features(); }
  /// The data set, as it lies in the file.
  const Dataset& whole() const { return data_; }

 private:
  std::int64_t end_of_block(std::int64_t first) const;

  std::shared_ptr<const MappedFile> file_;
  Dataset data_;
  Array<double> grades_;  // of data_
  const Progress& progress_;
  std::string stage_;
  bool whole_queries_;
  std::int64_t block_values_;
  std::int64_t next_ = 0;
  std::int64_t next_query_ = 0;
};

}  // namespace rankine
