// RANKINE_ASSERT states what the code around it relies on: our own mistakes, never the user's
// input.
#pragma once

#ifdef RANKINE_CHECK_CONTRACTS
#include <cstdio>
#include <cstdlib>
#define RANKINE_ASSERT(condition)                                                           \
  do {                                                                                      \
    if (!(condition)) {                                                                     \
      std::fprintf(stderr, "%s:%d: contract broken: %s\n", __FILE__, __LINE__, #condition); \
      std::abort();                                                                         \
    }                                                                                       \
  } while (false)
#else
#define RANKINE_ASSERT(condition) static_cast<void>(0)
#endif
