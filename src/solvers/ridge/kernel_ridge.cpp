// Everything is done in the eigenbasis of M = U S U^T, which serves every alpha: b = U (S +
// alpha)^-1 U^T t; the scores of all documents are K F^T b = (U^T F K)^T (S + alpha)^-1 U^T t; and
// a block of the inverse, Q_qq, is U_q (S + alpha)^-1 U_q^T, all that leaving query q out needs. A
// single alpha takes a Cholesky factor. The residual of the system bounds the distance to the
// minimum, rounding included. Saunders, Gammerman and Vovk, "Ridge regression learning algorithm in
// dual variables", 1998; leaving out: Pahikkala, Tsivtsivadze, Airola, Jarvinen and Boberg, "An
// efficient algorithm for learning to rank from preference graphs", 2009.
#include "solvers/ridge/kernel_ridge.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>

#include <rankine/error.hpp>
#include <rankine/fields.hpp>

#include "linalg/dense_algebra.hpp"
#include "linalg/gram_sums.hpp"
#include "linalg/inner_product.hpp"
#include "linalg/symmetric_eigen.hpp"
#include "solvers/ridge/ridge_path.hpp"

namespace rankine {
namespace {

[[noreturn]] void refuse(const std::string& source, const std::string& what) {
  throw Error(ErrorKind::data, source + ": the kernel is not positive semidefinite: " + what);
}

/// Rounding in a kernel kept in single precision leaves eigenvalues this far below 0.
constexpr double kLeastEigenvalue = 1e-6;

void check_positive(const SymmetricEigen& eigen, const std::string& source) {
  if (eigen.size() == 0) return;
  const double least = eigen.values().front();
  const double largest = std::max(0.0, eigen.values().back());
  if (least < -kLeastEigenvalue * largest || (largest == 0 && least < 0)) {
    refuse(source, "an eigenvalue over its pairs is " + real_text(least) + ", the largest " +
                       real_text(largest));
  }
}

/// Sets objective and gap from the coefficients, and returns what is left of the system,
/// t - (M + alpha I) b. With f the function of b: J(f) = |t - M b|^2 + alpha b' M b, and half its
/// gradient is the function of -(what is left), so that J(f) - min J <= left' M left / alpha. No
/// function explains more than all.
std::vector<double> certify(const KernelEquations& system, KernelRidgeSolution& solution) {
  constexpr double kRounding = 0x1p-44;  // of sums, as in solvers/ridge/ridge_certificate
  const auto m = static_cast<std::size_t>(system.num_rows);
  const std::vector<double>& b = solution.coefficients;
  const auto image = [&](const std::vector<double>& of) {
    std::vector<double> out(m);
    for (std::size_t k = 0; k < m; ++k) {
      out[k] = dot(std::span(system.transformed).subspan(k * m, m), of);
    }
    return out;
  };
  const std::vector<double> reached = image(b);
  std::vector<double> left(m);
  double squares = 0;
  double size = 0;   // of the terms that residuals are the differences of
  double reach = 0;  // no less than |f|
  for (std::size_t k = 0; k < m; ++k) {
    const double residual = system.targets[k] - reached[k];
    squares += residual * residual;
    left[k] = residual - solution.alpha * b[k];
    reach += std::sqrt(std::max(0.0, system.transformed[k * m + k])) * std::abs(b[k]);
  }
  for (std::size_t k = 0; k < m; ++k) {
    const double entry = std::abs(system.targets[k]) +
                         std::sqrt(std::max(0.0, system.transformed[k * m + k])) * reach +
                         solution.alpha * std::abs(b[k]);
    size += entry * entry;
  }
  solution.squared_norm = std::max(0.0, dot(b, reached));
  const double penalty = solution.alpha * solution.squared_norm;
  solution.objective = squares + penalty + system.unexplained;
  const double lost = kRounding * std::sqrt(size);
  const double objective_error = 2 * std::sqrt(squares) * lost + lost * lost +
                                 kRounding * (solution.objective + solution.alpha * reach * reach);
  double trace = 0;
  for (std::size_t k = 0; k < m; ++k) trace += std::max(0.0, system.transformed[k * m + k]);
  const double slope = std::sqrt(std::max(0.0, dot(left, image(left)))) + std::sqrt(trace) * lost;
  const double most = squares + penalty;  // J is nowhere below what nothing explains
  solution.gap = (solution.alpha > 0 ? std::min(most, slope * slope / solution.alpha) : most) +
                 objective_error;
  return left;
}

/// Iterative refinement: solves for what is left, for as long as that lowers the gap.
void refine(const KernelEquations& system, const CholeskyFactor& factor,
            KernelRidgeSolution& solution) {
  constexpr int kMostSteps = 5;
  constexpr double kGoodGap = 1e-10;  // of the objective
  std::vector<double> left = certify(system, solution);
  for (int step = 0; step < kMostSteps && solution.gap > kGoodGap * solution.objective; ++step) {
    KernelRidgeSolution next(solution);
    factor.solve(left);
    for (std::size_t k = 0; k < left.size(); ++k) next.coefficients[k] += left[k];
    left = certify(system, next);
    const bool goes_on = next.gap < 0.5 * solution.gap;
    if (next.gap < solution.gap) solution = std::move(next);
    if (!goes_on) return;
  }
}

class KernelRidge {
 public:
  KernelRidge(const KernelEquations& system, const QueryTable& table, const std::string& source)
      : system_(system), table_(table), eigen_(system.transformed, system.num_rows) {
    check_positive(eigen_, source);
    rows_ = static_cast<std::size_t>(system.num_rows);
    targets_.resize(rows_);
    eigen_.to_eigenbasis(system.targets, targets_);
  }

  KernelRidgeSolution solve(double alpha) const {
    KernelRidgeSolution solution;
    solution.alpha = alpha;
    solution.coefficients.resize(rows_);
    std::vector<double> shrunk(rows_);
    const std::vector<double> inverses = inverse(alpha);
    for (std::size_t k = 0; k < rows_; ++k) {
      shrunk[k] = inverses[k] * targets_[k];
      if (inverses[k] != 0) ++solution.rank;
    }
    eigen_.from_eigenbasis(shrunk, solution.coefficients);
    certify(system_, solution);
    return solution;
  }

  void prepare_leaving_out() {
    const auto n = system_.num_documents;
    turned_.resize(rows_ * static_cast<std::size_t>(n));
    times(eigen_.vectors().data(), system_.num_rows, system_.half.data(), n, system_.num_rows,
          turned_.data());
  }

  std::vector<double> leave_query_out(double alpha, const KernelRidgeSolution& solution) const {
    const auto n = static_cast<std::size_t>(system_.num_documents);
    const std::vector<double> inverses = inverse(alpha);
    std::vector<double> all(rows_);
    for (std::size_t k = 0; k < rows_; ++k) all[k] = inverses[k] * targets_[k];
    std::vector<double> scores(n);
    times(all.data(), 1, turned_.data(), system_.num_documents, system_.num_rows, scores.data());
    const auto queries = table_.queries();
    std::vector<double> along(rows_);
    for (std::size_t q = 0; q < queries.size(); ++q) {
      if (alpha == 0) {
        refit_without(q, scores);
        continue;
      }
      const std::vector<double> errors = query_errors(q, inverses, solution);
      const auto first = static_cast<std::size_t>(system_.first_rows[q]);
      for (std::size_t k = 0; k < rows_; ++k) {
        double sum = 0;
        for (std::size_t r = 0; r < errors.size(); ++r) {
          sum += eigen_.vector(k)[first + r] * errors[r];
        }
        along[k] = inverses[k] * (targets_[k] - sum);
      }
      const auto begin = static_cast<std::size_t>(queries[q].first);
      const auto count = static_cast<std::size_t>(queries[q].size);
      std::fill_n(scores.begin() + queries[q].first, count, 0.0);
      for (std::size_t k = 0; k < rows_; ++k) {
        for (std::size_t doc = begin; doc < begin + count; ++doc) {
          scores[doc] += turned_[k * n + doc] * along[k];
        }
      }
    }
    return scores;
  }

 private:
  /// Without alpha M need not have an inverse, and there is no update of it: solves the system that
  /// is left.
  void refit_without(std::size_t q, std::span<double> scores) const {
    const auto first = static_cast<std::size_t>(system_.first_rows[q]);
    const auto last = static_cast<std::size_t>(system_.first_rows[q + 1]);
    std::vector<std::size_t> kept;
    for (std::size_t k = 0; k < rows_; ++k) {
      if (k < first || k >= last) kept.push_back(k);
    }
    std::vector<double> matrix(kept.size() * kept.size());
    std::vector<double> b(kept.size());
    for (std::size_t i = 0; i < kept.size(); ++i) {
      for (std::size_t j = 0; j < kept.size(); ++j) {
        matrix[i * kept.size() + j] = system_.transformed[kept[i] * rows_ + kept[j]];
      }
      b[i] = system_.targets[kept[i]];
    }
    solve_shifted(matrix, 0, b);
    const auto n = static_cast<std::size_t>(system_.num_documents);
    const QueryTable::Query& query = table_.queries()[q];
    for (auto doc = static_cast<std::size_t>(query.first);
         doc < static_cast<std::size_t>(query.first + query.size); ++doc) {
      scores[doc] = 0;
      for (std::size_t i = 0; i < kept.size(); ++i) {
        scores[doc] += system_.half[kept[i] * n + doc] * b[i];
      }
    }
  }

  /// Q_qq^-1 b_q.
  std::vector<double> query_errors(std::size_t q, std::span<const double> inverses,
                                   const KernelRidgeSolution& solution) const {
    const auto first = static_cast<std::size_t>(system_.first_rows[q]);
    const auto count = static_cast<std::size_t>(system_.first_rows[q + 1]) - first;
    std::vector<double> part(count * rows_);
    for (std::size_t k = 0; k < rows_; ++k) {
      const double root = std::sqrt(inverses[k]);
      for (std::size_t r = 0; r < count; ++r) {
        part[r * rows_ + k] = root * eigen_.vector(k)[first + r];
      }
    }
    std::vector<double> inside(count * count);
    outer_gram(part.data(), static_cast<std::int64_t>(count), system_.num_rows, inside);
    std::vector<double> errors(solution.coefficients.begin() + system_.first_rows[q],
                               solution.coefficients.begin() + system_.first_rows[q + 1]);
    const CholeskyFactor factor(inside, static_cast<std::int64_t>(count));
    if (factor.not_positive_definite()) {
      solve_shifted(inside, 0, errors);
    } else {
      factor.solve(errors);
    }
    return errors;
  }

  /// 1 / (S + alpha); 0 where the divisor cannot be distinguished from 0.
  std::vector<double> inverse(double alpha) const {
    std::vector<double> inverses(rows_);
    for (std::size_t k = 0; k < rows_; ++k) {
      const double value = std::max(0.0, eigen_.values()[k]) + alpha;
      inverses[k] = value <= eigen_.negligible() ? 0.0 : 1 / value;
    }
    return inverses;
  }

  const KernelEquations& system_;
  const QueryTable& table_;
  SymmetricEigen eigen_;
  std::size_t rows_ = 0;
  std::vector<double> targets_;  // U^T t
  std::vector<double> turned_;   // U^T F K
};

}  // namespace

std::vector<KernelRidgeSolution> solve_kernel_ridge(const KernelEquations& system,
                                                    const QueryTable& table,
                                                    std::span<const double> alphas,
                                                    bool leave_query_out, const std::string& source,
                                                    const StopCheck& stop) {
  std::vector<KernelRidgeSolution> solutions;
  if (alphas.size() == 1 && alphas[0] > 0 && !leave_query_out) {
    std::vector<double> shifted(system.transformed);
    const auto m = static_cast<std::size_t>(system.num_rows);
    for (std::size_t k = 0; k < m; ++k) shifted[k * m + k] += alphas[0];
    const CholeskyFactor factor(std::move(shifted), system.num_rows);
    if (!factor.not_positive_definite()) {
      std::vector<double> b(system.targets);
      factor.solve(b);
      KernelRidgeSolution solution;
      solution.alpha = alphas[0];
      solution.coefficients = std::move(b);
      solution.rank = system.num_rows;
      refine(system, factor, solution);
      solutions.push_back(std::move(solution));
      return solutions;
    }
  }
  KernelRidge ridge(system, table, source);
  if (leave_query_out) ridge.prepare_leaving_out();
  for (const double alpha : alphas) {
    if (stop && stop()) break;
    solutions.push_back(ridge.solve(alpha));
    if (leave_query_out) {
      solutions.back().leave_query_out = ridge.leave_query_out(alpha, solutions.back());
    }
  }
  return solutions;
}

}  // namespace rankine
