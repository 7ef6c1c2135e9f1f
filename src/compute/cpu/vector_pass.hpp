// One pass over dense rows that serves several vectors: rows x vectors, one factor for each row and
// vector from what comes out, and rows^T x factors, while the rows of a query are in cache. Reading
// the rows, which is what a pass with one vector waits for, is paid once.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "compute/cpu/long_rows.hpp"
#include "compute/cpu/query_losses.hpp"

namespace rankine {

/// outs[k] = the sum over all rows of row * factor, where factors(query, rows, k, products,
/// scratch, out, extras) writes one factor for each row of a query from the rows' products with
/// vectors[k]. It may add to its extras, one for each vector, whose canonical sums are returned. In
/// precision T.
template <class T, class Factors>
std::vector<double> vector_pass(const FeatureRows& features, const QueryTable& table, int threads,
                                std::span<const std::span<const double>> vectors,
                                std::span<const std::span<double>> outs, const Factors& factors) {
  const auto width = static_cast<std::size_t>(features.num_columns());
  const std::size_t count = in_vector_groups<T>(vectors.size());
  std::vector<T> columns(width * count);
  for (std::size_t k = 0; k < vectors.size(); ++k) {
    for (std::size_t f = 0; f < width; ++f) {
      columns[f * count + k] = static_cast<T>(vectors[k][f]);
    }
  }
  const std::size_t num_values = width * count + vectors.size();
  const auto total = reduce_queries(
      table.cuts(num_values), threads, VectorSum<double>(num_values),
      [&](const Cuts::Leaf& leaf, VectorSum<double>& sum) {
        QueryScratch scratch;
        std::vector<T> images;
        PartialSums<T> partial(std::span(sum.values).first(width * count));
        const auto extras = std::span(sum.values).subspan(width * count);
        for (std::size_t q = leaf.first; q < leaf.last; ++q) {
          const QueryTable::Query& query = table.queries()[q];
          const auto size = static_cast<std::size_t>(query.size);
          const QueryRows query_rows = features.rows(query.first, query.size);
          const float* rows = query_rows.dense();
          images.resize(size * count);
          scratch.along.resize(size);
          scratch.factors.resize(size);
          Prefetcher ahead = next_rows(features, table, leaf, q);
          for_each_row_block(size, threads, [&](std::size_t first, std::size_t here) {
            row_products(rows + first * width, width, here, columns, count,
                         std::span(images).subspan(first * count, here * count),
                         here == size ? &ahead : nullptr);
          });
          for (std::size_t k = 0; k < vectors.size(); ++k) {
            for (std::size_t doc = 0; doc < size; ++doc) {
              scratch.along[doc] = static_cast<double>(images[doc * count + k]);
            }
            factors(query, query_rows, k, std::span<const double>(scratch.along), ahead, scratch,
                    std::span(scratch.factors), extras[k]);
            for (std::size_t doc = 0; doc < size; ++doc) {
              images[doc * count + k] = static_cast<T>(scratch.factors[doc]);
            }
          }
          add_rows_to(partial, size, threads, ahead,
                      [&](std::size_t first, std::size_t here, auto out, Prefetcher& memory) {
                        add_weighted_rows(rows + first * width, width, here,
                                          std::span(images).subspan(first * count, here * count),
                                          count, out, &memory);
                      });
        }
        partial.finish();
      });
  for (std::size_t k = 0; k < outs.size(); ++k) {
    for (std::size_t f = 0; f < width; ++f) outs[k][f] = total.values[f * count + k];
  }
  return {total.values.begin() + static_cast<std::ptrdiff_t>(width * count), total.values.end()};
}

}  // namespace rankine
