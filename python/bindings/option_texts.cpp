#include "option_texts.hpp"

#include <cstddef>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include <nanobind/stl/string.h>

#include <rankine/error.hpp>
#include <rankine/folds.hpp>
#include <rankine/metrics.hpp>
#include <rankine/read.hpp>
#include <rankine/synth.hpp>

#include "arrays.hpp"

namespace rankine::python {
namespace {

template <class... Options>
std::vector<OptionEntry> entries_of(Options&... options) {
  std::vector<OptionEntry> all;
  const auto add = [&](std::vector<OptionEntry> entries) {
    all.insert(all.end(), std::make_move_iterator(entries.begin()),
               std::make_move_iterator(entries.end()));
  };
  (add(option_entries(options)), ...);
  return all;
}

std::vector<OptionEntry> method_entries(SvmOptions& svm) {
  return entries_of(svm, svm.pair_loss, svm.newton, svm.cutting_plane);
}
std::vector<OptionEntry> method_entries(StochasticOptions& stochastic) {
  return entries_of(stochastic, stochastic.pair_loss, stochastic.sgd);
}

template <std::size_t... Index>
std::vector<MethodOptions> all_methods(std::index_sequence<Index...>) {
  return {MethodOptions(std::in_place_index<Index>)...};
}
std::vector<MethodOptions> all_methods() {
  return all_methods(std::make_index_sequence<std::variant_size_v<MethodOptions>>{});
}

nb::object type_name(OptionType type) {
  switch (type) {
    case OptionType::flag:
      return nb::str("flag");
    case OptionType::integer:
      return nb::str("integer");
    case OptionType::real:
      return nb::str("real");
    case OptionType::choice:
      return nb::str("choice");
    case OptionType::text_list:
      return nb::str("text_list");
    default:
      return nb::str("text");
  }
}

nb::list table_of(const std::vector<OptionEntry>& entries) {
  nb::list table;
  for (const OptionEntry& entry : entries) {
    nb::dict row;
    row["name"] = entry.name;
    row["type"] = type_name(entry.type);
    row["default"] = entry.default_text;
    row["choices"] = list_of(entry.choices);
    row["range"] = entry.range;
    row["help"] = entry.help;
    table.append(row);
  }
  return table;
}

template <class Options>
nb::list table_of_struct() {
  Options options;
  return table_of(option_entries(options));
}

nb::dict option_tables() {
  nb::dict tables;
  for (const MethodOptions& method : all_methods()) {
    TrainOptions options;
    options.method = method;
    const std::string name(method_name(method));
    tables[name.c_str()] = table_of(training_entries(options));
  }
  tables["read"] = table_of_struct<ReadOptions>();
  tables["synth"] = table_of_struct<SynthOptions>();
  tables["folds"] = table_of_struct<FoldOptions>();
  tables["rules"] = table_of_struct<MeasureRules>();
  return tables;
}

}  // namespace

void assign_texts(const OptionTexts& texts, const std::vector<OptionEntry>& entries) {
  for (const auto& [name, text] : texts) {
    bool known = false;
    for (const OptionEntry& entry : entries) {
      if (entry.name != name) continue;
      entry.assign(text);
      known = true;
    }
    if (known) continue;
    std::vector<std::string_view> names;
    for (const OptionEntry& entry : entries) names.push_back(entry.name);
    const std::string_view near = nearest_spelling(name, names);
    throw Error(ErrorKind::option,
                "no option named '" + name + "'" +
                    (near.empty() ? "" : " (did you mean " + std::string(near) + "?)"));
  }
}

MethodOptions method_named(const std::string& name) {
  std::vector<std::string_view> names;
  for (const MethodOptions& method : all_methods()) {
    if (method_name(method) == name) return method;
    names.push_back(method_name(method));
  }
  throw_unknown_choice("method", name, names);
}

std::vector<OptionEntry> training_entries(TrainOptions& options) {
  std::vector<OptionEntry> entries = entries_of(options, options.map);
  std::visit(
      [&](auto& method) {
        for (OptionEntry& entry : method_entries(method)) entries.push_back(std::move(entry));
      },
      options.method);
  return entries;
}

void define_option_tables(nb::module_& module) {
  module.def("option_tables", &option_tables,
             "The options of each method and of reading, synth, folds and rules: name, type, "
             "default, choices, range and help.");
}

}  // namespace rankine::python
