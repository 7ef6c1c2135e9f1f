#include "option_texts.hpp"

#include <string_view>

#include <nanobind/stl/string.h>

#include <rankine/error.hpp>
#include <rankine/feature_map.hpp>
#include <rankine/folds.hpp>
#include <rankine/metrics.hpp>
#include <rankine/read.hpp>
#include <rankine/synth.hpp>
#include <rankine/train_parts.hpp>

#include "arrays.hpp"

namespace rankine::python {
namespace {

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
    case OptionType::candidates:
      return nb::str("candidates");
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
  for (const std::string_view method : method_names()) {
    TrainOptions options;
    assign_train_option(options, "method", method);
    tables[std::string(method).c_str()] = table_of(train_option_entries(options));
  }
  tables["read"] = table_of_struct<ReadOptions>();
  tables["map"] = table_of_struct<FeatureMapOptions>();
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

TrainOptions train_options(const std::string& method, const OptionTexts& texts) {
  TrainOptions options;
  assign_train_option(options, "method", method);
  assign_texts(texts, train_option_entries(options));
  return options;
}

void define_option_tables(nb::module_& module) {
  module.def("option_tables", &option_tables,
             "The options of each method and of reading, synth, folds and rules: name, type, "
             "default, choices, range and help.");
}

}  // namespace rankine::python
