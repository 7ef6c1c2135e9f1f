// Choosing along a path: every model is measured, by validation data or by its leave-query-out
// scores, and the best one is kept. Declared in include/rankine/select.hpp.
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <rankine/error.hpp>
#include <rankine/evaluate.hpp>
#include <rankine/fields.hpp>
#include <rankine/select.hpp>

#include "methods/registry.hpp"
#include "models/score_together.hpp"

namespace rankine {
namespace {

Selection choose(const TrainPath& path, const Dataset& judged, const SelectOptions& select,
                 const std::vector<std::vector<double>>& scores, const std::string& judged_by,
                 int threads) {
  Selection selection;
  for (std::size_t k = 0; k < path.results.size(); ++k) {
    const auto result =
        evaluate(judged, scores[k], {select.measure}, select.rules, {.threads = threads});
    selection.means.push_back(result.means.front().mean);
    if (selection.means[k] > selection.means[selection.best]) selection.best = k;
  }
  selection.values = path.values;
  selection.values.resize(path.results.size());
  selection.result = path.results[selection.best];
  TrainReport& report = selection.result.report;
  report.path_measure = judged_by;
  for (std::size_t k = 0; k < path.results.size(); ++k) {
    report.path.push_back({path.values[k], path.results[k].report.objective, selection.means[k]});
  }
  const std::size_t last = path.results.size() - 1;
  if (last > 1 && (selection.best == 0 || selection.best == last)) {
    report.warnings.push_back(path.option + " = " + real_text(path.values[selection.best]) +
                              " is the " + (selection.best == 0 ? "least" : "largest") +
                              " of the values that were tried: a better one may lie beyond");
  }
  selection.result.model.report = report;
  if (!path.leave_query_out.empty()) {
    selection.leave_query_out = path.leave_query_out[selection.best];
  }
  return selection;
}

}  // namespace

Selection select_from_path(const TrainPath& path, const Dataset* data, const SelectOptions& select,
                           int threads) {
  const std::string measure = select.measure.text();
  if (select.valid != nullptr) {
    std::vector<const Model*> models;
    for (const TrainResult& result : path.results) models.push_back(&result.model);
    return choose(path, *select.valid, select, score_together(models, *select.valid, threads),
                  measure + " on " + select.valid->source, threads);
  }
  if (data == nullptr || path.leave_query_out.size() != path.results.size()) {
    throw Error(ErrorKind::option, path.option +
                                       ": several values need validation data to be judged by, or "
                                       "leave-query-out (method rls)");
  }
  return choose(path, *data, select, path.leave_query_out, measure + " by leave-query-out",
                threads);
}

Selection train_and_select(const Dataset& data, const TrainOptions& options,
                           const SelectOptions& select, const Progress& progress) {
  const Candidates* candidates = options.method.path();
  const bool is_path = candidates != nullptr && !candidates->is_single();
  if (!is_path && !options.leave_query_out) {
    Selection selection;
    selection.result = train(data, options, progress);
    if (candidates != nullptr) selection.values = candidates->values();
    return selection;
  }
  TrainOptions wanted = options;
  if (is_path && select.valid == nullptr) {
    // Refused before any work where the method has no such scores.
    if (!make_method(options.method)->has_leave_query_out()) {
      throw Error(ErrorKind::option, std::string(options.method.path_option()) +
                                         ": several values need validation data to be judged by "
                                         "(--valid), or cross-validation (rankine tune)");
    }
    wanted.leave_query_out = true;
  }
  return select_from_path(train_path(data, wanted, progress), &data, select, options.threads);
}

}  // namespace rankine
