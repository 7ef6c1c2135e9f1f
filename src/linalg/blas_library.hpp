// OpenBLAS, loaded when a product is first needed: its 37 MB take some 15 ms of a run that may need
// none of it, and what it reads from the environment when it is loaded can then be set here.
#pragma once

#include <cstddef>
#include <string>

#include <cblas.h>

namespace rankine {

/// What we call. Fortran passes everything by address, and after all of it the length of each
/// string.
struct BlasFunctions {
  decltype(&::cblas_ddot) ddot = nullptr;
  decltype(&::cblas_dgemv) dgemv = nullptr;
  decltype(&::cblas_dgemm) dgemm = nullptr;
  decltype(&::cblas_sgemm) sgemm = nullptr;
  decltype(&::cblas_dsyrk) dsyrk = nullptr;
  decltype(&::cblas_ssyrk) ssyrk = nullptr;
  decltype(&::cblas_dtrsv) dtrsv = nullptr;
  decltype(&::cblas_strsv) strsv = nullptr;
  decltype(&::cblas_dtrsm) dtrsm = nullptr;
  decltype(&::cblas_strsm) strsm = nullptr;

  void (*dpotrf)(const char* part, const int* n, double* a, const int* stride, int* status,
                 std::size_t) = nullptr;
  void (*spotrf)(const char* part, const int* n, float* a, const int* stride, int* status,
                 std::size_t) = nullptr;
  void (*dpstrf)(const char* part, const int* n, double* a, const int* stride, int* pivots,
                 int* rank, const double* least, double* work, int* status, std::size_t) = nullptr;
  void (*dsyevd)(const char* job, const char* part, const int* n, double* a, const int* stride,
                 double* values, double* work, const int* num_work, int* integers,
                 const int* num_integers, int* status, std::size_t, std::size_t) = nullptr;
  void (*dsyevr)(const char* job, const char* range, const char* part, const int* n, double* a,
                 const int* stride, const double* lower, const double* upper, const int* first,
                 const int* last, const double* tolerance, int* found, double* values,
                 double* vectors, const int* vector_stride, int* support, double* work,
                 const int* num_work, int* integers, const int* num_integers, int* status,
                 std::size_t, std::size_t, std::size_t) = nullptr;
  void (*dsterf)(const int* n, double* diagonal, double* beside, int* status) = nullptr;
  void (*dgeqrf)(const int* height, const int* width, double* a, const int* stride,
                 double* reflectors, double* work, const int* num_work, int* status) = nullptr;
  void (*dorgqr)(const int* height, const int* width, const int* num_reflectors, double* a,
                 const int* stride, const double* reflectors, double* work, const int* num_work,
                 int* status) = nullptr;
};

struct BlasLibrary {
  BlasFunctions functions;
  bool is_serial = false;   // built without threads, and so without locks
  std::string description;  // "OpenBLAS 0.3.21, kernels for SkylakeX"
};

/// Loads it on the first call; safe from any thread. Throws Error{io} where it is not installed,
/// std::bad_alloc where there is no memory for it.
const BlasLibrary& blas_library();

/// The kernels that suit this processor, as OPENBLAS_CORETYPE spells them; empty where OpenBLAS is
/// to find out.
std::string suitable_blas_core();

/// Whether so many bytes of address space could be had now.
bool can_map(std::size_t num_bytes);

}  // namespace rankine
