#include <cmath>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/train.hpp>
#include <rankine/write.hpp>

#include "oracles/random_dataset.hpp"
#include "temporary_folder.hpp"

namespace rankine {
namespace {

class TrainFileTest : public testing::Test {
 protected:
  TrainFileTest() {
    std::mt19937_64 random(3);
    data_ = oracles::random_dataset(random, {.queries = 2000, .features = 5, .offset = 2});
    write_dataset(path_, data_);
    reading_.num_features = 5;
  }

  TrainOptions options(RlsOptions rls, Scaling scaling = Scaling::standard, int threads = 2) const {
    TrainOptions options;
    options.scaling = scaling;
    options.threads = threads;
    options.method = std::move(rls);
    return options;
  }
  std::string refusal(const TrainOptions& options) const {
    try {
      train_file(path_, reading_, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.path("train.txt");
  Dataset data_;
  ReadOptions reading_;
};

TEST_F(TrainFileTest, equals_training_on_the_whole) {
  for (const auto scaling : {Scaling::none, Scaling::standard, Scaling::minmax}) {
    for (const auto normalisation :
         {Normalisation::none, Normalisation::query, Normalisation::total}) {
      for (const auto ties : {TiedPairs::include, TiedPairs::exclude}) {
        const TrainOptions wanted =
            options({.alpha = {0.5, 20}, .ties = ties, .normalisation = normalisation}, scaling);
        const TrainPath one = train_file(path_, reading_, wanted);
        const TrainPath whole = train_path(data_, wanted);
        for (std::size_t k = 0; k < 2; ++k) {
          const auto& found = one.results[k].model.function.as<LinearFunction>().weights;
          const auto& expected = whole.results[k].model.function.as<LinearFunction>().weights;
          for (std::size_t f = 0; f < 5; ++f) EXPECT_NEAR(found[f], expected[f], 1e-8);
          const auto scores = one.results[k].model.score(data_);
          const auto others = whole.results[k].model.score(data_);
          for (std::size_t doc = 0; doc < 100; ++doc) EXPECT_NEAR(scores[doc], others[doc], 1e-6);
          EXPECT_NEAR(one.results[k].report.objective, whole.results[k].report.objective,
                      1e-8 * whole.results[k].report.objective);
          EXPECT_EQ(one.results[k].model.trained_on.num_pairs,
                    whole.results[k].model.trained_on.num_pairs);
          EXPECT_EQ(one.results[k].report.warnings, whole.results[k].report.warnings);
        }
      }
    }
  }
}

TEST_F(TrainFileTest, gives_the_same_bits_for_any_number_of_threads) {
  const auto weights = [&](int threads) {
    reading_.threads = threads;
    const TrainPath path = train_file(path_, reading_, options({}, Scaling::standard, threads));
    return path.results[0].model.function.as<LinearFunction>().weights;
  };
  EXPECT_EQ(weights(1), weights(4));
}

TEST_F(TrainFileTest, refuses_what_needs_the_documents_again) {
  EXPECT_EQ(refusal(options({.solver = RlsSolver::dual})),
            "solver = 'dual': not in one pass over a file; read it whole");
  TrainOptions leaving_out = options({});
  leaving_out.leave_query_out = true;
  EXPECT_EQ(refusal(leaving_out), "leave_query_out: not in one pass over a file; read it whole");
  EXPECT_EQ(refusal(options({}, Scaling::quantile)),
            "scaling = 'quantile': not in one pass over a file; read it whole");
  EXPECT_EQ(refusal({}), "method = 'svm' needs its documents again: not in one pass over a file");
  reading_.num_features = 0;
  EXPECT_EQ(refusal(options({})), "num_features = 0: a pass over a text needs to know it before");
  reading_.num_features = 3;
  EXPECT_NE(refusal(options({})).find("feature 5 is beyond num_features = 3"), std::string::npos);
}

TEST_F(TrainFileTest, refuses_a_query_that_comes_back) {
  std::ofstream file(path_);
  file << "1 qid:a 1:1\n0 qid:a 1:2\n";
  for (int row = 2; row < 50'000; ++row) file << row % 2 << " qid:" << row / 10 << " 1:1\n";
  file << "0 qid:a 1:3\n";
  file.close();
  EXPECT_EQ(refusal(options({})), path_ +
                                      ": query a comes back in row 50001: one pass needs the "
                                      "documents of a query together");
}

TEST_F(TrainFileTest, puts_queries_together_whose_documents_lie_near) {
  std::ofstream file(path_);
  for (int row = 0; row < 60'000; ++row) {
    file << row % 3 << " qid:" << row / 1000 << "-" << row % 7 << " 1:" << row % 11
         << " 2:" << row % 13 << "\n";
  }
  file.close();
  const TrainPath one = train_file(path_, reading_, options({}));
  const TrainPath whole = train_path(read_dataset(path_, reading_), options({}));
  EXPECT_EQ(one.results[0].model.trained_on.num_queries, 420);
  EXPECT_EQ(one.results[0].model.trained_on.num_pairs, whole.results[0].model.trained_on.num_pairs);
  EXPECT_NEAR(one.results[0].report.objective, whole.results[0].report.objective,
              1e-8 * whole.results[0].report.objective);
}

TEST_F(TrainFileTest, takes_weights_names_and_width_from_csv_and_the_cache) {
  std::mt19937_64 random(7);
  data_ = oracles::random_dataset(random, {.queries = 300, .features = 5, .weighted = true});
  data_.feature_names = StringList::of({"a", "b", "c", "d", "e"});
  write_dataset(folder_.path("a.rkd"), data_);
  data_.query_weights = {};  // which stand beside CSV
  write_dataset(folder_.path("a.csv"), data_);
  reading_.num_features = 0;
  for (const std::string name : {"a.rkd", "a.csv"}) {
    ReadOptions reading = reading_;
    if (name == "a.csv") reading.weight = "weight";
    const TrainOptions wanted = options({.alpha = 3});
    const TrainPath one = train_file(folder_.path(name), reading, wanted);
    const TrainPath whole = train_path(read_dataset(folder_.path(name), reading), wanted);
    EXPECT_NEAR(one.results[0].report.objective, whole.results[0].report.objective,
                1e-8 * whole.results[0].report.objective);
    EXPECT_EQ(one.results[0].model.feature_names, whole.results[0].model.feature_names);
  }
  reading_.num_features = 9;
  path_ = folder_.path("a.rkd");
  EXPECT_EQ(refusal(options({})),
            "num_features = 9: " + path_ + " has 5 features; leave the option out");
}

TEST_F(TrainFileTest, fills_in_the_means_of_a_first_pass) {
  std::ofstream file(path_);
  for (int row = 0; row < 3000; ++row) {
    file << row % 3 << " qid:" << row / 10 << " 1:" << (row % 5 == 0 ? "NULL" : "2.5")
         << " 2:" << row % 7 << " 3:" << (row % 4 == 1 ? "NaN" : std::to_string(row % 9)) << "\n";
  }
  file.close();
  TrainOptions wanted = options({});
  wanted.missing = Missing::mean;
  const TrainResult one = train_file(path_, reading_, wanted).results[0];
  const TrainResult whole = train_path(read_dataset(path_, reading_), wanted).results[0];
  ASSERT_EQ(one.model.scaling.fill.size(), 5U);
  for (std::size_t f = 0; f < 5; ++f) {
    EXPECT_NEAR(one.model.scaling.fill[f], whole.model.scaling.fill[f], 1e-12);
  }
  EXPECT_NEAR(one.report.objective, whole.report.objective, 1e-8 * whole.report.objective);
  EXPECT_EQ(one.report.warnings, whole.report.warnings);
  EXPECT_EQ(one.report.warnings[0],
            path_ + ": 1350 missing values were read as the mean of the column");
  wanted.missing = Missing::error;
  EXPECT_EQ(refusal(wanted),
            path_ + ":1:11: the value 'NULL' of feature 1 is missing (missing = error)");
}

TEST_F(TrainFileTest, passes_over_no_side_file_without_a_word) {
  std::ofstream(path_ + ".weight") << "1\n";
  EXPECT_NE(refusal(options({})).find(".weight: weights beside the data"), std::string::npos);
}

TEST_F(TrainFileTest, refuses_data_without_pairs) {
  std::ofstream(path_) << "1 qid:a 1:1\n0 qid:b 1:2\n";
  EXPECT_NE(refusal(options({})).find("nothing to learn from"), std::string::npos);
}

}  // namespace
}  // namespace rankine
