#include "framework/help.hpp"

#include <algorithm>
#include <tuple>

#include <unistd.h>

#include <rankine/version.hpp>

#include "framework/command.hpp"
#include "framework/text_table.hpp"

namespace rankine::cli {
namespace {

constexpr int kWidest = 100;  // lines longer than this are hard to read on any screen
constexpr int kTermColumn = 30;

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (const std::string& part : parts) {
    text += (text.empty() ? "" : std::string(separator)) + part;
  }
  return text;
}

std::string value_name(const OptionEntry& entry) {
  if (entry.type == OptionType::flag) return "";
  if (entry.type == OptionType::choice) return joined(entry.choices, "|");
  if (!entry.unit.empty()) return entry.unit;
  return entry.type == OptionType::text ? "TEXT" : "X";
}

std::string default_of(const OptionEntry& entry, const ShownGroup& group) {
  if (!group.default_note.empty()) return group.default_note;
  return entry.type == OptionType::flag ? "" : entry.default_text;
}

std::string option_help(const OptionEntry& entry, const ShownGroup& group) {
  std::vector<std::string> notes;
  if (!entry.range.empty()) notes.push_back(entry.range);
  if (const auto value = default_of(entry, group); !value.empty()) {
    notes.push_back("default: " + value);
  }
  return entry.help + (notes.empty() ? "" : " (" + joined(notes, "; ") + ")");
}

/// A term and its explanation in two columns; a long term has a line of its own.
std::string entry_lines(const std::string& term, const std::string& says, int width) {
  std::string line = "  " + term;
  if (display_width(line) > kTermColumn - 2) {
    line += "\n" + std::string(kTermColumn, ' ');
  } else {
    line += std::string(static_cast<std::size_t>(kTermColumn - display_width(line)), ' ');
  }
  return line + wrap_text(says, width - kTermColumn, kTermColumn) + "\n";
}

std::string usage_words(const Arguments& arguments) {
  std::string usage = "rankine " + arguments.command();
  for (const Positional& positional : arguments.positional_list()) {
    std::string word = positional.name + (positional.many != nullptr ? "..." : "");
    usage += positional.required ? " " + word : " [" + word + "]";
  }
  return usage + " [options]";
}

std::string escaped_cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

std::string group_table(const ShownGroup& group) {
  std::string page = "\n### " + group.title + "\n\n| option | default | meaning |\n|---|---|---|\n";
  for (const OptionEntry& entry : group.entries) {
    const std::string value = value_name(entry);
    const std::string initial = default_of(entry, group);
    const std::string range = entry.range.empty() ? "" : " (" + entry.range + ")";
    page += "| `" + flag_of(entry.name) + (value.empty() ? "" : " " + escaped_cell(value)) +
            "` | " +
            (initial.empty() ? "" : (group.default_note.empty() ? "`" + initial + "`" : initial)) +
            " | " + escaped_cell(entry.help + range) + " |\n";
  }
  return page;
}

std::string command_page(const Arguments& arguments, bool with_common) {
  std::string page = "\n## rankine " + arguments.command() + "\n\n" +
                     (arguments.about().empty() ? arguments.summary() : arguments.about()) +
                     "\n\n    " + usage_words(arguments) + "\n\n";
  for (const Positional& positional : arguments.positional_list()) {
    page += "- `" + positional.name + "`: " + positional.help + "\n";
  }
  for (const ShownGroup& group : arguments.groups()) {
    if (!group.entries.empty() && (with_common || group.title != "Common")) {
      page += group_table(group);
    }
  }
  if (!arguments.examples().empty()) page += "\n### Examples\n";
  for (const Example& example : arguments.examples()) {
    page += "\n" + example.says + ":\n\n    " + example.command + "\n";
  }
  return page;
}

struct HelpOptions {
  bool markdown = false;
};

constexpr auto fields(const HelpOptions&) {
  return std::tuple{Field{"markdown", &HelpOptions::markdown, NoRange{},
                          "print all commands and options as a Markdown page"}};
}

class Help : public Command {
  void declare(Arguments& arguments) override {
    std::vector<std::string> names;
    for (const CommandEntry& entry : command_table()) names.emplace_back(entry.name);
    arguments.optional_positional("COMMAND", command_, "the command to explain", "COMMAND");
    arguments.choices(std::move(names));
    arguments.group("Help", options_);
    arguments.example("rankine help inspect", "The same as rankine inspect --help");
  }

  void run(const Arguments&, Console& console) override {
    const int width = terminal_width(STDOUT_FILENO);
    if (options_.markdown) {
      console.print(options_page());
    } else if (command_.empty()) {
      console.print(overview_text(width));
    } else {
      const CommandEntry& entry = find_command(command_);
      const auto command = entry.make();
      console.print(command_help_text(arguments_of(entry, *command), width));
    }
  }

  std::string command_;
  HelpOptions options_;
};

}  // namespace

std::string overview_text(int width) {
  width = std::min(width, kWidest);
  std::string text = std::string("rankine ") + kVersion +
                     ": learning to rank, fast, exact, explainable\n\n"
                     "usage: rankine COMMAND [arguments] [options]\n\ncommands:\n";
  TextTable table;
  for (const CommandEntry& entry : command_table()) {
    table.add({std::string(entry.name), std::string(entry.summary)});
  }
  return text + table.text(2) +
         "\nrankine COMMAND --help explains a command; rankine --version prints the version.\n"
         "Exit status: 0 done, 1 the task failed, 2 wrong usage or bad input,\n"
         "128 + the signal: interrupted (130 by Ctrl-C).\n"
         "\nexample:\n  rankine synth train.txt --queries 100\n  rankine inspect train.txt\n";
}

std::string command_help_text(const Arguments& arguments, int width) {
  width = std::min(width, kWidest);
  std::string text =
      "usage: " + usage_words(arguments) + "\n\n" +
      wrap_text(arguments.about().empty() ? arguments.summary() : arguments.about(), width) + "\n";
  if (!arguments.positional_list().empty()) text += "\nArguments\n";
  for (const Positional& positional : arguments.positional_list()) {
    text += entry_lines(positional.name, positional.help, width);
  }
  for (const ShownGroup& group : arguments.groups()) {
    if (group.entries.empty()) continue;
    text += "\n" + group.title + "\n";
    for (const OptionEntry& entry : group.entries) {
      const std::string value = value_name(entry);
      text += entry_lines(flag_of(entry.name) + (value.empty() ? "" : " " + value),
                          option_help(entry, group), width);
    }
  }
  if (!arguments.examples().empty()) text += "\nExamples\n";
  for (const Example& example : arguments.examples()) {
    text += "  # " + wrap_text(example.says, width - 4, 4) + "\n  " + example.command + "\n";
  }
  return text;
}

std::string options_page() {
  std::string page =
      "# Commands and options\n\n"
      "Generated by `rankine help --markdown`; a test keeps it up to date. A number may be written "
      "as `2^-5`.\nIn a config file the option `--num-features` is the key `num_features`.\n";
  bool first = true;
  for (const CommandEntry& entry : command_table()) {
    const auto command = entry.make();
    const Arguments arguments = arguments_of(entry, *command);
    if (first) {
      page += "\n## Every command\n" + group_table(arguments.groups().back());
      first = false;
    }
    page += command_page(arguments, false);
  }
  return page;
}

std::unique_ptr<Command> help_command() {
  return std::make_unique<Help>();
}

}  // namespace rankine::cli
