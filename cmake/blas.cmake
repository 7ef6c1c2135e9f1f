# OpenBLAS with LAPACKE. The serial build is preferred: threads are ours, above it, so that the same
# data gives the same bits whatever their number.
find_library(RANKINE_OPENBLAS openblas PATH_SUFFIXES openblas-serial REQUIRED)
find_library(RANKINE_LAPACKE lapacke REQUIRED)
find_path(RANKINE_CBLAS_INCLUDE cblas.h PATH_SUFFIXES openblas-serial openblas REQUIRED)
add_library(rankine_blas INTERFACE)
target_include_directories(rankine_blas SYSTEM INTERFACE ${RANKINE_CBLAS_INCLUDE})
target_link_libraries(rankine_blas INTERFACE ${RANKINE_LAPACKE} ${RANKINE_OPENBLAS})
