// Every query adds its part of one triangular half M (products/pair_hessian); the Hessian is M +
// M^T. A query's scores and order are found again from the weights, so nothing is kept by document.
// That a share of the data is enough to find a Newton step: Byrd, Chin, Neveitt and Nocedal, "On
// the use of stochastic Hessian information in optimization methods for machine learning", 2011.
#include "compute/cpu/sampled_hessian.hpp"

#include <bit>
#include <cstddef>
#include <vector>

#include "base/contract.hpp"
#include "base/sums/canonical_sum.hpp"
#include "compute/cpu/document_sample.hpp"
#include "compute/cpu/products/pair_hessian.hpp"
#include "compute/cpu/query_losses.hpp"
#include "compute/cpu/query_share.hpp"
#include "compute/document_order.hpp"

namespace rankine {

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
  const QueryShare chosen = share_of_queries(table, share);
  const VectorSum<double> zero(width * width);
  const auto add_sample = [&](const QueryShare::Chosen& each, const float* rows,
                              PairHessian& hessian, QueryScratch& scratch, std::span<double> sum) {
    const QueryTable::Query& query = table.queries()[each.query];
    const DocumentSample sample(table.documents(query), each, table.first_document(query));
    const QueryDocuments& documents = sample.documents();
    const SampledRows taken(rows, width, sample.numbers());
    scratch.scores.resize(documents.size());
    scratch.order.resize(documents.size());
    taken.products(weights, scratch.scores);
    order_documents(loss, documents, scratch.scores, scratch.order);
    hessian.add(taken, documents, {scratch.scores, scratch.order}, loss.pieces(),
                each.scale * query.factor, sum);
  };
  const auto half = reduce_queries(
      table.cuts(width * width), threads, zero,
      [&](const Cuts::Leaf& leaf, VectorSum<double>& sum) {
        PairHessian hessian(width);
        QueryScratch scratch;
        for_each_chosen_query(chosen.of(leaf), [&](std::span<const QueryShare::Chosen> samples) {
          const QueryTable::Query& query = table.queries()[samples[0].query];
          const float* rows = features.rows(query.first, query.size).dense();
          if (samples.size() == 1) {
            return add_sample(samples[0], rows, hessian, scratch, sum.values);
          }
          // Samples of a long query, side by side.
          sum.add(reduce_queries(
              Cuts::of_items(samples.size(), std::bit_ceil(samples.size())), threads, zero,
              [&](const Cuts::Leaf& part, VectorSum<double>& own) {
                PairHessian own_hessian(width);
                QueryScratch own_scratch;
                add_sample(samples[part.first], rows, own_hessian, own_scratch, own.values);
                own_hessian.finish(own.values);
              }));
        });
        hessian.finish(sum.values);
      });
  for (std::size_t row = 0; row < width; ++row) {
    for (std::size_t column = 0; column < width; ++column) {
      out[row * width + column] =
          half.values[row * width + column] + half.values[column * width + row];
    }
  }
}

}  // namespace rankine
