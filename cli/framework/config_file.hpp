// Config files in TOML: sections named as commands, and in them the options with strings, numbers,
// booleans or arrays of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rankine::cli {

struct ConfigItem {
  std::string section;  // empty at the top
  std::string key;
  std::vector<std::string> values;  // one, or an array's
  int line = 0;
};

/// Throws Error{data} naming the file ("-": standard input), and the line where there is one.
std::vector<ConfigItem> read_config(const std::string& path);
/// The same for text that is already in memory; `name` stands in messages.
std::vector<ConfigItem> parse_config(const std::string& name, std::string_view text);

/// A TOML basic string.
std::string toml_string(std::string_view text);

}  // namespace rankine::cli
