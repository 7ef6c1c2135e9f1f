// From options to models: prepare the data into a Problem, let the Method solve it, assemble the
// Model. Nothing here knows which method it is.
#include "training/train.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <utility>

#include <rankine/error.hpp>
#include <rankine/train_parts.hpp>

#include "base/interruption.hpp"
#include "compute/registry.hpp"
#include "data/dataset_checksum.hpp"
#include "methods/registry.hpp"
#include "models/score_together.hpp"
#include "training/assemble.hpp"

namespace rankine {
namespace {

[[noreturn]] void throw_ended_early(const SolveContext& context, const TrainOptions& options,
                                    const std::string& source) {
  if (context.is_stopped() && context.stopped_by() == Termination::time_limit) {
    throw Error(ErrorKind::option, "time_limit = " + real_text(options.time_limit) +
                                       ": over before there was a model");
  }
  throw Error(ErrorKind::interrupted,
              source + ": training was interrupted before there was a model");
}

ModelFrame frame_of(const Problem& problem) {
  const Dataset& input = problem.input();
  const PreparedData& data = problem.data();
  ModelFrame frame;
  frame.scaling = data.scaling();
  frame.columns = data.selected();
  for (std::size_t f = 0; f < input.feature_names.size(); ++f) {
    frame.feature_names.emplace_back(input.feature_names[f]);
  }
  frame.trained_on = {input.source,         input.num_documents(),       input.num_queries(),
                      input.num_features(), problem.table().num_pairs(), rows_checksum(input)};
  frame.report = problem.report();
  if (frame.report.map.gamma > 0) frame.gamma = frame.report.map.gamma;
  return frame;
}

using ObjectiveOfScores = std::function<double(const std::vector<double>& scores)>;

/// Where the scores of a model as it is saved are not quite those that were minimised, its report
/// tells the objective of these. The bound is of the other problem, and moves by what rounding
/// moves the objective at the same slopes: once for the objective, once for the bound.
void report_as_saved(std::span<const ObjectiveOfScores> objectives, const Dataset& data,
                     int threads, std::vector<TrainResult>& results) {
  constexpr double kTold = 1e-3;  // of the objective
  std::vector<const Model*> models;
  std::vector<std::size_t> checked;
  for (std::size_t k = 0; k < results.size(); ++k) {
    if (!objectives[k]) continue;
    checked.push_back(k);
    models.push_back(&results[k].model);
  }
  if (models.empty()) return;
  const auto scores = score_together(models, data, threads);
  for (std::size_t c = 0; c < checked.size(); ++c) {
    TrainReport& report = results[checked[c]].report;
    const double solved = report.objective;
    report.objective = objectives[checked[c]](scores[c]);
    if (!std::isfinite(report.objective)) throw_no_objective(data.source);
    const double moved = std::abs(report.objective - solved);
    report.gap = std::min(report.gap + 2 * moved, report.objective);
    if (moved > kTold * solved) {
      report.warnings.push_back(
          "kernel values are in single precision, which is too coarse for these options: the "
          "model as saved has the objective " +
          real_text(report.objective) + ", its solution before rounding " + real_text(solved) +
          "; regularise more, or take fewer landmarks or another gamma");
    }
    results[checked[c]].model.report = report;
  }
}

TrainPath solve_values(const Dataset& data, const TrainOptions& options, std::vector<double> values,
                       const Progress& progress, TrainingCache* cache) {
  validate_all(options);
  const auto method = make_method(options.method);
  method->check(options);
  if (options.leave_query_out && !method->has_leave_query_out()) {
    throw Error(ErrorKind::option, "leave_query_out: method = '" +
                                       std::string(options.method.name()) + "' has no such scores");
  }
  SolveContext context(options.time_limit, progress);
  TrainPath path{std::string(options.method.path_option()), std::move(values), {}, {}};
  try {
    TrainReport report;
    const auto problem = context.preparing(report.seconds_preparing, [&] {
      return std::make_unique<Problem>(data, options, method->needs(options), report, cache);
    });
    // The seconds of scaling and mapping have places of their own.
    report.seconds_preparing -= report.seconds_scaling + report.map.seconds;
    std::vector<Solution> solutions = method->solve(*problem, path.values, context);
    const ModelFrame frame = frame_of(*problem);
    std::vector<ObjectiveOfScores> objectives;
    for (std::size_t k = 0; k < solutions.size(); ++k) {
      if (options.leave_query_out) {
        path.leave_query_out.push_back(std::move(solutions[k].leave_query_out));
      }
      objectives.push_back(std::move(solutions[k].objective_of_scores));
      path.results.push_back(
          assemble(std::move(solutions[k]), path.values[k], frame, options, context));
    }
    report_as_saved(objectives, data, options.threads, path.results);
  } catch (const Interrupted&) {
    throw_ended_early(context, options, data.source);
  }
  return path;
}

std::vector<double> single_value(const TrainOptions& options) {
  const Candidates* path = options.method.path();
  if (path == nullptr) return {0};
  if (path->is_single()) return path->values();
  throw Error(ErrorKind::option,
              std::string(options.method.path_option()) +
                  ": one value is needed here; several are tuned, or judged by validation data");
}

}  // namespace

TrainResult train(const Dataset& data, const TrainOptions& options, const Progress& progress,
                  TrainingCache* cache) {
  TrainPath path = solve_values(data, options, single_value(options), progress, cache);
  return std::move(path.results.front());
}

TrainResult train(const Dataset& data, const TrainOptions& options, const Progress& progress) {
  return train(data, options, progress, nullptr);
}

TrainPath train_path(const Dataset& data, const TrainOptions& options, const Progress& progress) {
  const Candidates* path = options.method.path();
  if (path == nullptr) {
    throw Error(ErrorKind::option, "method = '" + std::string(options.method.name()) +
                                       "' has no path over a hyper-parameter: train one model");
  }
  return solve_values(data, options, path->values(), progress, nullptr);
}

std::vector<TrainResult> train_path(const Dataset& data, const TrainOptions& options,
                                    std::span<const double> values, const Progress& progress,
                                    TrainingCache* cache) {
  if (values.empty()) return {};
  if (!std::is_sorted(values.begin(), values.end(), std::less_equal<>())) {
    throw Error(ErrorKind::option,
                std::string(options.method.path_option()) + ": the values of a path must rise");
  }
  TrainOptions with_values = options;
  Candidates* path = with_values.method.path();
  if (path == nullptr) return {train(data, options, progress, cache)};
  *path = std::vector<double>(values.begin(), values.end());
  return solve_values(data, with_values, path->values(), progress, cache).results;
}

std::vector<TrainResult> train_path(const Dataset& data, const TrainOptions& options,
                                    std::span<const double> values, const Progress& progress) {
  return train_path(data, options, values, progress, nullptr);
}

double spare_memory(const Dataset& data, const TrainOptions& options, int at_once) {
  constexpr double kPreconditioner = 2000;  // landmarks, with an exact kernel
  const auto documents = static_cast<double>(data.num_documents());
  const bool exact = options.map.approximation == Approximation::none;
  const double landmarks =
      std::min(documents, exact ? kPreconditioner : static_cast<double>(options.map.n_components));
  const double mapped = sizeof(float) * documents * landmarks;
  const double systems = kBytesOfSystems * landmarks * landmarks;
  const double kernel =
      exact ? make_method(options.method)
                  ->exact_kernel_bytes(find_backend(options.device), data.num_documents())
            : 0;
  return allowed_memory(options) - at_once * (mapped + systems + kernel);
}

}  // namespace rankine
