// toml++ reads; what is left is to take tables for sections, and to give every value back as text:
// the options' own parsers give it meaning, so 2^-5 may stand in quotes where TOML has no such
// number.
#include "framework/config_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>

#include <toml++/toml.h>

#include <rankine/error.hpp>

namespace rankine::cli {
namespace {

[[noreturn]] void fail(const std::string& name, const toml::source_region& place,
                       const std::string& what) {
  throw Error(ErrorKind::data, name + ":" + std::to_string(place.begin.line) + ": " + what);
}

/// The shortest digits that read back as the same number.
std::string real_text(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::array<char, 32> digits{};
  return {digits.data(), std::to_chars(digits.begin(), digits.end(), value).ptr};
}

std::string value_text(const std::string& name, const std::string& key, const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (const auto* whole = node.as_integer()) return std::to_string(whole->get());
  if (const auto* real = node.as_floating_point()) return real_text(real->get());
  fail(name, node.source(),
       "'" + key + "' must be text in quotes, a number, true or false, or an array of these");
}

ConfigItem item_of(const std::string& name, const std::string& section, const std::string& key,
                   const toml::node& node) {
  ConfigItem item{section, key, {}, static_cast<int>(node.source().begin.line)};
  if (const toml::array* values = node.as_array()) {
    for (const toml::node& value : *values) item.values.push_back(value_text(name, key, value));
  } else {
    item.values.push_back(value_text(name, key, node));
  }
  return item;
}

/// What toml++ says, with the key of the line in the place of the part of its parser that found it.
std::string explained(const toml::parse_error& error, std::string_view text) {
  for (auto line = error.source().begin.line; line > 1; --line) {
    text.remove_prefix(std::min(text.find('\n') + 1, text.size()));
  }
  text = text.substr(0, text.find_first_of("=\n \t"));
  std::string_view what = error.description();
  if (what.starts_with("Error while parsing ")) what.remove_prefix(what.find(": ") + 2);
  std::string message = text.empty() ? "" : "'" + std::string(text) + "': ";
  message += what;
  if (what == "could not determine value type") message += "; text stands in quotes";
  return message;
}

}  // namespace

std::vector<ConfigItem> parse_config(const std::string& name, std::string_view text) {
  toml::table document;
  try {
    document = toml::parse(text);
  } catch (const toml::parse_error& error) {
    fail(name, error.source(), explained(error, text));
  }
  std::vector<ConfigItem> items;
  for (const auto& [key, node] : document) {
    const toml::table* const section = node.as_table();
    if (section == nullptr) {
      items.push_back(item_of(name, "", std::string(key.str()), node));
      continue;
    }
    for (const auto& [inner_key, inner] : *section) {
      items.push_back(item_of(name, std::string(key.str()), std::string(inner_key.str()), inner));
    }
  }
  // As they stand in the file, so that the first mistake is the one that is told.
  std::stable_sort(items.begin(), items.end(),
                   [](const ConfigItem& a, const ConfigItem& b) { return a.line < b.line; });
  return items;
}

std::vector<ConfigItem> read_config(const std::string& path) {
  const bool standard = path == "-";
  const std::string name = standard ? "standard input" : path;
  const auto fail = [&name] {
    throw Error(ErrorKind::data, name + ": cannot read: " + std::strerror(errno));
  };
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
      standard ? stdin : std::fopen(path.c_str(), "rb"), std::fclose);
  if (file == nullptr) fail();
  std::string text;
  std::array<char, 4096> piece{};
  while (const auto count = std::fread(piece.data(), 1, piece.size(), file.get())) {
    text.append(piece.data(), count);
  }
  if (std::ferror(file.get()) != 0) fail();
  return parse_config(name, text);
}

std::string toml_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (c == '\n') {
      quoted += "\\n";
    } else if (c == '\t') {
      quoted += "\\t";
    } else if (c == '\r') {
      quoted += "\\r";
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

}  // namespace rankine::cli
