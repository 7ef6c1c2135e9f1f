// A command of the binary, and how to add one. In cli/synth.cpp:
//
//   class Synth : public Command {
//     void declare(Arguments& arguments) override {
//       arguments.about("Makes LETOR-like data with a known answer.");
//       arguments.positional("OUT", out_, "where the data goes; - is standard output", "FILE");
//       arguments.group("Data", options_);     // every option of the struct's fields() table
//       arguments.example("rankine synth train.txt --queries 200", "a small set");
//     }
//     void run(const Arguments& arguments, Console& console) override {
//       write_synthetic(out_, options_, "", 0, console.progress());
//       if (console.json()) console.print_json({{"rows", rows}});
//       else console.note("wrote " + out_);
//     }
//     std::string out_;
//     SynthOptions options_;
//   };
//   std::unique_ptr<Command> synth_command() { return std::make_unique<Synth>(); }
//
// and one line for it in the table of cli/commands.cpp, its source in cli/CMakeLists.txt. Flags,
// help, config files, completion and the options page then follow from the tables. A command's own
// options are a struct with a fields() table in its source file. Throw Error for what the user or
// the world got wrong and UsageError for a wrong combination of arguments; catch nothing.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "framework/arguments.hpp"
#include "framework/console.hpp"

namespace rankine::cli {

class Command {
 public:
  virtual ~Command() = default;
  /// Names what the command takes. Called once, before anything else.
  virtual void declare(Arguments& arguments) = 0;
  /// Does the work. The members bound in declare() hold the user's values by now.
  virtual void run(const Arguments& arguments, Console& console) = 0;
};

struct CommandEntry {
  std::string_view name;
  std::string_view summary;
  std::unique_ptr<Command> (*make)();
};

/// Every command, in the order of the help.
std::span<const CommandEntry> command_table();

/// The command spelled `name`; throws UsageError suggesting the nearest.
const CommandEntry& find_command(std::string_view name);

/// What a command declares, without running it.
Arguments arguments_of(const CommandEntry& entry, Command& command);

}  // namespace rankine::cli
