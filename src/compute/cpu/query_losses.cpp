// Two forms of the pairs of one query. Where grades are few, all pairs weigh the same and the loss
// is a single quadratic piece, the active partners of each document are a range of the sorted list:
// it is computed once per point and a Hessian product is then running sums and differences, without
// sorting. Otherwise the loss gets scores and their order. Both are computed when first needed.
#include "compute/cpu/query_losses.hpp"

#include <utility>

#include "compute/document_order.hpp"

namespace rankine {

Prefetcher next_rows(const FeatureRows& features, const QueryTable& table, const Cuts::Leaf& leaf,
                     std::size_t query) {
  if (query + 1 == leaf.last) return {};
  const QueryTable::Query& next = table.queries()[query + 1];
  return features.ahead(next.first, next.size);
}

QueryLosses::QueryLosses(const QueryTable& table, const QueryLoss& loss, int threads)
    : table_(table), loss_(loss), threads_(threads) {
  const auto* pieces = dynamic_cast<const PiecewiseQuadraticPairs*>(&loss);
  if (pieces != nullptr && pieces->weighting() == PairWeighting::uniform &&
      pieces->pieces().size() == 1) {
    one_piece_ = pieces;
  }
  for (const QueryTable::Query& query : table.queries()) {
    (by_ranges(table.documents(query)) ? has_ranges_ : has_others_) = true;
  }
}

bool QueryLosses::by_ranges(const QueryDocuments& query) const {
  return one_piece_ != nullptr && has_active_ranges(query);
}

std::span<const double> QueryLosses::scores(const QueryTable::Query& query, const QueryRows& rows,
                                            const SweepPoint& point, QueryScratch& scratch) const {
  if (!point.scores.empty()) return rows_of(std::as_const(point.scores), query);
  scratch.scores.resize(static_cast<std::size_t>(query.size));
  rows.products(point.weights, threads_, scratch.scores);
  return scratch.scores;
}

std::span<const std::uint32_t> QueryLosses::order(const QueryTable::Query& query,
                                                  const SweepPoint& point,
                                                  std::span<const double> scores,
                                                  QueryScratch& scratch) const {
  if (!point.order.empty()) return rows_of(std::as_const(point.order), query);
  scratch.order.resize(loss_.needs_order() ? scores.size() : 0);
  order_documents(loss_, table_.documents(query), scores, scratch.order);
  return scratch.order;
}

double QueryLosses::gradient(const QueryTable::Query& query, const QueryPoint& point,
                             std::span<ActiveRange> ranges, std::span<double> out) const {
  const QueryDocuments documents = table_.documents(query);
  const double loss =
      query.factor * (ranges.empty() ? loss_.gradient(documents, point, out)
                                     : one_piece_->gradient(documents, point, ranges, out));
  for (double& value : out) value *= query.factor;
  return loss;
}

void QueryLosses::product(const QueryTable::Query& query, const QueryRows& rows,
                          const SweepPoint& point, Find find, std::span<const double> along,
                          Prefetcher& ahead, QueryScratch& scratch, std::span<double> out) const {
  const QueryDocuments documents = table_.documents(query);
  if (by_ranges(documents)) {
    const QuadraticPiece& piece = one_piece_->pieces()[0];
    const auto ranges = rows_of(point.ranges, query);
    if (find.ranges) {
      scratch.order.resize(along.size());
      const auto here = scores(query, rows, point, scratch);
      order_documents(loss_, documents, here, scratch.order);
      find_active_ranges(documents, {here, scratch.order}, piece.margin, ranges);
    }
    active_differences(ranges, documents.num_grades, along, 2 * piece.coefficient * query.factor,
                       ahead, out);
    return;
  }
  const auto here = rows_of(point.scores, query);
  const auto order = rows_of(point.order, query);
  if (find.order) order_documents(loss_, documents, here, order);
  loss_.hessian_times(documents, {here, order}, along, out);
  for (double& value : out) value *= query.factor;
}

}  // namespace rankine
