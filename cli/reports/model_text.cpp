#include "reports/model_text.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <nlohmann/json.hpp>

#include "framework/text_table.hpp"

namespace rankine::cli {
namespace {

using nlohmann::ordered_json;

struct NamedWeight {
  std::string feature;
  double weight = 0;
};

/// A feature as users know it: its name, or its number from 1.
std::string feature_name(const Model& model, std::size_t column) {
  const std::size_t input =
      model.columns.empty() ? column : static_cast<std::size_t>(model.columns[column]);
  return input < model.feature_names.size() ? model.feature_names[input]
                                            : std::to_string(input + 1);
}

/// By the weight's size, largest first: with scaled features that is the order of importance.
std::vector<NamedWeight> by_importance(const Model& model) {
  const auto& weights = *model.function.weights();
  std::vector<NamedWeight> named;
  for (std::size_t column = 0; column < weights.size(); ++column) {
    named.push_back({feature_name(model, column), weights[column]});
  }
  std::stable_sort(named.begin(), named.end(), [](const NamedWeight& a, const NamedWeight& b) {
    return std::abs(a.weight) > std::abs(b.weight);
  });
  return named;
}

std::string option_of(const Model& model, const std::string& name) {
  for (const auto& [option, value] : model.options) {
    if (option == name) return value;
  }
  return "";
}

std::string gap_text(const TrainReport& report) {
  if (!std::isfinite(report.gap)) return "not known";
  const double relative = report.objective > 0 ? report.gap / report.objective : 0;
  return "at most " + number_text(report.gap) + " (" + number_text(relative, 2) +
         " of the objective)";
}

/// Names, where the features have some, and ranges of numbers otherwise; cut where they are many.
std::string constant_text(const Model& model) {
  const std::vector<std::int64_t>& columns = model.report.constant_columns;
  std::string text;
  if (model.feature_names.empty()) {
    std::vector<std::int64_t> numbers;
    for (const std::int64_t column : columns) numbers.push_back(column + 1);
    text = ranges_text(numbers);
  } else {
    constexpr std::size_t kMostNames = 60;  // more do not fit the line anyway
    for (std::size_t k = 0; k < std::min(columns.size(), kMostNames); ++k) {
      text += (k == 0 ? "" : ", ") + model.feature_names[static_cast<std::size_t>(columns[k])];
    }
  }
  return count_text(static_cast<std::int64_t>(columns.size())) + ": " + fit_text(text, 60);
}

/// Every value that was tried, the chosen one marked.
std::string path_text(const Model& model) {
  const TrainReport& report = model.report;
  if (report.path.empty()) return "";
  TextTable table({"alpha", report.path_measure, "objective", ""});
  const std::string chosen = option_of(model, "alpha");
  for (const PathStep& step : report.path) {
    table.add({number_text(step.value, 6), decimals_text(step.measure, 6),
               number_text(step.objective, 8), real_text(step.value) == chosen ? "kept" : ""});
  }
  return "\n" + table.text();
}

std::string map_text(const MapReport& map) {
  std::string text = counted_text(map.components, "component") + ", rank " + count_text(map.rank);
  if (map.unexplained > 0)
    text += ", " + number_text(map.unexplained, 2) + " of the trace left out";
  if (map.gamma > 0) text += ", gamma " + number_text(map.gamma);
  text += map.kept ? "" : ", made anew for each pass";
  return text + ", " + duration_text(map.seconds);
}

std::string dropped_text(const Model& model, const Dropped* dropped) {
  const std::string share = option_of(model, "drop_negligible");
  if (share.empty()) return "";
  const std::string text = "weights below " + share + " of the largest";
  if (dropped == nullptr) return text;
  return text + ": kept " + count_text(dropped->kept) + " of " +
         counted_text(dropped->components, "component") + ", " + dropped->measure + " on " +
         dropped->source + " from " + decimals_text(dropped->before, 6) + " to " +
         decimals_text(dropped->after, 6);
}

}  // namespace

std::string ranges_text(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (std::size_t at = 0; at < numbers.size();) {
    const std::size_t start = at++;
    while (at < numbers.size() && numbers[at] == numbers[at - 1] + 1) ++at;
    text += (text.empty() ? "" : ", ") + std::to_string(numbers[start]);
    if (at - start > 1) text += "-" + std::to_string(numbers[at - 1]);
  }
  return text;
}

std::string report_text(const Model& model, const Dropped* dropped) {
  const TrainReport& report = model.report;
  TextTable table;
  const bool is_direct = !report.solver.empty() && report.iterations == 0;
  table.add({"result", is_direct ? "solved in closed form"
                                 : std::string(name_of(report.termination)) + " after " +
                                       counted_text(report.iterations, "iteration")});
  table.add(
      {"objective", std::isnan(report.objective) ? "not known" : number_text(report.objective, 8)});
  table.add({"gap", gap_text(report)});
  table.add({"work", counted_text(report.hessians, "Hessian") + ", " +
                         counted_text(report.products, "product")});
  if (!report.solver.empty()) table.add({"solver", report.solver});
  if (report.map.components > 0) table.add({"map", map_text(report.map)});
  if (const std::string text = dropped_text(model, dropped); !text.empty()) {
    table.add({"dropped", text});
  }
  if (const std::vector<double>* weights = model.function.weights(); weights != nullptr) {
    const auto used =
        std::count_if(weights->begin(), weights->end(), [](double w) { return w != 0; });
    table.add(
        {"weights", std::to_string(used) + " of " + std::to_string(weights->size()) + " not zero"});
  }
  if (!report.constant_columns.empty()) table.add({"constant", constant_text(model)});
  if (!report.validation_measure.empty()) {
    table.add({report.validation_measure, decimals_text(report.validation, 6) + " on --valid"});
  }
  table.add({"time", "scaling " + duration_text(report.seconds_scaling) + ", preparing " +
                         duration_text(report.seconds_preparing) + ", solving " +
                         duration_text(report.seconds_solving)});
  table.add({"memory", bytes_text(static_cast<double>(report.peak_memory)) + " at most"});
  return table.text() + path_text(model);
}

std::string model_text(const Model& model) {
  const TrainingData& data = model.trained_on;
  const FunctionDescription function = model.describe();
  TextTable head;
  head.add(
      {"model", function.summary + ", " + option_of(model, "method") + ", loss " +
                    option_of(model, "loss") +
                    (option_of(model, "alpha").empty() ? ", C " + option_of(model, "C")
                                                       : ", alpha " + option_of(model, "alpha")) +
                    ", by " + model.created_by});
  head.add({"data", data.source + ": " + counted_text(data.num_documents, "document") + ", " +
                        counted_text(data.num_queries, "query") + ", " +
                        counted_text(data.num_features, "feature") + ", " +
                        counted_text(static_cast<std::int64_t>(data.num_pairs), "pair")});
  head.add({"scaling", std::string(name_of(model.scaling.kind))});
  for (const auto& [name, text] : function.details) head.add({name, text});
  if (!function.weights_are_of_columns) return head.text() + report_text(model);
  TextTable weights({"feature", "weight", ""});
  const auto named = by_importance(model);
  const double largest = named.empty() ? 0 : std::abs(named.front().weight);
  for (const NamedWeight& each : named) {
    if (each.weight == 0) break;
    weights.add(
        {each.feature, number_text(each.weight, 6), bar_text(std::abs(each.weight) / largest, 24)});
  }
  return head.text() + report_text(model) + "\n" + weights.text();
}

ordered_json model_json(const Model& model, const Dropped* dropped) {
  const TrainReport& report = model.report;
  ordered_json options;
  for (const auto& [option, value] : model.options) options[option] = json_value(value);
  ordered_json weights = ordered_json::array();
  const FunctionDescription function = model.describe();
  if (function.weights_are_of_columns) {
    for (const NamedWeight& each : by_importance(model)) {
      weights.push_back({{"feature", each.feature}, {"weight", each.weight}});
    }
  } else if (const std::vector<double>* all = model.function.weights(); all != nullptr) {
    weights = *all;
  }
  ordered_json steps = ordered_json::array();
  for (const TrainStep& step : report.steps) {
    steps.push_back({{"objective", step.objective},
                     {"gradient_norm", step.gradient_norm},
                     {"step", step.step}});
  }
  ordered_json object{{"kind", function.kind},
                      {"created_by", model.created_by},
                      {"options", options},
                      {"data",
                       {{"source", model.trained_on.source},
                        {"documents", model.trained_on.num_documents},
                        {"queries", model.trained_on.num_queries},
                        {"features", model.trained_on.num_features},
                        {"pairs", model.trained_on.num_pairs}}},
                      {"termination", name_of(report.termination)},
                      {"iterations", report.iterations},
                      {"objective", report.objective},
                      {"gap", report.gap},
                      {"products", report.products},
                      {"hessians", report.hessians},
                      {"seconds",
                       {{"scaling", report.seconds_scaling},
                        {"preparing", report.seconds_preparing},
                        {"solving", report.seconds_solving}}},
                      {"peak_memory", report.peak_memory},
                      {"constant_columns", ordered_json::array()},
                      {"warnings", report.warnings},
                      {"weights", weights},
                      {"steps", steps}};
  if (report.map.components > 0) {
    object["map"] = {{"components", report.map.components},
                     {"rank", report.map.rank},
                     {"gamma", report.map.gamma},
                     {"unexplained", report.map.unexplained},
                     {"kept", report.map.kept},
                     {"seconds", report.map.seconds}};
  }
  for (const std::int64_t column : report.constant_columns) {
    object["constant_columns"].push_back(column + 1);
  }
  if (dropped != nullptr) {
    object["dropped"] = {{"components", dropped->components}, {"kept", dropped->kept},
                         {"measure", dropped->measure},       {"source", dropped->source},
                         {"before", dropped->before},         {"after", dropped->after}};
  }
  if (!report.solver.empty()) object["solver"] = report.solver;
  if (!report.path.empty()) {
    ordered_json steps_of_path = ordered_json::array();
    for (const PathStep& step : report.path) {
      steps_of_path.push_back(
          {{"alpha", step.value}, {"mean", step.measure}, {"objective", step.objective}});
    }
    object["path"] = {{"measure", report.path_measure}, {"values", steps_of_path}};
  }
  if (!report.validation_measure.empty()) {
    object["validation"] = {{"measure", report.validation_measure}, {"mean", report.validation}};
  }
  return object;
}

nlohmann::ordered_json json_value(const std::string& text) {
  auto value = nlohmann::ordered_json::parse(text, nullptr, false);
  return value.is_number() || value.is_boolean() ? value : nlohmann::ordered_json(text);
}

}  // namespace rankine::cli
