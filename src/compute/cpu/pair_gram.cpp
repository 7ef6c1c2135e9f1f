// The Gram matrix of a ranking loss at scores 0, where every pair counts: sum over queries of X^T L
// X, L the Laplacian of the query's pairs. L has a root with one row per document (see the header),
// so the sum is that of plain squares: rows are transformed, collected into blocks and added by
// matrix products in single precision. A preconditioner needs no more digits, and may come from a
// share of the queries, or of the documents of long ones. The curvature of the loss enters as one
// factor per query, the one that makes both quadratics agree along a random vector.
// Laplacians of pairs: Pahikkala, Tsivtsivadze, Airola, Jarvinen and Boberg, "An efficient
// algorithm for learning to rank from preference graphs", 2009.
#include "compute/cpu/pair_gram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>

#include "base/contract.hpp"
#include "base/random.hpp"
#include "base/sums/canonical_sum.hpp"
#include "compute/cpu/document_sample.hpp"
#include "compute/cpu/products/dense_products.hpp"
#include "compute/cpu/query_share.hpp"
#include "compute/document_order.hpp"
#include "linalg/symmetric_factors.hpp"

namespace rankine {
namespace {

constexpr std::size_t kBlockRows = 1024;

/// Weights of the documents of a query, by grade and in all.
struct GradeWeights {
  std::vector<double> by_document;
  std::vector<std::uint32_t> grade;
  std::vector<double> by_grade;
  double total = 0;
};

GradeWeights grade_weights(const QueryDocuments& query) {
  GradeWeights weights;
  const std::size_t size = query.size();
  const bool listed = !query.pairs.empty();  // then grades say nothing: each its own
  weights.by_document.assign(size, 1.0);
  if (!query.weights.empty()) {
    weights.by_document.assign(query.weights.begin(), query.weights.end());
  }
  weights.by_grade.assign(listed ? size : query.num_grades, 0.0);
  for (std::size_t doc = 0; doc < size; ++doc) {
    weights.grade.push_back(listed ? static_cast<std::uint32_t>(doc) : query.grade_ranks[doc]);
    weights.by_grade[weights.grade.back()] += weights.by_document[doc];
    weights.total += weights.by_document[doc];
  }
  return weights;
}

/// Rows on their way into a Gram matrix, some hundred at a time.
class WaitingRows {
 public:
  WaitingRows(std::size_t width, std::vector<float>& gram) : width_(width), gram_(gram) {}

  /// Room for one more row, which must be written before the next call.
  float* next() {
    if (rows_.size() == kBlockRows * width_) flush();
    rows_.resize(rows_.size() + width_);
    return rows_.data() + (rows_.size() - width_);
  }
  void flush() {
    if (rows_.empty()) return;
    add_gram(rows_.data(), static_cast<std::int64_t>(rows_.size() / width_),
             static_cast<std::int64_t>(width_), gram_);
    rows_.clear();
  }

 private:
  std::size_t width_;
  std::vector<float>& gram_;
  std::vector<float> rows_;
};

/// The documents of a query, grade after grade.
class DocumentsByGrade {
 public:
  explicit DocumentsByGrade(const GradeWeights& weights)
      : ends_(weights.by_grade.size() + 1), documents_(weights.grade.size()) {
    for (const std::uint32_t g : weights.grade) ++ends_[g + 1];
    std::partial_sum(ends_.begin(), ends_.end(), ends_.begin());
    for (std::uint32_t doc = 0; doc < documents_.size(); ++doc) {
      documents_[ends_[weights.grade[doc]]++] = doc;  // starts become ends
    }
  }
  std::span<const std::uint32_t> of(std::size_t grade) const {
    const std::size_t first = grade == 0 ? 0 : ends_[grade - 1];
    return std::span(documents_).subspan(first, ends_[grade] - first);
  }

 private:
  std::vector<std::uint32_t> ends_;
  std::vector<std::uint32_t> documents_;
};

/// Adds the transformed rows of one query, each times `scale`. Takes one grade after the other, so
/// that the cost does not depend on their number.
void add_query(const SampledRows& rows, const GradeWeights& weights, double scale,
               WaitingRows& waiting) {
  const std::size_t width = rows.width();
  std::vector<double> mean(width);
  rows.add_weighted(weights.by_document, mean);
  for (double& value : mean) value /= weights.total;
  const double common = scale * std::sqrt(weights.total);
  std::vector<double> centre(width);
  std::vector<float> shift(width);
  const DocumentsByGrade documents(weights);
  for (std::size_t g = 0; g < weights.by_grade.size(); ++g) {
    if (!(weights.by_grade[g] > 0)) continue;  // then all its rows are 0
    std::fill(centre.begin(), centre.end(), 0.0);
    for (const std::uint32_t doc : documents.of(g)) {
      const double part = weights.by_document[doc] / weights.by_grade[g];
      add_weighted_rows(rows[doc], {&part, 1}, centre);
    }
    const double own = scale * std::sqrt(std::max(0.0, weights.total - weights.by_grade[g]));
    for (std::size_t f = 0; f < width; ++f) {
      shift[f] = static_cast<float>(common * (centre[f] - mean[f]) - own * centre[f]);
    }
    for (const std::uint32_t doc : documents.of(g)) {
      const auto root = static_cast<float>(std::sqrt(weights.by_document[doc]));
      const auto factor = static_cast<float>(own) * root;
      const float* row = rows[doc];
      float* to = waiting.next();
      for (std::size_t f = 0; f < width; ++f) to[f] = factor * row[f] + root * shift[f];
    }
  }
}

/// |transformed rows of a vector|^2, for a row width of one.
double transformed_square(const GradeWeights& weights, std::span<const double> vector) {
  std::vector<double> means(weights.by_grade.size());
  double mean = 0;
  for (std::size_t doc = 0; doc < vector.size(); ++doc) {
    const double part = weights.by_document[doc] * vector[doc];
    means[weights.grade[doc]] += part;
    mean += part;
  }
  mean /= weights.total;
  double sum = 0;
  for (std::size_t doc = 0; doc < vector.size(); ++doc) {
    if (!(weights.by_document[doc] > 0)) continue;  // perhaps all of its grade: no mean
    const std::uint32_t g = weights.grade[doc];
    const double centre = means[g] / weights.by_grade[g];
    const double entry =
        std::sqrt(std::max(0.0, weights.total - weights.by_grade[g])) * (vector[doc] - centre) +
        std::sqrt(weights.total) * (centre - mean);
    sum += weights.by_document[doc] * entry * entry;
  }
  return sum;
}

/// The ratio of the loss's Hessian at scores 0 to the quadratic form of the transformed rows, along
/// one random vector.
double curvature(const QueryDocuments& documents, const QueryLoss& loss,
                 const GradeWeights& weights, std::uint64_t stream) {
  const std::size_t size = documents.size();
  const std::vector<double> scores(size);
  std::vector<std::uint32_t> order(loss.needs_order() ? size : 0);
  order_documents(loss, documents, scores, order);
  const Random random(0, stream);
  std::vector<double> vector;
  for (std::size_t doc = 0; doc < size; ++doc) vector.push_back(random.uniform(doc) - 0.5);
  std::vector<double> image(size);
  loss.hessian_times(documents, {scores, order}, vector, image);
  double along = 0;
  for (std::size_t doc = 0; doc < size; ++doc) along += vector[doc] * image[doc];
  const double square = transformed_square(weights, vector);
  return square > 0 && along > 0 ? along / square : 0;
}

}  // namespace

std::vector<float> pair_gram(const FeatureRows& features, const QueryTable& table,
                             const QueryLoss& loss, double share, int threads) {
  RANKINE_ASSERT(features.are_dense() && loss.has_hessian());
  const auto width = static_cast<std::size_t>(features.num_columns());
  const QueryShare chosen = share_of_queries(table, share);
  const VectorSum<float> zero(width * width);
  const auto add_sample = [&](const QueryShare::Chosen& each, const float* rows,
                              WaitingRows& waiting) {
    const QueryTable::Query& query = table.queries()[each.query];
    const std::int64_t first = table.first_document(query);
    const DocumentSample sample(table.documents(query), each, first);
    const GradeWeights weights = grade_weights(sample.documents());
    if (!(weights.total > 0)) return;
    const double curved =
        curvature(sample.documents(), loss, weights, static_cast<std::uint64_t>(first));
    const double scale = query.factor * curved * each.scale;
    if (!(scale > 0)) return;
    add_query(SampledRows(rows, width, sample.numbers()), weights, std::sqrt(scale), waiting);
  };
  auto gram = reduce_queries(
      table.cuts(width * width), threads, zero, [&](const Cuts::Leaf& leaf, VectorSum<float>& sum) {
        WaitingRows waiting(width, sum.values);
        for_each_chosen_query(chosen.of(leaf), [&](std::span<const QueryShare::Chosen> samples) {
          const QueryTable::Query& query = table.queries()[samples[0].query];
          const float* rows = features.rows(query.first, query.size).dense();
          if (samples.size() == 1) return add_sample(samples[0], rows, waiting);
          // Samples of a long query, side by side.
          sum.add(reduce_queries(Cuts::of_items(samples.size(), std::bit_ceil(samples.size())),
                                 threads, zero, [&](const Cuts::Leaf& part, VectorSum<float>& own) {
                                   WaitingRows own_waiting(width, own.values);
                                   add_sample(samples[part.first], rows, own_waiting);
                                   own_waiting.flush();
                                 }));
        });
        waiting.flush();
      });
  return std::move(gram.values);
}

}  // namespace rankine
