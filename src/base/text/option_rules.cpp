// What goes with what among options, as the tables of the options structs say; declared in
// include/rankine/fields.hpp.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <rankine/fields.hpp>

namespace rankine {
namespace {

bool is_among(std::string_view value, std::string_view values) {
  const std::vector<std::string> all = parse_list(values);
  return std::find(all.begin(), all.end(), value) != all.end();
}

const OptionEntry& find(const OptionGroup& group, std::string_view name) {
  return *std::find_if(group.entries.begin(), group.entries.end(),
                       [&](const OptionEntry& entry) { return entry.name == name; });
}

/// "rbf or laplacian".
std::string alternatives(std::string_view values) {
  const std::vector<std::string> all = parse_list(values);
  std::string text = all.front();
  for (std::size_t k = 1; k < all.size(); ++k) {
    text += (k + 1 == all.size() ? " or " : ", ") + all[k];
  }
  return text;
}

}  // namespace

bool has_effect(const OptionRule& rule, std::string_view governor_value) {
  return is_among(governor_value, rule.values);
}

void check_requirements(const OptionGroup& group) {
  const auto is_idle = [&](std::string_view option) {
    return std::any_of(group.rules.begin(), group.rules.end(), [&](const OptionRule& rule) {
      return rule.option == option && !has_effect(rule, find(group, rule.governor).text());
    });
  };
  for (const OptionRequirement& each : group.requirements) {
    if (find(group, each.option).text() != each.value || is_idle(each.option)) continue;
    const std::string governor = find(group, each.governor).text();
    if (is_among(governor, each.values)) continue;
    throw Error(ErrorKind::option, std::string(each.option) + " = '" + std::string(each.value) +
                                       "' is for " + std::string(each.governor) + " = " +
                                       alternatives(each.values) + ", not " + governor);
  }
}

}  // namespace rankine
