#include "framework/interruption.hpp"

#include <array>
#include <csignal>
#include <initializer_list>

namespace rankine::cli {
namespace {

volatile std::sig_atomic_t received = 0;

extern "C" void remember_signal(int signal) {
  received = signal;
}

struct WatchedSignal {
  int number;
  bool second_ends;  // asked twice, the user means it
};

// A dropped connection may send SIGHUP twice, and the system repeats SIGXCPU every second: these
// must not end the process while it keeps the best model.
constexpr std::array kWatched{WatchedSignal{SIGINT, true}, WatchedSignal{SIGTERM, true},
                              WatchedSignal{SIGHUP, false}, WatchedSignal{SIGXCPU, false}};

}  // namespace

void watch_signals() {
  for (const WatchedSignal& watched : kWatched) {
    struct sigaction action {};
    action.sa_handler = remember_signal;
    // Without SA_RESTART a read that waits for a terminal or a pipe returns and can be given up.
    if (watched.second_ends) action.sa_flags = static_cast<int>(SA_RESETHAND);
    struct sigaction before {};
    // A process started in the background with SIGINT ignored (nohup, a script's &) stays so.
    const bool known = ::sigaction(watched.number, nullptr, &before) == 0;
    if (known && before.sa_handler == SIG_IGN) continue;
    ::sigaction(watched.number, &action, nullptr);
  }
  for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
}

int stop_signal() {
  return static_cast<int>(received);
}

}  // namespace rankine::cli
