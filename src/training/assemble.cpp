#include "training/assemble.hpp"

#include <algorithm>
#include <cmath>

#include <rankine/error.hpp>
#include <rankine/train_parts.hpp>
#include <rankine/version.hpp>

#include "base/system/process_memory.hpp"

namespace rankine {
namespace {

/// The options as the command line spells them, with what the data and the path have chosen.
std::vector<std::pair<std::string, std::string>> option_texts(TrainOptions options, double value,
                                                              const ModelFrame& frame) {
  if (Candidates* path = options.method.path(); path != nullptr) *path = value;
  if (frame.gamma) options.map.gamma = *frame.gamma;
  options.scaling = frame.scaling.kind;
  auto texts = train_option_texts(options);
  if (options.loss != nullptr) {
    std::erase_if(texts, [](const auto& text) { return text.first == "loss"; });
    texts.emplace_back("loss", options.loss->name());
  }
  // Where it ran, not what it learned.
  std::erase_if(texts, [](const auto& text) {
    return text.first == "threads" || text.first == "memory_limit" || text.first == "time_limit";
  });
  return texts;
}

}  // namespace

void throw_no_objective(const std::string& source) {
  throw Error(ErrorKind::data, source +
                                   ": the objective is not a finite number: features, weights, C, "
                                   "gamma or degree are too large for the arithmetic");
}

TrainResult assemble(Solution solution, double value, const ModelFrame& frame,
                     const TrainOptions& options, const SolveContext& context) {
  const SolveReport& how = solution.report;
  if (!std::isfinite(how.objective)) {
    throw_no_objective(frame.trained_on.source);
  }
  TrainReport report = frame.report;
  report.termination = context.reason(how.termination);
  report.iterations = how.iterations;
  report.products = how.products;
  report.hessians = how.hessians;
  report.objective = how.objective;
  report.gap = how.gap;
  // No loss of ours is below 0 anywhere; of a loss of the user's own nothing is known.
  if (options.loss == nullptr) report.gap = std::min(report.gap, report.objective);
  report.solver = solution.solver;
  report.peak_memory = peak_memory_bytes();
  for (const SolveStep& step : how.steps) {
    report.steps.push_back({step.objective, step.gradient_norm, step.step});
  }
  const bool is_cut_short = report.termination == Termination::interrupted ||
                            report.termination == Termination::time_limit;
  if (is_cut_short && how.iterations == 0 && options.warm_start == nullptr) {
    report.warnings.emplace_back(
        "ended before the first iteration: the model gives every document the same score");
  }
  for (std::string& warning : solution.warnings) report.warnings.push_back(std::move(warning));
  Model model;
  model.function = std::move(solution.function);
  model.scaling = frame.scaling;
  model.columns = frame.columns;
  model.feature_names = frame.feature_names;
  model.options = option_texts(options, value, frame);
  model.trained_on = frame.trained_on;
  model.report = report;
  model.created_by = std::string("rankine ") + kVersion;
  return {std::move(model), std::move(report)};
}

}  // namespace rankine
