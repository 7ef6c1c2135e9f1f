#include "models/model_file.hpp"

#include <cstring>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/train.hpp>

#include "base/checksum.hpp"
#include "oracles/random_dataset.hpp"
#include "temporary_folder.hpp"

namespace rankine {
namespace {

Dataset some_data() {
  std::mt19937_64 random(11);
  Dataset data = oracles::random_dataset(random, {.queries = 25, .features = 4});
  data.feature_names = StringList::of({"title", "body \"quoted\"", "größe", "d"});
  return data;
}

Model some_model(Scaling scaling = Scaling::standard) {
  TrainOptions options;
  options.scaling = scaling;
  return train(some_data(), options).model;
}

std::string message_of(const std::vector<char>& bytes) {
  try {
    parse_model(bytes, "m.rkn");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.what();
  }
  return "no error";
}

TEST(ModelFile, gives_back_every_bit) {
  for (const Scaling kind : {Scaling::none, Scaling::standard, Scaling::minmax,
                             Scaling::query_minmax, Scaling::quantile, Scaling::log}) {
    Model model = some_model(kind);
    model.report.gap = std::numeric_limits<double>::infinity();
    model.report.validation_measure = "ndcg@10";
    model.report.validation = 1.0 / 3;
    EXPECT_EQ(parse_model(model_bytes(model), "m.rkn"), model);
  }
}

TEST(ModelFile, scores_the_same_after_save_and_load) {
  const TemporaryFolder folder;
  const Dataset data = some_data();
  const Model model = some_model();
  model.save(folder.path("m.rkn"));
  const Model loaded = Model::load(folder.path("m.rkn"));
  EXPECT_EQ(loaded, model);
  EXPECT_EQ(loaded.score(data), model.score(data));
}

TEST(ModelFile, tells_damage_wherever_it_is) {
  const std::vector<char> good = model_bytes(some_model());
  for (std::size_t at = 8; at < good.size(); at += 7) {
    std::vector<char> bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    EXPECT_NE(message_of(bad), "no error") << at;
  }
  for (std::size_t size = 0; size < good.size(); size += 13) {
    EXPECT_NE(message_of({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)}),
              "no error");
  }
  EXPECT_EQ(message_of({'h', 'e', 'l', 'l', 'o'}), "m.rkn: not a model file");
}

TEST(ModelFile, survives_lies_under_a_right_checksum) {
  const std::vector<char> good = model_bytes(some_model(Scaling::quantile));
  std::mt19937_64 random(13);
  for (int repeat = 0; repeat < 3000; ++repeat) {
    std::vector<char> bad = good;
    for (int change = 0; change < 3; ++change) {
      bad[8 + random() % (bad.size() - 16)] = static_cast<char>(random());
    }
    const std::uint64_t sum = checksum(std::span<const char>(bad).first(bad.size() - 8));
    std::memcpy(bad.data() + bad.size() - 8, &sum, 8);
    try {
      parse_model(bad, "m.rkn");
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).substr(0, 6), "m.rkn:");
    }
  }
}

TEST(ModelFile, bytes_are_those_of_the_saved_file) {
  const TemporaryFolder folder;
  const Model model = some_model();
  model.save(folder.path("m.rkn"));
  const std::string saved = folder.content("m.rkn");
  const std::vector<char> bytes = model.bytes();
  EXPECT_EQ(std::string(bytes.begin(), bytes.end()), saved);
  EXPECT_EQ(Model::from_bytes(saved, "m.rkn"), model);
}

TEST(ModelFile, of_a_later_version_is_refused_clearly) {
  std::vector<char> bytes = model_bytes(some_model());
  bytes[8] = 2;
  EXPECT_EQ(message_of(bytes), "m.rkn: model of version 2; this rankine reads up to 1");
}

struct GoldenModel {
  const char* name;
  Scaling scaling;
  double closeness;  // single precision, and a processor's own exp and cos, move the last digits
};

class GoldenModels : public testing::TestWithParam<GoldenModel> {};

TEST_P(GoldenModels, of_version_1_load_for_ever) {
  const std::string folder = std::string(RANKINE_TEST_DATA) + "/../golden/v1/";
  const Model model = Model::load(folder + GetParam().name + ".rkn");
  EXPECT_EQ(model.created_by, "rankine 0.1.0");
  EXPECT_EQ(model.scaling.kind, GetParam().scaling);
  ASSERT_EQ(model.num_features(), 3);
  Dataset data;
  data.features = DenseMatrix{2, 3, std::vector<float>{1, 2, 3, 0.5F, 0, -1}};
  data.grades = std::vector<double>{0, 0};
  const auto scores = model.score(data);
  std::ifstream expected(folder + GetParam().name + ".scores");
  for (const double score : scores) {
    std::string line;
    ASSERT_TRUE(std::getline(expected, line));
    EXPECT_NEAR(score, std::stod(line), GetParam().closeness);
  }
}

INSTANTIATE_TEST_SUITE_P(ModelFile, GoldenModels,
                         testing::Values(GoldenModel{"linear", Scaling::standard, 0},
                                         GoldenModel{"kernel_dense", Scaling::standard, 1e-5},
                                         GoldenModel{"kernel_sparse", Scaling::none, 1e-5},
                                         GoldenModel{"fourier", Scaling::standard, 1e-5},
                                         GoldenModel{"relu", Scaling::standard, 1e-5}),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

TEST(ModelFile, of_version_1_holds_what_the_format_says) {
  const std::string folder = std::string(RANKINE_TEST_DATA) + "/../golden/v1/";
  const auto rbf = std::get<KernelFunction>(Model::load(folder + "kernel_dense.rkn").function);
  EXPECT_EQ(rbf.kernel, (KernelSpec{.kind = Kernel::rbf, .gamma = 0.5}));
  EXPECT_EQ(std::get<DenseMatrix>(rbf.landmarks).num_rows, 4);
  const auto sparse = std::get<KernelFunction>(Model::load(folder + "kernel_sparse.rkn").function);
  EXPECT_EQ(sparse.kernel.kind, Kernel::polynomial);
  EXPECT_EQ(sparse.kernel.degree, 2);
  EXPECT_EQ(std::get<CsrMatrix>(sparse.landmarks).values.size(), 12U);
  const Model fourier = Model::load(folder + "fourier.rkn");
  EXPECT_EQ(std::get<RandomFunction>(fourier.function).kind, Approximation::fourier);
  EXPECT_EQ(fourier.report.map.components, 4);
  EXPECT_EQ(fourier.report.map.gamma, 0.5);
  const auto relu = std::get<RandomFunction>(Model::load(folder + "relu.rkn").function);
  EXPECT_EQ(relu.kind, Approximation::relu);
  EXPECT_EQ(relu.frequencies.num_rows, 3);
}

TEST(ModelFile, refuses_functions_of_numbers_that_are_not_finite) {
  const std::string folder = std::string(RANKINE_TEST_DATA) + "/../golden/v1/";
  const auto refuses = [](const Model& model) {
    try {
      parse_model(model_bytes(model), "broken.rkn");
    } catch (const Error& error) {
      return error.kind() == ErrorKind::data;
    }
    return false;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Model kernel = Model::load(folder + "kernel_dense.rkn");
  const Model fourier = Model::load(folder + "fourier.rkn");
  ASSERT_FALSE(refuses(kernel));
  ASSERT_FALSE(refuses(fourier));
  Model broken = kernel;
  std::get<KernelFunction>(broken.function).kernel.coef0 = nan;
  EXPECT_TRUE(refuses(broken));
  broken = kernel;
  std::get<KernelFunction>(broken.function).kernel.gamma = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(refuses(broken));
  broken = fourier;
  std::get<RandomFunction>(broken.function).phases.back() = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(refuses(broken));
  broken = fourier;
  std::get<RandomFunction>(broken.function).weights.back() = nan;
  EXPECT_TRUE(refuses(broken));
}

}  // namespace
}  // namespace rankine
