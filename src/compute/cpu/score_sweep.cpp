// The loss as a function of the scores. Queries are independent given the scores, so they are swept
// in parallel, some together in one task, and the losses of all are added in the canonical order.
#include "compute/cpu/score_sweep.hpp"

#include "base/parallel.hpp"
#include "compute/document_order.hpp"

namespace rankine {

ScoreSweep::ScoreSweep(const QueryTable& table, const QueryLoss& loss, int threads)
    : table_(table), loss_(loss), threads_(threads) {
  for (const QueryTable::Query& query : table.queries()) {
    firsts_.push_back(rows_.size());
    for (std::int64_t doc = 0; doc < query.size; ++doc) rows_.push_back(query.first + doc);
  }
}

void ScoreSweep::for_each_query(
    const std::function<void(std::size_t, std::size_t, std::size_t)>& body) const {
  constexpr std::size_t kTogether = 16;
  const std::size_t count = firsts_.size();
  parallel_for(static_cast<std::int64_t>((count + kTogether - 1) / kTogether), threads_,
               [&](std::int64_t block) {
                 const std::size_t start = static_cast<std::size_t>(block) * kTogether;
                 for (std::size_t q = start; q < count && q < start + kTogether; ++q) {
                   body(q, firsts_[q], static_cast<std::size_t>(table_.queries()[q].size));
                 }
               });
}

ScoreSweep::Point ScoreSweep::at(std::vector<double> scores) const {
  Point point;
  point.scores = std::move(scores);
  point.slopes.resize(rows_.size());
  point.order.resize(loss_.needs_order() ? rows_.size() : 0);
  std::vector<double> losses(firsts_.size());
  for_each_query([&](std::size_t q, std::size_t first, std::size_t size) {
    const QueryTable::Query& query = table_.queries()[q];
    const QueryDocuments documents = table_.documents(query);
    const auto here = std::span(point.scores).subspan(first, size);
    const auto order = point.order.empty() ? std::span<std::uint32_t>()
                                           : std::span(point.order).subspan(first, size);
    order_documents(loss_, documents, here, order);
    const auto slopes = std::span(point.slopes).subspan(first, size);
    losses[q] = query.factor * loss_.gradient(documents, {here, order}, slopes);
    for (double& slope : slopes) slope *= query.factor;
  });
  point.loss = sum_over_queries(table_.cuts(1), losses);
  return point;
}

void ScoreSweep::hessian_times(const Point& point, std::span<const double> direction,
                               std::span<double> out) const {
  for_each_query([&](std::size_t q, std::size_t first, std::size_t size) {
    const QueryTable::Query& query = table_.queries()[q];
    const auto order = point.order.empty() ? std::span<const std::uint32_t>()
                                           : std::span(point.order).subspan(first, size);
    const auto image = out.subspan(first, size);
    loss_.hessian_times(table_.documents(query),
                        {std::span(point.scores).subspan(first, size), order},
                        direction.subspan(first, size), image);
    for (double& value : image) value *= query.factor;
  });
}

}  // namespace rankine
