// What a user of the installed library writes; it is built by find_package and by pkg-config.
#include <cstdio>
#include <exception>

#include <rankine/error.hpp>
#include <rankine/fields.hpp>
#include <rankine/version.hpp>

int main() {
  try {
    rankine::parse_real("noise", "much");
  } catch (const rankine::Error& error) {  // its type must be one and the same on both sides
    std::printf("%s: %s\n", rankine::kVersion, error.what());
    return 0;
  }
  return 1;
}
