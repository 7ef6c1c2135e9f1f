// A backend that lives in the tests alone, deliberately naive: rows unpacked one by one, one query
// after the other, in double, on one thread, nothing kept and nothing clever. It is what every
// registered backend is compared with, and it shows that one can be added without a line changed
// in src/.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/registry.hpp"
#include "linalg/inner_product.hpp"
#include "oracles/finite_differences.hpp"

namespace rankine::conformance {

using Vector = std::vector<double>;

/// One row of the data in double.
inline Vector unpacked_row(const FeatureRows& rows, std::int64_t row) {
  const auto width = static_cast<std::size_t>(rows.num_columns());
  Vector values(width);
  if (const CsrMatrix* sparse = rows.sparse()) {
    const auto at = static_cast<std::size_t>(row);
    for (auto k = static_cast<std::size_t>(sparse->offsets[at]);
         k < static_cast<std::size_t>(sparse->offsets[at + 1]); ++k) {
      values[sparse->columns[k]] = static_cast<double>(sparse->values[k]);
    }
    return values;
  }
  const float* from = rows.rows(row, 1).dense();
  for (std::size_t f = 0; f < width; ++f) values[f] = static_cast<double>(from[f]);
  return values;
}

class SlowLossEvaluator final : public LossEvaluator {
 public:
  SlowLossEvaluator(const FeatureRows& rows, std::int64_t num_documents, const QueryTable& table,
                    const QueryLoss& loss, int threads)
      : rows_(rows), num_documents_(num_documents), table_(table), loss_(loss), threads_(threads) {}

  class SlowPoint final : public Point {
   public:
    Vector weights;
  };

  std::int64_t num_weights() const override { return rows_.num_columns(); }
  std::int64_t num_documents() const override { return num_documents_; }
  int threads() const override { return threads_; }
  const QueryLoss& loss() const override { return loss_; }
  std::unique_ptr<LossEvaluator> with_loss(const QueryLoss& loss) const override {
    return std::make_unique<SlowLossEvaluator>(rows_, num_documents_, table_, loss, threads_);
  }

  std::unique_ptr<Point> at(std::span<const double> weights, Keep /*keep*/) const override {
    auto point = std::make_unique<SlowPoint>();
    point->weights.assign(weights.begin(), weights.end());
    point->gradient.assign(weights.size(), 0);
    for (const QueryTable::Query& query : table_.queries()) {
      const Vector scores = products(query, weights);
      Vector slopes(scores.size());
      point->value +=
          query.factor * oracles::gradient_at(loss_, table_.documents(query), scores, slopes);
      add_rows(query, slopes, point->gradient);
    }
    return point;
  }
  Points at_each(std::span<const Vector> weights, Accuracy /*accuracy*/) const override {
    Points points;
    for (const Vector& each : weights) points.push_back(at(each, Keep::nothing));
    return points;
  }
  std::unique_ptr<Point> on_segment(const Point& a, const Point& b, double t) const override {
    return at(between_weights(a, b, t), Keep::nothing);
  }
  LineValue between(const Point& a, const Point& b, double t) const override {
    const auto point = on_segment(a, b, t);
    Vector step(weights_of(b));
    for (std::size_t f = 0; f < step.size(); ++f) step[f] -= weights_of(a)[f];
    return {point->value, dot(point->gradient, step)};
  }
  void forget(const Point& /*point*/) const override {}

  void hessian_times(const Point& point, std::span<const double> direction,
                     std::span<double> out) const override {
    std::fill(out.begin(), out.end(), 0.0);
    for (const QueryTable::Query& query : table_.queries()) {
      const QueryDocuments documents = table_.documents(query);
      const Vector scores = products(query, weights_of(point));
      Vector images(scores.size());
      loss_.hessian_times(documents, {scores, oracles::order_for(loss_, documents, scores)},
                          products(query, direction), images);
      add_rows(query, images, out);
    }
  }
  void hessian_times_each(std::span<const Product> wanted) const override {
    for (const Product& each : wanted) hessian_times(*each.point, each.direction, each.out);
  }

  /// One product per column, whatever the share.
  double hessian_cost(double /*share*/) const override {
    return loss_.has_hessian() ? static_cast<double>(num_weights())
                               : std::numeric_limits<double>::infinity();
  }
  void hessian(const Point& point, double /*share*/, std::span<double> out) const override {
    const auto width = static_cast<std::size_t>(num_weights());
    for (std::size_t column = 0; column < width; ++column) {
      Vector unit(width);
      unit[column] = 1;
      hessian_times(point, unit, out.subspan(column * width, width));  // it is symmetric
    }
  }
  double gram_cost(double share) const override { return hessian_cost(share); }
  std::vector<float> gram(double share) const override {
    const Vector origin(static_cast<std::size_t>(num_weights()));
    Vector matrix(origin.size() * origin.size());
    hessian(*at(origin, Keep::nothing), share, matrix);
    return {matrix.begin(), matrix.end()};
  }

 private:
  static const Vector& weights_of(const Point& point) {
    return dynamic_cast<const SlowPoint&>(point).weights;
  }
  static Vector between_weights(const Point& a, const Point& b, double t) {
    Vector weights(weights_of(a));
    for (std::size_t f = 0; f < weights.size(); ++f) {
      weights[f] += t * (weights_of(b)[f] - weights_of(a)[f]);
    }
    return weights;
  }
  Vector products(const QueryTable::Query& query, std::span<const double> weights) const {
    Vector scores;
    for (std::int64_t doc = 0; doc < query.size; ++doc) {
      scores.push_back(dot(unpacked_row(rows_, query.first + doc), weights));
    }
    return scores;
  }
  /// out += sum over documents of factor * by_document * row.
  void add_rows(const QueryTable::Query& query, const Vector& by_document,
                std::span<double> out) const {
    for (std::int64_t doc = 0; doc < query.size; ++doc) {
      const Vector row = unpacked_row(rows_, query.first + doc);
      for (std::size_t f = 0; f < out.size(); ++f) {
        out[f] += query.factor * by_document[static_cast<std::size_t>(doc)] * row[f];
      }
    }
  }

  FeatureRows rows_;
  std::int64_t num_documents_;
  const QueryTable& table_;
  const QueryLoss& loss_;
  int threads_;
};

class SlowScoreEvaluator final : public ScoreEvaluator {
 public:
  SlowScoreEvaluator(const QueryTable& table, const QueryLoss& loss) : table_(table), loss_(loss) {
    for (const QueryTable::Query& query : table.queries()) {
      for (std::int64_t doc = 0; doc < query.size; ++doc) rows_.push_back(query.first + doc);
    }
  }

  class SlowPoint final : public Point {
   public:
    double value() const override { return loss; }
    std::span<const double> scores() const override { return by_document; }
    std::span<const double> slopes() const override { return gradient; }

    double loss = 0;
    Vector by_document;
    Vector gradient;
  };

  std::size_t num_documents() const override { return rows_.size(); }
  std::span<const std::int64_t> rows() const override { return rows_; }
  const Cuts& cuts(std::size_t width) const override { return table_.cuts(width); }
  std::size_t first_of(std::size_t query) const override {
    std::size_t first = 0;
    for (std::size_t q = 0; q < query; ++q) {
      first += static_cast<std::size_t>(table_.queries()[q].size);
    }
    return first;
  }
  std::unique_ptr<Point> at(Vector scores) const override {
    auto point = std::make_unique<SlowPoint>();
    point->by_document = std::move(scores);
    for_each_query([&](const QueryTable::Query& query, std::size_t first, std::size_t size) {
      Vector slopes(size);
      point->loss += query.factor * oracles::gradient_at(
                                        loss_, table_.documents(query),
                                        std::span(point->by_document).subspan(first, size), slopes);
      for (const double slope : slopes) point->gradient.push_back(query.factor * slope);
    });
    return point;
  }
  void hessian_times(const Point& point, std::span<const double> direction,
                     std::span<double> out) const override {
    for_each_query([&](const QueryTable::Query& query, std::size_t first, std::size_t size) {
      const QueryDocuments documents = table_.documents(query);
      const auto scores = point.scores().subspan(first, size);
      const auto image = out.subspan(first, size);
      loss_.hessian_times(documents, {scores, oracles::order_for(loss_, documents, scores)},
                          direction.subspan(first, size), image);
      for (double& entry : image) entry *= query.factor;
    });
  }

 private:
  template <class Body>
  void for_each_query(const Body& body) const {
    std::size_t first = 0;
    for (const QueryTable::Query& query : table_.queries()) {
      body(query, first, static_cast<std::size_t>(query.size));
      first += static_cast<std::size_t>(query.size);
    }
  }

  const QueryTable& table_;
  const QueryLoss& loss_;
  std::vector<std::int64_t> rows_;
};

/// Value by value, from the definition of each kernel.
class SlowKernelOperator final : public KernelOperator {
 public:
  SlowKernelOperator(const FeatureMatrix& rows, const KernelFormula& formula)
      : rows_(&rows), formula_(formula) {}
  explicit SlowKernelOperator(const DenseMatrix& values) : values_(&values) {}

  std::int64_t size() const override {
    return values_ != nullptr ? values_->num_rows
                              : std::visit([](const auto& m) { return m.num_rows; }, *rows_);
  }
  void times(std::span<const double> vector, std::span<double> out) const override {
    for (std::int64_t i = 0; i < size(); ++i) {
      double sum = 0;
      for (std::int64_t j = 0; j < size(); ++j) {
        sum += value(i, j) * vector[static_cast<std::size_t>(j)];
      }
      out[static_cast<std::size_t>(i)] = sum;
    }
  }
  std::unique_ptr<KernelOperator> finished(const KernelFormula& formula,
                                           int /*threads*/) const override {
    return std::make_unique<SlowKernelOperator>(*rows_, formula);
  }

 private:
  double value(std::int64_t i, std::int64_t j) const {
    if (values_ != nullptr) {
      return static_cast<double>(
          values_->row(std::max(i, j))[static_cast<std::size_t>(std::min(i, j))]);
    }
    const Vector x = unpacked_row(FeatureRows(*rows_), i);
    const Vector z = unpacked_row(FeatureRows(*rows_), j);
    double squares = 0;
    double absolute = 0;
    for (std::size_t f = 0; f < x.size(); ++f) {
      squares += (x[f] - z[f]) * (x[f] - z[f]);
      absolute += std::abs(x[f] - z[f]);
    }
    const auto gamma = static_cast<double>(formula_.gamma);
    switch (formula_.kind) {
      case KernelFormula::Kind::product:
        return static_cast<double>(formula_.scale) * dot(x, z);
      case KernelFormula::Kind::distance:
        return absolute;
      case KernelFormula::Kind::rbf:
        return std::exp(-gamma * squares);
      case KernelFormula::Kind::laplacian:
        return std::exp(-gamma * absolute);
      case KernelFormula::Kind::polynomial:
        return std::pow(gamma * dot(x, z) + static_cast<double>(formula_.coef0), formula_.degree);
      case KernelFormula::Kind::cosine:
      case KernelFormula::Kind::relu:
        break;  // of random features, not of rows with each other
    }
    return std::numeric_limits<double>::quiet_NaN();
  }

  const FeatureMatrix* rows_ = nullptr;
  const DenseMatrix* values_ = nullptr;
  KernelFormula formula_;
};

class SlowBackend final : public Backend {
 public:
  std::string_view name() const override { return "slow"; }
  std::unique_ptr<LossEvaluator> loss_evaluator(const FeatureRows& rows, std::int64_t num_documents,
                                                const QueryTable& table, const QueryLoss& loss,
                                                int threads) const override {
    return std::make_unique<SlowLossEvaluator>(rows, num_documents, table, loss, threads);
  }
  std::unique_ptr<ScoreEvaluator> score_evaluator(const QueryTable& table, const QueryLoss& loss,
                                                  int /*threads*/) const override {
    return std::make_unique<SlowScoreEvaluator>(table, loss);
  }
  std::unique_ptr<KernelOperator> kernel_operator(const FeatureMatrix& rows,
                                                  const KernelFormula& formula, bool /*keep*/,
                                                  int /*threads*/) const override {
    return std::make_unique<SlowKernelOperator>(rows, formula);
  }
  std::unique_ptr<KernelOperator> kernel_operator(const DenseMatrix& values,
                                                  int /*threads*/) const override {
    return std::make_unique<SlowKernelOperator>(values);
  }
  double kernel_bytes(std::int64_t size) const override {
    return sizeof(double) * static_cast<double>(size) * static_cast<double>(size);
  }
  double matrix_speedup() const override { return 1; }
};

/// Registers it once in this program.
inline bool register_slow_backend() {
  static const bool once = [] {
    register_backend(std::make_unique<SlowBackend>());
    return true;
  }();
  return once;
}

}  // namespace rankine::conformance
