// Blocks of rows are made once for all functions that share terms, and each function multiplies its
// own columns of the block while it is in cache. A row's score is a sum over its own terms alone,
// so blocks may be cut anywhere.
#include "models/kinds/weighted_terms.hpp"

#include "base/checked_size.hpp"
#include "base/parallel.hpp"
#include "base/system/growing_array.hpp"
#include "compute/query_rows.hpp"
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

}  // namespace

bool is_same_matrix(const FeatureMatrix& a, const FeatureMatrix& b) {
  if (a.index() != b.index()) return false;
  if (const auto* dense = std::get_if<DenseMatrix>(&a))
    return same(*dense, std::get<DenseMatrix>(b));
  return same(std::get<CsrMatrix>(a), std::get<CsrMatrix>(b));
}

ScoresByFunction weighted_terms(std::span<const TermShare> shares, std::size_t width,
                                std::int64_t num_rows, int threads, const MakeTerms& make) {
  ScoresByFunction scores(shares.size());
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
      const TermShare& share = shares[k];
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

DenseMatrix all_terms(const PackedColumns& columns, const KernelFormula& formula,
                      const FeatureMatrix& rows, int threads) {
  const std::int64_t count = num_rows(rows);
  const auto width = static_cast<std::int64_t>(columns.num_columns());
  const std::size_t size = product_or_most(static_cast<std::size_t>(count), columns.num_columns());
  require_memory(product_or_most(size, sizeof(float)), "the model", "its terms of all documents");
  GrowingArray<float> values;
  values.resize(size);
  float* out = values.data();
  parallel_for((count + kBlockRows - 1) / kBlockRows, threads, [&](std::int64_t block) {
    const std::int64_t first = block * kBlockRows;
    kernel_block(rows, first, std::min(kBlockRows, count - first), columns, formula,
                 out + first * width);
  });
  return {count, width, values.finish()};
}

PackedColumns packed_terms(const FeatureMatrix& matrix, std::span<const float> phases) {
  const auto rows = static_cast<std::size_t>(num_rows(matrix));
  const std::size_t padded =
      (rows + PackedColumns::kPanel - 1) / PackedColumns::kPanel * PackedColumns::kPanel;
  const auto width = static_cast<std::size_t>(num_columns(matrix));
  require_memory(
      product_or_most(product_or_most(padded, width), sizeof(float)), "the model",
      "its " + std::to_string(rows) + " terms of " + std::to_string(width) + " features");
  return PackedColumns(matrix, phases);
}

}  // namespace rankine
