#include "losses/pairs/pair_loss.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

#include "losses/pairs/listed_pairs.hpp"
#include "losses/pairs/logistic_pieces.hpp"
#include "losses/smoothable_loss.hpp"
#include "oracles/finite_differences.hpp"
#include "oracles/naive_pair_costs.hpp"
#include "oracles/random_query.hpp"

namespace rankine {
namespace {

std::vector<PairLossOptions> all_options() {
  std::vector<PairLossOptions> all;
  for (const Loss loss : {Loss::squared_hinge, Loss::hinge, Loss::huber, Loss::logistic}) {
    for (const auto weight : {PairWeight::none, PairWeight::grade_difference, PairWeight::dcg}) {
      for (const Rescaling rescaling : {Rescaling::margin, Rescaling::slack}) {
        all.push_back({loss, weight, rescaling, loss == Loss::logistic});
        if (loss == Loss::logistic) all.push_back({loss, weight, rescaling, false});
      }
    }
  }
  return all;
}

Dataset graded(const std::vector<double>& grades) {
  Dataset data;
  data.source = "test";
  data.grades = grades;
  return data;
}

/// Every combination of options, as the factory makes it.
class PairLossTest : public testing::TestWithParam<PairLossOptions> {
 protected:
  /// The approximation cannot equal the exact loss: it is compared up to its error a pair.
  bool is_approximate() const {
    return GetParam().loss == Loss::logistic && !GetParam().exact_logistic;
  }
  std::mt19937_64 random_{17};
};

TEST_P(PairLossTest, equals_its_definition_over_all_pairs) {
  if (is_approximate() && GetParam().pair_weight != PairWeight::dcg) return;  // see below
  for (int repeat = 0; repeat < 200; ++repeat) {
    const int levels = std::vector<int>{0, 1, 2, 3, 5, 12, 20}[random_() % 7];
    const auto query = oracles::random_query(random_, random_() % 30, levels, random_() % 2 == 0);
    const auto loss = make_pair_loss(GetParam(), graded(query.grades));
    if (is_approximate() && loss->needs_order()) continue;
    const std::size_t size = query.scores.size();
    std::vector<double> fast(size);
    std::vector<double> slow(size);
    const QueryDocuments documents = query.documents();
    const double value = oracles::gradient_at(*loss, documents, query.scores, fast);
    const double expected = oracles::naive_gradient(documents, query.scores, GetParam(), slow);
    // Rounding is relative to the largest pair: dcg weights reach 2^20 here.
    const double scale = 1 + std::abs(expected);
    EXPECT_NEAR(value, expected, 1e-10 * scale);
    for (std::size_t k = 0; k < size; ++k) EXPECT_NEAR(fast[k], slow[k], 1e-10 * scale);
    if (!loss->has_hessian()) continue;
    std::vector<double> direction(size);
    for (double& entry : direction) entry = static_cast<double>(random_() % 100) / 50 - 1;
    const auto order = oracles::order_for(*loss, documents, query.scores);
    loss->hessian_times(documents, {query.scores, order}, direction, fast);
    oracles::naive_hessian_times(documents, query.scores, GetParam(), direction, slow);
    for (std::size_t k = 0; k < size; ++k) EXPECT_NEAR(fast[k], slow[k], 1e-9 * scale);
  }
}

TEST_P(PairLossTest, approximation_stays_within_its_error_a_pair) {
  if (!is_approximate()) return;
  for (int repeat = 0; repeat < 100; ++repeat) {
    auto query = oracles::random_query(random_, 2 + random_() % 20, 4, false);
    for (double& score : query.scores) score *= 3;
    const auto loss = make_pair_loss(GetParam(), graded(query.grades));
    std::vector<double> ignored(query.scores.size());
    const double value = oracles::gradient_at(*loss, query.documents(), query.scores, ignored);
    const double exact =
        oracles::naive_gradient(query.documents(), query.scores, GetParam(), ignored);
    double weights = 0;
    oracles::for_each_pair(query.documents(), [&](std::size_t i, std::size_t j, double weight) {
      const bool slack = GetParam().rescaling == Rescaling::slack;
      if (slack && GetParam().pair_weight == PairWeight::grade_difference) {
        weight *= query.grades[i] - query.grades[j];
      } else if (slack && GetParam().pair_weight == PairWeight::dcg) {
        weight *= oracles::dcg_delta(query.documents(), i, j);
      }
      weights += weight;
    });
    EXPECT_NEAR(value, exact, kLogisticError * weights + 1e-9);
  }
}

TEST_P(PairLossTest, derivatives_agree_with_finite_differences) {
  for (int repeat = 0; repeat < 20; ++repeat) {
    auto query = oracles::random_query(random_, 2 + random_() % 12, repeat % 2 == 0 ? 3 : 0, true);
    std::normal_distribution<double> normal;
    for (double& score : query.scores) score = normal(random_);  // no pair at a kink
    const auto loss = make_pair_loss(GetParam(), graded(query.grades));
    oracles::expect_gradient_is_derivative(*loss, query.documents(), query.scores);
    if (!loss->has_hessian()) continue;
    std::vector<double> direction(query.scores.size());
    for (double& entry : direction) entry = normal(random_);
    oracles::expect_hessian_is_second_derivative(*loss, query.documents(), query.scores, direction);
  }
}

TEST_P(PairLossTest, does_not_depend_on_the_order_of_documents_or_a_shift_of_scores) {
  const auto query = oracles::random_query(random_, 25, 4, true);
  auto mirrored = query;
  for (auto* column : {&mirrored.grades, &mirrored.weights, &mirrored.scores}) {
    std::reverse(column->begin(), column->end());
  }
  std::reverse(mirrored.ranks.begin(), mirrored.ranks.end());
  for (double& score : mirrored.scores) score += 64;  // exact in binary
  const auto loss = make_pair_loss(GetParam(), graded(query.grades));
  std::vector<double> here(25);
  std::vector<double> there(25);
  const double value = oracles::gradient_at(*loss, query.documents(), query.scores, here);
  const double other = oracles::gradient_at(*loss, mirrored.documents(), mirrored.scores, there);
  EXPECT_NEAR(value, other, 1e-9 * (1 + value));
  for (std::size_t k = 0; k < 25; ++k) EXPECT_NEAR(here[k], there[24 - k], 1e-9 * (1 + value));
}

INSTANTIATE_TEST_SUITE_P(All, PairLossTest, testing::ValuesIn(all_options()),
                         [](const auto& given) {
                           const PairLossOptions& options = given.param;
                           return std::string(name_of(options.loss)) +
                                  (options.exact_logistic ? "_exact_" : "_") +
                                  std::string(name_of(options.pair_weight)) + "_" +
                                  std::string(name_of(options.rescaling));
                         });

/// Losses without a Hessian, which have smooth ones below them.
class SmoothableLossTest : public testing::TestWithParam<PairLossOptions> {
 protected:
  struct Forms {
    std::unique_ptr<QueryLoss> loss;
    std::unique_ptr<QueryLoss> smoothed;
    std::unique_ptr<QueryLoss> supporting;
  };
  static Forms forms(std::unique_ptr<QueryLoss> loss, double width) {
    const auto& smoothable = dynamic_cast<const SmoothableLoss&>(*loss);
    auto smoothed = smoothable.smoothed(width);
    auto supporting = smoothable.supporting(width);
    return {std::move(loss), std::move(smoothed), std::move(supporting)};
  }
  Forms fast(const std::vector<double>& grades) const {
    return forms(make_pair_loss(GetParam(), graded(grades)), kWidth);
  }
  oracles::RandomQuery some_query() {
    return oracles::random_query(random_, 2 + random_() % 25, random_() % 2 == 0 ? 3 : 0, true);
  }
  static constexpr double kWidth = 0.3;
  std::mt19937_64 random_{41};
};

TEST_P(SmoothableLossTest, smoothed_equals_the_sum_over_listed_pairs) {
  for (int repeat = 0; repeat < 100; ++repeat) {
    const auto query = some_query();
    const QueryDocuments documents = query.documents();
    const Forms fast_forms = fast(query.grades);
    const Forms slow_forms = forms(
        std::make_unique<ListedPairs>(Loss::hinge, GetParam().pair_weight, GetParam().rescaling),
        kWidth);
    const std::size_t size = query.scores.size();
    std::vector<double> here(size);
    std::vector<double> there(size);
    const auto expect_equal = [&](const QueryLoss& one, const QueryLoss& other) {
      const double value = oracles::gradient_at(one, documents, query.scores, here);
      EXPECT_NEAR(value, oracles::gradient_at(other, documents, query.scores, there),
                  1e-9 * (1 + value));
      for (std::size_t k = 0; k < size; ++k) EXPECT_NEAR(here[k], there[k], 1e-9 * (1 + value));
    };
    expect_equal(*fast_forms.smoothed, *slow_forms.smoothed);
    expect_equal(*fast_forms.supporting, *slow_forms.supporting);
  }
}

TEST_P(SmoothableLossTest, derivatives_of_the_smoothed_loss_agree_with_finite_differences) {
  std::normal_distribution<double> normal;
  for (int repeat = 0; repeat < 20; ++repeat) {
    auto query = some_query();
    for (double& score : query.scores) score = normal(random_);  // no pair at a kink
    const auto loss = fast(query.grades).smoothed;
    oracles::expect_gradient_is_derivative(*loss, query.documents(), query.scores);
    std::vector<double> direction(query.scores.size());
    for (double& entry : direction) entry = normal(random_);
    oracles::expect_hessian_is_second_derivative(*loss, query.documents(), query.scores, direction);
  }
}

TEST_P(SmoothableLossTest, planes_lie_between_the_smoothed_loss_and_the_loss) {
  std::normal_distribution<double> normal;
  for (int repeat = 0; repeat < 100; ++repeat) {
    const auto query = some_query();
    const QueryDocuments documents = query.documents();
    const Forms all = fast(query.grades);
    const std::size_t size = query.scores.size();
    std::vector<double> slope(size);
    std::vector<double> ignored(size);
    const double smooth = oracles::gradient_at(*all.smoothed, documents, query.scores, ignored);
    double plane = oracles::gradient_at(*all.supporting, documents, query.scores, slope);
    const double exact = oracles::gradient_at(*all.loss, documents, query.scores, ignored);
    EXPECT_LE(smooth, plane + 1e-9 * (1 + exact));
    EXPECT_LE(plane, exact + 1e-9 * (1 + exact));
    std::vector<double> elsewhere(query.scores);
    for (std::size_t k = 0; k < size; ++k) {
      const double step = normal(random_);
      elsewhere[k] += step;
      plane += step * slope[k];
    }
    const double there = oracles::gradient_at(*all.loss, documents, elsewhere, ignored);
    EXPECT_LE(plane, there + 1e-9 * (1 + there));
  }
}

TEST_P(SmoothableLossTest, no_rounding_lifts_planes_above_the_loss) {
  std::normal_distribution<double> normal;
  for (const double width : {1e-2, 1e-5, 1e-8}) {
    for (int repeat = 0; repeat < 100; ++repeat) {
      auto query = some_query();
      // Scores far from zero, of pairs that are nearly apart.
      for (std::size_t k = 0; k < query.scores.size(); ++k) {
        query.scores[k] = 1e4 + query.grades[k] + 1e-3 * normal(random_);
      }
      const QueryDocuments documents = query.documents();
      const Forms all = forms(make_pair_loss(GetParam(), graded(query.grades)), width);
      std::vector<double> ignored(query.scores.size());
      const double plane = oracles::gradient_at(*all.supporting, documents, query.scores, ignored);
      const double exact = oracles::naive_gradient(documents, query.scores, GetParam(), ignored);
      EXPECT_LE(plane, exact + 1e-10);  // scores themselves are rounded to 1e-12
    }
  }
}

TEST_P(SmoothableLossTest, smoothed_becomes_the_loss_as_the_width_goes_to_nothing) {
  const auto query = some_query();
  std::vector<double> ignored(query.scores.size());
  const auto value = [&](const QueryLoss& loss) {
    return oracles::gradient_at(loss, query.documents(), query.scores, ignored);
  };
  const Forms narrow = forms(make_pair_loss(GetParam(), graded(query.grades)), 1e-6);
  EXPECT_NEAR(value(*narrow.smoothed), value(*narrow.loss), 1e-4 * (1 + value(*narrow.loss)));
}

std::vector<PairLossOptions> hinge_options() {
  std::vector<PairLossOptions> all = all_options();
  std::erase_if(all, [](const PairLossOptions& options) { return options.loss != Loss::hinge; });
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, SmoothableLossTest, testing::ValuesIn(hinge_options()),
                         [](const auto& given) {
                           return std::string(name_of(given.param.pair_weight)) + "_" +
                                  std::string(name_of(given.param.rescaling));
                         });

TEST(MakePairLoss, lists_pairs_only_where_it_must) {
  const auto is_listed = [](const PairLossOptions& options, const Dataset& data) {
    return dynamic_cast<const ListedPairs*>(make_pair_loss(options, data).get()) != nullptr;
  };
  const Dataset few = graded({0, 1, 2});
  const Dataset wide = graded({0, 1, 50});
  Dataset listed = few;
  listed.has_preferences = true;
  EXPECT_FALSE(is_listed({}, few));
  EXPECT_FALSE(is_listed({.pair_weight = PairWeight::dcg}, few));
  EXPECT_TRUE(is_listed({.pair_weight = PairWeight::dcg}, wide));
  EXPECT_TRUE(is_listed({.pair_weight = PairWeight::dcg, .rescaling = Rescaling::margin}, few));
  EXPECT_FALSE(is_listed(
      {.pair_weight = PairWeight::grade_difference, .rescaling = Rescaling::margin}, few));
  EXPECT_FALSE(is_listed({.loss = Loss::logistic}, few));
  EXPECT_TRUE(is_listed({.loss = Loss::logistic, .exact_logistic = true}, few));
  EXPECT_TRUE(is_listed({.loss = Loss::hinge}, listed));
}

TEST(MakePairLoss, refuses_dcg_where_it_has_no_meaning) {
  Dataset listed = graded({0, 1});
  listed.has_preferences = true;
  EXPECT_THROW(make_pair_loss({.pair_weight = PairWeight::dcg}, listed), Error);
  try {
    make_pair_loss({.pair_weight = PairWeight::dcg}, graded({0, 99}));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::option);
    EXPECT_STREQ(error.what(),
                 "pair_weight = dcg takes grades of at most 64 in size (gains are 2^grade), the "
                 "data has 99");
  }
}

}  // namespace
}  // namespace rankine
