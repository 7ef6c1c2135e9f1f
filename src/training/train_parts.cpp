// The parts of TrainOptions; declared in include/rankine/train_parts.hpp.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <rankine/error.hpp>
#include <rankine/train_parts.hpp>

namespace rankine {
namespace {

void assign_method(TrainOptions& options, std::string_view name) {
  MethodOptions named = MethodOptions::named(name);
  if (options.method.name() == name) return;
  std::vector<std::pair<std::string, std::string>> set;
  for (const OptionEntry& entry : train_option_entries(options)) {
    if (entry.text() != entry.default_text) set.emplace_back(entry.name, entry.text());
  }
  options.method = std::move(named);
  for (const OptionEntry& entry : train_option_entries(options)) {
    for (const auto& [set_name, text] : set) {
      if (set_name == entry.name) entry.assign(text);
    }
  }
}

}  // namespace

std::vector<OptionGroup> train_option_groups(TrainOptions& options) {
  std::vector<OptionGroup> groups = options.method.groups();
  groups.push_back(option_group("Features and limits", options));
  groups.push_back(option_group("Kernels and their approximations", options.map));
  return groups;
}

void validate_all(const TrainOptions& options) {
  options.method.validate();
  validate(options);
  validate(options.map);
}

std::vector<OptionEntry> train_option_entries(TrainOptions& options) {
  std::vector<OptionEntry> all;
  for (OptionGroup& group : train_option_groups(options)) {
    for (OptionEntry& entry : group.entries) all.push_back(std::move(entry));
  }
  return all;
}

std::vector<std::pair<std::string, std::string>> train_option_texts(TrainOptions options) {
  std::vector<std::pair<std::string, std::string>> texts{
      {"method", std::string(options.method.name())}};
  for (const OptionEntry& entry : train_option_entries(options)) {
    const bool known = std::any_of(texts.begin(), texts.end(),
                                   [&](const auto& text) { return text.first == entry.name; });
    if (!known) texts.emplace_back(entry.name, entry.text());
  }
  return texts;
}

void assign_train_option(TrainOptions& options, std::string_view name, std::string_view text) {
  if (name == "method") {
    assign_method(options, text);
    return;
  }
  const auto entries = train_option_entries(options);
  bool found = false;
  for (const OptionEntry& entry : entries) {
    if (entry.name != name) continue;
    entry.assign(text);
    found = true;
  }
  if (found) return;
  std::vector<std::string_view> names{"method"};
  for (const OptionEntry& entry : entries) names.emplace_back(entry.name);
  const auto nearest = nearest_spelling(name, names);
  throw Error(ErrorKind::option,
              "'" + std::string(name) + "' is no option of method " +
                  std::string(options.method.name()) +
                  (nearest.empty() ? "" : " (did you mean " + std::string(nearest) + "?)"));
}

}  // namespace rankine
