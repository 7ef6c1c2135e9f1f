// What holds for every backend by being registered: each of its operations agrees with the slow
// backend's within a stated tolerance, over data of every shape, with the same bits for any number
// of threads; and whole trainings on it reach the same optimum.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/train.hpp>

#include "conformance/all_losses.hpp"
#include "conformance/data_sets.hpp"
#include "conformance/slow_backend.hpp"
#include "features/kernel.hpp"

namespace rankine {
namespace {

using conformance::data_sets;
using conformance::NamedData;
using conformance::Vector;

// Of the longest of the vectors compared, or of the numbers.
constexpr double kDouble = 1e-9;  // sums in double
constexpr double kSingle = 2e-5;  // products in single precision
constexpr double kKernel = 1e-4;  // kernel values in single precision, to a power

Vector random_vector(std::mt19937_64& random, std::size_t size, double scale) {
  std::normal_distribution<double> normal;
  Vector vector(size);
  for (double& entry : vector) entry = scale * normal(random);
  return vector;
}

template <class Values>
double length(const Values& values) {
  double largest = 0;
  for (const auto value : values) largest = std::max(largest, std::abs(static_cast<double>(value)));
  return largest;
}

template <class Found, class Expected>
void expect_near(const Found& found, const Expected& expected, double tolerance,
                 const std::string& what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  const double allowed = tolerance * (length(expected) + 1e-30);
  for (std::size_t k = 0; k < found.size(); ++k) {
    ASSERT_NEAR(static_cast<double>(found[k]), static_cast<double>(expected[k]), allowed)
        << what << " " << k;
  }
}

void expect_near(double found, double expected, double tolerance, const std::string& what) {
  ASSERT_NEAR(found, expected, tolerance * (std::abs(expected) + 1e-30)) << what;
}

/// All that an evaluator says, one vector after the other, for comparing bits and values.
struct Answers {
  struct Answer {
    std::string what;
    Vector values;
    double tolerance;
  };
  std::vector<Answer> all;

  void add(const std::string& what, Vector values, double tolerance) {
    all.push_back({what, std::move(values), tolerance});
  }
  void add(const std::string& what, const LossEvaluator::Point& point, double tolerance) {
    add(what + " value", Vector{point.value}, tolerance);
    add(what + " gradient", point.gradient, tolerance);
  }
};

Answers answers_of(const LossEvaluator& evaluator, bool compares_matrices) {
  std::mt19937_64 random(17);
  const auto width = static_cast<std::size_t>(evaluator.num_weights());
  const Vector zero(width);
  const Vector a = random_vector(random, width, 0.4);
  const Vector b = random_vector(random, width, 0.4);
  const Vector direction = random_vector(random, width, 1);
  Answers answers;
  const auto at_zero = evaluator.at(zero);
  const auto at_a = evaluator.at(a);
  const auto at_b = evaluator.at(b, LossEvaluator::Keep::nothing);
  answers.add("at 0", *at_zero, kDouble);
  answers.add("at a", *at_a, kDouble);
  answers.add("at b, nothing kept", *at_b, kDouble);
  const std::vector<Vector> both{a, b, zero};
  for (const Accuracy accuracy : {Accuracy::full, Accuracy::rough}) {
    const auto points = evaluator.at_each(both, accuracy);
    const double tolerance = accuracy == Accuracy::full ? kDouble : kSingle;
    answers.add("each at a", *points[0], tolerance);
    answers.add("each at b", *points[1], tolerance);
    answers.add("each at 0", *points[2], tolerance);
  }
  answers.add("on a segment", *evaluator.on_segment(*at_a, *at_b, 0.3), kDouble);
  for (const double t : {0.0, 0.45, 1.0}) {
    const LineValue line = evaluator.between(*at_a, *at_b, t);
    answers.add("value between", {line.value}, kDouble);
    // The slope is a difference of large sums.
    answers.add("slope between", {line.slope}, 1e3 * kDouble);
  }
  if (!evaluator.loss().has_hessian()) return answers;
  const auto product = [&](const std::string& what, const LossEvaluator::Point& point) {
    Vector out(width, 7.0);  // is written over
    evaluator.hessian_times(point, direction, out);
    answers.add(what, std::move(out), kSingle);
  };
  product("product at 0", *at_zero);
  product("product at a", *at_a);
  product("product at a, found again", *at_a);
  evaluator.forget(*at_a);
  product("product at a, forgotten", *at_a);
  product("product at b, nothing kept", *at_b);
  std::vector<Vector> outs(3, Vector(width));
  evaluator.hessian_times_each(std::vector<LossEvaluator::Product>{{at_a.get(), direction, outs[0]},
                                                                   {at_b.get(), direction, outs[1]},
                                                                   {at_a.get(), b, outs[2]}});
  for (Vector& out : outs) answers.add("products of several", std::move(out), kSingle);
  if (!compares_matrices) return answers;
  if (std::isfinite(evaluator.hessian_cost(1))) {
    Vector matrix(width * width);
    evaluator.hessian(*at_a, 1, matrix);
    answers.add("hessian", std::move(matrix), kSingle);
  }
  if (std::isfinite(evaluator.gram_cost(1))) {
    const std::vector<float> gram = evaluator.gram(1);
    Vector lower;
    for (std::size_t row = 0; row < width; ++row) {
      for (std::size_t column = 0; column <= row; ++column) {
        lower.push_back(static_cast<double>(gram[row * width + column]));
      }
    }
    answers.add("gram", std::move(lower), kSingle);
  }
  return answers;
}

std::vector<std::string> all_backends() {
  conformance::register_slow_backend();
  std::vector<std::string> names;
  for (const std::string_view name : backend_names()) names.emplace_back(name);
  return names;
}

class BackendConformance : public testing::TestWithParam<std::string> {
 protected:
  const Backend& backend() const { return find_backend(GetParam()); }
  const conformance::SlowBackend slow_{};
};

TEST_P(BackendConformance, agrees_with_the_slow_one_on_every_loss_as_a_function_of_the_weights) {
  for (const NamedData& each : data_sets()) {
    for (const conformance::LossCase& wanted : conformance::all_losses()) {
      const bool is_long = each.name == "long_query";
      // Lists of pairs are the losses' business, and those of a long query are long.
      if (is_long &&
          (wanted.options.exact_logistic || wanted.options.pair_weight != PairWeight::none))
        continue;
      if (each.name.starts_with("many_grades") && wanted.options.pair_weight == PairWeight::dcg)
        continue;
      SCOPED_TRACE(each.name + " " + wanted.name());
      const auto loss = make_pair_loss(wanted.options, each.data);
      const QueryTable table(each.data, Normalisation::query, 1);
      const FeatureRows rows(each.data.features);
      const auto evaluator = [&](const Backend& from, int threads) {
        return from.loss_evaluator(rows, each.data.num_documents(), table, *loss, threads);
      };
      // Of losses that weigh pairs the gram matches each query by one factor, and no more.
      const bool compares_matrices =
          wanted.options.pair_weight == PairWeight::none && !wanted.options.exact_logistic;
      const auto expected = answers_of(*evaluator(slow_, 1), true);
      const auto found = answers_of(*evaluator(backend(), 1), compares_matrices);
      for (const Answers::Answer& answer : found.all) {
        const auto twin =
            std::find_if(expected.all.begin(), expected.all.end(),
                         [&, k = &answer - found.all.data()](const Answers::Answer& other) {
                           return other.what == answer.what &&
                                  (&other - expected.all.data() == k || answer.what == "hessian" ||
                                   answer.what == "gram");
                         });
        ASSERT_NE(twin, expected.all.end()) << answer.what;
        expect_near(answer.values, twin->values, answer.tolerance, answer.what);
      }
      for (const int threads : {2, 3}) {
        const auto again = answers_of(*evaluator(backend(), threads), compares_matrices);
        for (std::size_t k = 0; k < found.all.size(); ++k) {
          ASSERT_EQ(again.all[k].values, found.all[k].values)
              << found.all[k].what << " by " << threads << " threads";
        }
      }
    }
  }
}

TEST_P(BackendConformance, tells_what_it_is_of_and_takes_another_loss_over_the_same_data) {
  const Dataset data = data_sets().front().data;
  const QueryTable table(data, Normalisation::none, 1);
  const auto loss = make_pair_loss({}, data);
  const auto hinge = make_pair_loss({.loss = Loss::hinge}, data);
  const auto evaluator =
      backend().loss_evaluator(FeatureRows(data.features), data.num_documents(), table, *loss, 3);
  EXPECT_EQ(evaluator->num_weights(), data.num_features());
  EXPECT_EQ(evaluator->num_documents(), data.num_documents());
  EXPECT_EQ(evaluator->threads(), 3);
  EXPECT_EQ(&evaluator->loss(), loss.get());
  const auto other = evaluator->with_loss(*hinge);
  EXPECT_EQ(&other->loss(), hinge.get());
  const Vector weights(static_cast<std::size_t>(data.num_features()), 0.1);
  const auto expected =
      slow_.loss_evaluator(FeatureRows(data.features), data.num_documents(), table, *hinge, 1)
          ->at(weights);
  expect_near(other->at(weights)->value, expected->value, kDouble, "another loss");
}

TEST_P(BackendConformance, states_costs_that_are_positive_and_do_not_fall_with_the_share) {
  for (const NamedData& each : data_sets()) {
    const auto loss = make_pair_loss({}, each.data);
    const QueryTable table(each.data, Normalisation::none, 1);
    const auto evaluator = backend().loss_evaluator(FeatureRows(each.data.features),
                                                    each.data.num_documents(), table, *loss, 1);
    EXPECT_GT(evaluator->enough_share(), 0);
    EXPECT_LE(evaluator->enough_share(), 1);
    EXPECT_GT(evaluator->hessian_cost(0.1), 0);
    EXPECT_LE(evaluator->hessian_cost(0.1), evaluator->hessian_cost(1));
    EXPECT_GT(evaluator->gram_cost(0.1), 0);
    EXPECT_LE(evaluator->gram_cost(0.1), evaluator->gram_cost(1));
  }
  EXPECT_GE(backend().matrix_speedup(), 1);
  EXPECT_GT(backend().kernel_bytes(1000), 0);
  EXPECT_GT(backend().kernel_bytes(2000), 3 * backend().kernel_bytes(1000));
}

TEST_P(BackendConformance, a_share_of_the_data_tells_matrices_about_right) {
  std::mt19937_64 random(4);
  const Dataset data = oracles::random_dataset(random, {.queries = 3000, .features = 4});
  const auto loss = make_pair_loss({}, data);
  const QueryTable table(data, Normalisation::query, 1);
  const auto evaluator =
      backend().loss_evaluator(FeatureRows(data.features), data.num_documents(), table, *loss, 2);
  const auto diagonal_error = [](const auto& part, const auto& whole) {
    double error = 0;
    for (std::size_t k = 0; k < 16; k += 5) {
      error = std::max(error,
                       std::abs(static_cast<double>(part[k]) / static_cast<double>(whole[k]) - 1));
    }
    return error;
  };
  const auto point = evaluator->at(Vector{0.1, -0.2, 0.3, 0.1});
  ASSERT_TRUE(std::isfinite(evaluator->hessian_cost(1)) && std::isfinite(evaluator->gram_cost(1)));
  Vector whole(16);
  Vector part(16);
  evaluator->hessian(*point, 1, whole);
  evaluator->hessian(*point, 0.3, part);
  EXPECT_LT(diagonal_error(part, whole), 0.15);
  EXPECT_LT(diagonal_error(evaluator->gram(0.3), evaluator->gram(1)), 0.15);
}

TEST_P(BackendConformance, agrees_with_the_slow_one_on_every_loss_as_a_function_of_the_scores) {
  for (const NamedData& each : data_sets()) {
    if (each.name.ends_with("_sparse")) continue;  // scores do not come from features
    for (const Loss kind : {Loss::squared_hinge, Loss::hinge, Loss::huber, Loss::logistic}) {
      SCOPED_TRACE(each.name + " " + std::string(name_of(kind)));
      const auto loss = make_pair_loss({.loss = kind}, each.data);
      const QueryTable table(each.data, Normalisation::query, 1);
      const auto expected = slow_.score_evaluator(table, *loss, 1);
      std::mt19937_64 random(5);
      const Vector scores = random_vector(random, expected->num_documents(), 1);
      const Vector direction = random_vector(random, expected->num_documents(), 1);
      const auto wanted = expected->at(scores);
      Vector product(scores.size());
      if (loss->has_hessian()) expected->hessian_times(*wanted, direction, product);
      Vector first_slopes;
      Vector first_product;
      for (const int threads : {1, 2, 3}) {
        const auto evaluator = backend().score_evaluator(table, *loss, threads);
        ASSERT_TRUE(std::ranges::equal(evaluator->rows(), expected->rows()));
        const auto point = evaluator->at(scores);
        EXPECT_TRUE(std::ranges::equal(point->scores(), scores));
        expect_near(point->value(), wanted->value(), kDouble, "value");
        expect_near(point->slopes(), wanted->slopes(), kDouble, "slopes");
        Vector found(scores.size());
        if (loss->has_hessian()) evaluator->hessian_times(*point, direction, found);
        expect_near(found, product, kSingle, "product");
        Vector slopes(point->slopes().begin(), point->slopes().end());
        if (threads == 1) {
          first_slopes = slopes;
          first_product = found;
        }
        EXPECT_EQ(slopes, first_slopes);
        EXPECT_EQ(found, first_product);
      }
    }
  }
}

TEST_P(BackendConformance, agrees_with_the_slow_one_on_kernels) {
  std::mt19937_64 random(6);
  // More rows than a tile of any backend.
  const Dataset dense = oracles::random_dataset(
      random, {.queries = 30, .most_documents = 40, .features = 5, .offset = 0.2});
  for (const Dataset& data : {dense, oracles::as_sparse(dense)}) {
    for (const Kernel kind : {Kernel::rbf, Kernel::laplacian, Kernel::polynomial}) {
      const KernelFormula formula =
          kernel_formula({.kind = kind, .gamma = 0.2, .degree = 2, .coef0 = 1});
      SCOPED_TRACE(std::string(name_of(kind)));
      const auto expected = slow_.kernel_operator(data.features, formula, true, 1);
      const auto size = static_cast<std::size_t>(expected->size());
      const Vector vector = random_vector(random, size, 1);
      Vector wanted(size);
      expected->times(vector, wanted);
      Vector first;
      for (const int threads : {1, 2, 3}) {
        const auto unfinished_kernel =
            backend().kernel_operator(data.features, unfinished(formula), true, threads);
        for (const auto& kernel :
             {backend().kernel_operator(data.features, formula, true, threads),
              backend().kernel_operator(data.features, formula, false, threads),
              unfinished_kernel->finished(formula, threads)}) {
          ASSERT_EQ(kernel->size(), expected->size());
          Vector out(size, 3.0);
          kernel->times(vector, out);
          expect_near(out, wanted, kKernel, "kernel times a vector");
          if (first.empty()) first = out;
          EXPECT_EQ(out, first) << threads;
        }
      }
    }
  }
}

TEST_P(BackendConformance, agrees_with_the_slow_one_on_a_kernel_of_given_values) {
  std::mt19937_64 random(7);
  constexpr std::int64_t kSize = 300;
  std::vector<float> values(kSize * kSize);
  for (std::size_t i = 0; i < kSize; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      values[i * kSize + j] = values[j * kSize + i] = static_cast<float>(random() % 1000) / 1000;
    }
  }
  const DenseMatrix matrix{kSize, kSize, std::move(values)};
  const Vector vector = random_vector(random, kSize, 1);
  Vector wanted(kSize);
  slow_.kernel_operator(matrix, 1)->times(vector, wanted);
  for (const int threads : {1, 2, 3}) {
    Vector out(kSize);
    backend().kernel_operator(matrix, threads)->times(vector, out);
    expect_near(out, wanted, kKernel, "kernel times a vector");
  }
}

/// Options of whole trainings, each by another solver.
std::vector<std::pair<std::string, TrainOptions>> trainings() {
  std::vector<std::pair<std::string, TrainOptions>> all;
  for (const Loss loss : {Loss::squared_hinge, Loss::huber, Loss::logistic, Loss::hinge}) {
    SvmOptions svm;
    svm.pair_loss.loss = loss;
    svm.newton.tolerance = 1e-9;
    svm.cutting_plane.tolerance = 1e-6;
    all.push_back({"svm " + std::string(name_of(loss)), {.method = svm}});
  }
  RlsOptions rls;
  rls.solver = RlsSolver::cg;
  all.push_back({"rls by conjugate gradients", {.method = rls}});
  SvmOptions kernel;
  kernel.newton.tolerance = 1e-9;
  TrainOptions exact{.method = kernel};
  exact.map.kernel = Kernel::rbf;
  exact.map.gamma = 0.1;
  all.push_back({"svm with an exact kernel", exact});
  exact.map.approximation = Approximation::nystroem;
  exact.map.n_components = 15;
  all.push_back({"svm with mapped features", exact});
  return all;
}

TEST_P(BackendConformance, trains_to_the_same_optimum_as_the_slow_one) {
  conformance::register_slow_backend();
  std::mt19937_64 random(31);
  const Dataset narrow = oracles::random_dataset(
      random, {.queries = 20, .most_documents = 15, .features = 4, .weighted = true});
  const Dataset wide =
      oracles::random_dataset(random, {.queries = 20, .most_documents = 15, .features = 60});
  for (const Dataset& data : {narrow, wide, oracles::as_sparse(narrow)}) {
    for (auto [name, options] : trainings()) {
      SCOPED_TRACE(name);
      options.threads = 2;
      options.device = "slow";
      const TrainResult expected = train(data, options);
      options.device = GetParam();
      const TrainResult found = train(data, options);
      EXPECT_NEAR(found.report.objective, expected.report.objective,
                  found.report.gap + expected.report.gap + 1e-9 * expected.report.objective);
      EXPECT_NEAR(found.report.objective, expected.report.objective,
                  1e-5 * expected.report.objective);
      const auto scores = found.model.score(data);
      expect_near(scores, expected.model.score(data), 2e-2, "scores");
    }
  }
}

TEST_P(BackendConformance, trains_a_path_as_one_after_the_other) {
  std::mt19937_64 random(32);
  const Dataset data =
      oracles::random_dataset(random, {.queries = 15, .most_documents = 15, .features = 30});
  SvmOptions svm;
  svm.newton.tolerance = 1e-9;
  const std::vector<double> values{0.01, 0.1, 1};
  const auto path = train_path(data, {.method = svm, .threads = 2, .device = GetParam()}, values);
  for (std::size_t k = 0; k < values.size(); ++k) {
    svm.C = values[k];
    const TrainResult alone = train(data, {.method = svm, .threads = 2, .device = GetParam()});
    EXPECT_NEAR(path[k].report.objective, alone.report.objective, 1e-7 * alone.report.objective);
  }
}

INSTANTIATE_TEST_SUITE_P(Every, BackendConformance, testing::ValuesIn(all_backends()),
                         [](const auto& each) { return each.param; });

TEST(Backends, one_that_is_not_there_is_refused_by_name) {
  conformance::register_slow_backend();
  std::mt19937_64 random(33);
  const Dataset data = oracles::random_dataset(random, {});
  try {
    train(data, {.device = "abacus"});
    FAIL();
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("abacus"), std::string::npos) << message;
    EXPECT_NE(message.find("cpu"), std::string::npos) << message;
    EXPECT_NE(message.find("slow"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace rankine
