// What every method that takes a stream gets from it: shown by one that asks for several passes.
#include <cmath>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <rankine/error.hpp>
#include <rankine/train.hpp>
#include <rankine/write.hpp>

#include "conformance/dummy_method.hpp"
#include "oracles/random_dataset.hpp"
#include "temporary_folder.hpp"

namespace rankine {
namespace {

class StreamConformance : public testing::Test {
 protected:
  StreamConformance() {
    conformance::register_dummy_method();
    std::mt19937_64 random(5);
    data_ = oracles::random_dataset(random, {.queries = 3000, .features = 4});
    options_ = {.method = MethodOptions::named("dummy"), .scaling = Scaling::none};
  }

  TemporaryFolder folder_;
  Dataset data_;
  TrainOptions options_;
};

TEST_F(StreamConformance, every_pass_over_a_file_gives_all_documents) {
  std::vector<double> difference(4);
  double num_relevant = 0;
  for (const double grade : data_.grades) num_relevant += grade > 0 ? 1 : 0;
  const double num_others = static_cast<double>(data_.num_documents()) - num_relevant;
  for (std::int64_t doc = 0; doc < data_.num_documents(); ++doc) {
    const bool relevant = data_.grades[static_cast<std::size_t>(doc)] > 0;
    const auto row = std::get<DenseMatrix>(data_.features).row(doc);
    for (std::size_t f = 0; f < 4; ++f) {
      difference[f] += relevant ? row[f] / num_relevant : -row[f] / num_others;
    }
  }
  for (const std::string name : {"a.txt", "a.txt.zst", "a.csv", "a.rkd"}) {
    write_dataset(folder_.path(name), data_);
    const ReadOptions reading{.storage = Storage::automatic, .num_features = 4, .threads = 3};
    const TrainResult result = train_file(folder_.path(name), reading, options_).results[0];
    const auto& weights = result.model.function.as<LinearFunction>().weights;
    for (std::size_t f = 0; f < 4; ++f) EXPECT_NEAR(weights[f], difference[f], 1e-9) << name;
    EXPECT_EQ(result.model.trained_on.num_documents, data_.num_documents()) << name;
    EXPECT_EQ(result.report.products % 3, 0) << name;  // batches are cut alike in every pass
  }
}

TEST_F(StreamConformance, a_second_pass_over_a_pipe_is_refused) {
  const std::string path = folder_.path("pipe");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] { write_dataset(path, data_); });
  try {
    train_file(path, {.num_features = 4}, options_);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.what(),
              path + ": a pipe cannot be read again, as several passes need: give a file");
  }
  writer.join();
}

}  // namespace
}  // namespace rankine
