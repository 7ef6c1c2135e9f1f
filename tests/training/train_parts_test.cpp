#include <algorithm>
#include <functional>
#include <string>
#include <variant>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/train_parts.hpp>

namespace rankine {
namespace {

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::option);
    return error.what();
  }
  return "no error";
}

std::string text_of(const TrainOptions& options, const std::string& name) {
  for (const auto& [known, text] : train_option_texts(options)) {
    if (known == name) return text;
  }
  return "no such option";
}

TEST(TrainParts, hold_the_options_of_the_method_and_of_all_its_parts) {
  TrainOptions options;
  for (const char* name : {"C", "normalisation", "loss", "tolerance", "max_cg_iterations",
                           "scaling", "features", "seed", "threads"}) {
    const auto entries = train_option_entries(options);
    EXPECT_TRUE(std::any_of(entries.begin(), entries.end(), [&](const OptionEntry& entry) {
      return entry.name == name;
    })) << name;
  }
  EXPECT_EQ(text_of(options, "epochs"), "no such option");
}

TEST(TrainParts, assign_every_struct_that_has_the_name) {
  TrainOptions options;
  assign_train_option(options, "tolerance", "1e-4");
  const auto& svm = options.method.as<SvmOptions>();
  EXPECT_EQ(svm.newton.tolerance, 1e-4);
  EXPECT_EQ(svm.cutting_plane.tolerance, 1e-4);
}

TEST(TrainParts, name_an_unknown_option_and_suggest_one) {
  TrainOptions options;
  EXPECT_EQ(message_of([&] { assign_train_option(options, "scalling", "none"); }),
            "'scalling' is no option of method svm (did you mean scaling?)");
  EXPECT_EQ(message_of([&] { assign_train_option(options, "epochs", "3"); }),
            "'epochs' is no option of method svm");
  EXPECT_EQ(message_of([&] { assign_train_option(options, "method", "svn"); }).substr(0, 24),
            "method = 'svn' is none o");
}

TEST(TrainParts, a_change_of_method_keeps_what_was_set_and_both_have) {
  TrainOptions options;
  assign_train_option(options, "C", "7");
  assign_train_option(options, "loss", "huber");
  assign_train_option(options, "max_cg_iterations", "5");
  assign_train_option(options, "scaling", "none");
  assign_train_option(options, "method", "sgd");
  const auto& stochastic = options.method.as<StochasticOptions>();
  EXPECT_EQ(stochastic.C, 7);
  EXPECT_EQ(stochastic.pair_loss.loss, Loss::huber);
  EXPECT_EQ(options.scaling, Scaling::none);
  EXPECT_EQ(text_of(options, "method"), "sgd");
}

TEST(TrainParts, texts_make_the_same_options_again) {
  for (const std::string_view method : method_names()) {
    TrainOptions options;
    assign_train_option(options, "method", method);
    assign_train_option(options, "seed", "9");
    TrainOptions again;
    for (const auto& [name, text] : train_option_texts(options)) {
      assign_train_option(again, name, text);
    }
    EXPECT_EQ(train_option_texts(again), train_option_texts(options));
  }
}

TEST(PathOption, is_C_for_svm_and_none_for_stochastic_gradients) {
  EXPECT_EQ(MethodOptions(SvmOptions{}).path_option(), "C");
  EXPECT_EQ(MethodOptions(StochasticOptions{}).path_option(), "");
}

}  // namespace
}  // namespace rankine
