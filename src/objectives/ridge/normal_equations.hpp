// RankRLS as plain least squares. With F a root of the pairs' Laplacian (compute/laplacian_rows),
//   J(w) = sum over pairs of weight * ((y_i - y_j) - (s_i - s_j))^2 + alpha |w|^2,   s = X D w
//        = |F y - F X D w|^2 + alpha |w|^2,
// so all that a solver needs are the rows F X D with the targets F y, or their sums.
// Cost of the sums: O(n d^2) in one pass; memory O(d^2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/sums/streamed_sum.hpp"
#include "compute/laplacian_rows.hpp"
#include "compute/query_rows.hpp"
#include "compute/query_table.hpp"
#include "linalg/gram_sums.hpp"
#include "objectives/column_scale.hpp"

namespace rankine {

class RankingRows {
 public:
  /// Keeps a reference to the table, which must outlive it, as must what the features refer to.
  RankingRows(FeatureRows features, const QueryTable& table, PairGraph graph, ColumnScale columns)
      : features_(features), table_(table), graph_(graph), columns_(std::move(columns)) {}

  std::size_t num_queries() const { return table_.queries().size(); }
  std::int64_t width() const { return features_.num_columns(); }
  const QueryTable& table() const { return table_; }
  const FeatureRows& features() const { return features_; }
  const ColumnScale& columns() const { return columns_; }
  PairGraph graph() const { return graph_; }
  /// Rows of all queries together.
  std::int64_t num_rows() const;

  /// The transformed rows of one query. Reuse one object: it keeps its memory.
  struct Block {
    std::vector<double> rows;  // targets.size() x width, and room behind them
    std::vector<double> targets;
    double unexplained = 0;
    LaplacianRows transform;
    std::vector<float> unpacked;  // sparse rows made dense

    void clear() {
      targets.clear();
      unexplained = 0;
    }
  };
  /// F X D and F y of a query.
  void make(std::size_t query, Block& block) const;

  /// Adds one query's sums of F X, not scaled, in bounded memory however long the query is. Rows
  /// may wait in the block, so that short queries are added together, until flush().
  void add_unscaled(std::size_t query, Block& block, GramSums& sums) const;
  static void flush(Block& block, GramSums& sums);

 private:
  /// Rows of a query from its document `first` on, dense.
  const float* dense_rows(const QueryTable::Query& query, std::size_t first, std::size_t count,
                          std::vector<float>& unpacked) const;
  /// Appends to the rows and targets of `block`.
  void append_unscaled(std::size_t query, Block& block) const;

  FeatureRows features_;
  const QueryTable& table_;
  PairGraph graph_;
  ColumnScale columns_;
};

/// Asked between pieces of work, on the thread of the caller; true ends it early.
using StopCheck = std::function<bool()>;

/// The canonical sums of all queries, columns scaled. Once `stop` returned true, these are the sums
/// of only some of the queries. Memory for narrow rows: a few sums per thread; for wide ones, whose
/// tiles all threads
/// share, a few in all.
GramSums normal_equations(const RankingRows& rows, int threads, const StopCheck& stop = {});
void scale_columns(const ColumnScale& columns, GramSums& sums);

/// A leaf's sums under way: rows wait until enough are there to be multiplied at once.
class LeafEquations {
 public:
  explicit LeafEquations(std::int64_t width) : sums_(width) {}

  /// Adds queries of `rows`, not scaled. Narrow rows are added by this thread, wide ones by
  /// several.
  void add(const RankingRows& rows, std::size_t first_query, std::size_t last_query, int threads,
           const StopCheck& stop = {});
  GramSums close() &&;

 private:
  void add_wide(const RankingRows& rows, std::size_t first_query, std::size_t last_query,
                int threads, const StopCheck& stop);
  void flush_wide();

  GramSums sums_;
  RankingRows::Block waiting_;
  int threads_ = 1;
};

/// The canonical sums of a stream of whole queries, not scaled.
class StreamedEquations {
 public:
  explicit StreamedEquations(std::int64_t width);

  /// The queries of the next block of so many documents.
  void add(const RankingRows& rows, std::int64_t num_documents, int threads);
  GramSums finish() { return sum_.finish(); }

 private:
  StreamedSum<LeafEquations, GramSums> sum_;
};

}  // namespace rankine
