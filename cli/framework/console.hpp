// What a command prints: results to standard output, notes to standard error.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include <rankine/progress.hpp>

#include "framework/arguments.hpp"
#include "framework/progress_display.hpp"

namespace rankine::cli {

/// The reader of standard output has closed it, as head does: not a failure of ours.
class ReaderGone : public Error {
 public:
  ReaderGone() : Error(ErrorKind::io, "standard output: the reader of the pipe has gone") {}
};

/// Whether an error is that, also where the library met it.
bool is_reader_gone(const Error& error);

/// Writes all of it; throws ReaderGone, or Error{io} ("standard output: cannot write: No space left
/// on device").
void write_output(std::string_view text);
/// Writes to standard error; a failure there has nowhere to be told.
void write_error(std::string_view text);
/// The columns of the terminal at `descriptor`; elsewhere $COLUMNS, or 80.
int terminal_width(int descriptor);

class Console {
 public:
  Console(const std::string& command, const CommonOptions& options);

  /// Whether the result is wanted as JSON; then print one object and nothing else.
  bool json() const { return json_; }
  /// Results. Text ends with its own newline; JSON gets one, and keeps every digit of a double; the
  /// version of its form and the command come first.
  void print(std::string_view text);
  void print_json(const nlohmann::ordered_json& object);

  /// Notes, one line each: not with --quiet; only with --verbose.
  void note(std::string_view text);
  void detail(std::string_view text);
  /// "rankine inspect: warning: ..."; left out with --quiet.
  void warn(std::string_view text);

  /// For the library's long work: shows where it stands, and stops it after Ctrl-C. Valid as long
  /// as this object.
  Progress progress();
  /// Throws Error{interrupted} after Ctrl-C: for loops of our own.
  void stop_if_interrupted() const;
  /// Takes the progress display down; called by main before anything else is said.
  void finish() { display_.finish(); }

 private:
  void talk(std::string_view text);

  std::string command_;
  bool json_;
  bool quiet_;
  bool verbose_;
  ProgressDisplay display_;
};

}  // namespace rankine::cli
