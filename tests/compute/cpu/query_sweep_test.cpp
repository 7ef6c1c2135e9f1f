#include "compute/cpu/query_sweep.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "losses/pairs/piecewise_quadratic_pairs.hpp"
#include "oracles/naive_pairs.hpp"
#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

const PiecewiseQuadraticPairs kLoss("squared_hinge", squared_hinge_pieces());

const oracles::KernelFormula kFunction{[](double t) { return t < 1 ? (1 - t) * (1 - t) : 0; },
                                       [](double t) { return t < 1 ? -2 * (1 - t) : 0; },
                                       [](double t) { return t < 1 ? 2.0 : 0.0; }};

std::vector<double> random_vector(std::mt19937_64& random, std::int64_t size) {
  std::normal_distribution<double> normal;
  std::vector<double> vector(static_cast<std::size_t>(size));
  for (double& value : vector) value = 0.4 * normal(random);
  return vector;
}

/// Value and gradient by listing every pair of the data set.
double naive(const Dataset& data, const QueryTable& table, std::span<const double> weights,
             std::vector<double>& out) {
  const auto& rows = std::get<DenseMatrix>(data.features);
  out.assign(weights.size(), 0);
  double total = 0;
  for (const auto& query : table.queries()) {
    std::vector<double> scores;
    for (std::int64_t doc = 0; doc < query.size; ++doc) {
      double score = 0;
      for (std::size_t f = 0; f < weights.size(); ++f) {
        score += static_cast<double>(rows.row(query.first + doc)[f]) * weights[f];
      }
      scores.push_back(score);
    }
    std::vector<double> slopes(scores.size());
    total += query.factor * oracles::naive_gradient(
                                table.documents(query), scores, kFunction,
                                [](std::size_t, std::size_t) { return 1.0; }, slopes);
    for (std::int64_t doc = 0; doc < query.size; ++doc) {
      for (std::size_t f = 0; f < weights.size(); ++f) {
        out[f] += query.factor * slopes[static_cast<std::size_t>(doc)] *
                  static_cast<double>(rows.row(query.first + doc)[f]);
      }
    }
  }
  return total;
}

TEST(QuerySweep, equals_listing_all_pairs_dense_and_sparse) {
  std::mt19937_64 random(1);
  for (const int levels : {0, 2, 3}) {
    const Dataset dense = oracles::random_dataset(random, {.levels = levels, .weighted = true});
    const Dataset sparse = oracles::as_sparse(dense);
    const auto weights = random_vector(random, dense.num_features());
    for (const Dataset& data : {dense, sparse}) {
      const QueryTable table(data, Normalisation::query, 1);
      const QuerySweep sweep(data, table, kLoss, 2);
      QuerySweep::Point point;
      std::vector<double> gradient(weights.size());
      const double value = sweep.gradient(weights, point, gradient);
      std::vector<double> expected;
      EXPECT_NEAR(value, naive(dense, table, weights, expected), 1e-10 * (1 + value));
      for (std::size_t f = 0; f < weights.size(); ++f) {
        EXPECT_NEAR(gradient[f], expected[f], 1e-9 * (1 + std::abs(expected[f])));
      }
    }
  }
}

TEST(QuerySweep, gives_the_same_bits_for_any_number_of_threads) {
  std::mt19937_64 random(6);
  const Dataset data =
      oracles::random_dataset(random, {.queries = 400, .most_documents = 60, .features = 21});
  const QueryTable table(data, Normalisation::none, 1);
  const auto weights = random_vector(random, 21);
  const auto direction = random_vector(random, 21);
  std::vector<std::vector<double>> results;
  for (const int threads : {1, 2, 5, 16}) {
    const QuerySweep sweep(data, table, kLoss, threads);
    QuerySweep::Point point;
    std::vector<double> all(21);
    all.push_back(sweep.gradient(weights, point, std::span(all).first(21)));
    std::vector<double> product(21);
    sweep.hessian_times(point, direction, product);
    all.insert(all.end(), product.begin(), product.end());
    std::vector<double> hessian(21 * 21);
    sweep.hessian(point, 1, hessian);
    all.insert(all.end(), hessian.begin(), hessian.end());
    results.push_back(std::move(all));
  }
  for (const auto& result : results) EXPECT_EQ(result, results[0]);
}

TEST(QuerySweep, shares_a_long_query_between_threads_with_the_same_bits_dense_and_sparse) {
  std::mt19937_64 random(23);
  for (const int levels : {0, 3}) {
    Dataset dense = oracles::random_dataset(
        random, {.queries = 1, .most_documents = 1, .features = 5, .levels = levels});
    while (dense.num_documents() < 50'000) {
      dense = oracles::random_dataset(
          random, {.queries = 1, .most_documents = 80'000, .features = 5, .levels = levels});
    }
    const QueryTable table(dense, Normalisation::query, 1);
    const std::vector<double> weights = random_vector(random, 5);
    const std::vector<double> direction = random_vector(random, 5);
    const auto outcome = [&](const Dataset& data, int threads) {
      const QuerySweep sweep(data, table, kLoss, threads);
      QuerySweep::Point point;
      std::vector<double> gradient(5);
      std::vector<double> product(5);
      const double loss = sweep.gradient(weights, point, gradient);
      sweep.hessian_times(point, direction, product);
      std::vector<double> all{loss};
      all.insert(all.end(), gradient.begin(), gradient.end());
      all.insert(all.end(), product.begin(), product.end());
      std::vector<double> other(5);
      QuerySweep::Point other_point;
      std::array<QuerySweep::Evaluation, 2> both{
          {{weights, &point, gradient}, {direction, &other_point, other}}};
      sweep.gradients(both);
      all.insert(all.end(), gradient.begin(), gradient.end());
      all.insert(all.end(), other.begin(), other.end());
      return all;
    };
    const auto one = outcome(dense, 1);
    EXPECT_EQ(outcome(dense, 3), one);
    const auto of_sparse = outcome(oracles::as_sparse(dense), 2);
    ASSERT_EQ(of_sparse.size(), one.size());
    for (std::size_t k = 0; k < one.size(); ++k) {
      EXPECT_NEAR(of_sparse[k], one[k], 1e-5 * (std::abs(one[k]) + 0.01));
    }
    // Along the direction, the gradient's difference tells the product.
    const QuerySweep sweep(dense, table, kLoss, 1);
    constexpr double kStep = 1e-4;
    std::vector<double> ahead(weights);
    std::vector<double> behind(weights);
    for (std::size_t f = 0; f < 5; ++f) {
      ahead[f] += kStep * direction[f];
      behind[f] -= kStep * direction[f];
    }
    QuerySweep::Point point;
    std::vector<double> gradient_ahead(5);
    std::vector<double> gradient_behind(5);
    sweep.gradient(ahead, point, gradient_ahead);
    sweep.gradient(behind, point, gradient_behind);
    for (std::size_t f = 0; f < 5; ++f) {
      EXPECT_NEAR((gradient_ahead[f] - gradient_behind[f]) / (2 * kStep), one[6 + f], 1e-3);
    }
  }
}

TEST(QuerySweep, along_a_segment_equals_points_on_it) {
  std::mt19937_64 random(17);
  const Dataset data = oracles::random_dataset(random, {});
  const QueryTable table(data, Normalisation::none, 1);
  const QuerySweep sweep(data, table, kLoss, 2);
  const auto from = random_vector(random, 7);
  const auto to = random_vector(random, 7);
  QuerySweep::Point a;
  QuerySweep::Point b;
  QuerySweep::Point middle;
  std::vector<double> gradient(7);
  sweep.gradient(from, a, gradient);
  sweep.gradient(to, b, gradient);
  std::vector<double> weights(7);
  for (std::size_t f = 0; f < 7; ++f) weights[f] = from[f] + 0.3 * (to[f] - from[f]);
  const double value = sweep.gradient(weights, middle, gradient);
  double slope = 0;
  for (std::size_t f = 0; f < 7; ++f) slope += gradient[f] * (to[f] - from[f]);
  const auto line = sweep.between(a, b, 0.3);
  EXPECT_NEAR(line.value, value, 1e-9 * value);
  EXPECT_NEAR(line.slope, slope, 1e-8 * (1 + std::abs(slope)));
}

TEST(QuerySweep, points_between_two_have_the_gradient_there) {
  std::mt19937_64 random(19);
  const Dataset data = oracles::random_dataset(random, {.weighted = true});
  const QueryTable table(data, Normalisation::none, 1);
  const QuerySweep sweep(data, table, kLoss, 2);
  const auto weights = random_vector(random, 7);
  QuerySweep::Point there;
  QuerySweep::Point origin;
  QuerySweep::Point halfway;
  std::vector<double> expected(7);
  std::vector<double> gradient(7);
  sweep.gradient(weights, there, expected);
  sweep.gradient(std::vector<double>(7), origin, expected);
  sweep.move(origin, there, 0.5, halfway);
  std::vector<double> half(weights);
  for (double& weight : half) weight /= 2;
  const double value = sweep.gradient(half, there, expected);
  EXPECT_NEAR(sweep.gradient(halfway, gradient), value, 1e-10 * value);
  for (std::size_t f = 0; f < 7; ++f) {
    EXPECT_NEAR(gradient[f], expected[f], 1e-9 * (1 + std::abs(expected[f])));
  }
}

/// Queries of few grades, and some of many.
TEST(QuerySweep, a_point_that_was_forgotten_gives_the_same_bits) {
  std::mt19937_64 random(23);
  for (const bool mixed : {false, true}) {
    Dataset data = oracles::random_dataset(random, {.queries = 40});
    if (mixed) {
      std::vector<double> grades(data.grades.begin(), data.grades.end());
      for (std::size_t doc = 0; doc < grades.size() / 2; ++doc) {
        grades[doc] = static_cast<double>(doc % 13);
      }
      data.grades = std::move(grades);
    }
    const QueryTable table(data, Normalisation::none, 1);
    const QuerySweep sweep(data, table, kLoss, 2);
    const auto weights = random_vector(random, 7);
    const auto direction = random_vector(random, 7);
    QuerySweep::Point point;
    std::vector<double> gradient(7);
    const double value = sweep.gradient(weights, point, gradient);
    const auto products = [&] {
      std::vector<double> one(7);
      std::vector<double> again(7);
      sweep.hessian_times(point, direction, one);
      sweep.hessian_times(point, direction, again);
      EXPECT_EQ(one, again);
      std::vector<double> second(7);
      std::vector<double> third(7);
      const std::array<QuerySweep::Product, 2> two{QuerySweep::Product{&point, direction, second},
                                                   QuerySweep::Product{&point, weights, third}};
      sweep.hessian_times(two);
      for (const auto& other : {second, third}) one.insert(one.end(), other.begin(), other.end());
      return one;
    };
    const auto found = products();
    QuerySweep::forget(point);
    EXPECT_EQ(products(), found);
    QuerySweep::forget(point);
    std::vector<double> same(7);
    EXPECT_EQ(sweep.gradient(point, same), value);
    EXPECT_EQ(same, gradient);
    // Several at once keep what products need.
    QuerySweep::Point other;
    std::vector<double> ignored(7);
    std::array<QuerySweep::Evaluation, 2> both{
        QuerySweep::Evaluation{weights, &point, gradient, 0},
        QuerySweep::Evaluation{direction, &other, ignored, 0}};
    sweep.gradients(both);
    const std::vector<double> exact(gradient);
    sweep.gradients(both, Accuracy::rough);
    for (std::size_t f = 0; f < 7; ++f) {
      EXPECT_NEAR(gradient[f], exact[f], 1e-5 * (1 + std::abs(exact[f])));
    }
    EXPECT_NEAR(both[0].loss, value, 1e-5 * value);
    const auto kept = products();
    for (std::size_t k = 0; k < kept.size(); ++k) {
      EXPECT_NEAR(kept[k], found[k], 1e-5 * (1 + std::abs(found[k])));
    }
  }
}

/// Gives out copies of a kept matrix's rows.
class CopyingMaker final : public RowMaker {
 public:
  explicit CopyingMaker(const DenseMatrix& kept) : kept_(kept) {}
  std::int64_t num_columns() const override { return kept_.num_columns; }
  void make(std::int64_t first, std::int64_t count, float* out) const override {
    const float* from = kept_.row(first).data();
    std::copy(from, from + count * kept_.num_columns, out);
  }

 private:
  const DenseMatrix& kept_;
};

TEST(QuerySweep, rows_made_when_needed_give_the_same_bits_as_rows_kept) {
  std::mt19937_64 random(29);
  const Dataset data = oracles::random_dataset(random, {.queries = 40, .features = 9});
  const QueryTable table(data, Normalisation::query, 1);
  const CopyingMaker maker(std::get<DenseMatrix>(data.features));
  const QuerySweep kept(data, table, kLoss, 2);
  const QuerySweep made(FeatureRows(maker), data.num_documents(), table, kLoss, 2);
  const auto weights = random_vector(random, 9);
  const auto direction = random_vector(random, 9);
  std::vector<std::vector<double>> results;
  for (const QuerySweep* sweep : {&kept, &made}) {
    QuerySweep::Point point;
    std::vector<double> all(9);
    all.push_back(sweep->gradient(weights, point, std::span(all).first(9)));
    std::vector<double> product(9);
    sweep->hessian_times(point, direction, product);
    all.insert(all.end(), product.begin(), product.end());
    std::vector<double> other(9);
    const std::array<QuerySweep::Product, 2> two{QuerySweep::Product{&point, direction, product},
                                                 QuerySweep::Product{&point, weights, other}};
    sweep->hessian_times(two);
    all.insert(all.end(), product.begin(), product.end());
    all.insert(all.end(), other.begin(), other.end());
    std::vector<double> hessian(81);
    sweep->hessian(point, 1, hessian);
    all.insert(all.end(), hessian.begin(), hessian.end());
    results.push_back(std::move(all));
  }
  EXPECT_EQ(results[0], results[1]);
}

}  // namespace
}  // namespace rankine
