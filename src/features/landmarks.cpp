// k-means++ seeding draws each landmark with probability proportional to the squared distance from
// the nearest so far, so that landmarks spread over the data. Randomly pivoted Cholesky draws with
// probability proportional to what the landmarks so far leave unexplained of k(x, x). It goes in
// rounds: a round proposes some rows with the probabilities of its start, and takes each with the
// probability that it has become since, relative to that. The rows taken are then distributed as if
// they were drawn one by one, and the work is matrix products.
// Arthur and Vassilvitskii, "k-means++", 2007; Chen, Epperly, Tropp and Webber, "Randomly pivoted
// Cholesky", 2024; in rounds: Epperly, Tropp and Webber, "Embrace rejection", 2024.
#include "features/landmarks.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/sums/canonical_sum.hpp"
#include "features/kernel.hpp"
#include "linalg/symmetric_factors.hpp"

namespace rankine {
namespace {

constexpr std::uint64_t kSubsetStream = 0x6C616E64;
constexpr std::uint64_t kDrawStream = 0x6472617773;
constexpr std::int64_t kCandidatesEach = 10;
constexpr std::int64_t kBlockRows = 1024;
constexpr std::size_t kProposals = 96;  // per round

/// The index k with sum of weights[0..k) <= target < sum of weights[0..k]; none of weight 0.
std::size_t draw(std::span<const double> weights, double total, double uniform) {
  double target = uniform * total;
  std::size_t last = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (!(weights[k] > 0)) continue;
    last = k;
    if (target < weights[k]) return k;
    target -= weights[k];
  }
  return last;
}

template <class Body>
void for_each_block(std::int64_t count, int threads, const Body& body) {
  parallel_for((count + kBlockRows - 1) / kBlockRows, threads, [&](std::int64_t block) {
    const std::int64_t first = block * kBlockRows;
    body(first, std::min(kBlockRows, count - first));
  });
}

std::vector<std::int64_t> by_distance(const FeatureMatrix& rows, std::int64_t count,
                                      const Random& random, int threads) {
  const std::int64_t total_rows = num_rows(rows);
  std::vector<double> nearest(static_cast<std::size_t>(total_rows),
                              std::numeric_limits<double>::infinity());
  std::vector<std::int64_t> chosen{
      static_cast<std::int64_t>(random.below(0, static_cast<std::uint64_t>(total_rows)))};
  // exp(-t) of the rbf kernel would lose small distances, so they are computed from products.
  const KernelFormula product{};
  std::vector<double> squares(nearest.size());
  for (std::int64_t row = 0; row < total_rows; ++row) {
    squares[static_cast<std::size_t>(row)] = kernel_value({.kind = Kernel::linear}, rows, row, row);
  }
  while (static_cast<std::int64_t>(chosen.size()) < count) {
    const std::int64_t last = chosen.back();
    const PackedColumns column(take_rows(rows, {&last, 1}));
    for_each_block(total_rows, threads, [&](std::int64_t first, std::int64_t size) {
      std::vector<float> products(static_cast<std::size_t>(size));
      kernel_block(rows, first, size, column, product, products.data());
      for (std::int64_t r = 0; r < size; ++r) {
        const auto row = static_cast<std::size_t>(first + r);
        const double distance = squares[row] + squares[static_cast<std::size_t>(last)] -
                                2 * static_cast<double>(products[static_cast<std::size_t>(r)]);
        // Nearer than single precision can tell is the same place.
        const double least = 1e-6 * (squares[row] + squares[static_cast<std::size_t>(last)]);
        nearest[row] = std::min(nearest[row], distance > least ? distance : 0.0);
      }
    });
    nearest[static_cast<std::size_t>(last)] = 0;
    const double total = std::accumulate(nearest.begin(), nearest.end(), 0.0);
    if (!(total > 0)) break;
    chosen.push_back(
        static_cast<std::int64_t>(draw(nearest, total, random.uniform(chosen.size()))));
  }
  return chosen;
}

class PivotedDraws {
 public:
  PivotedDraws(const FeatureMatrix& rows, const KernelSpec& kernel, std::int64_t count,
               const Random& random, int threads)
      : rows_(rows),
        kernel_(kernel),
        count_(static_cast<std::size_t>(count)),
        random_(random),
        threads_(threads),
        size_(static_cast<std::size_t>(num_rows(rows))),
        left_(size_),
        factor_(size_ * count_) {
    for (std::size_t row = 0; row < size_; ++row) {
      const auto index = static_cast<std::int64_t>(row);
      left_[row] = kernel_value(kernel, rows, index, index);
    }
    first_total_ = std::accumulate(left_.begin(), left_.end(), 0.0);
  }

  std::vector<std::int64_t> run() {
    while (chosen_.size() < count_) {
      const double total = std::accumulate(left_.begin(), left_.end(), 0.0);
      if (!(total > 1e-6 * first_total_)) break;
      const auto proposals = propose(total);
      const auto taken = select(proposals);
      if (taken.empty()) {  // what seemed left at these rows was rounding error
        for (const std::size_t row : proposals) left_[row] = 0;
      }
      add(taken);
    }
    return chosen_;
  }

 private:
  std::vector<std::size_t> propose(double total) {
    std::vector<std::size_t> proposals;
    for (std::size_t k = 0; k < kProposals; ++k) {
      proposals.push_back(draw(left_, total, random_.uniform(draws_++)));
    }
    return proposals;
  }

  /// What is left of the kernel between two rows.
  double remainder(std::size_t a, std::size_t b) const {
    double value =
        kernel_value(kernel_, rows_, static_cast<std::int64_t>(a), static_cast<std::int64_t>(b));
    const float* x = factor_.data() + a * count_;
    const float* z = factor_.data() + b * count_;
    for (std::size_t k = 0; k < chosen_.size(); ++k) {
      value -= static_cast<double>(x[k]) * static_cast<double>(z[k]);
    }
    return value;
  }

  /// Goes through the proposals with a Cholesky factorisation of what is left between them.
  std::vector<std::size_t> select(const std::vector<std::size_t>& proposals) {
    const std::size_t n = proposals.size();
    std::vector<double> block(n * n);
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b <= a; ++b) {
        block[a * n + b] = block[b * n + a] = remainder(proposals[a], proposals[b]);
      }
    }
    std::vector<std::size_t> taken;
    for (std::size_t k = 0; k < n && chosen_.size() + taken.size() < count_; ++k) {
      const double at_start = left_[proposals[k]];
      const double now = block[k * n + k];
      const double chance = random_.uniform(draws_++);
      if (!(now > 1e-6 * at_start) || !(chance * at_start < now)) continue;
      taken.push_back(proposals[k]);
      for (std::size_t a = k + 1; a < n; ++a) {
        const double share = block[a * n + k] / now;
        for (std::size_t b = k + 1; b < n; ++b) block[a * n + b] -= share * block[k * n + b];
      }
    }
    return taken;
  }

  /// Extends the factor by the rows taken and updates what is left.
  void add(const std::vector<std::size_t>& taken) {
    const std::size_t old = chosen_.size();
    const std::size_t more = taken.size();
    if (more == 0) return;
    std::vector<std::int64_t> indices(taken.begin(), taken.end());
    const PackedColumns columns(take_rows(rows_, indices));
    const KernelFormula function = kernel_formula(kernel_);
    std::vector<float> turned(old * more);  // the factor at the rows taken, transposed
    for (std::size_t k = 0; k < more; ++k) {
      for (std::size_t j = 0; j < old; ++j) turned[j * more + k] = factor_[taken[k] * count_ + j];
    }
    std::vector<double> inner(more * more);
    for (std::size_t a = 0; a < more; ++a) {
      for (std::size_t b = 0; b <= a; ++b) {
        inner[a * more + b] = inner[b * more + a] = remainder(taken[a], taken[b]);
      }
    }
    const std::vector<float> root = lower_root(inner, more);
    for_each_block(
        static_cast<std::int64_t>(size_), threads_, [&](std::int64_t first, std::int64_t size) {
          const auto height = static_cast<std::size_t>(size);
          std::vector<float> block(height * more);
          std::vector<float> known(height * old);
          std::vector<float> explained(height * more);
          kernel_block(rows_, first, size, columns, function, block.data());
          const float* from = factor_.data() + static_cast<std::size_t>(first) * count_;
          for (std::size_t r = 0; r < height; ++r) {
            std::copy(from + r * count_, from + r * count_ + old, known.data() + r * old);
          }
          if (old > 0) {
            multiply_rows(known.data(), size, static_cast<std::int64_t>(old), turned,
                          static_cast<std::int64_t>(more), explained.data());
            for (std::size_t k = 0; k < block.size(); ++k) block[k] -= explained[k];
          }
          solve_rows(root, static_cast<std::int64_t>(more), block.data(), size);
          store(static_cast<std::size_t>(first), height, old, more, block);
        });
    for (const std::size_t row : taken) {
      left_[row] = 0;
      chosen_.push_back(static_cast<std::int64_t>(row));
    }
  }

  void store(std::size_t first, std::size_t height, std::size_t old, std::size_t more,
             const std::vector<float>& block) {
    for (std::size_t r = 0; r < height; ++r) {
      float* to = factor_.data() + (first + r) * count_ + old;
      double explained = 0;
      for (std::size_t k = 0; k < more; ++k) {
        to[k] = block[r * more + k];
        explained += static_cast<double>(to[k]) * static_cast<double>(to[k]);
      }
      left_[first + r] = std::max(0.0, left_[first + r] - explained);
    }
  }

  static std::vector<float> lower_root(std::vector<double> matrix, std::size_t size) {
    std::vector<float> root(size * size);
    for (std::size_t k = 0; k < size; ++k) {
      const double pivot = std::sqrt(std::max(matrix[k * size + k], 1e-30));
      for (std::size_t row = k; row < size; ++row) {
        const double entry = matrix[row * size + k] / pivot;
        root[row * size + k] = static_cast<float>(entry);
        for (std::size_t column = k + 1; column <= row; ++column) {
          matrix[row * size + column] -= entry * matrix[column * size + k] / pivot;
        }
      }
    }
    return root;
  }

  const FeatureMatrix& rows_;
  const KernelSpec& kernel_;
  std::size_t count_;
  const Random& random_;
  int threads_;
  std::size_t size_;
  std::vector<double> left_;   // by row: what is unexplained of k(x, x)
  std::vector<float> factor_;  // size x count
  std::vector<std::int64_t> chosen_;
  std::uint64_t draws_ = 0;
  double first_total_ = 0;
};

}  // namespace

std::vector<std::int64_t> choose_landmarks(const FeatureMatrix& rows, const KernelSpec& kernel,
                                           Landmarks how, std::int64_t count, std::uint64_t seed,
                                           int threads, Collective& collective) {
  const std::int64_t total = DocumentRange(num_rows(rows), collective).total();
  count = std::min(count, total);
  const Random subset(seed, kSubsetStream);
  if (how == Landmarks::uniform || count == total) return random_subset(subset, total, count);
  const auto candidates = random_subset(subset, total, std::min(total, kCandidatesEach * count));
  const FeatureMatrix sample = gather_rows(rows, candidates, collective);
  const Random random(seed, kDrawStream);
  std::vector<std::int64_t> chosen =
      how == Landmarks::kmeans ? by_distance(sample, count, random, threads)
                               : PivotedDraws(sample, kernel, count, random, threads).run();
  for (std::int64_t& row : chosen) row = candidates[static_cast<std::size_t>(row)];
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace rankine
