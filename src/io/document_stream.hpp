// Documents of an input of any form and size, one part after the other: LETOR text, CSV or the
// cache, plain or compressed, a file, standard input or a pipe. By blocks of rows or by whole
// queries, in one pass or in several where the input can be read again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include <rankine/dataset.hpp>
#include <rankine/progress.hpp>
#include <rankine/read.hpp>

#include "base/system/input_bytes.hpp"
#include "io/document_source.hpp"
#include "io/query_gatherer.hpp"

namespace rankine {

/// What is done with a block, and the slot that it lies in: one of num_block_slots(threads).
using BlockWork = std::function<void(const DocumentBlock& block, std::size_t slot)>;

std::size_t num_block_slots(int threads);

/// The one loop for everything that reads by blocks: `source` takes them one after the other; they
/// are parsed and given to `work` (or nothing) side by side; checked, given to `use` and released
/// in order. What is thrown first in the order of the blocks is thrown here.
void for_each_block(DocumentSource& source, int threads, const BlockWork& work,
                    const BlockWork& use);

class DocumentStream {
 public:
  /// Opens the input ("-": standard input), and reads its first bytes. Keeps a reference to
  /// `progress`, which sees `stage` ("reading", "training on") and the name. Throws Error{data}.
  DocumentStream(std::string path, const ReadOptions& reading, const Progress& progress,
                 std::string_view stage = "reading");
  ~DocumentStream();

  /// As messages name it.
  const std::string& name() const { return input_->name(); }
  DataFormat format() const { return format_; }
  /// Whether there may be a second pass: a regular file can be read again, a pipe cannot.
  bool is_rewindable() const;

  /// Of the documents so far; from the start where is_width_known().
  std::int64_t num_features() const { return source_->num_features(); }
  bool is_width_known() const { return source_->is_width_known(); }
  StringList feature_names() const { return source_->feature_names(); }
  /// By document its row in the input; empty where they come in its order, as all but the documents
  /// of a cache do.
  Array<std::int64_t> input_rows() const { return source_->input_rows(); }

  /// One pass over all documents. Throws Error{data} for a mistake in the input, Error{option} for
  /// a second pass over what cannot be read again.
  void for_each_block(std::int64_t num_columns, const BlockWork& work, const BlockWork& use);

  /// One pass by whole queries, about `num_documents` of their documents together. A query's
  /// documents need not follow each other as long as they lie near: up to 2 * num_documents are
  /// held. Throws NonContiguousQuery for one that comes back later. `use` sees every block, in
  /// order, before its documents are handed out; it may be empty.
  void for_each_batch(std::int64_t num_columns, std::size_t num_documents, const BatchWork& work,
                      const BlockWork& use = {});

 private:
  void open();
  void rewind();
  void start_pass(const BlockOptions& options);
  void hand_out(const DocumentBlock& block, std::int64_t first, const BatchWork& work);

  std::string path_;
  ReadOptions reading_;
  const Progress& progress_;
  std::string stage_;
  std::unique_ptr<InputBytes> input_;
  DataFormat format_ = DataFormat::automatic;
  std::unique_ptr<DocumentSource> source_;
  bool is_used_ = false;
};

/// Throws the error for a query that comes back too late. `reason` says why the caller needs whole
/// queries: "one pass needs the documents of a query together".
[[noreturn]] void throw_non_contiguous(const std::string& name, const NonContiguousQuery& query,
                                       const std::string& reason);

}  // namespace rankine
