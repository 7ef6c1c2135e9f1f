// The table of commands: one line each.
#include <array>
#include <string>
#include <vector>

#include "framework/command.hpp"

namespace rankine::cli {

std::unique_ptr<Command> completion_command();
std::unique_ptr<Command> convert_command();
std::unique_ptr<Command> evaluate_command();
std::unique_ptr<Command> score_command();
std::unique_ptr<Command> train_command();
std::unique_ptr<Command> help_command();
std::unique_ptr<Command> inspect_command();
std::unique_ptr<Command> synth_command();
std::unique_ptr<Command> tune_command();
std::unique_ptr<Command> version_command();

std::span<const CommandEntry> command_table() {
  static constexpr std::array kCommands{
      CommandEntry{"synth", "makes LETOR-like data with a known answer", synth_command},
      CommandEntry{"train", "fits a model that ranks", train_command},
      CommandEntry{"tune", "finds the options that rank best on validation data", tune_command},
      CommandEntry{"score", "the scores a model gives to documents", score_command},
      CommandEntry{"inspect", "a data set or a model in words and numbers", inspect_command},
      CommandEntry{"convert", "text, CSV and the binary cache, one to another; folds",
                   convert_command},
      CommandEntry{"evaluate", "measures how well scores rank", evaluate_command},
      CommandEntry{"completion", "prints a completion script for bash, zsh or fish",
                   completion_command},
      CommandEntry{"help", "explains a command, or all of them", help_command},
      CommandEntry{"version", "which program this is, and what it computes with", version_command},
  };
  return kCommands;
}

const CommandEntry& find_command(std::string_view name) {
  std::vector<std::string_view> names;
  for (const CommandEntry& entry : command_table()) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  std::string message = "'" + std::string(name) + "' is no command";
  if (const auto nearest = nearest_spelling(name, names); !nearest.empty()) {
    message += " (did you mean " + std::string(nearest) + "?)";
  }
  throw UsageError(message);
}

Arguments arguments_of(const CommandEntry& entry, Command& command) {
  Arguments arguments(std::string(entry.name), std::string(entry.summary));
  command.declare(arguments);
  arguments.declare_common();
  return arguments;
}

}  // namespace rankine::cli
