// The options of training as commands take them: those of every method at once, since the command
// line is read before the method is known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <rankine/fields.hpp>
#include <rankine/metrics.hpp>
#include <rankine/train.hpp>

#include "framework/arguments.hpp"

namespace rankine::cli {

/// The measure of --select. Throws Error{option} that names it.
Measure selected_measure(const std::string& text);

class TrainingOptions {
 public:
  TrainingOptions();
  /// Declares the groups of every method; a name that methods share is declared once. The command
  /// has declared the option `method`.
  void declare(Arguments& arguments);
  /// What the user set, for this method.
  const TrainOptions& of(const std::string& method) const;
  /// A line for each option that the user set and that changes nothing beside the others, as in
  /// "--gamma has no effect with --kernel linear". `varied` are options that a grid sets.
  std::vector<std::string> without_effect(const Arguments& arguments, const std::string& method,
                                          const std::vector<std::string>& varied = {}) const;

 private:
  std::vector<TrainOptions> by_method_;  // in the order of method_names()
};

}  // namespace rankine::cli
