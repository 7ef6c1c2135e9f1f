// Options as Python names them: a dict of option to text goes through the fields() tables, so an
// option that is new in C++ needs no code here.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include <rankine/fields.hpp>
#include <rankine/train.hpp>

namespace rankine::python {

namespace nb = nanobind;

using OptionTexts = std::map<std::string, std::string>;

/// Gives each option its text; one that several tables share goes to all of them. Throws
/// Error{option} for a name that none has.
void assign_texts(const OptionTexts& texts, const std::vector<OptionEntry>& entries);

/// The options of `method` by name, at their defaults. Throws Error{option} naming all methods.
MethodOptions method_named(const std::string& name);

/// Every option of training there is for the method chosen, bound to `options`.
std::vector<OptionEntry> training_entries(TrainOptions& options);

void define_option_tables(nb::module_& module);

}  // namespace rankine::python
