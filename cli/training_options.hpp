// The options of training as commands take them: those of every method at once, since the command
// line is read before the method is known.
#pragma once

#include <array>
#include <string_view>
#include <variant>

#include <rankine/fields.hpp>
#include <rankine/train.hpp>

#include "arguments.hpp"

namespace rankine::cli {

/// In the order of MethodOptions.
enum class Method { svm, sgd };

inline constexpr std::string_view kMethodHelp =
    "svm: RankSVM by Newton's method (hinge: cutting planes); sgd: stochastic gradients";

}  // namespace rankine::cli

template <>
struct rankine::EnumNames<rankine::cli::Method> {
  static constexpr std::array<std::string_view, 2> names{"svm", "sgd"};
};

namespace rankine::cli {

class TrainingOptions {
 public:
  TrainingOptions();
  /// Declares the groups of every method; a name that methods share is declared once.
  void declare(Arguments& arguments);
  /// What the user set, for this method.
  const TrainOptions& of(Method method) const;

 private:
  static constexpr auto kNumMethods = std::variant_size_v<MethodOptions>;
  static_assert(EnumNames<Method>::names.size() == kNumMethods);
  std::array<TrainOptions, kNumMethods> by_method_;
};

}  // namespace rankine::cli
