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
  EXPECT_EQ(refusal(options({})), "num_features = 0: a pass over a file needs to know it before");
  reading_.num_features = 3;
  EXPECT_NE(refusal(options({})).find("feature 5 is beyond num_features = 3"), std::string::npos);
}

TEST_F(TrainFileTest, refuses_a_query_that_comes_back) {
  std::ofstream(path_) << "1 qid:a 1:1\n0 qid:a 1:2\n1 qid:b 1:1\n0 qid:a 1:3\n";
  const std::string message = refusal(options({}));
  EXPECT_NE(message.find("query a comes back in row 4"), std::string::npos) << message;
}

TEST_F(TrainFileTest, refuses_data_without_pairs) {
  std::ofstream(path_) << "1 qid:a 1:1\n0 qid:b 1:2\n";
  EXPECT_NE(refusal(options({})).find("nothing to learn from"), std::string::npos);
}

}  // namespace
}  // namespace rankine
