// Leave-one-query-out scores without refitting. With A = R^T R + alpha I and R_q, t_q the rows and
// targets of query q, the weights learnt from all other queries are
//   w_q = (A - R_q^T R_q)^-1 (R^T t - R_q^T t_q)    one d x d system per query, or
//       = w - A^-1 R_q^T (I - H)^-1 (t_q - R_q w),  H = R_q A^-1 R_q^T   n_q x n_q (Woodbury),
// whichever costs less. In the eigenbasis of R^T R the second serves every alpha.
#pragma once

#include <span>
#include <vector>

#include "linalg/gram_sums.hpp"
#include "objectives/ridge/normal_equations.hpp"
#include "solvers/ridge/ridge_path.hpp"

namespace rankine {

/// For each of `solutions`, of all queries of `rows`: the score of every document by the weights
/// learnt without its query. Documents of queries that are not learnt from get the score of all.
/// `stop` is asked on the calling thread alone; stopped, it returns nothing.
std::vector<std::vector<double>> leave_query_out_scores(const RankingRows& rows,
                                                        const GramSums& sums,
                                                        std::span<const RidgeSolution> solutions,
                                                        std::int64_t num_documents, int threads,
                                                        const StopCheck& stop = {});

}  // namespace rankine
