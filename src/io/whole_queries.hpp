// Blocks of documents to data sets of whole queries, as long as the documents of a query follow
// each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <rankine/dataset.hpp>

#include "data/collect/query_numbers.hpp"
#include "io/document_block.hpp"

namespace rankine {

/// Thrown when a query goes on after others have come: no mistake of the user's.
struct NonContiguousQuery {
  std::string id;
  std::int64_t row = 0;  // of the input, from 0
};

class WholeQueries {
 public:
  using Take = std::function<void(const Dataset&)>;

  /// Data sets of `num_documents` documents or a little more, or of one longer query.
  explicit WholeQueries(std::size_t num_documents) : num_documents_(num_documents) {}

  /// Calls take(documents) when enough queries are complete. Throws NonContiguousQuery. Blocks must
  /// all be dense or all be sparse.
  void add(const DocumentBlock& block, const Take& take);
  /// The rest.
  void finish(const Take& take);

 private:
  void start_query(std::string_view id, const Take& take);
  void append(const DocumentBlock& block, std::size_t first, std::size_t last);

  std::size_t num_documents_;
  QueryNumbers numbers_;
  std::uint32_t query_ = 0;
  std::int64_t num_rows_ = 0;
  DocumentBlock pending_;
};

}  // namespace rankine
