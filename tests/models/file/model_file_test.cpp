#include "models/file/model_file.hpp"

#include <cstring>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/train.hpp>
#include <rankine/version.hpp>

#include "base/checksum.hpp"
#include "base/system/output_file.hpp"
#include "models/file/sections.hpp"
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
  bytes[8] = 3;
  EXPECT_EQ(message_of(bytes),
            "m.rkn: written by a newer rankine: it is a model file of version 3, "
            "which this one (" +
                std::string(kVersion) + ") does not know: update rankine");
}

struct GoldenModel {
  const char* name;
  Scaling scaling;
  double closeness;  // single precision, and a processor's own exp and cos, move the last digits
};

class GoldenModels : public testing::TestWithParam<std::tuple<const char*, GoldenModel>> {};

TEST_P(GoldenModels, load_for_ever) {
  const auto& [version, golden] = GetParam();
  const std::string folder = std::string(RANKINE_TEST_DATA) + "/../golden/" + version + "/";
  const Model model = Model::load(folder + golden.name + ".rkn");
  EXPECT_EQ(model.created_by, "rankine 0.1.0");
  EXPECT_EQ(model.scaling.kind, golden.scaling);
  ASSERT_EQ(model.num_features(), 3);
  Dataset data;
  data.features = DenseMatrix{2, 3, std::vector<float>{1, 2, 3, 0.5F, 0, -1}};
  data.grades = std::vector<double>{0, 0};
  const auto scores = model.score(data);
  std::ifstream expected(folder + golden.name + ".scores");
  for (const double score : scores) {
    std::string line;
    ASSERT_TRUE(std::getline(expected, line));
    EXPECT_NEAR(score, std::stod(line), golden.closeness);
  }
}

INSTANTIATE_TEST_SUITE_P(
    ModelFile, GoldenModels,
    testing::Combine(testing::Values("v1", "v2"),
                     testing::Values(GoldenModel{"linear", Scaling::standard, 0},
                                     GoldenModel{"kernel_dense", Scaling::standard, 1e-5},
                                     GoldenModel{"kernel_sparse", Scaling::none, 1e-5},
                                     GoldenModel{"fourier", Scaling::standard, 1e-5},
                                     GoldenModel{"relu", Scaling::standard, 1e-5})),
    [](const auto& parameter) {
      return std::string(std::get<0>(parameter.param)) + "_" + std::get<1>(parameter.param).name;
    });

TEST(ModelFile, of_both_versions_holds_the_same_model) {
  const std::string folder = std::string(RANKINE_TEST_DATA) + "/../golden/";
  for (const char* name : {"linear", "kernel_dense", "kernel_sparse", "fourier", "relu"}) {
    EXPECT_EQ(Model::load(folder + "v1/" + name + ".rkn"),
              Model::load(folder + "v2/" + name + ".rkn"))
        << name;
  }
}

TEST(ModelFile, of_version_1_holds_what_the_format_says) {
  const std::string folder = std::string(RANKINE_TEST_DATA) + "/../golden/v1/";
  const auto rbf = Model::load(folder + "kernel_dense.rkn").function.as<KernelFunction>();
  EXPECT_EQ(rbf.kernel, (KernelSpec{.kind = Kernel::rbf, .gamma = 0.5}));
  EXPECT_EQ(std::get<DenseMatrix>(rbf.landmarks).num_rows, 4);
  const auto sparse = Model::load(folder + "kernel_sparse.rkn").function.as<KernelFunction>();
  EXPECT_EQ(sparse.kernel.kind, Kernel::polynomial);
  EXPECT_EQ(sparse.kernel.degree, 2);
  EXPECT_EQ(std::get<CsrMatrix>(sparse.landmarks).values.size(), 12U);
  const Model fourier = Model::load(folder + "fourier.rkn");
  EXPECT_EQ(fourier.function.as<RandomFunction>().kind, Approximation::fourier);
  EXPECT_EQ(fourier.report.map.components, 4);
  EXPECT_EQ(fourier.report.map.gamma, 0.5);
  const auto relu = Model::load(folder + "relu.rkn").function.as<RandomFunction>();
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
  broken.function.as<KernelFunction>().kernel.coef0 = nan;
  EXPECT_TRUE(refuses(broken));
  broken = kernel;
  broken.function.as<KernelFunction>().kernel.gamma = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(refuses(broken));
  broken = fourier;
  broken.function.as<RandomFunction>().phases.back() = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(refuses(broken));
  broken = fourier;
  broken.function.as<RandomFunction>().weights.back() = nan;
  EXPECT_TRUE(refuses(broken));
}

/// A model file of these sections, with a right header and checksum.
std::vector<char> file_of(const SectionWriter& writer) {
  ModelHeader header;
  header.first_size = sizeof header + writer.all().size() + 8;
  header.second_size = writer.num_sections();
  std::vector<char> bytes(sizeof header);
  std::memcpy(bytes.data(), &header, sizeof header);
  bytes.insert(bytes.end(), writer.all().begin(), writer.all().end());
  const std::uint64_t sum = checksum(bytes);
  const char* first = reinterpret_cast<const char*>(&sum);
  bytes.insert(bytes.end(), first, first + 8);
  return bytes;
}

/// The sections of a model, and others behind them.
std::vector<char> with_section(const Model& model, const char* name, bool required) {
  const std::vector<char> good = model_bytes(model);
  SectionWriter more;
  more.set_required(required);
  more.number(name, 1.5);
  ModelHeader header;
  std::memcpy(&header, good.data(), sizeof header);
  header.first_size += more.all().size();
  header.second_size += 1;
  std::vector<char> bytes(sizeof header);
  std::memcpy(bytes.data(), &header, sizeof header);
  bytes.insert(bytes.end(), good.begin() + sizeof header, good.end() - 8);
  bytes.insert(bytes.end(), more.all().begin(), more.all().end());
  const std::uint64_t sum = checksum(bytes);
  const char* first = reinterpret_cast<const char*>(&sum);
  bytes.insert(bytes.end(), first, first + 8);
  return bytes;
}

TEST(ModelFile, of_a_later_writer_loads_where_what_is_new_may_be_left_out) {
  const Model model = some_model();
  EXPECT_EQ(parse_model(with_section(model, "hint", false), "m.rkn"), model);
  EXPECT_EQ(message_of(with_section(model, "law", true)),
            "m.rkn: written by a newer rankine (" + model.created_by +
                "): it has a part 'law', which this one (" + kVersion +
                ") does not know: update rankine");
}

TEST(ModelFile, of_a_kind_that_is_not_known_is_newer_and_not_damaged) {
  SectionWriter writer;
  writer.text("created_by", "rankine 7.1");
  writer.text("kind", "tree\x1b[2Js");
  EXPECT_EQ(message_of(file_of(writer)),
            std::string("m.rkn: written by a newer rankine (rankine 7.1): it is of the kind "
                        "'tree\\x1b[2Js', which this one (") +
                kVersion + ") does not know: update rankine");
}

TEST(ModelFile, keeps_what_a_method_stores_beside_its_function) {
  Model model = some_model();
  model.extras = {{"sgd.averages", {1, 2, 3}}, {"sgd.steps", {}}};
  const Model again = parse_model(model_bytes(model), "m.rkn");
  EXPECT_EQ(again, model);
  EXPECT_EQ(again.extras[0].name, "sgd.averages");
}

std::string error_of_loading(const std::string& path) {
  try {
    Model::load(path);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.what();
  }
  return "no error";
}

TEST(ModelFile, states_its_size_before_the_rest_is_read) {
  const TemporaryFolder folder;
  const auto write = [&](const std::string& name, const std::vector<char>& bytes) {
    OutputFile file(folder.path(name));  // .gz compresses
    file.write({bytes.data(), bytes.size()});
    file.commit();
    return folder.path(name);
  };
  const Model model = some_model();
  const std::vector<char> good = model_bytes(model);
  EXPECT_EQ(Model::load(write("good.rkn.gz", good)), model);
  // Much more than is stated: what follows is never unpacked.
  std::vector<char> bomb = good;
  bomb.resize(std::size_t{64} << 20);
  const std::string path = write("bomb.rkn.gz", bomb);
  EXPECT_NE(error_of_loading(path).find("it ends early, or goes on too long"), std::string::npos);
  // Much more than there is.
  for (const std::uint64_t stated : {std::uint64_t{1} << 44, ~std::uint64_t{0}}) {
    std::vector<char> liar = good;
    std::memcpy(liar.data() + 16, &stated, 8);
    EXPECT_NE(error_of_loading(write("liar.rkn", liar)).find("it ends early, or goes on too long"),
              std::string::npos);
    EXPECT_NE(error_of_loading(write("liar.rkn.gz", liar)).find("of memory"), std::string::npos);
  }
  for (const std::size_t version : {1U, 2U}) {  // sizes that wrap
    std::vector<char> liar = good;
    const std::uint64_t most = ~std::uint64_t{0} - 39;
    liar[8] = static_cast<char>(version);
    std::memcpy(liar.data() + 16, &most, 8);
    std::memcpy(liar.data() + 24, &most, 8);
    EXPECT_NE(message_of(liar), "no error");
    EXPECT_NE(error_of_loading(write("wraps.rkn.gz", liar)), "no error");
  }
}

TEST(ModelFile, shows_no_string_of_a_file_raw) {
  Model model = some_model();
  model.created_by = "rankine\n\x1b[31m";
  std::string message = message_of(with_section(model, "law\n", true));
  EXPECT_EQ(message.find('\n'), std::string::npos);
  EXPECT_EQ(message.find('\x1b'), std::string::npos);
}

TEST(ModelFile, refuses_parts_that_contradict_each_other) {
  const Model good = some_model();
  const auto is_refused = [](const Model& model) {
    return message_of(model_bytes(model)).find("damaged model file") != std::string::npos;
  };
  ASSERT_FALSE(is_refused(good));
  Model bad = good;
  bad.columns = {0, 1};
  EXPECT_TRUE(is_refused(bad));
  bad = good;
  bad.columns = {0, 1, 2, 4};
  EXPECT_TRUE(is_refused(bad));
  bad = good;
  bad.feature_names.pop_back();
  EXPECT_TRUE(is_refused(bad));
  bad = good;
  bad.scaling.shift.pop_back();
  EXPECT_TRUE(is_refused(bad));
  bad = good;
  bad.trained_on.num_features = std::int64_t{1} << 40;
  EXPECT_TRUE(is_refused(bad));
  bad = good;
  bad.report.constant_columns = {17};
  EXPECT_TRUE(is_refused(bad));
}

}  // namespace
}  // namespace rankine
