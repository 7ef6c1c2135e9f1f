// The squared errors of all pairs are a quadratic form with a Laplacian L. For all pairs, or all
// pairs of different grades, L is a diagonal minus low-rank terms, so it has a root with one row
// per document that is applied through weighted means, in linear time (the header has the
// formulas). Listed pairs are the incidence matrix of a graph, one row per pair; where they
// outnumber the documents, the root comes from an eigendecomposition of L.
// Pahikkala, Tsivtsivadze, Airola, Jarvinen and Boberg, "An efficient algorithm for learning to
// rank from preference graphs", 2009.
#include "compute/laplacian_rows.hpp"

#include <algorithm>
#include <cmath>

#include "base/contract.hpp"
#include "linalg/symmetric_eigen.hpp"

namespace rankine {
namespace {

/// Beyond this many documents the root of a dense Laplacian costs more than one row per pair.
constexpr std::size_t kMostDense = 500;

}  // namespace

void LaplacianRows::assign(const QueryDocuments& query, PairGraph graph, double factor) {
  size_ = num_rows_ = query.size();
  grades_ = query.grades;
  weights_ = query.weights;
  unexplained_ = 0;
  if (graph != PairGraph::none && !query.pairs.empty()) {
    assign_pairs(query, factor);
    return;
  }
  roots_.resize(size_);
  for (std::size_t doc = 0; doc < size_; ++doc) {
    roots_[doc] = std::sqrt(factor * (weights_.empty() ? 1.0 : weights_[doc]));
  }
  form_ = Form::scaled;
  if (graph != PairGraph::none) assign_groups(query, graph == PairGraph::different_grades);
}

void LaplacianRows::assign_groups(const QueryDocuments& query, bool by_grade) {
  form_ = Form::grouped;
  groups_ = by_grade ? query.grade_ranks : GradeRanks();
  num_groups_ = by_grade ? query.num_grades : 1;
  group_weights_.assign(num_groups_, 0.0);
  for (std::size_t doc = 0; doc < size_; ++doc) {
    group_weights_[group_of(doc)] += weights_.empty() ? 1.0 : weights_[doc];
  }
  total_ = 0;
  for (const double weight : group_weights_) total_ += weight;
  within_.resize(num_groups_);
  if (by_grade) {
    for (std::size_t g = 0; g < num_groups_; ++g) {
      within_[g] = std::sqrt(std::max(0.0, total_ - group_weights_[g]));
    }
    across_ = std::sqrt(total_);
  } else {
    within_[0] = std::sqrt(total_);
    across_ = 0;
  }
}

void LaplacianRows::assign_pairs(const QueryDocuments& query, double factor) {
  edges_.clear();
  for (const ListedPair& pair : query.pairs) {
    double weight = factor * pair.weight;
    if (!weights_.empty()) weight *= weights_[pair.winner] * weights_[pair.loser];
    if (weight == 0) continue;
    const double root = std::sqrt(weight);
    edges_.push_back({pair.winner, pair.loser, root, root * pair.magnitude});
  }
  if (edges_.size() > size_ && size_ <= kMostDense) {
    take_dense_root();
    return;
  }
  form_ = Form::pairs;
  num_rows_ = edges_.size();
}

/// With L = V S V^T and b = sum over pairs of weight * magnitude * (e_i - e_j), which lies in the
/// range of L, the errors are |S^-1/2 V^T b - S^1/2 V^T s|^2 and a constant.
void LaplacianRows::take_dense_root() {
  form_ = Form::dense;
  std::vector<double> laplacian(size_ * size_);
  std::vector<double> slope(size_);
  double squares = 0;
  for (const Edge& edge : edges_) {
    const double weight = edge.root * edge.root;
    laplacian[edge.winner * size_ + edge.winner] += weight;
    laplacian[edge.loser * size_ + edge.loser] += weight;
    laplacian[edge.winner * size_ + edge.loser] -= weight;
    laplacian[edge.loser * size_ + edge.winner] -= weight;
    slope[edge.winner] += edge.root * edge.target;
    slope[edge.loser] -= edge.root * edge.target;
    squares += edge.target * edge.target;
  }
  const SymmetricEigen eigen(std::move(laplacian), static_cast<std::int64_t>(size_));
  const double least = eigen.negligible();
  dense_.clear();
  dense_targets_.clear();
  for (std::size_t k = 0; k < size_; ++k) {
    if (eigen.values()[k] <= least) continue;
    const double root = std::sqrt(eigen.values()[k]);
    const auto vector = eigen.vector(k);
    double along = 0;
    for (std::size_t doc = 0; doc < size_; ++doc) {
      dense_.push_back(root * vector[doc]);
      along += vector[doc] * slope[doc];
    }
    dense_targets_.push_back(along / root);
    squares -= along * along / eigen.values()[k];
  }
  num_rows_ = dense_targets_.size();
  unexplained_ = std::max(0.0, squares);
}

void LaplacianRows::start(std::size_t width) {
  width_ = width;
  if (form_ == Form::grouped) means_.assign(num_groups_ * width, 0.0);
}

template <class In>
void LaplacianRows::add_to_means(const In* rows, std::size_t first, std::size_t count) {
  if (form_ != Form::grouped) return;
  for (std::size_t k = 0; k < count; ++k) {
    double* mean = means_.data() + group_of(first + k) * width_;
    const In* row = rows + k * width_;
    if (weights_.empty()) {
      for (std::size_t f = 0; f < width_; ++f) mean[f] += static_cast<double>(row[f]);
    } else {
      const double weight = weights_[first + k];
      for (std::size_t f = 0; f < width_; ++f) mean[f] += weight * static_cast<double>(row[f]);
    }
  }
}

void LaplacianRows::finish_means() {
  if (form_ != Form::grouped) return;
  offsets_.assign(num_groups_ * width_, 0.0);
  std::vector<double>& mean_of_all = offsets_;  // its first row, until offsets are known
  if (across_ > 0) {
    for (std::size_t g = 0; g < num_groups_; ++g) {
      for (std::size_t f = 0; f < width_; ++f) mean_of_all[f] += means_[g * width_ + f] / total_;
    }
  }
  for (std::size_t g = 0; g < num_groups_; ++g) {
    const double share = group_weights_[g] > 0 ? 1 / group_weights_[g] : 0.0;
    for (std::size_t f = 0; f < width_; ++f) means_[g * width_ + f] *= share;
  }
  if (across_ == 0) return;
  for (std::size_t g = num_groups_; g-- > 0;) {
    for (std::size_t f = 0; f < width_; ++f) {
      offsets_[g * width_ + f] = across_ * (means_[g * width_ + f] - mean_of_all[f]);
    }
  }
}

template <class In, class Out>
void LaplacianRows::write(const In* rows, std::size_t first, std::size_t count, Out* out) const {
  for (std::size_t k = 0; k < count; ++k) {
    const double root = roots_[first + k];
    const In* row = rows + k * width_;
    Out* target = out + k * width_;
    if (form_ == Form::scaled) {
      for (std::size_t f = 0; f < width_; ++f) {
        target[f] = static_cast<Out>(root * static_cast<double>(row[f]));
      }
      continue;
    }
    const std::size_t group = group_of(first + k);
    const double* mean = means_.data() + group * width_;
    const double* offset = offsets_.data() + group * width_;
    const double within = root * within_[group];
    for (std::size_t f = 0; f < width_; ++f) {
      target[f] =
          static_cast<Out>(within * (static_cast<double>(row[f]) - mean[f]) + root * offset[f]);
    }
  }
}

template <class In, class Out>
void LaplacianRows::apply_pairs(const In* rows, std::size_t width, Out* out) const {
  for (std::size_t k = 0; k < edges_.size(); ++k) {
    const Edge& edge = edges_[k];
    const In* winner = rows + edge.winner * width;
    const In* loser = rows + edge.loser * width;
    for (std::size_t f = 0; f < width; ++f) {
      out[k * width + f] = static_cast<Out>(
          edge.root * (static_cast<double>(winner[f]) - static_cast<double>(loser[f])));
    }
  }
}

template <class In, class Out>
void LaplacianRows::apply_dense(const In* rows, std::size_t width, Out* out) const {
  std::vector<double> sum(width);
  for (std::size_t k = 0; k < num_rows_; ++k) {
    std::fill(sum.begin(), sum.end(), 0.0);
    for (std::size_t doc = 0; doc < size_; ++doc) {
      const double factor = dense_[k * size_ + doc];
      const In* row = rows + doc * width;
      for (std::size_t f = 0; f < width; ++f) sum[f] += factor * static_cast<double>(row[f]);
    }
    for (std::size_t f = 0; f < width; ++f) out[k * width + f] = static_cast<Out>(sum[f]);
  }
}

template <class In, class Out>
void LaplacianRows::apply(const In* rows, std::size_t width, Out* out) {
  if (form_ == Form::pairs) {
    apply_pairs(rows, width, out);
  } else if (form_ == Form::dense) {
    apply_dense(rows, width, out);
  } else {
    start(width);
    add_to_means(rows, 0, size_);
    finish_means();
    write(rows, 0, size_, out);
  }
}

template void LaplacianRows::add_to_means(const float*, std::size_t, std::size_t);
template void LaplacianRows::write(const float*, std::size_t, std::size_t, float*) const;
template void LaplacianRows::write(const float*, std::size_t, std::size_t, double*) const;
template void LaplacianRows::apply(const float*, std::size_t, float*);
template void LaplacianRows::apply(const float*, std::size_t, double*);
template void LaplacianRows::apply(const double*, std::size_t, double*);

/// With z_i = root_i v_i and its sums Z_g, Z:  within_g (z_i - u_i Z_g / W_g) + across u_i (Z_g /
/// W_g - Z / W).
void LaplacianRows::apply_transposed(const double* rows, std::size_t width, double* out) {
  std::fill(out, out + size_ * width, 0.0);
  switch (form_) {
    case Form::scaled:
      for (std::size_t doc = 0; doc < size_; ++doc) {
        for (std::size_t f = doc * width; f < (doc + 1) * width; ++f)
          out[f] = roots_[doc] * rows[f];
      }
      return;
    case Form::grouped: {
      means_.assign((num_groups_ + 1) * width, 0.0);  // Z_g, and Z behind them
      double* all = means_.data() + num_groups_ * width;
      for (std::size_t doc = 0; doc < size_; ++doc) {
        double* sum = means_.data() + group_of(doc) * width;
        for (std::size_t f = 0; f < width; ++f) sum[f] += roots_[doc] * rows[doc * width + f];
      }
      for (std::size_t g = 0; g < num_groups_; ++g) {
        for (std::size_t f = 0; f < width; ++f) all[f] += means_[g * width + f];
      }
      for (std::size_t doc = 0; doc < size_; ++doc) {
        const double weight = weights_.empty() ? 1.0 : weights_[doc];
        if (weight == 0) continue;
        const std::size_t group = group_of(doc);
        const double* sum = means_.data() + group * width;
        const double within = within_[group];
        const double share = weight * (across_ - within) / group_weights_[group];
        const double shared = weight * across_ / total_;
        for (std::size_t f = 0; f < width; ++f) {
          out[doc * width + f] =
              within * roots_[doc] * rows[doc * width + f] + share * sum[f] - shared * all[f];
        }
      }
      return;
    }
    case Form::pairs:
      for (std::size_t k = 0; k < edges_.size(); ++k) {
        const Edge& edge = edges_[k];
        for (std::size_t f = 0; f < width; ++f) {
          const double value = edge.root * rows[k * width + f];
          out[edge.winner * width + f] += value;
          out[edge.loser * width + f] -= value;
        }
      }
      return;
    case Form::dense:
      for (std::size_t k = 0; k < num_rows_; ++k) {
        for (std::size_t doc = 0; doc < size_; ++doc) {
          const double factor = dense_[k * size_ + doc];
          for (std::size_t f = 0; f < width; ++f) {
            out[doc * width + f] += factor * rows[k * width + f];
          }
        }
      }
      return;
  }
}

void LaplacianRows::targets(std::span<double> out) {
  RANKINE_ASSERT(out.size() == num_rows_);
  if (form_ == Form::pairs) {
    for (std::size_t k = 0; k < edges_.size(); ++k) out[k] = edges_[k].target;
  } else if (form_ == Form::dense) {
    std::copy(dense_targets_.begin(), dense_targets_.end(), out.begin());
  } else {
    std::vector<double> room;
    apply(grades_.values(room).data(), 1, out.data());
  }
}

}  // namespace rankine
