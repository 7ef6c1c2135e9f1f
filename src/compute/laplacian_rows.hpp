// A root F of the Laplacian L of one query's pairs, F^T F = factor * L, so that the squared errors
// of all pairs are plain squares of rows:
//   sum over pairs of factor * u_i u_j ((y_i - y_j) - (s_i - s_j))^2 = |F y - F s|^2.
// With u the documents' weights, W their sum, W_g that over grade g and m, m_g weighted means, row
// i is
//   all pairs                sqrt(u_i W) (x_i - m)
//   pairs of other grades    sqrt(u_i) [ sqrt(W - W_g) (x_i - m_g) + sqrt(W) (m_g - m) ]
//   no pairs (L = diag(u))   sqrt(u_i) x_i
// Listed pairs have one row per pair, or, where they outnumber the documents, the rows of a dense
// root. Cost: linear in the size of the matrix it is applied to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <rankine/loss.hpp>

#include "losses/pairs/pair_graph.hpp"

namespace rankine {

class LaplacianRows {
 public:
  /// Sets the query to work on. Keeps views of it; `factor` multiplies every pair.
  void assign(const QueryDocuments& query, PairGraph graph, double factor);

  /// Rows of F: the query's documents, or fewer or more where pairs are listed.
  std::size_t num_rows() const { return num_rows_; }

  /// out (num_rows() x width) = F * rows (query.size() x width), both row-major. In and Out are
  /// float or double; sums are in double.
  template <class In, class Out>
  void apply(const In* rows, std::size_t width, Out* out);

  /// The same for a query too long to be transformed at once, part by part: add_to_means() for
  /// every part, then write() for every part, after start(). Requires: is_by_document().
  bool is_by_document() const { return form_ == Form::grouped || form_ == Form::scaled; }
  void start(std::size_t width);
  template <class In>
  void add_to_means(const In* rows, std::size_t first, std::size_t count);
  void finish_means();
  template <class In, class Out>
  void write(const In* rows, std::size_t first, std::size_t count, Out* out) const;

  /// out (query.size() x width) = F^T * rows (num_rows() x width).
  void apply_transposed(const double* rows, std::size_t width, double* out);

  /// What F s should be: F times the grades or, for listed pairs, what their magnitudes ask for.
  void targets(std::span<double> out);

  /// The part of the pairs' squared errors that no scores can remove: the error is
  /// |targets - F s|^2 + unexplained().
  double unexplained() const { return unexplained_; }

 private:
  enum class Form { grouped, scaled, pairs, dense };

  void assign_groups(const QueryDocuments& query, bool by_grade);
  void assign_pairs(const QueryDocuments& query, double factor);
  void take_dense_root();
  template <class In, class Out>
  void apply_pairs(const In* rows, std::size_t width, Out* out) const;
  template <class In, class Out>
  void apply_dense(const In* rows, std::size_t width, Out* out) const;
  std::size_t group_of(std::size_t doc) const { return groups_.empty() ? 0 : groups_[doc]; }

  Form form_ = Form::scaled;
  std::size_t size_ = 0;
  std::size_t width_ = 0;
  std::size_t num_rows_ = 0;
  GradeView grades_;
  double unexplained_ = 0;

  // scaled and grouped
  GradeRanks groups_;  // by document; empty: one group
  std::size_t num_groups_ = 0;
  std::span<const double> weights_;
  std::vector<double> roots_;          // sqrt(factor u_i)
  std::vector<double> group_weights_;  // W_g
  std::vector<double> within_;         // by group: the factor of x_i - m_g
  double across_ = 0;                  // the factor of m_g - m
  double total_ = 0;                   // W
  std::vector<double> means_;          // by group, `width` each: m_g
  std::vector<double> offsets_;        // by group: across * (m_g - m)

  // pairs and dense
  struct Edge {
    std::uint32_t winner = 0;
    std::uint32_t loser = 0;
    double root = 0;
    double target = 0;
  };
  std::vector<Edge> edges_;
  std::vector<double> dense_;  // num_rows_ x size_
  std::vector<double> dense_targets_;
};

}  // namespace rankine
