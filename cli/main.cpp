// The command line's entry: the table of commands and the one catch.
#include <cstdio>

#include <rankine/version.hpp>

int main() {
  std::printf("rankine %s\n", rankine::kVersion);
  return 0;
}
