// Help, made from what the commands declare.
#pragma once

#include <string>

#include "framework/arguments.hpp"

namespace rankine::cli {

/// "rankine --help": the commands, one line each.
std::string overview_text(int width);
/// "rankine COMMAND --help".
std::string command_help_text(const Arguments& arguments, int width);
/// All commands and options as a Markdown page.
std::string options_page();

}  // namespace rankine::cli
