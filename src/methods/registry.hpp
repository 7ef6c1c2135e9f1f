// The methods there are. The command line, Python, tuning, the docs and the model file read this
// list: a new method is one more entry.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include <rankine/method.hpp>

#include "methods/method.hpp"

namespace rankine {

struct MethodEntry {
  std::string_view name;
  std::string_view help;  // what it is, in a line
  std::function<MethodOptions()> defaults;
  std::function<std::unique_ptr<Method>(const MethodOptions&)> make;
};

/// An entry for a method whose class is constructed from its options.
template <MethodStruct Options, class MethodClass>
MethodEntry method_entry(std::string_view help) {
  return {Options::kMethod, help, [] { return MethodOptions(Options{}); },
          [](const MethodOptions& options) {
            return std::make_unique<MethodClass>(options.as<Options>());
          }};
}

/// In the order of method_names().
const std::vector<MethodEntry>& methods();
/// Throws Error{option} that lists the names.
const MethodEntry& find_method(std::string_view name);
std::unique_ptr<Method> make_method(const MethodOptions& options);

/// Adds a method at run time, before any thread trains. Throws Error{option} for a name that is
/// taken.
void register_method(MethodEntry entry);

}  // namespace rankine
