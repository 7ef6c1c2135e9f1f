# OpenBLAS, which has LAPACK inside. The build with threads is preferred, with its threads switched off at run time
# (src/compute/blas_access.hpp says why the serial build is not): ours run above it.
find_library(RANKINE_OPENBLAS openblas PATH_SUFFIXES openblas-pthread REQUIRED)
find_path(RANKINE_CBLAS_INCLUDE openblas_config.h PATH_SUFFIXES openblas-pthread openblas REQUIRED)
add_library(rankine_blas INTERFACE)
target_include_directories(rankine_blas SYSTEM INTERFACE ${RANKINE_CBLAS_INCLUDE})
target_link_libraries(rankine_blas INTERFACE ${RANKINE_OPENBLAS})
