#include <span>
#include <string>
#include <vector>

#include <rankine/error.hpp>
#include <rankine/evaluate.hpp>
#include <rankine/select.hpp>

#include "models/score_together.hpp"

namespace rankine {
namespace {

template <class Scores>
PathChoice choose(std::size_t num_models, const Dataset& data, const Measure& measure,
                  const MeasureRules& rules, int threads, const Scores& scores) {
  PathChoice choice;
  for (std::size_t k = 0; k < num_models; ++k) {
    const auto result = evaluate(data, scores(k), {measure}, rules, {.threads = threads});
    choice.means.push_back(result.means.front().mean);
    if (choice.means[k] > choice.means[choice.best]) choice.best = k;
  }
  return choice;
}

}  // namespace

PathChoice choose_by_validation(const RlsPath& path, const Dataset& valid, const Measure& measure,
                                const MeasureRules& rules, int threads) {
  std::vector<const Model*> models;
  for (const TrainResult& result : path.results) models.push_back(&result.model);
  const auto scores = score_together(models, valid, threads);
  return choose(models.size(), valid, measure, rules, threads,
                [&](std::size_t k) { return std::span<const double>(scores[k]); });
}

PathChoice choose_by_leave_query_out(const RlsPath& path, const Dataset& data,
                                     const Measure& measure, const MeasureRules& rules,
                                     int threads) {
  if (path.leave_query_out.size() != path.results.size()) {
    throw Error(ErrorKind::option, "leave_query_out: the path was trained without these scores");
  }
  return choose(path.results.size(), data, measure, rules, threads,
                [&](std::size_t k) { return std::span<const double>(path.leave_query_out[k]); });
}

TrainResult take_choice(const RlsPath& path, const PathChoice& choice,
                        const std::string& judged_by) {
  TrainResult result = path.results[choice.best];
  result.report.path_measure = judged_by;
  for (std::size_t k = 0; k < path.alphas.size(); ++k) {
    result.report.path.push_back(
        {path.alphas[k], path.results[k].report.objective, choice.means[k]});
  }
  result.model.report = result.report;
  return result;
}

}  // namespace rankine
