// The command line's entry, and the one place that catches.
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include <unistd.h>

#include <rankine/program.hpp>
#include <rankine/version.hpp>

#include "framework/command.hpp"
#include "framework/help.hpp"
#include "framework/interruption.hpp"
#include "reports/file_check.hpp"

namespace rankine::cli {
namespace {

// kReaderGone is what a shell says of a program that SIGPIPE ended.
enum ExitCode { kDone = 0, kFailed = 1, kWrongUsage = 2, kReaderGone = 128 + 13 };

int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::data:
    case ErrorKind::option:
      return kWrongUsage;
    case ErrorKind::interrupted:
      return 128 + (stop_signal() != 0 ? stop_signal() : 2);
    case ErrorKind::io:
    case ErrorKind::device:
      break;
  }
  return kFailed;
}

/// The outputs are written by now; if an input changed meanwhile, the user must be told not to
/// trust them. Returns whether there was anything to say.
bool tell_changed_inputs(const std::string& command) {
  const std::vector<std::string> changed = changed_inputs();
  for (const std::string& path : changed) {
    write_error(command + ": " + path +
                ": another program changed the file while it was in use: do not trust the result, "
                "and run again\n");
  }
  return !changed.empty();
}

int run_command(const CommandEntry& entry, const std::vector<std::string>& words) {
  const std::string name = "rankine " + std::string(entry.name);
  const auto command = entry.make();
  Arguments arguments = arguments_of(entry, *command);
  const auto fail = [&](const std::string& message, int code) {
    write_error(name + ": " + message + "\n");
    return code;
  };
  try {
    arguments.parse(words);
    if (arguments.common().help) {
      write_output(command_help_text(arguments, terminal_width(STDOUT_FILENO)));
    } else if (arguments.common().dump_config) {
      write_output(arguments.config_text());
    } else {
      check_files(arguments);
      Console console(arguments.command(), arguments.common());
      command->run(arguments, console);
      console.finish();
    }
    return tell_changed_inputs(name) ? kWrongUsage : kDone;
  } catch (const UsageError& error) {
    return fail(error.what() + ("\nsee " + name + " --help"), kWrongUsage);
  } catch (const Error& error) {
    if (is_reader_gone(error)) return kReaderGone;
    const std::string message = error.kind() == ErrorKind::option
                                    ? arguments.with_flag_spelling(error.what())
                                    : error.what();
    const int code = fail(message, exit_code(error.kind()));
    tell_changed_inputs(name);
    return code;
  } catch (const std::bad_alloc&) {
    return fail("out of memory", kFailed);
  } catch (const std::exception& error) {
    return fail(std::string("unexpected: ") + error.what(), kFailed);
  }
}

int run(const std::vector<std::string>& words) {
  if (words.empty()) {
    write_error(overview_text(terminal_width(STDERR_FILENO)));
    return kWrongUsage;
  }
  try {
    if (words[0] == "--version") {
      write_output(std::string("rankine ") + kVersion + "\n");
      return kDone;
    }
    if (words[0] == "--help" || words[0] == "-h") {
      write_output(overview_text(terminal_width(STDOUT_FILENO)));
      return kDone;
    }
    if (words[0].starts_with("-")) {
      throw UsageError("options come after the command, and '" + words[0] + "' stands first");
    }
    return run_command(find_command(words[0]), {words.begin() + 1, words.end()});
  } catch (const UsageError& error) {
    write_error(std::string("rankine: ") + error.what() + "\nsee rankine --help\n");
    return kWrongUsage;
  } catch (const Error& error) {
    if (is_reader_gone(error)) return kReaderGone;
    write_error(std::string("rankine: ") + error.what() + "\n");
    return exit_code(error.kind());
  }
}

}  // namespace
}  // namespace rankine::cli

int main(int count, char** words) {
  rankine::reserve_standard_descriptors();
  rankine::end_when_inputs_are_cut();
  rankine::cli::watch_signals();
  const int code = rankine::cli::run({words + 1, words + count});
  if (rankine::has_abandoned_work()) std::_Exit(code);  // everything is written by now
  return code;
}
