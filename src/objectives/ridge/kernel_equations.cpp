// The dual of RankRLS: with F the root of the pairs' Laplacian, F K F^T is applied from both sides,
// query by query, by the linear-time products of laplacian_rows; the matrix is transposed between
// them. Pahikkala, Tsivtsivadze, Airola, Jarvinen and Boberg, "An efficient algorithm for learning
// to rank from preference graphs", 2009.
#include "objectives/ridge/kernel_equations.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <rankine/error.hpp>
#include <rankine/fields.hpp>

#include "base/parallel.hpp"
#include "base/sums/canonical_sum.hpp"
#include "linalg/dense_algebra.hpp"
#include "linalg/gram_sums.hpp"

namespace rankine {
namespace {

/// out (rows of F x width) = F * in (documents x width).
void apply_root(const double* in, std::size_t width, const QueryTable& table, PairGraph graph,
                std::span<const std::int64_t> first_rows, int threads, double* out) {
  const auto queries = table.queries();
  parallel_for(static_cast<std::int64_t>(queries.size()), threads, [&](std::int64_t index) {
    const auto q = static_cast<std::size_t>(index);
    LaplacianRows root;
    root.assign(table.documents(queries[q]), graph, queries[q].factor);
    root.apply(in + static_cast<std::size_t>(queries[q].first) * width, width,
               out + static_cast<std::size_t>(first_rows[q]) * width);
  });
}

std::vector<double> transposed(std::span<const double> matrix, std::size_t rows,
                               std::size_t columns) {
  std::vector<double> result(matrix.size());
  constexpr std::size_t kTile = 64;
  for (std::size_t i = 0; i < rows; i += kTile) {
    for (std::size_t j = 0; j < columns; j += kTile) {
      for (std::size_t r = i; r < std::min(i + kTile, rows); ++r) {
        for (std::size_t c = j; c < std::min(j + kTile, columns); ++c) {
          result[c * rows + r] = matrix[r * columns + c];
        }
      }
    }
  }
  return result;
}

}  // namespace

void check_kernel(std::span<const double> kernel, std::int64_t size, const std::string& source) {
  const auto n = static_cast<std::size_t>(size);
  double largest = 0;
  for (const double value : kernel) {
    if (!std::isfinite(value)) throw Error(ErrorKind::data, source + ": the kernel is not finite");
    largest = std::max(largest, std::abs(value));
  }
  // Rounding to single precision moves entries, and eigenvalues, by so much.
  const double rounding = 1e-6 * largest;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (std::abs(kernel[i * n + j] - kernel[j * n + i]) <= rounding) continue;
      throw Error(ErrorKind::data, source + ": the kernel is not symmetric: entry (" +
                                       std::to_string(i + 1) + ", " + std::to_string(j + 1) +
                                       ") is " + real_text(kernel[i * n + j]) + ", entry (" +
                                       std::to_string(j + 1) + ", " + std::to_string(i + 1) +
                                       ") is " + real_text(kernel[j * n + i]));
    }
  }
  if (largest == 0) return;
  std::vector<double> shifted(kernel.begin(), kernel.end());
  for (std::size_t i = 0; i < n; ++i)
    shifted[i * n + i] += rounding * std::sqrt(static_cast<double>(n));
  if (CholeskyFactor(std::move(shifted), size).not_positive_definite()) {
    throw Error(ErrorKind::data, source + ": the kernel is not positive semidefinite: adding " +
                                     real_text(rounding * std::sqrt(static_cast<double>(n))) +
                                     " to its diagonal leaves a negative eigenvalue");
  }
}

KernelEquations kernel_equations(std::span<const double> kernel, std::int64_t num_documents,
                                 const QueryTable& table, PairGraph graph, int threads) {
  KernelEquations system;
  system.num_documents = num_documents;
  LaplacianRows root;
  std::vector<double> unexplained;
  for (const QueryTable::Query& query : table.queries()) {
    system.first_rows.push_back(system.num_rows);
    root.assign(table.documents(query), graph, query.factor);
    const auto first = static_cast<std::size_t>(system.num_rows);
    system.num_rows += static_cast<std::int64_t>(root.num_rows());
    system.targets.resize(static_cast<std::size_t>(system.num_rows));
    root.targets(std::span(system.targets).subspan(first));
    unexplained.push_back(root.unexplained());
  }
  system.unexplained = sum_over_queries(table.cuts(1), unexplained);
  system.first_rows.push_back(system.num_rows);
  const auto n = static_cast<std::size_t>(num_documents);
  const auto m = static_cast<std::size_t>(system.num_rows);
  system.half.resize(m * n);
  apply_root(kernel.data(), n, table, graph, system.first_rows, threads, system.half.data());
  const std::vector<double> turned = transposed(system.half, m, n);
  system.transformed.resize(m * m);
  apply_root(turned.data(), m, table, graph, system.first_rows, threads, system.transformed.data());
  return system;
}

std::vector<double> document_coefficients(std::span<const double> b, const KernelEquations& system,
                                          const QueryTable& table, PairGraph graph) {
  std::vector<double> a(static_cast<std::size_t>(system.num_documents));
  LaplacianRows root;
  const auto queries = table.queries();
  for (std::size_t q = 0; q < queries.size(); ++q) {
    root.assign(table.documents(queries[q]), graph, queries[q].factor);
    root.apply_transposed(b.data() + system.first_rows[q], 1, a.data() + queries[q].first);
  }
  return a;
}

std::vector<double> linear_kernel(const RankingRows& rows, std::int64_t num_documents,
                                  int threads) {
  const auto n = static_cast<std::size_t>(num_documents);
  const auto width = static_cast<std::size_t>(rows.width());
  constexpr std::size_t kTile = 256;
  std::vector<double> scaled(n * width);
  std::vector<double> unit(1, 1.0);
  const std::vector<double> factors = rows.columns().times(std::vector<double>(width, 1.0));
  parallel_for(static_cast<std::int64_t>((n + kTile - 1) / kTile), threads, [&](std::int64_t tile) {
    const std::size_t first = static_cast<std::size_t>(tile) * kTile;
    for (std::size_t doc = first; doc < std::min(first + kTile, n); ++doc) {
      const auto row = std::span(scaled).subspan(doc * width, width);
      rows.features().rows(static_cast<std::int64_t>(doc), 1).add_weighted(unit, row);
      for (std::size_t f = 0; f < width; ++f) row[f] *= factors[f];
    }
  });
  std::vector<double> kernel(n * n);
  parallel_for(static_cast<std::int64_t>((n + kTile - 1) / kTile), threads, [&](std::int64_t tile) {
    const std::size_t first = static_cast<std::size_t>(tile) * kTile;
    const std::size_t count = std::min(kTile, n - first);
    times_transposed(scaled.data() + first * width, static_cast<std::int64_t>(count), scaled.data(),
                     num_documents, rows.width(), kernel.data() + first * n);
  });
  return kernel;
}

std::vector<double> linear_weights(const RankingRows& rows, std::span<const double> a) {
  // Documents of other queries than the table's have coefficient 0.
  const QueryTable& table = rows.table();
  const auto width = static_cast<std::size_t>(rows.width());
  std::vector<double> weights =
      reduce_queries(table.cuts(width), 1, VectorSum<double>(width),
                     [&](const Cuts::Leaf& leaf, VectorSum<double>& sum) {
                       for (std::size_t q = leaf.first; q < leaf.last; ++q) {
                         const QueryTable::Query& query = table.queries()[q];
                         rows.features()
                             .rows(query.first, query.size)
                             .add_weighted(a.subspan(static_cast<std::size_t>(query.first),
                                                     static_cast<std::size_t>(query.size)),
                                           sum.values);
                       }
                     })
          .values;
  rows.columns().apply(weights);
  return weights;
}

}  // namespace rankine
