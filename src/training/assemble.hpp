// The last step of every training: a solution, and what is known of the data, become a model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <rankine/model.hpp>
#include <rankine/train.hpp>

#include "methods/method.hpp"
#include "methods/solve_context.hpp"

namespace rankine {

/// What all models of a path have in common.
struct ModelFrame {
  FeatureScaling scaling;
  std::vector<std::int64_t> columns;
  std::vector<std::string> feature_names;
  TrainingData trained_on;
  TrainReport report;           // seconds, map, constant columns and warnings so far
  std::optional<double> gamma;  // as used, where the data chose it
};

/// What is said of an objective that is no number. Throws Error{data}.
[[noreturn]] void throw_no_objective(const std::string& source);

/// The model of one solution, for this value of the method's hyper-parameter. Throws Error{data}
/// when the objective is not a finite number.
TrainResult assemble(Solution solution, double value, const ModelFrame& frame,
                     const TrainOptions& options, const SolveContext& context);

}  // namespace rankine
