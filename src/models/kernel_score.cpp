// Functions that share columns get a block of values together. Each then multiplies the columns it
// has, laid side by side as if they were all there is: where sums begin and end depends on that.
#include "models/kernel_score.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>

#include "base/parallel.hpp"
#include "base/system/growing_array.hpp"
#include "compute/kernel_blocks.hpp"
#include "compute/query_rows.hpp"
#include "features/kernel.hpp"
#include "features/row_lookup.hpp"
#include "models/score_groups.hpp"

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

/// A function's part in shared columns.
struct Share {
  std::span<const double> weights;
  std::vector<std::size_t> columns;  // empty: all of them, in order
};

/// make(first, count, out) writes blocks of `width` values a row.
template <class Make>
std::vector<std::vector<double>> blocked_scores(std::span<const Share> shares, std::size_t width,
                                                std::int64_t num_rows, int threads,
                                                const Make& make) {
  std::vector<std::vector<double>> scores(shares.size());
  for (auto& each : scores) each.resize(static_cast<std::size_t>(num_rows));
  if (width == 0) return scores;
  parallel_for((num_rows + kBlockRows - 1) / kBlockRows, threads, [&](std::int64_t block) {
    thread_local std::vector<float> values;
    thread_local std::vector<float> own;
    const std::int64_t first = block * kBlockRows;
    const auto here = static_cast<std::size_t>(std::min(kBlockRows, num_rows - first));
    values.resize(here * width);
    make(first, static_cast<std::int64_t>(here), values.data());
    for (std::size_t k = 0; k < shares.size(); ++k) {
      const Share& share = shares[k];
      const float* from = values.data();
      if (!share.columns.empty()) {
        own.resize(here * share.columns.size());
        float* to = own.data();
        for (std::size_t r = 0; r < here; ++r) {
          for (const std::size_t column : share.columns) *to++ = values[r * width + column];
        }
        from = own.data();
      }
      if (share.weights.empty()) continue;
      QueryRows(from).products(share.weights,
                               std::span(scores[k]).subspan(static_cast<std::size_t>(first), here));
    }
  });
  return scores;
}

/// The landmarks that any of the functions has, and the share of each.
struct SharedLandmarks {
  FeatureMatrix landmarks;
  std::vector<Share> shares;
};

SharedLandmarks shared_landmarks(std::span<const KernelFunction* const> functions) {
  SharedLandmarks shared{functions.front()->landmarks, {}};
  const auto is_first = [&](const KernelFunction* function) {
    return is_same_memory(function->landmarks, shared.landmarks);
  };
  if (std::all_of(functions.begin(), functions.end(), is_first)) {
    for (const KernelFunction* function : functions) {
      shared.shares.push_back({function->weights, {}});
    }
    return shared;
  }
  RowLookup lookup;
  std::vector<FeatureMatrix> parts;
  for (const KernelFunction* function : functions) {
    const FeatureMatrix& landmarks = function->landmarks;
    std::vector<std::int64_t> added;
    for (std::int64_t row = 0; row < num_rows(landmarks); ++row) {
      if (!lookup.find(landmarks, row).has_value()) added.push_back(row);
    }
    parts.push_back(take_rows(landmarks, added));
    lookup.add(parts.back());
    Share share{function->weights, {}};
    for (std::int64_t row = 0; row < num_rows(landmarks); ++row) {
      share.columns.push_back(*lookup.find(landmarks, row));
    }
    shared.shares.push_back(std::move(share));
  }
  shared.landmarks = stack_rows(parts);
  return shared;
}

std::vector<std::vector<double>> kernel_scores(std::span<const KernelFunction* const> functions,
                                               const FeatureMatrix& rows, int threads,
                                               KernelProductCache* kept) {
  const SharedLandmarks shared = shared_landmarks(functions);
  const KernelSpec& kernel = functions.front()->kernel;
  const PackedColumns columns(shared.landmarks);
  const KernelFormula pair = kernel_formula(kernel);
  const auto products = kept == nullptr ? nullptr : kept->columns(kernel, shared.landmarks);
  return blocked_scores(shared.shares, columns.num_columns(), num_rows(rows), threads,
                        [&](std::int64_t first, std::int64_t count, float* out) {
                          if (products != nullptr) {
                            products->block(first, count, columns, pair, out);
                          } else {
                            kernel_block(rows, first, count, columns, pair, out);
                          }
                        });
}

DenseMatrix all_terms(const PackedColumns& columns, const KernelFormula& function,
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

KernelFormula wave(const RandomFunction& function) {
  KernelFormula pair;
  pair.kind = function.kind == Approximation::relu ? KernelFormula::Kind::relu
                                                   : KernelFormula::Kind::cosine;
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

std::vector<std::vector<double>> function_scores(std::span<const KernelFunction* const> functions,
                                                 const FeatureMatrix& rows, int threads,
                                                 KernelProductCache* kept) {
  const auto alike = [](const KernelFunction& a, const KernelFunction& b) {
    return a.kernel == b.kernel && a.landmarks.index() == b.landmarks.index() &&
           num_columns(a.landmarks) == num_columns(b.landmarks);
  };
  return scores_by_group(functions, alike, [&](std::span<const KernelFunction* const> group) {
    return kernel_scores(group, rows, threads, kept);
  });
}

std::vector<std::vector<double>> function_scores(std::span<const RandomFunction* const> functions,
                                                 const FeatureMatrix& rows, int threads) {
  const auto alike = [](const RandomFunction& a, const RandomFunction& b) {
    return a.kind == b.kind && a.phases == b.phases && same(a.frequencies, b.frequencies);
  };
  return scores_by_group(functions, alike, [&](std::span<const RandomFunction* const> group) {
    const RandomFunction& first = *group.front();
    const PackedColumns columns(first.frequencies, first.phases);
    std::vector<Share> shares;
    for (const RandomFunction* function : group) shares.push_back({function->weights, {}});
    return blocked_scores(shares, columns.num_columns(), num_rows(rows), threads,
                          [&](std::int64_t row, std::int64_t count, float* out) {
                            kernel_block(rows, row, count, columns, wave(first), out);
                          });
  });
}

DenseMatrix function_terms(const KernelFunction& function, const FeatureMatrix& rows, int threads) {
  return all_terms(PackedColumns(function.landmarks), kernel_formula(function.kernel), rows,
                   threads);
}

DenseMatrix function_terms(const RandomFunction& function, const FeatureMatrix& rows, int threads) {
  return all_terms(PackedColumns(function.frequencies, function.phases), wave(function), rows,
                   threads);
}

}  // namespace rankine
