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

/// The options of a training by this method. Throws Error{option} for what does not exist.
TrainOptions train_options(const std::string& method, const OptionTexts& texts);

void define_option_tables(nb::module_& module);

}  // namespace rankine::python
