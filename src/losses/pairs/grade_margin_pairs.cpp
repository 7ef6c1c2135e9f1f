// The inner loss is evaluated at s - y, in the order of s - y, which the evaluator sorts by (see
// QueryLoss::order_less_grade). The derivatives with respect to s are the inner ones.
#include "losses/pairs/grade_margin_pairs.hpp"

#include <cstddef>
#include <vector>

namespace rankine {
namespace {

std::span<const double> scores_less_grades(const QueryDocuments& query, const QueryPoint& point) {
  thread_local std::vector<double> shifted;
  shifted.resize(query.size());
  for (std::size_t doc = 0; doc < query.size(); ++doc) {
    shifted[doc] = point.scores[doc] - query.grades[doc];
  }
  return shifted;
}

}  // namespace

double GradeMarginPairs::gradient(const QueryDocuments& query, const QueryPoint& point,
                                  std::span<double> out) const {
  return inner_->gradient(query, {scores_less_grades(query, point), point.order}, out);
}

void GradeMarginPairs::hessian_times(const QueryDocuments& query, const QueryPoint& point,
                                     std::span<const double> direction,
                                     std::span<double> out) const {
  inner_->hessian_times(query, {scores_less_grades(query, point), point.order}, direction, out);
}

std::unique_ptr<QueryLoss> GradeMarginPairs::smoothed(double width) const {
  const auto& inner = dynamic_cast<const SmoothableLoss&>(*inner_);
  return std::make_unique<GradeMarginPairs>(inner.smoothed(width));
}

std::unique_ptr<QueryLoss> GradeMarginPairs::supporting(double width) const {
  const auto& inner = dynamic_cast<const SmoothableLoss&>(*inner_);
  return std::make_unique<GradeMarginPairs>(inner.supporting(width));
}

}  // namespace rankine
