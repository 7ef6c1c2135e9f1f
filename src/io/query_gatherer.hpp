// Blocks of documents to batches of whole queries, within a bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <rankine/dataset.hpp>

#include "data/collect/query_numbers.hpp"
#include "io/document_block.hpp"

namespace rankine {

/// Thrown when a query goes on after it has been handed out: no mistake of the user's.
struct NonContiguousQuery {
  std::string id;
  std::int64_t row = 0;  // of the input, from 0
};

/// Whole queries, in the order of their first documents, and the place of each of their documents
/// in the order of the blocks, from 0. Valid during the call. Without query ids and comments.
struct QueryBatch {
  const Dataset& documents;
  std::span<const std::int64_t> places;
};
using BatchWork = std::function<void(const QueryBatch& batch)>;

class QueryGatherer {
 public:
  /// Batches of about `num_documents`, or of one longer query. At most twice as many documents are
  /// held, and one longer query.
  explicit QueryGatherer(std::size_t num_documents) : num_documents_(num_documents) {}

  /// Once 2 * num_documents are held and another query begins, those that were seen longest ago are
  /// handed out, until num_documents are left. Throws NonContiguousQuery when one of them comes
  /// back. Batches do not depend on where blocks are cut. Blocks must all be dense or all be
  /// sparse, and of one width.
  void add(const DocumentBlock& block, const BatchWork& work);
  /// The rest.
  void finish(const BatchWork& work);

 private:
  struct OpenQuery {
    std::uint32_t number = 0;
    std::int64_t last_row = 0;  // seen so far
    std::vector<double> grades;
    std::vector<double> weights;
    std::vector<std::int64_t> places;
    std::vector<float> values;
    std::vector<std::uint32_t> columns;     // sparse
    std::vector<std::int64_t> row_lengths;  // sparse
    std::vector<MissingValue> missing;      // documents from 0
  };

  OpenQuery& find(std::string_view id, const BatchWork& work);
  void append(OpenQuery& query, const DocumentBlock& block, std::size_t first, std::size_t last);
  /// Hands out the queries seen longest ago, except `going_on`, until `most_left` documents are
  /// left.
  void hand_out(std::size_t most_left, std::uint32_t going_on, const BatchWork& work);
  void append_to_batch(const OpenQuery& query);

  std::size_t num_documents_;
  QueryNumbers numbers_;
  std::vector<OpenQuery> open_;   // by rising number
  std::vector<OpenQuery> spare_;  // whose memory is used again
  std::size_t last_ = 0;          // the open query of the last row
  std::size_t num_held_ = 0;      // documents
  std::int64_t num_rows_ = 0;
  DocumentBlock batch_;
  std::vector<std::int64_t> places_;
};

}  // namespace rankine
