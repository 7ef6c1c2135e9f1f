#include "methods/rls.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/train.hpp>

#include "compute/registry.hpp"
#include "methods/rls_solvers.hpp"
#include "objectives/ridge/kernel_equations.hpp"
#include "oracles/dense_rls.hpp"
#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

const std::vector<double>& weights_of(const Model& model) {
  return model.function.as<LinearFunction>().weights;
}

TrainOptions rls(RlsOptions method, int threads = 1) {
  TrainOptions options;
  options.scaling = Scaling::none;
  options.threads = threads;
  options.method = std::move(method);
  return options;
}

TrainOptions leaving_queries_out(RlsOptions method, int threads = 1) {
  TrainOptions options = rls(std::move(method), threads);
  options.leave_query_out = true;
  return options;
}

std::string message_of(const Dataset& data, const TrainOptions& options) {
  try {
    train_path(data, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

struct Case {
  std::string name;
  Dataset data;
  RlsOptions options;
};

/// Every graph and normalisation, weights, preferences, wide and narrow data.
std::vector<Case> cases() {
  std::vector<Case> all;
  std::mt19937_64 random(11);
  for (const bool weighted : {false, true}) {
    for (const std::int64_t features : {4, 40}) {
      const Dataset data = oracles::random_dataset(random, {.queries = 8,
                                                            .most_documents = 9,
                                                            .features = features,
                                                            .weighted = weighted,
                                                            .offset = 3});
      for (const auto ties : {TiedPairs::include, TiedPairs::exclude}) {
        for (const auto normalisation :
             {Normalisation::none, Normalisation::query, Normalisation::total}) {
          all.push_back({"ties " + std::string(name_of(ties)) + ", normalisation " +
                             std::string(name_of(normalisation)),
                         data,
                         {.ties = ties, .normalisation = normalisation}});
        }
      }
      all.push_back({"regression", data, {.pairs = Pairs::none}});
      for (const std::size_t per_query : {2U, 30U}) {
        Dataset preferred = data;
        oracles::add_preferences(random, preferred, per_query);
        all.push_back({"preferences", preferred, {}});
      }
    }
  }
  return all;
}

void expect_near(std::span<const double> found, std::span<const double> expected,
                 double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  double largest = 0;
  for (const double value : expected) largest = std::max(largest, std::abs(value));
  for (std::size_t k = 0; k < found.size(); ++k) {
    EXPECT_NEAR(found[k], expected[k], tolerance * std::max(largest, 1e-3));
  }
}

TEST(RlsMethod, by_every_solver_equals_a_dense_solve_of_the_printed_formula) {
  for (Case each : cases()) {
    const PairGraph graph = pair_graph(each.options);
    const QueryTable table(each.data, each.options.normalisation, 1, graph);
    const oracles::DenseRls oracle(each.data, table, graph);
    for (const auto solver : {RlsSolver::primal, RlsSolver::dual, RlsSolver::cg}) {
      for (const Candidates& alpha : {Candidates(0.5), Candidates{0.01, 0.5, 20}}) {
        SCOPED_TRACE(each.name + ", " + std::string(name_of(solver)) + ", alphas " +
                     std::to_string(alpha.values().size()));
        each.options.solver = solver;
        each.options.alpha = alpha;
        each.options.tolerance = 1e-13;
        const TrainPath path = train_path(each.data, rls(each.options));
        for (std::size_t k = 0; k < path.values.size(); ++k) {
          expect_near(weights_of(path.results[k].model), oracle.primal(path.values[k]), 1e-8);
        }
      }
    }
  }
}

TEST(RlsMethod, reports_the_objective_it_minimises_by_every_solver) {
  for (Case each : cases()) {
    const PairGraph graph = pair_graph(each.options);
    const QueryTable table(each.data, each.options.normalisation, 1, graph);
    each.options.alpha = 0.3;
    for (const auto solver : {RlsSolver::primal, RlsSolver::dual, RlsSolver::cg}) {
      SCOPED_TRACE(each.name + ", " + std::string(name_of(solver)));
      each.options.solver = solver;
      const TrainResult result = train(each.data, rls(each.options));
      const auto scores = result.model.score(each.data);
      double expected = 0;
      for (const double weight : weights_of(result.model)) expected += 0.3 * weight * weight;
      for (const QueryTable::Query& query : table.queries()) {
        expected +=
            query.factor * oracles::squared_errors(
                               table.documents(query), graph,
                               std::span(scores).subspan(static_cast<std::size_t>(query.first),
                                                         static_cast<std::size_t>(query.size)));
      }
      EXPECT_NEAR(result.report.objective, expected, 1e-8 * (1 + expected));
    }
  }
}

TEST(RlsMethod, leaving_a_query_out_equals_fitting_without_it) {
  for (Case each : cases()) {
    if (each.options.normalisation == Normalisation::total) continue;  // its factor changes
    for (const auto solver : {RlsSolver::primal, RlsSolver::dual}) {
      SCOPED_TRACE(each.name + ", " + std::string(name_of(solver)));
      each.options.solver = solver;
      each.options.alpha = {0.05, 1, 30};
      const TrainPath path = train_path(each.data, leaving_queries_out(each.options));
      for (std::size_t q = 0; q < static_cast<std::size_t>(each.data.num_queries()); ++q) {
        const TrainPath refit = train_path(oracles::without_query(each.data, q), rls(each.options));
        const auto first = static_cast<std::size_t>(each.data.query_offsets[q]);
        const auto size = static_cast<std::size_t>(each.data.query_offsets[q + 1]) - first;
        for (std::size_t k = 0; k < path.values.size(); ++k) {
          const auto scores = refit.results[k].model.score(each.data);
          expect_near(std::span(path.leave_query_out[k]).subspan(first, size),
                      std::span(scores).subspan(first, size), 1e-8);
        }
      }
    }
  }
}

TEST(RlsMethod, leaving_a_query_out_without_penalty_equals_fitting_without_it) {
  std::mt19937_64 random(31);
  const Dataset data =
      oracles::random_dataset(random, {.queries = 6, .most_documents = 8, .features = 4});
  for (const auto solver : {RlsSolver::primal, RlsSolver::dual}) {
    const RlsOptions options{.alpha = 0, .solver = solver};
    const TrainPath path = train_path(data, leaving_queries_out(options));
    for (std::size_t q = 0; q < 6; ++q) {
      const auto scores = train(oracles::without_query(data, q), rls(options)).model.score(data);
      for (auto doc = static_cast<std::size_t>(data.query_offsets[q]);
           doc < static_cast<std::size_t>(data.query_offsets[q + 1]); ++doc) {
        EXPECT_NEAR(path.leave_query_out[0][doc], scores[doc], 1e-8);
      }
    }
  }
}

TEST(RlsMethod, gives_the_same_bits_for_any_number_of_threads) {
  std::mt19937_64 random(5);
  const Dataset data = oracles::random_dataset(random, {.queries = 400, .features = 6});
  for (const auto solver : {RlsSolver::primal, RlsSolver::cg}) {
    const RlsOptions options{.alpha = {0.1, 1}, .solver = solver};
    const auto wanted = solver == RlsSolver::primal ? leaving_queries_out : rls;
    const TrainPath one = train_path(data, wanted(options, 1));
    const TrainPath four = train_path(data, wanted(options, 4));
    EXPECT_EQ(one.leave_query_out, four.leave_query_out);
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_EQ(weights_of(one.results[k].model), weights_of(four.results[k].model));
    }
  }
  const Dataset small = oracles::random_dataset(random, {.queries = 20, .features = 6});
  const RlsOptions options{.alpha = {0.1, 1}, .solver = RlsSolver::dual};
  EXPECT_EQ(train_path(small, leaving_queries_out(options, 1)).leave_query_out,
            train_path(small, leaving_queries_out(options, 4)).leave_query_out);
}

TEST(RlsMethod, does_not_depend_on_the_order_of_rows_within_a_query) {
  std::mt19937_64 random(6);
  Dataset data = oracles::random_dataset(random, {.queries = 30, .features = 5});
  const Model one = train(data, rls({})).model;
  const auto& dense = std::get<DenseMatrix>(data.features);
  std::vector<float> values;
  std::vector<double> grades;
  for (std::size_t q = 0; q < 30; ++q) {
    for (std::int64_t doc = data.query_offsets[q + 1]; doc-- > data.query_offsets[q];) {
      const auto row = dense.row(doc);
      values.insert(values.end(), row.begin(), row.end());
      grades.push_back(data.grades[static_cast<std::size_t>(doc)]);
    }
  }
  data.features = DenseMatrix{dense.num_rows, 5, std::move(values)};
  data.grades = std::move(grades);
  expect_near(weights_of(train(data, rls({})).model), weights_of(one), 1e-11);
}

TEST(RlsMethod, on_sparse_data_equals_training_on_dense) {
  std::mt19937_64 random(7);
  const Dataset data = oracles::random_dataset(random, {.queries = 30, .features = 5});
  for (const auto solver : {RlsSolver::primal, RlsSolver::dual, RlsSolver::cg}) {
    const RlsOptions options{.solver = solver, .tolerance = 1e-13};
    expect_near(weights_of(train(oracles::as_sparse(data), rls(options)).model),
                weights_of(train(data, rls(options)).model), 1e-10);
  }
}

TEST(RlsMethod, on_wide_data_equals_a_dense_solve_too) {
  std::mt19937_64 random(8);
  const Dataset data =
      oracles::random_dataset(random, {.queries = 12, .most_documents = 10, .features = 530});
  const RlsOptions primal{.solver = RlsSolver::primal};
  const RlsOptions dual{.solver = RlsSolver::dual};
  const Model one = train(data, rls(primal, 1)).model;
  expect_near(weights_of(one), weights_of(train(data, rls(dual)).model), 1e-8);
  EXPECT_EQ(weights_of(train(data, rls(primal, 3)).model), weights_of(one));
}

TEST(RlsMethod, on_one_long_query_equals_a_dense_solve_too) {
  std::mt19937_64 random(9);
  Dataset data = oracles::random_dataset(
      random, {.queries = 300, .most_documents = 30, .features = 3, .offset = 5});
  data.query_offsets = std::vector<std::int64_t>{0, data.num_documents()};
  data.query_ids = StringList::of({"q"});
  ASSERT_GT(data.num_documents(), 4000);
  for (const auto ties : {TiedPairs::include, TiedPairs::exclude}) {
    const RlsOptions primal{.ties = ties, .solver = RlsSolver::primal};
    const RlsOptions cg{.ties = ties, .solver = RlsSolver::cg, .tolerance = 1e-13};
    expect_near(weights_of(train(data, rls(primal)).model), weights_of(train(data, rls(cg)).model),
                1e-8);
  }
}

TEST(RlsMethod, folds_the_scaling_as_if_the_data_were_scaled) {
  std::mt19937_64 random(10);
  const Dataset data =
      oracles::random_dataset(random, {.queries = 30, .features = 5, .offset = 100});
  for (const auto pairs : {Pairs::all, Pairs::none}) {
    for (const auto solver : {RlsSolver::primal, RlsSolver::dual, RlsSolver::cg}) {
      TrainOptions options = rls({.pairs = pairs, .solver = solver, .tolerance = 1e-13});
      options.scaling = Scaling::standard;
      const Model folded = train(data, options).model;
      options.scaling = Scaling::none;
      const Dataset scaled = apply_scaling(data, fit_scaling(data, Scaling::standard));
      expect_near(weights_of(folded), weights_of(train(scaled, options).model), 1e-4);
    }
  }
}

TEST(RlsMethod, chooses_by_cost_and_says_so) {
  std::mt19937_64 random(12);
  const Dataset narrow = oracles::random_dataset(random, {.queries = 30, .features = 5});
  EXPECT_EQ(train(narrow, rls({})).report.solver, "primal, by cost");
  const Dataset wide =
      oracles::random_dataset(random, {.queries = 5, .most_documents = 5, .features = 300});
  EXPECT_EQ(train(wide, rls({})).report.solver, "dual, by cost");
  EXPECT_EQ(train(wide, rls({.solver = RlsSolver::primal})).report.solver, "primal, as asked for");
}

TEST(RlsMethod, chooses_conjugate_gradients_where_no_system_fits) {
  Dataset data;
  data.features = CsrMatrix{100'000, 50'000, std::vector<std::int64_t>(100'001), {}, {}};
  data.grades = std::vector<double>(100'000);
  data.query_offsets = std::vector<std::int64_t>{0, 100'000};
  const QueryTable table(data, Normalisation::none, 1, PairGraph::all);
  const RlsOptions options;
  const RlsCosts costs = rls_costs({FeatureRows(data.features),
                                    table,
                                    {},
                                    data,
                                    options,
                                    options.alpha.values(),
                                    default_backend()});
  EXPECT_LT(costs.cg, costs.primal);
  EXPECT_LT(costs.cg, costs.dual);
}

TEST(RlsMethod, without_penalty_gives_the_smallest_solution_of_a_singular_system_and_says_so) {
  std::mt19937_64 random(13);
  Dataset data = oracles::random_dataset(random, {.queries = 20, .features = 3});
  const auto& dense = std::get<DenseMatrix>(data.features);
  std::vector<float> values;
  for (std::int64_t doc = 0; doc < dense.num_rows; ++doc) {
    const auto row = dense.row(doc);
    values.insert(values.end(), {row[0], row[1], row[2], row[0]});  // a column twice
  }
  Dataset twice = data;
  twice.features = DenseMatrix{dense.num_rows, 4, std::move(values)};
  for (const auto solver : {RlsSolver::primal, RlsSolver::dual, RlsSolver::cg}) {
    const RlsOptions options{.alpha = 0, .solver = solver, .tolerance = 1e-13};
    const auto once = weights_of(train(data, rls(options)).model);
    const TrainResult result = train(twice, rls(options));
    const auto& found = weights_of(result.model);
    expect_near(found, std::vector<double>{once[0] / 2, once[1], once[2], once[0] / 2}, 1e-8);
    ASSERT_FALSE(result.report.warnings.empty());
    EXPECT_NE(result.report.warnings.back().find("alpha = 0"), std::string::npos);
    EXPECT_EQ(result.model.report.warnings, result.report.warnings);
  }
  for (const auto solver : {RlsSolver::primal, RlsSolver::dual}) {
    const RlsOptions options{.alpha = 0, .solver = solver};
    for (const std::string& warning : train(data, rls(options)).report.warnings) {
      EXPECT_EQ(warning.find("singular"), std::string::npos) << name_of(solver);
    }
  }
}

TEST(RlsMethod, refuses_alphas_that_are_negative_or_not_finite) {
  std::mt19937_64 random(14);
  const Dataset data = oracles::random_dataset(random, {});
  EXPECT_EQ(message_of(data, rls({.alpha = -1})), "alpha = -1 must be at least 0");
  EXPECT_EQ(message_of(data, rls({.alpha = {1, -0.5}})), "alpha = -0.5 must be at least 0");
  EXPECT_NE(message_of(data, rls({.alpha = std::numeric_limits<double>::infinity()})), "no error");
  EXPECT_NE(message_of(data, rls({.alpha = std::numeric_limits<double>::quiet_NaN()})), "no error");
  EXPECT_NE(message_of(data, rls({.alpha = std::vector<double>{}})), "no error");
}

TEST(RlsMethod, learns_from_one_query_but_cannot_leave_it_out) {
  std::mt19937_64 random(15);
  Dataset data;
  do {
    data = oracles::random_dataset(random, {.queries = 1});
  } while (data.num_documents() < 5);
  data.source = "train.txt";
  EXPECT_NE(weights_of(train(data, rls({})).model)[0], 0);
  EXPECT_EQ(message_of(data, leaving_queries_out({})),
            "train.txt: leave-query-out needs at least two queries to learn from");
}

TEST(RlsMethod, refuses_queries_of_one_document_each_but_for_regression) {
  std::mt19937_64 random(16);
  Dataset data = oracles::random_dataset(random, {.queries = 20, .most_documents = 1});
  data.source = "train.txt";
  EXPECT_EQ(message_of(data, rls({})),
            "train.txt: nothing to learn from: no query has two documents, or the weights are 0");
  EXPECT_EQ(message_of(data, rls({.ties = TiedPairs::exclude})),
            "train.txt: nothing to learn from: in every query all grades are equal, or the weights "
            "are 0");
  EXPECT_EQ(message_of(data, rls({.pairs = Pairs::none})), "no error");
}

TEST(RlsMethod, refuses_leave_query_out_by_conjugate_gradients) {
  std::mt19937_64 random(18);
  const Dataset data = oracles::random_dataset(random, {});
  EXPECT_EQ(message_of(data, leaving_queries_out({.solver = RlsSolver::cg})),
            "solver = cg has no leave-query-out; take primal, dual or auto");
}

TEST(RlsMethod, refuses_what_belongs_to_other_methods) {
  std::mt19937_64 random(19);
  const Dataset data = oracles::random_dataset(random, {});
  TrainOptions svm;
  svm.leave_query_out = true;
  EXPECT_EQ(message_of(data, svm), "leave_query_out: method = 'svm' has no such scores");
  const Model model = train(data).model;
  TrainOptions options = rls({});
  options.warm_start = &model;
  EXPECT_EQ(message_of(data, options), "warm_start: method rls is solved directly, from no start");
  EXPECT_THROW(train(data, rls({.alpha = {1, 2}})), Error);
  EXPECT_THROW(train_path(data, rls({}), std::vector<double>{2, 1}), Error);
}

TEST(RlsMethod, path_of_train_path_is_that_of_alpha) {
  std::mt19937_64 random(25);
  const Dataset data = oracles::random_dataset(random, {});
  const std::vector<double> alphas{0.5, 2, 8};
  const auto path = train_path(data, rls({}), alphas);
  ASSERT_EQ(path.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto one = train(data, rls({.alpha = alphas[k]})).model.score(data);
    const auto found = path[k].model.score(data);
    for (std::size_t doc = 0; doc < one.size(); ++doc) EXPECT_NEAR(found[doc], one[doc], 1e-8);
  }
}

TEST(RlsMethod, stopped_by_its_caller_says_so) {
  std::mt19937_64 random(20);
  Dataset data = oracles::random_dataset(random, {});
  data.source = "train.txt";
  const auto stop = [](const ProgressEvent&) { return false; };
  try {
    train_path(data, rls({}), stop);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::interrupted);
  }
  EXPECT_EQ(train(data, rls({.solver = RlsSolver::cg}), stop).report.termination,
            Termination::interrupted);
}

class KernelRls : public testing::Test {
 protected:
  KernelRls() {
    std::mt19937_64 random(21);
    data_ = oracles::random_dataset(random, {.queries = 8, .most_documents = 7, .features = 3});
    data_.source = "kernel.txt";
    const auto n = static_cast<std::size_t>(data_.num_documents());
    const auto& dense = std::get<DenseMatrix>(data_.features);
    kernel_.resize(n * n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        double distance = 0;
        for (std::size_t f = 0; f < 3; ++f) {
          const double gap = static_cast<double>(dense.values[i * 3 + f]) -
                             static_cast<double>(dense.values[j * 3 + f]);
          distance += gap * gap;
        }
        kernel_[i * n + j] = std::exp(-0.5 * distance);
      }
    }
  }

  RlsSolved solve(const RlsOptions& options, std::span<const double> alphas) const {
    const QueryTable table(data_, options.normalisation, 1, pair_graph(options));
    return solve_rls_kernel(kernel_,
                            {FeatureRows(data_.features),
                             table,
                             {},
                             data_,
                             options,
                             alphas,
                             default_backend(),
                             false,
                             1},
                            {});
  }

  std::string refusal() const {
    try {
      solve({}, std::vector<double>{1});
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  Dataset data_;
  std::vector<double> kernel_;
};

TEST_F(KernelRls, equals_a_dense_solve_of_the_printed_formula) {
  const auto n = static_cast<std::size_t>(data_.num_documents());
  for (const auto ties : {TiedPairs::include, TiedPairs::exclude}) {
    const RlsOptions options{.ties = ties};
    const QueryTable table(data_, options.normalisation, 1, pair_graph(options));
    const oracles::DenseRls oracle(data_, table, pair_graph(options));
    const std::vector<double> alphas{0.1, 2};
    const RlsSolved path = solve(options, alphas);
    for (std::size_t k = 0; k < 2; ++k) {
      const auto expected = oracle.dual(kernel_, alphas[k]);
      expect_near(path.outcomes[k].solved.weights, expected, 1e-8);
      const std::vector<double> one{alphas[k]};
      expect_near(solve(options, one).outcomes[0].solved.weights, expected, 1e-8);
      ASSERT_EQ(expected.size(), n);
    }
  }
}

TEST_F(KernelRls, refuses_what_is_no_kernel) {
  EXPECT_EQ(refusal(), "no error");
  const auto n = static_cast<std::size_t>(data_.num_documents());
  kernel_[1] += 0.5;
  EXPECT_EQ(refusal().substr(0, 39), "kernel.txt: the kernel is not symmetric");
  kernel_[n] += 0.5;
  kernel_[1] += 2;
  kernel_[n] += 2;
  EXPECT_EQ(refusal().substr(0, 51), "kernel.txt: the kernel is not positive semidefinite");
  kernel_[0] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal(), "kernel.txt: the kernel is not finite");
}

}  // namespace
}  // namespace rankine
