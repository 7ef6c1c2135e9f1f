# OpenBLAS, which has LAPACK inside. The build with threads is preferred, with its threads switched off (docs/dependencies.md
# says why the serial build is not): ours run above it. Its headers are needed here; the library is loaded when a
# product is first needed.
find_path(RANKINE_CBLAS_INCLUDE openblas_config.h PATH_SUFFIXES openblas-pthread openblas REQUIRED)
add_library(rankine_blas INTERFACE)
target_include_directories(rankine_blas SYSTEM INTERFACE ${RANKINE_CBLAS_INCLUDE})
target_link_libraries(rankine_blas INTERFACE ${CMAKE_DL_LIBS})
