// What holds for every model kind by being registered. A kind needs examples to be tested with:
// they are listed here, and a kind that is registered without any fails.
#include <cmath>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/feature_selection.hpp>
#include <rankine/folds.hpp>
#include <rankine/model.hpp>
#include <rankine/scaling.hpp>

#include "base/checksum.hpp"
#include "conformance/dummy_kind.hpp"
#include "features/random_rows.hpp"
#include "models/file/model_file.hpp"
#include "models/kinds/registry.hpp"
#include "models/score_together.hpp"
#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

constexpr int kWidth = 5;

/// Functions of kWidth columns, different from each other.
std::map<std::string, std::vector<ScoringFunction>, std::less<>> examples() {
  std::map<std::string, std::vector<ScoringFunction>, std::less<>> all;
  all["linear"] = {LinearFunction{{1, -2, 0.5, 0, 3}}, LinearFunction{{0, 0, 0, 0, -1e-9}}};
  const DenseMatrix rows = random_rows(20, kWidth, 3);
  std::vector<double> weights(20);
  for (std::size_t k = 0; k < weights.size(); ++k) weights[k] = std::sin(static_cast<double>(k));
  for (const KernelSpec& kernel :
       {KernelSpec{.kind = Kernel::linear}, KernelSpec{.kind = Kernel::rbf, .gamma = 0.2},
        KernelSpec{.kind = Kernel::laplacian, .gamma = 0.1},
        KernelSpec{.kind = Kernel::polynomial, .gamma = 0.5, .degree = 2, .coef0 = 1}}) {
    all["kernel"].push_back(KernelFunction{kernel, rows, weights});
    all["kernel"].push_back(KernelFunction{kernel, sparse_form(rows), weights});
  }
  const std::vector<float> phases(20, 0.3F);
  all["random"] = {RandomFunction{Approximation::fourier, rows, phases, weights},
                   RandomFunction{Approximation::relu, rows, phases, weights}};
  all["dummy_stump"] = {conformance::StumpFunction{kWidth, 2, 0.5},
                        conformance::StumpFunction{kWidth, 4, -1}};
  return all;
}

std::vector<std::string> all_kinds() {
  conformance::register_dummy_kind();
  std::vector<std::string> names;
  for (const std::string_view name : model_kind_names()) names.emplace_back(name);
  return names;
}

class ModelConformance : public testing::TestWithParam<std::string> {
 protected:
  const ModelKind& kind() const { return *find_model_kind(GetParam()); }

  static Dataset data() {
    std::mt19937_64 random(31);
    return oracles::random_dataset(
        random, {.queries = 40, .most_documents = 12, .features = kWidth, .offset = 1});
  }

  /// The examples, under every scaling, with names and without.
  std::vector<Model> models() const {
    const auto all = examples();
    const auto found = all.find(GetParam());
    if (found == all.end()) return {};
    std::vector<Model> models;
    for (const ScoringFunction& function : found->second) {
      for (const Scaling scaling : {Scaling::none, Scaling::standard, Scaling::quantile,
                                    Scaling::query_minmax, Scaling::log}) {
        Model model;
        model.function = function;
        model.scaling = fit_scaling(data(), scaling);
        model.trained_on.num_features = kWidth;
        model.trained_on.source = "train.txt";
        if (scaling == Scaling::standard) model.feature_names = {"a", "b", "c", "d", "e"};
        model.options = {{"method", "svm"}, {"loss", "squared_hinge"}};
        model.report.gap = std::numeric_limits<double>::infinity();
        model.report.steps = {{1, 2, 3}};
        model.created_by = "rankine 0.1.0";
        models.push_back(std::move(model));
      }
    }
    return models;
  }
};

TEST_P(ModelConformance, has_examples) {
  EXPECT_GE(models().size(), 2U) << "add examples of the kind above";
}

TEST_P(ModelConformance, loads_with_every_bit_what_it_saves) {
  for (const Model& model : models()) {
    const std::vector<char> bytes = model.bytes();
    const Model loaded = Model::from_bytes(bytes, "m.rkn");
    EXPECT_EQ(loaded, model);
    EXPECT_EQ(loaded.bytes(), bytes);
    EXPECT_EQ(loaded.score(data()), model.score(data()));
  }
}

TEST_P(ModelConformance, is_equal_to_itself_and_to_no_other) {
  const auto all = models();
  for (std::size_t a = 0; a < all.size(); ++a) {
    for (std::size_t b = 0; b < all.size(); ++b) {
      const Model copy = all[b];
      EXPECT_EQ(all[a] == copy, a == b);
    }
  }
}

TEST_P(ModelConformance, scores_by_blocks_with_the_bits_of_all_at_once) {
  const Dataset dense = data();
  for (const Dataset& all : {dense, oracles::as_sparse(dense)}) {
    for (const Model& model : models()) {
      const auto expected = model.score(all, 1);
      EXPECT_EQ(static_cast<std::int64_t>(expected.size()), all.num_documents());
      for (const double score : expected) EXPECT_TRUE(std::isfinite(score));
      for (const int threads : {2, 3, 8}) EXPECT_EQ(model.score(all, threads), expected);
      std::vector<double> by_query;
      for (std::int64_t query = 0; query < all.num_queries(); ++query) {
        const auto scores = model.score(select_queries(all, std::vector<std::int64_t>{query}), 1);
        by_query.insert(by_query.end(), scores.begin(), scores.end());
      }
      EXPECT_EQ(by_query, expected);
    }
  }
}

TEST_P(ModelConformance, scores_several_together_with_the_bits_of_each_alone) {
  const auto all = models();
  std::vector<const Model*> pointers;
  for (const Model& model : all) pointers.push_back(&model);
  const auto together = score_together(pointers, data(), 2);
  for (std::size_t k = 0; k < all.size(); ++k) EXPECT_EQ(together[k], all[k].score(data(), 1));
}

TEST_P(ModelConformance, finds_columns_by_their_names) {
  Dataset named = data();
  named.feature_names = StringList::of({"a", "b", "c", "d", "e"});
  const Dataset swapped = select_features(named, std::vector<std::int64_t>{4, 2, 0, 1, 3});
  for (Model model : models()) {
    model.feature_names = {"a", "b", "c", "d", "e"};
    EXPECT_EQ(model.score(swapped), model.score(named));
  }
}

TEST_P(ModelConformance, is_described) {
  for (const Model& model : models()) {
    const FunctionDescription description = model.describe();
    EXPECT_EQ(description.kind, GetParam());
    EXPECT_FALSE(description.summary.empty());
    EXPECT_EQ(description.summary.find('\n'), std::string::npos);
    if (description.weights_are_of_columns) {
      ASSERT_NE(model.function.weights(), nullptr);
      EXPECT_EQ(model.function.weights()->size(), static_cast<std::size_t>(model.num_features()));
    }
  }
}

TEST_P(ModelConformance, has_weights_that_make_the_scores_of_its_terms) {
  for (const Model& model : models()) {
    const std::vector<double>* const weights = model.function.weights();
    const Dataset documents = data();
    const ModelRows rows(model, documents, 2);
    if (weights == nullptr) {
      EXPECT_THROW(kind().terms(model.function, rows), Error);
      continue;
    }
    const DenseMatrix terms = kind().terms(model.function, rows);
    ASSERT_EQ(terms.num_columns, std::ssize(*weights));
    const auto scores = model.score(documents);
    double shift = 0;  // that a fold of the scaling leaves out moves all scores alike
    for (std::int64_t doc = 0; doc < terms.num_rows; ++doc) {
      double sum = 0;
      double size = 1;
      for (std::size_t j = 0; j < weights->size(); ++j) {
        const double part = (*weights)[j] * static_cast<double>(terms.row(doc)[j]);
        sum += part;
        size += std::abs(part);
      }
      if (doc == 0) shift = scores[0] - sum;
      EXPECT_NEAR(scores[static_cast<std::size_t>(doc)], sum + shift, 1e-5 * size);
    }
  }
}

TEST_P(ModelConformance, has_variances_that_are_none_or_one_a_document) {
  for (const Model& model : models()) {
    const Dataset documents = data();
    const auto all = kind().variances(model.function, ModelRows(model, documents, 1));
    if (!all) continue;
    ASSERT_EQ(static_cast<std::int64_t>(all->size()), documents.num_documents());
    for (const double variance : *all) EXPECT_GE(variance, 0);
    EXPECT_EQ(kind().variances(model.function, ModelRows(model, documents, 3)), all);
  }
}

TEST_P(ModelConformance, refuses_sections_that_were_changed_in_a_line_or_is_safe_to_score_with) {
  std::mt19937_64 random(41);
  const auto all = models();
  for (int repeat = 0; repeat < 1500; ++repeat) {
    std::vector<char> bad = all[random() % all.size()].bytes();
    const std::size_t size = bad.size() - 8;
    for (std::uint64_t change = 0; change < 1 + random() % 3; ++change) {
      if (random() % 2 == 0) {
        bad[8 + random() % (size - 8)] = static_cast<char>(random());
      } else {  // a whole number, where sizes and counts stand
        const std::uint64_t number = std::vector<std::uint64_t>{
            0, 1, 1ULL << 32, 1ULL << 40, 1ULL << 63, ~0ULL, 7}[random() % 7];
        std::memcpy(bad.data() + 16 + random() % ((size - 24) / 8) * 8, &number, 8);
      }
    }
    const std::uint64_t sum = checksum(std::span<const char>(bad).first(size));
    std::memcpy(bad.data() + size, &sum, 8);
    try {
      const Model model = Model::from_bytes(bad, "m.rkn");
      static_cast<void>(model.score(data(), 1));
      static_cast<void>(model.describe());
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_EQ(message.find('\n'), std::string::npos);
      EXPECT_EQ(message.find("()"), std::string::npos) << message;
    }
  }
}

TEST_P(ModelConformance, refuses_a_function_with_a_section_missing) {
  for (const Model& model : models()) {
    SectionWriter writer;
    kind().save(model.function, writer);
    EXPECT_EQ(kind().load(SectionReader(writer.all(), writer.num_sections())), model.function);
    EXPECT_THROW(kind().load(SectionReader({}, 0)), DamagedModel);
  }
}

INSTANTIATE_TEST_SUITE_P(Every, ModelConformance, testing::ValuesIn(all_kinds()),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace rankine
