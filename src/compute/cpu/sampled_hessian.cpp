#include "compute/cpu/sampled_hessian.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/contract.hpp"
#include "base/parallel.hpp"
#include "compute/cpu/document_sample.hpp"
#include "compute/cpu/products/pair_hessian.hpp"
#include "compute/cpu/query_share.hpp"
#include "compute/document_order.hpp"

namespace rankine {
namespace {

constexpr std::size_t kMostParts = 16;

}  // namespace

bool has_sampled_hessian(const QueryLoss& loss, std::uint32_t most_grades) {
  const auto* pieces = dynamic_cast<const PiecewiseQuadraticPairs*>(&loss);
  return pieces != nullptr && pieces->weighting() == PairWeighting::uniform &&
         most_grades <= PairHessian::kMostGrades;
}

void sampled_hessian(const FeatureRows& features, const QueryTable& table,
                     const PiecewiseQuadraticPairs& loss, std::span<const double> weights,
                     double share, int threads, std::span<double> out) {
  const std::size_t width = weights.size();
  RANKINE_ASSERT(features.are_dense() && out.size() == width * width);
  const auto chosen = share_of_queries(table, share).queries;
  const std::size_t num_queries = chosen.size();
  // Each part has a matrix of its own, so as many are at work as there are threads; they are added
  // up in order.
  const std::size_t parts = std::min(kMostParts, num_queries);
  const auto wave = std::min(parts, static_cast<std::size_t>(num_worker_threads(threads)));
  std::vector<double> half(width * width);
  for (std::size_t start = 0; start < parts; start += wave) {
    const std::size_t count = std::min(wave, parts - start);
    std::vector<std::vector<double>> sums(count);
    parallel_for(static_cast<std::int64_t>(count), threads, [&](std::int64_t index) {
      const std::size_t number = start + static_cast<std::size_t>(index);
      std::vector<double>& sum = sums[static_cast<std::size_t>(index)];
      sum.resize(width * width);
      PairHessian hessian(width);
      std::vector<double> scores;
      std::vector<std::uint32_t> order;
      for (std::size_t k = number * num_queries / parts; k < (number + 1) * num_queries / parts;
           ++k) {
        const QueryTable::Query& query = table.queries()[chosen[k].query];
        const DocumentSample sample(table.documents(query), chosen[k]);
        const QueryDocuments& documents = sample.documents();
        const SampledRows rows(features.rows(query.first, query.size).dense(), width,
                               sample.numbers());
        scores.resize(documents.size());
        order.resize(documents.size());
        rows.products(weights, scores);
        order_documents(loss, documents, scores, order);
        hessian.add(rows, documents, {scores, order}, loss.pieces(), chosen[k].scale * query.factor,
                    sum);
      }
      hessian.finish(sum);
    });
    for (const std::vector<double>& sum : sums) {
      for (std::size_t k = 0; k < half.size(); ++k) half[k] += sum[k];
    }
  }
  for (std::size_t row = 0; row < width; ++row) {
    for (std::size_t column = 0; column < width; ++column) {
      out[row * width + column] = half[row * width + column] + half[column * width + row];
    }
  }
}

}  // namespace rankine
