#include "framework/console.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <nlohmann/json.hpp>
#include <sys/ioctl.h>
#include <unistd.h>

#include <rankine/printable.hpp>

#include "framework/interruption.hpp"

namespace rankine::cli {
namespace {

// Of docs/formats/json.md: rises when a key changes its meaning or goes.
constexpr int kJsonVersion = 1;

/// Returns false with errno set when something could not be written.
bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR && stop_signal() == 0) continue;
      return false;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

bool is_reader_gone(const Error& error) {
  return std::string_view(error.what()) == ReaderGone().what();
}

void write_output(std::string_view text) {
  if (write_all(STDOUT_FILENO, text)) return;
  const int code = errno;
  if (code == EINTR) throw Error(ErrorKind::interrupted, "interrupted");
  if (code == EBADF) throw Error(ErrorKind::io, "standard output: cannot write: it is closed");
  if (code == EPIPE) throw ReaderGone();
  throw Error(ErrorKind::io, std::string("standard output: cannot write: ") + std::strerror(code));
}

void write_error(std::string_view text) {
  static_cast<void>(write_all(STDERR_FILENO, text));
}

int terminal_width(int descriptor) {
  constexpr int kUsual = 80;
  constexpr int kNarrowest = 40;
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    return std::max<int>(size.ws_col, kNarrowest);
  }
  const char* columns = std::getenv("COLUMNS");
  const int width = columns == nullptr ? 0 : std::atoi(columns);
  return width > 0 ? std::max(width, kNarrowest) : kUsual;
}

Console::Console(const std::string& command, const CommonOptions& options)
    : command_(command),
      json_(options.json),
      quiet_(options.quiet),
      verbose_(options.verbose && !options.quiet),
      display_(!options.quiet, verbose_) {}

void Console::print(std::string_view text) {
  display_.clear();
  write_output(text);
}

void Console::print_json(const nlohmann::ordered_json& object) {
  nlohmann::ordered_json whole{{"version", kJsonVersion}, {"command", command_}};
  whole.update(object);
  // Bytes that are not UTF-8 (a query id, a path) are replaced: the output is always valid JSON.
  print(
      printable_json(whole.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace)) +
      "\n");
}

void Console::talk(std::string_view text) {
  display_.clear();
  write_error(printable(text) + "\n");
}

void Console::note(std::string_view text) {
  if (!quiet_) talk(text);
}

void Console::detail(std::string_view text) {
  if (verbose_) talk(text);
}

void Console::warn(std::string_view text) {
  if (!quiet_) talk("rankine " + command_ + ": warning: " + std::string(text));
}

Progress Console::progress() {
  return [this](const ProgressEvent& event) {
    display_.update(event);
    return stop_signal() == 0;
  };
}

void Console::stop_if_interrupted() const {
  if (stop_signal() != 0) throw Error(ErrorKind::interrupted, "interrupted");
}

}  // namespace rankine::cli
