# Compile options shared by everything we write; dependencies come in as SYSTEM headers.
add_library(rankine_warnings INTERFACE)
target_compile_options(rankine_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wnon-virtual-dtor
  -Wold-style-cast -Woverloaded-virtual -Wcast-qual -Wundef
  # GCC 12 sees overlapping copies in the standard library's own string concatenation.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  # The same bits on every machine and compiler: no contraction of a*b+c unless a kernel asks.
  -ffp-contract=off
  $<$<BOOL:${RANKINE_WARNINGS_AS_ERRORS}>:-Werror>)
if(RANKINE_SANITIZE)
  add_compile_options(-fsanitize=${RANKINE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${RANKINE_SANITIZE})
  # Kernels for the registers of most machines and for none, as GCC has them: others are the same code again.
  add_compile_definitions(HWY_DISABLED_TARGETS=\(HWY_SSSE3|HWY_SSE4|HWY_AVX3|HWY_AVX3_DL\)
    HWY_BROKEN_EMU128=1)
endif()
