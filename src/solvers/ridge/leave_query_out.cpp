// Taking a query out of a ridge regression changes A = R^T R + alpha I by a matrix of low rank. For
// a short query the Woodbury identity solves a system as large as the query, in the eigenbasis of
// R^T R, which serves every alpha. For a long query it is cheaper to take the query's sums out of
// R^T R and solve the d x d system. The choice goes by flops, query by query. Where I - H has a
// tiny pivot its digits are gone, and the direct system is solved.
// Pahikkala, Tsivtsivadze, Airola, Jarvinen and Boberg, "An efficient algorithm for learning to
// rank from preference graphs", Machine Learning 75, 2009. The identity: Woodbury, "Inverting
// modified matrices", 1950.
#include "solvers/ridge/leave_query_out.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include "base/parallel.hpp"
#include "linalg/dense_algebra.hpp"
#include "linalg/symmetric_eigen.hpp"

namespace rankine {
namespace {

/// I - H loses its digits when its least pivot falls below this; the direct system is then solved.
constexpr double kLeastPivot = 1e-6;

class LeaveQueryOut {
 public:
  LeaveQueryOut(const RankingRows& rows, const GramSums& sums,
                std::span<const RidgeSolution> solutions)
      : rows_(rows), sums_(sums), solutions_(solutions) {
    width_ = static_cast<std::size_t>(rows.width());
    bool any_short = false;
    for (const QueryTable::Query& query : rows.table().queries()) {
      any_short |= is_short(static_cast<std::size_t>(query.size));
    }
    if (any_short) {
      eigen_.emplace(sums.gram, sums.width);
      for (const RidgeSolution& solution : solutions) {
        weights_there_.emplace_back(width_);
        eigen_->to_eigenbasis(solution.weights, weights_there_.back());
      }
    }
  }

  struct Scratch {
    RankingRows::Block block;
    std::vector<double> there;  // R_q V
    std::vector<double> shrunk;
    std::vector<double> hat;
    std::vector<double> residual;
    GramSums others;
  };

  /// w_q for the k-th alpha, one after the other.
  template <class Take>
  void for_each_alpha(std::size_t query, Scratch& scratch, const Take& take) const {
    rows_.make(query, scratch.block);
    if (eigen_ && is_short(scratch.block.targets.size())) {
      short_query(scratch, take);
    } else {
      take_out(scratch);
      for (std::size_t k = 0; k < solutions_.size(); ++k) take(k, direct(scratch.others, k));
    }
  }

 private:
  /// Flops of Woodbury against those of the direct system, over all alphas.
  bool is_short(std::size_t query_rows) const {
    const auto r = static_cast<double>(query_rows);
    const auto d = static_cast<double>(width_);
    const auto alphas = static_cast<double>(solutions_.size());
    const double woodbury = 2 * r * d * d + alphas * (r * r * d + r * r * r / 3 + 2 * d * d);
    const double direct = r * d * d + alphas * (d * d * d / 3 + d * d);
    return woodbury < direct;
  }

  /// Leaves the sums of all other queries in the scratch.
  void take_out(Scratch& scratch) const {
    scratch.others.gram.assign(sums_.gram.begin(), sums_.gram.end());
    scratch.others.slope.assign(sums_.slope.begin(), sums_.slope.end());
    scratch.others.width = sums_.width;
    scratch.others.subtract(scratch.block.rows.data(), scratch.block.targets);
  }

  std::vector<double> direct(const GramSums& others, std::size_t k) const {
    std::vector<double> weights(others.slope);
    solve_shifted(others.gram, solutions_[k].alpha, weights);
    return weights;
  }

  template <class Take>
  void short_query(Scratch& s, const Take& take) const {
    const std::size_t r = s.block.targets.size();
    const auto rows = static_cast<std::int64_t>(r);
    s.there.resize(r * width_);
    times_transposed(s.block.rows.data(), rows, eigen_->vectors().data(), sums_.width, sums_.width,
                     s.there.data());
    bool is_out = false;
    std::vector<double> change(width_);
    for (std::size_t k = 0; k < solutions_.size(); ++k) {
      if (solutions_[k].alpha == 0 || !woodbury(s, k, change)) {
        if (!is_out) take_out(s);
        is_out = true;
        take(k, direct(s.others, k));
        continue;
      }
      std::vector<double> weights(width_);
      eigen_->from_eigenbasis(change, weights);
      for (std::size_t f = 0; f < width_; ++f) weights[f] = solutions_[k].weights[f] - weights[f];
      take(k, std::move(weights));
    }
  }

  /// Writes w - w_q in the eigenbasis; false where rounding would spoil it.
  bool woodbury(Scratch& s, std::size_t k, std::span<double> change) const {
    const std::size_t r = s.block.targets.size();
    s.shrunk.resize(r * width_);
    std::vector<double> roots(width_);
    for (std::size_t f = 0; f < width_; ++f) {
      roots[f] = 1 / std::sqrt(std::max(0.0, eigen_->values()[f]) + solutions_[k].alpha);
    }
    s.residual.assign(s.block.targets.begin(), s.block.targets.end());
    for (std::size_t i = 0; i < r; ++i) {
      double score = 0;
      for (std::size_t f = 0; f < width_; ++f) {
        const double value = s.there[i * width_ + f];
        s.shrunk[i * width_ + f] = value * roots[f];
        score += value * weights_there_[k][f];
      }
      s.residual[i] -= score;
    }
    s.hat.resize(r * r);
    outer_gram(s.shrunk.data(), static_cast<std::int64_t>(r), sums_.width, s.hat);
    for (double& value : s.hat) value = -value;
    for (std::size_t i = 0; i < r; ++i) s.hat[i * r + i] += 1;
    const CholeskyFactor factor(s.hat, static_cast<std::int64_t>(r));
    if (factor.not_positive_definite() || factor.least_pivot() < kLeastPivot) return false;
    factor.solve(s.residual);
    std::fill(change.begin(), change.end(), 0.0);
    for (std::size_t i = 0; i < r; ++i) {
      for (std::size_t f = 0; f < width_; ++f) {
        change[f] += s.shrunk[i * width_ + f] * s.residual[i];
      }
    }
    for (std::size_t f = 0; f < width_; ++f) change[f] *= roots[f];
    return true;
  }

  const RankingRows& rows_;
  const GramSums& sums_;
  std::span<const RidgeSolution> solutions_;
  std::size_t width_ = 0;
  std::optional<SymmetricEigen> eigen_;
  std::vector<std::vector<double>> weights_there_;
};

}  // namespace

std::vector<std::vector<double>> leave_query_out_scores(const RankingRows& rows,
                                                        const GramSums& sums,
                                                        std::span<const RidgeSolution> solutions,
                                                        std::int64_t num_documents, int threads,
                                                        const StopCheck& stop) {
  const auto total = static_cast<std::size_t>(num_documents);
  std::vector<std::vector<double>> scores(solutions.size(), std::vector<double>(total));
  const auto score = [&](std::size_t k, std::int64_t first, std::int64_t count,
                         std::span<const double> weights) {
    rows.features()
        .rows(first, count)
        .products(rows.columns().times(weights),
                  std::span(scores[k]).subspan(static_cast<std::size_t>(first),
                                               static_cast<std::size_t>(count)));
  };
  const LeaveQueryOut left_out(rows, sums, solutions);
  const auto queries = rows.table().queries();
  // Queries between those that are learnt from.
  const auto score_gap = [&](std::int64_t first, std::int64_t last) {
    for (std::size_t k = 0; k < solutions.size() && first < last; ++k) {
      score(k, first, last - first, solutions[k].weights);
    }
  };
  // Rounds of a few blocks per thread; between rounds the caller is asked whether to stop, on its
  // own thread.
  constexpr std::size_t kBlock = 16;
  const std::size_t round = 4 * kBlock * static_cast<std::size_t>(num_worker_threads(threads));
  for (std::size_t start = 0; start < queries.size(); start += round) {
    if (stop && stop()) return {};
    const std::size_t round_end = std::min(start + round, queries.size());
    const auto num_blocks = static_cast<std::int64_t>((round_end - start + kBlock - 1) / kBlock);
    parallel_for(num_blocks, threads, [&](std::int64_t block) {
      LeaveQueryOut::Scratch scratch;
      const std::size_t begin = start + static_cast<std::size_t>(block) * kBlock;
      for (std::size_t q = begin; q < std::min(begin + kBlock, round_end); ++q) {
        left_out.for_each_alpha(q, scratch, [&](std::size_t k, const std::vector<double>& weights) {
          score(k, queries[q].first, queries[q].size, weights);
        });
      }
    });
  }
  std::int64_t end = 0;
  for (const QueryTable::Query& query : queries) {
    score_gap(end, query.first);
    end = query.first + query.size;
  }
  score_gap(end, num_documents);
  return scores;
}

}  // namespace rankine
