#include "compute/cpu/pair_hessian.hpp"

#include <algorithm>

#include "compute/cpu/dense_products.hpp"
#include "compute/dense_algebra.hpp"

namespace rankine {
namespace {

constexpr std::size_t kBlockRows = 512;

double weight_of(const QueryDocuments& query, std::size_t doc) {
  return query.weights.empty() ? 1.0 : query.weights[doc];
}

/// Adds to active[doc] the weight of the active pairs in which it takes part.
template <bool kWinners>
void count_active(const QueryDocuments& query, const QueryPoint& point, const QuadraticPiece& piece,
                  std::span<double> active) {
  const std::size_t size = query.size();
  double below[PairHessian::kMostGrades] = {};
  const auto nth = [&](std::size_t k) { return point.order[kWinners ? size - 1 - k : k]; };
  constexpr double kSign = kWinners ? 1.0 : -1.0;
  for (std::size_t k = 0, next = 0; k < size; ++k) {
    const std::uint32_t doc = nth(k);
    for (; next < size && kSign * (point.scores[doc] - point.scores[nth(next)]) < piece.margin;
         ++next) {
      const std::uint32_t partner = nth(next);
      const std::uint32_t rank = query.grade_ranks[partner];
      const double weight = weight_of(query, partner);
      if constexpr (kWinners) {
        for (std::uint32_t r = rank + 1; r < query.num_grades; ++r) below[r] += weight;
      } else {
        for (std::uint32_t r = 0; r < rank; ++r) below[r] += weight;
      }
    }
    active[doc] += 2 * piece.coefficient * weight_of(query, doc) * below[query.grade_ranks[doc]];
  }
}

}  // namespace

/// Differences within a query do not change when its mean row is taken off, and single precision
/// then spends its digits on them.
const float* PairHessian::centre_rows(const float* rows, std::size_t size) {
  totals_.assign(width_, 0.0);
  ones_.assign(size, 1.0 / static_cast<double>(size));
  add_weighted_rows(rows, ones_, totals_);
  centred_.resize(size * width_);
  for (std::size_t doc = 0; doc < size; ++doc) {
    const float* row = rows + doc * width_;
    float* out = centred_.data() + doc * width_;
    for (std::size_t f = 0; f < width_; ++f) {
      out[f] = static_cast<float>(static_cast<double>(row[f]) - totals_[f]);
    }
  }
  return centred_.data();
}

void PairHessian::fill_partners(const float* rows, const QueryDocuments& query,
                                const QueryPoint& point, const QuadraticPiece& piece,
                                double factor) {
  const std::size_t size = query.size();
  const std::uint32_t top = query.num_grades - 1;
  totals_.assign(width_ * top, 0.0);
  for (std::size_t k = size, next = size; k-- > 0;) {
    const std::uint32_t doc = point.order[k];
    for (; next > 0 && point.scores[doc] - point.scores[point.order[next - 1]] < piece.margin;
         --next) {
      const std::uint32_t partner = point.order[next - 1];
      const std::uint32_t rank = query.grade_ranks[partner];
      if (rank == top) continue;  // the best grade loses to none
      const double weight = weight_of(query, partner);
      add_weighted_rows(rows + partner * width_, {&weight, 1},
                        std::span(totals_).subspan(rank * width_, width_));
    }
    const double scale = 2 * factor * piece.coefficient * weight_of(query, doc);
    double* partners = partner_.data() + doc * width_;
    for (std::uint32_t rank = 0; rank < query.grade_ranks[doc]; ++rank) {
      const double* total = totals_.data() + rank * width_;
      for (std::size_t f = 0; f < width_; ++f) partners[f] -= scale * total[f];
    }
  }
}

void PairHessian::add(const float* rows, const QueryDocuments& query, const QueryPoint& point,
                      std::span<const QuadraticPiece> pieces, double factor,
                      std::span<double> target) {
  const std::size_t size = query.size();
  rows = centre_rows(rows, size);
  active_.assign(size, 0.0);
  partner_.assign(size * width_, 0.0);
  for (const QuadraticPiece& piece : pieces) {
    count_active<true>(query, point, piece, active_);
    count_active<false>(query, point, piece, active_);
    fill_partners(rows, query, point, piece, factor);
  }
  for (std::size_t doc = 0; doc < size; ++doc) {
    if (active_[doc] == 0) continue;
    const float* row = rows + doc * width_;
    const double half = 0.5 * factor * active_[doc];
    const double* partners = partner_.data() + doc * width_;
    left_.insert(left_.end(), row, row + width_);
    const std::size_t start = right_.size();
    right_.resize(start + width_);
    for (std::size_t f = 0; f < width_; ++f) {
      right_[start + f] = static_cast<float>(half * static_cast<double>(row[f]) + partners[f]);
    }
    if (left_.size() >= kBlockRows * width_) finish(target);
  }
}

void PairHessian::finish(std::span<double> target) {
  if (left_.empty()) return;
  add_cross_products(left_.data(), right_.data(), static_cast<std::int64_t>(left_.size() / width_),
                     static_cast<std::int64_t>(width_), target, scratch_);
  left_.clear();
  right_.clear();
}

}  // namespace rankine
