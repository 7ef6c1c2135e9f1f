// The options of training as commands take them: those of every method at once, since the command
// line is read before the method is known.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <rankine/fields.hpp>
#include <rankine/metrics.hpp>
#include <rankine/train.hpp>

#include "framework/arguments.hpp"

namespace rankine::cli {

/// In the order of MethodOptions.
enum class Method { svm, sgd, rls };

inline constexpr std::string_view kMethodHelp =
    "svm: RankSVM by Newton's method (hinge: with cutting planes); sgd: stochastic gradients; rls: "
    "RankRLS in closed form";

}  // namespace rankine::cli

template <>
struct rankine::EnumNames<rankine::cli::Method> {
  static constexpr std::array<std::string_view, 3> names{"svm", "sgd", "rls"};
};

namespace rankine::cli {

/// The measure of --select. Throws Error{option} that names it.
Measure selected_measure(const std::string& text);

class TrainingOptions {
 public:
  TrainingOptions();
  /// Declares the groups of every method; a name that methods share is declared once.
  void declare(Arguments& arguments);
  /// What the user set, for this method.
  const TrainOptions& of(Method method) const;
  /// A line for each option that the user set and that changes nothing beside the others, as in
  /// "--gamma has no effect with --kernel linear". `varied` are options that a grid sets.
  std::vector<std::string> without_effect(const Arguments& arguments, Method method,
                                          const std::vector<std::string>& varied = {}) const;

 private:
  static constexpr auto kNumMethods = std::variant_size_v<MethodOptions>;
  static_assert(EnumNames<Method>::names.size() == kNumMethods);
  std::array<TrainOptions, kNumMethods> by_method_;
};

}  // namespace rankine::cli
