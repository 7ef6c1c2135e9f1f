# OpenBLAS, which has LAPACK inside. The build with threads is preferred, with its threads switched off (docs/dependencies.md
# says why the serial build is not): ours run above it. Its headers are needed here; the library is loaded when a
# product is first needed.
find_path(RANKINE_CBLAS_INCLUDE openblas_config.h PATH_SUFFIXES openblas-pthread openblas REQUIRED)
set(RANKINE_OPENBLAS_NAME "libopenblas.so.0" CACHE STRING "What the dynamic linker is asked for to have OpenBLAS")
add_library(rankine_blas INTERFACE)
target_include_directories(rankine_blas SYSTEM INTERFACE ${RANKINE_CBLAS_INCLUDE})
target_compile_definitions(rankine_blas INTERFACE RANKINE_OPENBLAS_NAME="${RANKINE_OPENBLAS_NAME}")
target_link_libraries(rankine_blas INTERFACE ${CMAKE_DL_LIBS})
