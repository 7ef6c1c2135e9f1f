// The parts of TrainOptions; declared in include/rankine/train_parts.hpp.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <rankine/error.hpp>
#include <rankine/train_parts.hpp>

namespace rankine {
namespace {

template <std::size_t... index>
std::vector<MethodOptions> all_methods(std::index_sequence<index...>) {
  return {MethodOptions(std::in_place_index<index>)...};
}

/// One of each, with its defaults.
std::vector<MethodOptions> all_methods() {
  return all_methods(std::make_index_sequence<std::variant_size_v<MethodOptions>>{});
}

void assign_method(TrainOptions& options, std::string_view name) {
  const auto names = method_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw_unknown_choice("method", name, names);
  if (method_name(options.method) == name) return;
  std::vector<std::pair<std::string, std::string>> set;
  for (const OptionEntry& entry : train_option_entries(options)) {
    if (entry.text() != entry.default_text) set.emplace_back(entry.name, entry.text());
  }
  options.method = all_methods()[static_cast<std::size_t>(found - names.begin())];
  for (const OptionEntry& entry : train_option_entries(options)) {
    for (const auto& [set_name, text] : set) {
      if (set_name == entry.name) entry.assign(text);
    }
  }
}

}  // namespace

std::vector<OptionEntry> train_option_entries(TrainOptions& options) {
  std::vector<OptionEntry> all;
  for_each_part(options, [&](std::string_view, auto& part) {
    for (OptionEntry& entry : option_entries(part)) all.push_back(std::move(entry));
  });
  return all;
}

std::vector<std::pair<std::string, std::string>> train_option_texts(TrainOptions options) {
  std::vector<std::pair<std::string, std::string>> texts{
      {"method", std::string(method_name(options.method))}};
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
                  std::string(method_name(options.method)) +
                  (nearest.empty() ? "" : " (did you mean " + std::string(nearest) + "?)"));
}

std::vector<std::string_view> method_names() {
  std::vector<std::string_view> names;
  for (const MethodOptions& method : all_methods()) names.push_back(method_name(method));
  return names;
}

std::string_view path_option(const MethodOptions& method) {
  return std::visit(
      []<class Method>(const Method& options) -> std::string_view {
        if constexpr (requires { options.alpha; }) return "alpha";
        if constexpr (requires { options.newton; }) return "C";
        return "";
      },
      method);
}

}  // namespace rankine
