// X^T H X for piecewise quadratic pair losses with few grades, as one matrix product. The second
// derivative of a pair is a constant where the pair is active, so H is a Laplacian of active pairs.
// Documents are visited from the highest score down. Losers that become active on the way are added
// to running sums of rows, one per grade; each document's row times the sums of its losers, over
// blocks of rows, is a matrix product.
// Chapelle and Keerthi, "Efficient algorithms for ranking with SVMs", 2010.
#include "compute/cpu/products/pair_hessian.hpp"

#include <algorithm>

#include "base/contract.hpp"
#include "linalg/dense_algebra.hpp"

namespace rankine {
namespace {

constexpr std::size_t kBlockRows = 256;

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

PairHessian::PairHessian(std::size_t width) : width_(width), partners_(width) {
  left_.reserve(kBlockRows * width);
  right_.reserve(kBlockRows * width);
}

void PairHessian::add(const SampledRows& rows, const QueryDocuments& query, const QueryPoint& point,
                      std::span<const QuadraticPiece> pieces, double factor,
                      std::span<double> target) {
  const std::size_t size = query.size();
  RANKINE_ASSERT(size > 0 && query.num_grades > 0);
  // Differences within a query do not change when its mean row is taken off, and single precision
  // then spends its digits on them.
  mean_.assign(width_, 0.0);
  ones_.assign(size, 1.0 / static_cast<double>(size));
  rows.add_weighted(ones_, mean_);
  active_.assign(size, 0.0);
  for (const QuadraticPiece& piece : pieces) {
    count_active<true>(query, point, piece, active_);
    count_active<false>(query, point, piece, active_);
  }
  const std::uint32_t top = query.num_grades - 1;
  totals_.assign(pieces.size() * top * width_, 0.0);
  next_.assign(pieces.size(), size);
  for (std::size_t k = size; k-- > 0;) {
    const std::uint32_t doc = point.order[k];
    if (active_[doc] == 0) continue;
    left_.resize(left_.size() + width_);
    right_.resize(right_.size() + width_);
    const float* const row = rows[doc];
    float* const left = left_.data() + (left_.size() - width_);
    float* const right = right_.data() + (right_.size() - width_);
    const double half = 0.5 * factor * active_[doc];
    for (std::size_t f = 0; f < width_; ++f) {
      const double value = static_cast<double>(row[f]) - mean_[f];
      left[f] = static_cast<float>(value);
      partners_[f] = half * value;
    }
    for (std::size_t p = 0; p < pieces.size(); ++p) {
      double* const totals = totals_.data() + p * top * width_;
      for (; next_[p] > 0 &&
             point.scores[doc] - point.scores[point.order[next_[p] - 1]] < pieces[p].margin;
           --next_[p]) {
        const std::uint32_t partner = point.order[next_[p] - 1];
        const std::uint32_t rank = query.grade_ranks[partner];
        if (rank == top) continue;  // the best grade loses to none
        const double weight = weight_of(query, partner);
        const float* const partner_row = rows[partner];
        for (std::size_t f = 0; f < width_; ++f) {
          totals[rank * width_ + f] += weight * (static_cast<double>(partner_row[f]) - mean_[f]);
        }
      }
      const double scale = 2 * factor * pieces[p].coefficient * weight_of(query, doc);
      for (std::uint32_t rank = 0; rank < query.grade_ranks[doc]; ++rank) {
        for (std::size_t f = 0; f < width_; ++f) partners_[f] -= scale * totals[rank * width_ + f];
      }
    }
    for (std::size_t f = 0; f < width_; ++f) right[f] = static_cast<float>(partners_[f]);
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
