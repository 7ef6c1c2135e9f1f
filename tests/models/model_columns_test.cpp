#include "models/model_columns.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/feature_selection.hpp>
#include <rankine/train.hpp>

#include "models/score_together.hpp"
#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

Dataset named_data(std::vector<std::string> names = {"title", "body", "anchor", "age", "links"}) {
  std::mt19937_64 random(21);
  Dataset data = oracles::random_dataset(
      random, {.queries = 20, .features = static_cast<int>(names.size()), .offset = 1});
  data.feature_names = StringList::of(names);
  data.source = "d.csv";
  return data;
}

std::vector<TrainOptions> all_options() {
  std::vector<TrainOptions> all(6);
  all[1].scaling = Scaling::quantile;
  all[2].scaling = Scaling::query_minmax;
  all[3].map.kernel = Kernel::rbf;
  all[4].map.kernel = Kernel::rbf;
  all[4].map.approximation = Approximation::fourier;
  all[4].map.n_components = 10;
  all[5].features = "anchor,title";
  return all;
}

template <class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.what();
  }
  return "no error";
}

TEST(ColumnsByName, of_swapped_columns_give_the_same_bits) {
  const Dataset dense = named_data();
  for (const Dataset& data : {dense, oracles::as_sparse(dense)}) {
    for (const TrainOptions& options : all_options()) {
      const Model model = train(data, options).model;
      const Dataset swapped = select_features(data, std::vector<std::int64_t>{3, 1, 4, 0, 2});
      EXPECT_EQ(model.score(swapped), model.score(data));
      EXPECT_EQ(score_together(std::vector<const Model*>{&model, &model}, swapped, 2)[1],
                model.score(data));
    }
  }
}

TEST(ColumnsByName, leave_out_what_the_model_never_saw_wherever_it_stands) {
  const Dataset wide = named_data({"title", "new", "body", "anchor", "newer", "age", "links"});
  const Dataset data = select_features(wide, std::vector<std::int64_t>{0, 2, 3, 5, 6});
  const Model model = train(data, TrainOptions{}).model;
  EXPECT_EQ(model.score(wide), model.score(data));
}

TEST(ColumnsByName, name_up_to_five_that_are_missing) {
  const Dataset data = named_data();
  const Model model = train(data, TrainOptions{}).model;
  const Dataset narrow = select_features(data, std::vector<std::int64_t>{0, 2, 3});
  EXPECT_EQ(message_of([&] { model.score(narrow); }),
            "d.csv: the model needs 'body', 'links', and the data has no feature of that name");
  std::vector<std::string> names;
  for (int f = 0; f < 8; ++f) names.push_back("f" + std::to_string(f));
  const Model many = train(named_data(names), TrainOptions{}).model;
  EXPECT_EQ(message_of([&] { many.score(data); }),
            "d.csv: the model needs 'f0', 'f1', 'f2', 'f3', 'f4' and 3 more, and the data has no "
            "feature of that name");
}

TEST(ColumnsByName, that_come_twice_are_refused_where_they_tell_nothing_apart) {
  const Dataset data = named_data();
  const Model model = train(data, TrainOptions{}).model;
  Dataset twice = data;
  twice.feature_names = StringList::of({"title", "body", "anchor", "links", "links"});
  EXPECT_EQ(message_of([&] { model.score(twice); }),
            "d.csv: the model needs 'age', and the data has no feature of that name");
  Dataset wide = named_data({"title", "body", "anchor", "age", "links", "age"});
  wide = select_features(wide, std::vector<std::int64_t>{5, 1, 2, 3, 4, 0});
  EXPECT_EQ(message_of([&] { model.score(wide); }),
            "d.csv: the model needs 'age', and more than one feature has that name");
  Dataset unnamed_last = data;
  unnamed_last.feature_names = StringList::of({"title", "body", "anchor", "", ""});
  const Model of_it = train(unnamed_last, TrainOptions{}).model;
  EXPECT_EQ(of_it.score(unnamed_last), model.score(data));  // all stand where they stood
}

TEST(ColumnsByName, are_not_asked_for_where_a_side_has_none) {
  const Dataset data = named_data();
  const Model model = train(data, TrainOptions{}).model;
  Dataset unnamed = data;
  unnamed.feature_names = {};
  EXPECT_EQ(model.score(unnamed), model.score(data));
  const Model nameless = train(unnamed, TrainOptions{}).model;
  EXPECT_EQ(nameless.score(data), model.score(data));
}

TEST(ColumnsByName, are_where_a_training_goes_on_from) {
  const Dataset data = named_data();
  const Dataset swapped = select_features(data, std::vector<std::int64_t>{3, 1, 4, 0, 2});
  for (const Scaling scaling : {Scaling::none, Scaling::standard, Scaling::quantile}) {
    TrainOptions options;
    options.scaling = scaling;
    const Model model = train(data, options).model;
    options.warm_start = &model;
    const TrainResult again = train(swapped, options);
    EXPECT_LE(again.report.iterations, 2);  // at its goal from the start
    const auto expected = model.score(data);
    const auto found = again.model.score(data);
    for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], expected[k], 1e-3);
    EXPECT_EQ(message_of([&] {
                train(select_features(data, std::vector<std::int64_t>{0, 1, 2, 3}), options);
              }),
              "d.csv: the model needs 'links', and the data has no feature of that name");
  }
}

TEST(ColumnsByName, are_those_that_the_function_sees) {
  TrainOptions options;
  options.features = "anchor,title";
  EXPECT_EQ(seen_feature_names(train(named_data(), options).model),
            (std::vector<std::string>{"anchor", "title"}));
}

}  // namespace
}  // namespace rankine
