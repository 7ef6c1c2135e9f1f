#include "models/kernel_score.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>

#include "base/growing_array.hpp"
#include "base/parallel.hpp"
#include "compute/cpu/dense_products.hpp"
#include "compute/cpu/kernel_products.hpp"
#include "features/kernel.hpp"

namespace rankine {
namespace {

constexpr std::int64_t kBlockRows = 96;

bool same(std::span<const float> a, std::span<const float> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

bool same(const DenseMatrix& a, const DenseMatrix& b) {
  return a.num_rows == b.num_rows && a.num_columns == b.num_columns && same(a.values, b.values);
}

bool same(const CsrMatrix& a, const CsrMatrix& b) {
  return a.num_rows == b.num_rows && a.num_columns == b.num_columns &&
         std::equal(a.offsets.begin(), a.offsets.end(), b.offsets.begin(), b.offsets.end()) &&
         std::equal(a.columns.begin(), a.columns.end(), b.columns.begin(), b.columns.end()) &&
         same(a.values, b.values);
}

bool same(const FeatureMatrix& a, const FeatureMatrix& b) {
  if (a.index() != b.index()) return false;
  if (const auto* dense = std::get_if<DenseMatrix>(&a))
    return same(*dense, std::get<DenseMatrix>(b));
  return same(std::get<CsrMatrix>(a), std::get<CsrMatrix>(b));
}

std::vector<double> blocked_scores(const PackedColumns& columns, const PairFunction& function,
                                   std::span<const double> weights, const FeatureMatrix& rows,
                                   int threads) {
  const std::int64_t count = num_rows(rows);
  std::vector<double> scores(static_cast<std::size_t>(count));
  if (weights.empty()) return scores;
  parallel_for((count + kBlockRows - 1) / kBlockRows, threads, [&](std::int64_t block) {
    thread_local std::vector<float> values;
    const std::int64_t first = block * kBlockRows;
    const auto here = static_cast<std::size_t>(std::min(kBlockRows, count - first));
    values.resize(here * weights.size());
    kernel_block(rows, first, static_cast<std::int64_t>(here), columns, function, values.data());
    row_products(values.data(), weights,
                 std::span(scores).subspan(static_cast<std::size_t>(first), here));
  });
  return scores;
}

DenseMatrix all_terms(const PackedColumns& columns, const PairFunction& function,
                      const FeatureMatrix& rows, int threads) {
  const std::int64_t count = num_rows(rows);
  const auto width = static_cast<std::int64_t>(columns.num_columns());
  GrowingArray<float> values;
  values.resize(static_cast<std::size_t>(count * width));
  float* out = values.data();
  parallel_for((count + kBlockRows - 1) / kBlockRows, threads, [&](std::int64_t block) {
    const std::int64_t first = block * kBlockRows;
    kernel_block(rows, first, std::min(kBlockRows, count - first), columns, function,
                 out + first * width);
  });
  return {count, width, values.finish()};
}

PairFunction wave(const RandomFunction& function) {
  PairFunction pair;
  pair.kind =
      function.kind == Approximation::relu ? PairFunction::Kind::relu : PairFunction::Kind::cosine;
  return pair;
}

}  // namespace

bool KernelFunction::operator==(const KernelFunction& other) const {
  return kernel == other.kernel && weights == other.weights && same(landmarks, other.landmarks);
}

bool RandomFunction::operator==(const RandomFunction& other) const {
  return kind == other.kind && phases == other.phases && weights == other.weights &&
         same(frequencies, other.frequencies);
}

std::vector<double> function_scores(const KernelFunction& function, const FeatureMatrix& rows,
                                    int threads) {
  return blocked_scores(PackedColumns(function.landmarks), pair_function(function.kernel),
                        function.weights, rows, threads);
}

std::vector<double> function_scores(const RandomFunction& function, const FeatureMatrix& rows,
                                    int threads) {
  return blocked_scores(PackedColumns(function.frequencies, function.phases), wave(function),
                        function.weights, rows, threads);
}

DenseMatrix function_terms(const KernelFunction& function, const FeatureMatrix& rows, int threads) {
  return all_terms(PackedColumns(function.landmarks), pair_function(function.kernel), rows,
                   threads);
}

DenseMatrix function_terms(const RandomFunction& function, const FeatureMatrix& rows, int threads) {
  return all_terms(PackedColumns(function.frequencies, function.phases), wave(function), rows,
                   threads);
}

}  // namespace rankine
