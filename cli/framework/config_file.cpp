// A cursor walks the text once. Values keep the spelling the user gave them: the options' own
// parsers give them meaning, so 2^-5 may stand in quotes where TOML has no such number.
#include "framework/config_file.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <set>
#include <utility>

#include <rankine/error.hpp>

namespace rankine::cli {
namespace {

bool is_bare(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

class ConfigParser {
 public:
  ConfigParser(const std::string& name, std::string_view text) : name_(name), text_(text) {}

  std::vector<ConfigItem> parse() {
    std::vector<ConfigItem> items;
    std::set<std::pair<std::string, std::string>> seen;
    std::string section;
    for (skip_blank_lines(); !at_end(); skip_blank_lines()) {
      if (peek() == '[') {
        section = parse_section();
      } else {
        items.push_back(parse_item(section));
        if (!seen.insert({section, items.back().key}).second) {
          fail("'" + items.back().key + "' is set twice");
        }
      }
      end_line();
    }
    return items;
  }

 private:
  bool at_end() const { return next_ >= text_.size(); }
  char peek() const { return at_end() ? '\n' : text_[next_]; }
  char take() {
    const char c = peek();
    if (c == '\n') ++line_;
    ++next_;
    return c;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::data, name_ + ":" + std::to_string(line_) + ": " + what);
  }

  void skip_spaces() {
    while (!at_end() && (peek() == ' ' || peek() == '\t' || peek() == '\r')) take();
  }
  void skip_comment() {
    while (peek() == '#' && !at_end()) {
      while (!at_end() && peek() != '\n') take();
    }
  }
  void skip_blank_lines() {
    for (;;) {
      skip_spaces();
      skip_comment();
      if (at_end() || peek() != '\n') return;
      take();
    }
  }
  void end_line() {
    skip_spaces();
    skip_comment();
    if (!at_end() && peek() != '\n') fail("unexpected text after the value");
  }

  std::string parse_section() {
    take();
    if (peek() == '[') fail("arrays of tables are not used here");
    skip_spaces();
    const std::string section = parse_key();
    skip_spaces();
    if (peek() != ']') fail("a section is written [name]");
    take();
    return section;
  }

  std::string parse_key() {
    if (peek() == '"' || peek() == '\'') return parse_string();
    std::string key;
    while (!at_end() && is_bare(peek())) key += take();
    if (key.empty()) fail("a name was expected, as in: seed = 7");
    return key;
  }

  ConfigItem parse_item(const std::string& section) {
    ConfigItem item;
    item.section = section;
    item.line = line_;
    item.key = parse_key();
    skip_spaces();
    if (peek() != '=') fail("'" + item.key + "' has no value: write " + item.key + " = ...");
    take();
    skip_spaces();
    if (peek() == '[') {
      item.values = parse_array();
    } else {
      item.values.push_back(parse_value());
    }
    return item;
  }

  std::vector<std::string> parse_array() {
    std::vector<std::string> values;
    take();
    for (skip_blank_lines(); peek() != ']'; skip_blank_lines()) {
      if (at_end()) fail("an array is not closed with ]");
      values.push_back(parse_value());
      skip_blank_lines();
      if (peek() == ',') {
        take();
      } else if (peek() != ']') {
        fail("an array's values are separated by commas and closed with ]");
      }
    }
    take();
    return values;
  }

  std::string parse_value() {
    if (peek() == '"' || peek() == '\'') return parse_string();
    std::string value;
    while (!at_end() && (is_bare(peek()) || peek() == '.' || peek() == '+' || peek() == ':')) {
      value += take();
    }
    if (value.empty()) fail("a value was expected; text stands in quotes");
    return without_underscores(value);
  }

  /// TOML writes 1_000_000; a bare word that is no number is an error.
  std::string without_underscores(const std::string& value) const {
    if (value == "true" || value == "false") return value;
    const bool number = value.find_first_of("0123456789") != std::string::npos &&
                        value.find_first_not_of("0123456789+-._eE") == std::string::npos;
    const std::string digits =
        value.front() == '+' || value.front() == '-' ? value.substr(1) : value;
    if (!number && digits != "inf" && digits != "nan")
      fail("text stands in quotes: \"" + value + "\"");
    std::string plain;
    for (const char c : value) {
      if (c != '_') plain += c;
    }
    return plain;
  }

  std::string parse_string() {
    const char quote = take();
    std::string text;
    while (peek() != quote) {
      if (at_end() || peek() == '\n') fail("a string is not closed");
      const char c = take();
      text += quote == '"' && c == '\\' ? parse_escape() : c;
    }
    take();
    return text;
  }

  char parse_escape() {
    switch (take()) {
      case '"':
        return '"';
      case '\\':
        return '\\';
      case 'n':
        return '\n';
      case 't':
        return '\t';
      case 'r':
        return '\r';
      default:
        fail("unknown escape in a string; a plain backslash is written \\\\");
    }
  }

  const std::string& name_;
  std::string_view text_;
  std::size_t next_ = 0;
  int line_ = 1;
};

}  // namespace

std::vector<ConfigItem> parse_config(const std::string& name, std::string_view text) {
  return ConfigParser(name, text).parse();
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
