// The moments of leaves of a fixed number of documents, merged in the tree of
// base/sums/streamed_sum.
#include "data/scaling/column_sums.hpp"

namespace rankine {
namespace {

constexpr std::int64_t kLeafDocuments = 4096;

}  // namespace

ColumnSums::ColumnSums(std::int64_t num_columns)
    : sum_(kLeafDocuments, ShiftedSums(static_cast<std::size_t>(num_columns)),
           ColumnMoments(static_cast<std::size_t>(num_columns))) {}

void ColumnSums::add(const Dataset& queries, int threads) {
  num_rows_ += queries.num_documents();
  sum_.add(
      queries.num_documents(), static_cast<std::size_t>(queries.num_queries()),
      [&](std::size_t query) { return queries.query_offsets[query]; }, threads,
      [&](const Cuts::Leaf& leaf, ShiftedSums& sums) {
        sums.add_rows(queries.features, queries.query_offsets[leaf.first],
                      queries.query_offsets[leaf.last]);
      });
}

void ColumnSums::finish() {
  columns_ = sum_.finish().statistics(num_rows_);
}

FeatureScaling ColumnSums::scaling(Scaling kind, bool is_dense) const {
  FeatureScaling scaling;
  scaling.kind = kind;
  scaling.num_features = static_cast<std::int64_t>(columns_.size());
  scaling.keeps_zeros = kind == Scaling::none || !is_dense;
  if (kind == Scaling::none) return scaling;
  for (const ColumnStatistics& column : columns_) {
    const bool standard = kind == Scaling::standard;
    const double spread = standard ? column.deviation : double{column.most} - column.least;
    const double shift = standard ? column.mean : double{column.least};
    scaling.shift.push_back(scaling.keeps_zeros ? 0.0 : shift);
    scaling.factor.push_back(!column.constant() && spread > 0 ? 1 / spread : 0.0);
  }
  return scaling;
}

std::vector<std::int64_t> ColumnSums::constant() const {
  std::vector<std::int64_t> constant;
  for (std::size_t f = 0; f < columns_.size(); ++f) {
    if (columns_[f].constant()) constant.push_back(static_cast<std::int64_t>(f));
  }
  return constant;
}

}  // namespace rankine
