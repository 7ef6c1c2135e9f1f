#include "framework/interruption.hpp"

#include <csignal>
#include <initializer_list>

namespace rankine::cli {
namespace {

volatile std::sig_atomic_t received = 0;

extern "C" void remember_signal(int signal) {
  received = signal;
}

}  // namespace

void watch_signals() {
  struct sigaction action {};
  action.sa_handler = remember_signal;
  // Without SA_RESTART a read that waits for a terminal or a pipe returns and can be given up.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction before {};
    // A process started in the background with SIGINT ignored (nohup, a script's &) stays so.
    if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) continue;
    ::sigaction(signal, &action, nullptr);
  }
  std::signal(SIGPIPE, SIG_IGN);
}

int stop_signal() {
  return static_cast<int>(received);
}

}  // namespace rankine::cli
