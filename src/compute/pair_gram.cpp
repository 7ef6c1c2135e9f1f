#include "compute/pair_gram.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "base/contract.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "compute/cpu/dense_products.hpp"
#include "compute/document_order.hpp"
#include "compute/query_share.hpp"
#include "compute/symmetric_factors.hpp"

namespace rankine {
namespace {

constexpr std::size_t kGroups = 4;  // each has a matrix of its own
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

/// The transformed rows of one query, appended to `out`, each times `scale`.
void append_rows(const float* rows, std::size_t width, const GradeWeights& weights, double scale,
                 std::vector<float>& out) {
  const std::size_t size = weights.by_document.size();
  std::vector<double> means(weights.by_grade.size() * width);
  std::vector<double> mean(width);
  for (std::size_t doc = 0; doc < size; ++doc) {
    add_weighted_rows(rows + doc * width, {&weights.by_document[doc], 1},
                      std::span(means).subspan(weights.grade[doc] * width, width));
  }
  for (std::size_t g = 0; g < weights.by_grade.size(); ++g) {
    for (std::size_t f = 0; f < width; ++f) {
      mean[f] += means[g * width + f];
      if (weights.by_grade[g] > 0) means[g * width + f] /= weights.by_grade[g];
    }
  }
  for (double& value : mean) value /= weights.total;
  const std::size_t start = out.size();
  out.resize(start + size * width);
  std::vector<float> shift(width);
  for (std::size_t g = 0; g < weights.by_grade.size(); ++g) {
    const double own = scale * std::sqrt(std::max(0.0, weights.total - weights.by_grade[g]));
    const double common = scale * std::sqrt(weights.total);
    for (std::size_t f = 0; f < width; ++f) {
      const double centre = means[g * width + f];
      shift[f] = static_cast<float>(common * (centre - mean[f]) - own * centre);
    }
    for (std::size_t doc = 0; doc < size; ++doc) {
      if (weights.grade[doc] != g) continue;
      const auto root = static_cast<float>(std::sqrt(weights.by_document[doc]));
      const auto factor = static_cast<float>(own) * root;
      const float* row = rows + doc * width;
      float* to = out.data() + start + doc * width;
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
    const std::uint32_t g = weights.grade[doc];
    const double centre = means[g] / weights.by_grade[g];
    const double entry =
        std::sqrt(std::max(0.0, weights.total - weights.by_grade[g])) * (vector[doc] - centre) +
        std::sqrt(weights.total) * (centre - mean);
    sum += weights.by_document[doc] * entry * entry;
  }
  return sum;
}

/// What the loss's Hessian at scores 0 is to the transformed rows', along one random vector.
double curvature(const QueryTable& table, const QueryTable::Query& query, const QueryLoss& loss,
                 const GradeWeights& weights) {
  const auto size = static_cast<std::size_t>(query.size);
  const std::vector<double> scores(size);
  std::vector<std::uint32_t> order(loss.needs_order() ? size : 0);
  const QueryDocuments documents = table.documents(query);
  order_documents(loss, documents, scores, order);
  const Random random(0, static_cast<std::uint64_t>(query.first));
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
  const auto all = table.queries();
  const auto chosen = share_of_queries(table, share).queries;
  const auto width = static_cast<std::size_t>(features.num_columns());
  std::vector<std::vector<float>> grams(kGroups);
  parallel_for(static_cast<std::int64_t>(kGroups), threads, [&](std::int64_t index) {
    const auto group = static_cast<std::size_t>(index);
    std::vector<float>& gram = grams[group];
    gram.assign(width * width, 0.0F);
    std::vector<float> waiting;
    const auto flush = [&] {
      add_gram(waiting.data(), static_cast<std::int64_t>(waiting.size() / width),
               static_cast<std::int64_t>(width), gram);
      waiting.clear();
    };
    for (std::size_t k = group * chosen.size() / kGroups; k < (group + 1) * chosen.size() / kGroups;
         ++k) {
      const QueryTable::Query& query = all[chosen[k].query];
      const GradeWeights weights = grade_weights(table.documents(query));
      if (!(weights.total > 0)) continue;
      const double scale = query.factor * curvature(table, query, loss, weights) * chosen[k].scale;
      if (!(scale > 0)) continue;
      append_rows(features.rows(query.first, query.size).dense(), width, weights, std::sqrt(scale),
                  waiting);
      if (waiting.size() >= kBlockRows * width) flush();
    }
    if (!waiting.empty()) flush();
  });
  for (std::size_t group = 1; group < kGroups; ++group) {
    for (std::size_t k = 0; k < grams[0].size(); ++k) grams[0][k] += grams[group][k];
  }
  return std::move(grams[0]);
}

}  // namespace rankine
