#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/evaluate.hpp>
#include <rankine/folds.hpp>
#include <rankine/read.hpp>
#include <rankine/tune.hpp>

#include "oracles/random_dataset.hpp"
#include "temporary_folder.hpp"

namespace rankine {
namespace {

bool is_not_of_an_edge(const std::string& warning) {
  return warning.find("of its grid") == std::string::npos;
}

Dataset some_data(std::int64_t queries = 60, unsigned seed = 17) {
  std::mt19937_64 random(seed);
  Dataset data = oracles::random_dataset(random, {.queries = queries, .features = 6});
  data.source = "train.txt";
  return data;
}

TuneOptions some_tuning() {
  TuneOptions tuning;
  tuning.grids = {{"loss", {"squared_hinge", "logistic", "huber"}}, {"C", {"0.001", "0.1", "10"}}};
  return tuning;
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// All that must not depend on threads, interruptions and time.
void expect_same(const TuneResult& a, const TuneResult& b) {
  ASSERT_EQ(a.settings.size(), b.settings.size());
  for (std::size_t k = 0; k < a.settings.size(); ++k) {
    EXPECT_EQ(a.settings[k].values, b.settings[k].values);
    EXPECT_EQ(a.settings[k].validation, b.settings[k].validation);
    EXPECT_EQ(a.settings[k].share, b.settings[k].share);
  }
  EXPECT_EQ(a.best, b.best);
  EXPECT_EQ(a.test_mean, b.test_mean);
  for (std::size_t fold = 0; fold < a.folds.size(); ++fold) {
    EXPECT_EQ(a.folds[fold].best, b.folds[fold].best);
    EXPECT_EQ(a.folds[fold].test, b.folds[fold].test);
  }
  ASSERT_EQ(a.models.size(), b.models.size());
  for (std::size_t k = 0; k < a.models.size(); ++k) {
    EXPECT_EQ(a.models[k].function, b.models[k].function);
  }
}

double measured(const Model& model, const Dataset& data, const std::string& measure) {
  return evaluate(data, model.score(data), parse_measures(measure)).means[0].mean;
}

TEST(Tune, measures_each_setting_as_training_it_alone_would) {
  const Dataset data = some_data();
  const Dataset valid = some_data(40, 18);
  TrainOptions options;
  options.method.as<SvmOptions>().newton.tolerance = 1e-10;
  const TuneResult result = tune(data, valid, options, some_tuning());
  ASSERT_EQ(result.settings.size(), 9U);
  double best = 0;
  for (std::size_t k = 0; k < 9; ++k) {
    const Model alone = train(data, setting_options(options, result, k)).model;
    const double value = measured(alone, valid, "ndcg@10");
    EXPECT_NEAR(result.settings[k].mean, value, 2e-3) << k;
    best = std::max(best, result.settings[k].mean);
  }
  EXPECT_EQ(result.settings[result.best].mean, best);
  ASSERT_EQ(result.models.size(), 1U);
  EXPECT_EQ(result.models[0].function, train(data, result.options).model.function);
  EXPECT_EQ(result.num_trainings, 3);  // C comes from paths
}

TEST(Tune, on_K_folds_takes_the_mean_over_them_and_fits_on_all_data) {
  const Dataset data = some_data();
  TuneOptions tuning = some_tuning();
  tuning.grids = {{"C", {"0.01", "1"}}};
  const TrainOptions options;
  const TuneResult result = tune(data, 4, options, tuning);
  const auto parts = query_folds(data, {.folds = 4, .seed = options.seed});
  for (const TuneSetting& setting : result.settings) {
    ASSERT_EQ(setting.validation.size(), 4U);
    double mean = 0;
    for (const double value : setting.validation) mean += value / 4;
    EXPECT_NEAR(setting.mean, mean, 1e-12);
  }
  const std::vector<double> values{0.01, 1};
  std::vector<std::int64_t> others;
  for (std::size_t part = 1; part < 4; ++part) {
    others.insert(others.end(), parts[part].begin(), parts[part].end());
  }
  const auto path = train_path(select_queries(data, others), options, values);
  const Dataset held_out = select_queries(data, parts[0]);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(result.settings[k].validation[0], measured(path[k].model, held_out, "ndcg@10"));
  }
  EXPECT_EQ(result.models.at(0).trained_on.num_queries, 60);
}

TEST(Tune, on_letor_folds_chooses_by_vali_and_fits_on_train_alone) {
  const TemporaryFolder folder;
  write_folds(folder.path("folds"), some_data(), {.folds = 3});
  const TrainOptions options;
  const TuneResult result = tune_letor_folds(folder.path("folds"), options, some_tuning());
  ASSERT_EQ(result.folds.size(), 3U);
  ASSERT_EQ(result.models.size(), 3U);
  double map = 0;
  for (std::size_t fold = 0; fold < 3; ++fold) {
    const auto part = [&](const std::string& name) {
      return read_letor(folder.path("folds/Fold" + std::to_string(fold + 1) + "/" + name));
    };
    for (const TuneSetting& setting : result.settings) {
      EXPECT_LE(setting.validation[fold], result.folds[fold].validation);
    }
    const Model alone =
        train(part("train.txt"), setting_options(options, result, result.folds[fold].best)).model;
    EXPECT_EQ(result.models[fold].function, alone.function);
    EXPECT_EQ(result.folds[fold].test.back(), measured(alone, part("test.txt"), "map"));
    map += result.folds[fold].test.back() / 3;
  }
  EXPECT_NEAR(result.test_mean.back(), map, 1e-12);
}

TEST(Tune, gives_the_same_for_any_number_of_threads) {
  const TemporaryFolder folder;
  const Dataset data = some_data(90);
  write_folds(folder.path("folds"), data, {.folds = 3});
  for (const bool halving : {false, true}) {
    TuneOptions tuning = some_tuning();
    tuning.halving = halving;
    TrainOptions one;
    one.threads = 1;
    TrainOptions four;
    four.threads = 4;
    expect_same(tune(data, 3, one, tuning), tune(data, 3, four, tuning));
    expect_same(tune_letor_folds(folder.path("folds"), one, tuning),
                tune_letor_folds(folder.path("folds"), four, tuning));
  }
}

class Interrupted {
 public:
  /// Stops at the given question.
  explicit Interrupted(int questions) : left_(questions) {}
  bool operator()(const ProgressEvent&) { return --left_ > 0; }

 private:
  int left_;
};

/// With 120 features products are kept: the Laplacian's and rbf's, and others share them.
Dataset wide_data(unsigned seed) {
  std::mt19937_64 random(seed);
  return oracles::random_dataset(random, {.queries = 10, .features = 120});
}

/// Tunes over three gammas and three C with the grids given, in several ways.
void expect_as_alone(const Dataset& data, const Dataset& valid, TrainOptions options,
                     std::vector<Grid> grids) {
  grids.push_back({"kernel", {"rbf", "laplacian", "polynomial"}});
  grids.push_back({"gamma", {"0.01", "0.0001", "0.05"}});
  grids.push_back({"C", {"0.01", "0.1", "1"}});
  TuneOptions tuning;
  tuning.grids = std::move(grids);
  tuning.refit = false;
  options.threads = 1;
  const TuneResult one = tune(data, valid, options, tuning);
  for (std::size_t k = 0; k < one.settings.size(); k += 3) {
    const auto path =
        train_path(data, setting_options(options, one, k), std::vector<double>{0.01, 0.1, 1});
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_EQ(one.settings[k + c].mean, measured(path[c].model, valid, "ndcg@10")) << k;
    }
  }
  options.threads = 2;
  expect_same(tune(data, valid, options, tuning), one);
  // Mapped rows fit and, beside them, nothing else.
  options.memory_limit = 0.00006;
  expect_same(tune(data, valid, options, tuning), one);
}

TEST(Tune, shares_what_no_gamma_changes_and_measures_as_trainings_alone_would) {
  TrainOptions options;
  options.map.approximation = Approximation::nystroem;
  options.map.n_components = 30;
  const std::vector<Grid> grids{{"landmarks", {"uniform", "kmeans"}}, {"rank", {"0", "15"}}};
  expect_as_alone(wide_data(3), wide_data(4), options, grids);
  expect_as_alone(oracles::as_sparse(wide_data(3)), oracles::as_sparse(wide_data(4)), options,
                  grids);
}

TEST(Tune, shares_what_no_gamma_changes_of_an_exact_kernel) {
  expect_as_alone(wide_data(3), wide_data(4), {}, {});
  expect_as_alone(oracles::as_sparse(wide_data(3)), oracles::as_sparse(wide_data(4)), {}, {});
}

TEST(Tune, of_gammas_interrupted_anywhere_and_resumed_gives_what_one_run_gives) {
  const TemporaryFolder folder;
  write_folds(folder.path("folds"), wide_data(5), {.folds = 3});
  TuneOptions tuning;
  tuning.grids = {{"gamma", {"0.05", "0.01", "0.001", "0.0001"}}, {"C", {"0.1", "1"}}};
  for (const int threads : {1, 3}) {
    TrainOptions options;
    options.map.kernel = Kernel::rbf;
    options.map.approximation = Approximation::nystroem;
    options.map.n_components = 30;
    options.threads = threads;
    tuning.run.clear();
    const TuneResult straight = tune_letor_folds(folder.path("folds"), options, tuning);
    tuning.run = folder.path("run" + std::to_string(threads));
    int interruptions = 0;
    for (int questions = 15;; questions += 25) {
      try {
        expect_same(
            tune_letor_folds(folder.path("folds"), options, tuning, {}, Interrupted(questions)),
            straight);
        break;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::interrupted);
        ++interruptions;
      }
    }
    EXPECT_GT(interruptions, 1);
  }
}

TEST(Tune, takes_the_smallest_C_among_equals) {
  const Dataset data = some_data();
  TuneOptions tuning;
  tuning.grids = {{"C", {"3", "2", "1"}}, {"max_cg_iterations", {"900", "800"}}};
  tuning.select = "recall@1000";  // 1 whatever the order
  const TuneResult result = tune(data, some_data(40, 18), {}, tuning);
  EXPECT_EQ(result.settings[result.best].values, (std::vector<std::string>{"1", "900"}));
}

TEST(Tune, interrupted_anywhere_and_resumed_gives_what_one_run_gives) {
  const TemporaryFolder folder;
  const Dataset data = some_data();
  write_folds(folder.path("folds"), data, {.folds = 3});
  for (const int threads : {1, 3}) {
    TrainOptions options;
    options.threads = threads;
    TuneOptions tuning = some_tuning();
    tuning.halving = true;
    const TuneResult straight = tune_letor_folds(folder.path("folds"), options, tuning);
    tuning.run = folder.path("run" + std::to_string(threads));
    int interruptions = 0;
    for (int questions = 20;; questions += 40) {
      try {
        const TuneResult resumed =
            tune_letor_folds(folder.path("folds"), options, tuning, {}, Interrupted(questions));
        expect_same(resumed, straight);
        EXPECT_GT(resumed.num_kept, 0);
        EXPECT_EQ(resumed.num_trainings, straight.num_trainings);
        break;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::interrupted);
        ++interruptions;
      }
    }
    EXPECT_GT(interruptions, 1);
    tuning.refit = false;
    const TuneResult again = tune_letor_folds(folder.path("folds"), options, tuning);
    EXPECT_EQ(again.num_kept, again.num_trainings);
    EXPECT_EQ(again.test_mean, straight.test_mean);
  }
}

TEST(Tune, says_how_to_go_on_after_an_interruption) {
  const TemporaryFolder folder;
  TuneOptions tuning = some_tuning();
  const auto stopped = [&] {
    return message_of([&] { tune(some_data(), 3, {}, tuning, Interrupted(3)); });
  };
  EXPECT_EQ(stopped(), "interrupted; with --run DIR a tuning can go on where it ended");
  tuning.run = folder.path("run");
  EXPECT_EQ(stopped(), "interrupted; what is done is kept in " + tuning.run +
                           ", and the same command goes on from there");
}

TEST(Tune, refuses_a_run_folder_of_another_tuning_and_names_the_difference) {
  const TemporaryFolder folder;
  const Dataset data = some_data();
  TuneOptions tuning = some_tuning();
  tuning.run = folder.path("run");
  tune(data, 3, {}, tuning);
  const std::string holds = "run = " + tuning.run + " holds another tuning: ";
  TrainOptions other;
  other.scaling = Scaling::none;
  EXPECT_EQ(message_of([&] { tune(data, 3, other, tuning); }),
            holds + "scaling was standard and is none");
  EXPECT_EQ(message_of([&] { tune(data, 4, {}, tuning); }),
            holds + "folds was 3 folds by query and is 4 folds by query");
  EXPECT_NE(message_of([&] {
              tune(some_data(60, 5), 3, {}, tuning);
            }).find(holds + "checksum of train was "),
            std::string::npos);
  tuning.select = "map";
  EXPECT_EQ(message_of([&] { tune(data, 3, {}, tuning); }),
            holds + "select was ndcg@10 and is map");
  tuning = some_tuning();
  tuning.run = folder.path("run");
  tuning.grids[1].values.push_back("100");
  EXPECT_EQ(message_of([&] { tune(data, 3, {}, tuning); }).substr(0, holds.size() + 5),
            holds + "C was");
  TrainOptions threads;  // these may differ
  threads.threads = 2;
  EXPECT_EQ(tune(data, 3, threads,
                 [&] {
                   TuneOptions same = some_tuning();
                   same.run = folder.path("run");
                   return same;
                 }())
                .num_kept,
            9);
}

TEST(Tune, halving_measures_few_settings_on_all_queries_and_says_which) {
  const Dataset data = some_data(200);
  TuneOptions tuning;
  tuning.halving = true;
  tuning.grids = {{"features", {"1", "2", "3", "4", "5", "6", "1-2", "3-4", "1-6"}},
                  {"C", {"0.01", "1"}}};
  const TuneResult result = tune(data, some_data(80, 18), {}, tuning);
  std::vector<int> by_share(3);
  for (const TuneSetting& setting : result.settings) {
    const double share = setting.share[0];
    ++by_share[share == 1 ? 0 : share == 1.0 / 3 ? 1 : 2];
    EXPECT_EQ(std::isnan(setting.mean), share != 1);
  }
  EXPECT_EQ(by_share, (std::vector<int>{2, 4, 12}));
  EXPECT_EQ(result.settings[result.best].values[0], "1-6");
  EXPECT_TRUE(result.warnings.empty());
  tuning.grids = {{"C", {"0.01", "1", "2", "3"}}};
  const auto warnings = tune(data, 3, {}, tuning).warnings;
  EXPECT_EQ(std::count_if(warnings.begin(), warnings.end(), is_not_of_an_edge), 1);
}

TEST(Tune, names_the_setting_that_failed) {
  Dataset data = some_data();
  data.grades = std::vector<double>(data.grades.size(), 1.0);
  EXPECT_EQ(message_of([&] { tune(data, data, {}, some_tuning()); }),
            "train.txt: nothing to learn from: in every query all grades are equal, or the weights "
            "are 0 (setting loss = squared_hinge, C = 0.001)");
}

TEST(Tune, refuses_measures_that_do_not_exist_or_count_no_query) {
  TuneOptions tuning = some_tuning();
  tuning.select = "ndgc@10";
  EXPECT_NE(message_of([&] { tune(some_data(), 3, {}, tuning); }).find("ndgc"), std::string::npos);
  tuning.select = "map,ndcg@10";
  EXPECT_EQ(message_of([&] { tune(some_data(), 3, {}, tuning); }),
            "select = 'map,ndcg@10' must be one measure");
  tuning.select = "map";
  Dataset valid = some_data(5, 18);
  valid.source = "vali.txt";
  valid.grades = std::vector<double>(valid.grades.size(), 0.0);
  EXPECT_EQ(message_of([&] { tune(some_data(), valid, {}, tuning); }),
            "vali.txt: no query counts for map");
}

TEST(Tune, says_where_the_best_value_is_at_the_edge_of_its_grid) {
  const Dataset data = some_data();
  TuneOptions tuning;
  tuning.grids = {parse_grid_option({}, "C=2^-20..2^-18"), parse_grid_option({}, "scaling=none")};
  const TuneResult result = tune(data, 2, {}, tuning);
  const std::string value = result.settings[result.best].values[0];
  const bool is_inside = value == real_text(0x1p-19);
  EXPECT_EQ(result.warnings.empty(), is_inside);
  if (!is_inside) {
    EXPECT_EQ(result.warnings.front().find("C = " + value + " is the "), 0U);
  }
}

TEST(Tune, tells_of_settings_that_did_not_converge) {
  TuneOptions tuning = some_tuning();
  TrainOptions options;
  options.method.as<SvmOptions>().newton.max_iterations = 1;
  options.method.as<SvmOptions>().newton.tolerance = 0;
  const TuneResult result = tune(some_data(), some_data(20, 18), options, tuning);
  EXPECT_EQ(std::count_if(result.warnings.begin(), result.warnings.end(), is_not_of_an_edge), 1);
  EXPECT_EQ(result.warnings.at(0),
            "9 times a setting met a limit (max_iterations, time_limit) before it converged");
  TrainOptions stochastic;  // ends by its epochs, as it should
  stochastic.method = StochasticOptions{};
  const auto warnings = tune(some_data(), some_data(20, 18), stochastic, tuning).warnings;
  EXPECT_TRUE(std::none_of(warnings.begin(), warnings.end(), is_not_of_an_edge));
}

TEST(Tune, of_C_on_MQ2007_repeats_the_published_table) {
  const char* named = std::getenv("RANKINE_LETOR_DIR");
  const std::filesystem::path letor =
      named != nullptr ? named : std::string(RANKINE_TEST_DATA) + "/../../build/letor";
  if (!std::filesystem::exists(letor / "mq2007")) GTEST_SKIP() << "no LETOR data in " << letor;
  TrainOptions options;
  options.method = SvmOptions{.normalisation = Normalisation::none};
  options.scaling = Scaling::none;
  TuneOptions tuning;
  tuning.grids = {parse_grid_option(options, "C=2^-12..2^6")};
  tuning.select = "mean_ndcg";
  tuning.measures = {"mean_ndcg", "map"};
  tuning.rules = measure_rules(Convention::letor);
  const TuneResult result = tune_letor_folds((letor / "mq2007").string(), options, tuning);
  EXPECT_NEAR(result.test_mean[0], 0.4956, 1e-4);
  EXPECT_NEAR(result.test_mean[1], 0.4639, 1e-4);
}

}  // namespace
}  // namespace rankine
