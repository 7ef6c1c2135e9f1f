// The Hessian of a loss at scores 0, in the weights, from all queries or a share of them, in single
// precision: the matrix of a preconditioner. At scores 0 every pair of different grades counts, so
// X^T H X is the Gram matrix of transformed rows: with weights u, W the sums of u over the query
// (q) and over the documents of the row's grade (g), and means weighted by u,
//   row_i = sqrt(u_i) ( sqrt(W_q - W_g) (x_i - mean_g) + sqrt(W_q) (mean_g - mean_q) ).
// Cost: n d^2 / 2 multiply-adds in matrix products. Losses that weigh pairs are matched query by
// query with one factor.
#pragma once

#include <cstdint>
#include <vector>

#include <rankine/loss.hpp>

#include "compute/query_rows.hpp"
#include "compute/query_table.hpp"

namespace rankine {

/// The lower triangle, row-major, num_columns x num_columns. Requires: dense rows, a loss with a
/// Hessian, 0 < share <= 1. What counts is chosen by compute/cpu/query_share.
std::vector<float> pair_gram(const FeatureRows& features, const QueryTable& table,
                             const QueryLoss& loss, double share, int threads);

}  // namespace rankine
