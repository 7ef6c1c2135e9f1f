#include "commands/training_options.hpp"

#include <algorithm>
#include <string>

#include <rankine/train_parts.hpp>

namespace rankine::cli {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::count(names.begin(), names.end(), name) > 0;
}

}  // namespace

Measure selected_measure(const std::string& text) {
  std::vector<Measure> measures;
  try {
    measures = parse_measures(text);
  } catch (const Error& error) {
    constexpr std::string_view kUsual = "measures";
    const std::string message = error.what();
    if (!message.starts_with(kUsual)) throw;
    throw Error(error.kind(), "select" + message.substr(kUsual.size()));
  }
  if (measures.size() != 1) {
    throw Error(ErrorKind::option, "select = '" + text + "' must be one measure");
  }
  return measures.front();
}

TrainingOptions::TrainingOptions() {
  for (const std::string_view name : method_names()) {
    by_method_.push_back({.method = MethodOptions::named(name)});
  }
}

void TrainingOptions::declare(Arguments& arguments) {
  std::vector<std::string> names;
  std::string help;
  for (const std::string_view name : method_names()) {
    names.emplace_back(name);
    help += (help.empty() ? "" : "; ") + std::string(name) + ": " + std::string(method_help(name));
  }
  arguments.choices_of("method", std::move(names), std::move(help));
  for (TrainOptions& options : by_method_) {
    for (OptionGroup& group : train_option_groups(options)) arguments.group(std::move(group));
  }
}

const TrainOptions& TrainingOptions::of(const std::string& method) const {
  return *std::find_if(by_method_.begin(), by_method_.end(), [&](const TrainOptions& options) {
    return options.method.name() == method;
  });
}

std::vector<std::string> TrainingOptions::without_effect(
    const Arguments& arguments, const std::string& method,
    const std::vector<std::string>& varied) const {
  TrainOptions options = of(method);
  const std::vector<OptionEntry> taken = train_option_entries(options);
  const auto find = [&](const std::string& name) {
    return std::find_if(taken.begin(), taken.end(),
                        [&](const OptionEntry& entry) { return entry.name == name; });
  };
  std::vector<std::string> idle;  // names
  std::vector<std::string> lines;
  const auto add = [&](const OptionEntry& entry, const std::string& because) {
    if (contains(idle, entry.name) || !arguments.asked(entry)) return;
    idle.push_back(entry.name);
    lines.push_back(flag_of(entry.name) + " has no effect with " + because);
  };
  for (TrainOptions other : by_method_) {
    if (contains(varied, "method")) break;
    for (const OptionEntry& entry : train_option_entries(other)) {
      if (find(entry.name) == taken.end() && entry.name != "loss") {
        add(entry, "--method " + method);
      }
    }
  }
  for (const OptionGroup& group : train_option_groups(options)) {
    for (const OptionRule& rule : group.rules) {
      const auto entry = find(std::string(rule.option));
      const auto governor = find(std::string(rule.governor));
      if (entry == taken.end() || contains(varied, governor->name)) continue;
      if (has_effect(rule, governor->text())) continue;
      add(*entry, flag_of(governor->name) + " " + governor->text());
    }
  }
  return lines;
}

}  // namespace rankine::cli
