// Two things are decided before it is loaded. Threads: it starts one for each core as it is loaded,
// and these compete with ours even when told to rest. Kernels: Debian's build does not know
// processors newer than itself and may take one for a Prescott, at a third of the speed; what the
// processor can do says more than its name. A user's own OPENBLAS_CORETYPE holds.
#include "linalg/blas_library.hpp"

#include <cstdlib>
#include <new>
#include <optional>
#include <utility>

#include <dlfcn.h>
#include <sys/mman.h>

#include <rankine/error.hpp>
#include <rankine/program.hpp>

namespace rankine {
namespace {

constexpr const char* kLibraryName = "libopenblas.so.0";
constexpr std::size_t kLibraryBytes = std::size_t{256} << 20;  // code, and its first buffer

/// Sets a variable of the environment until the scope ends: what else runs in this process must
/// find its own.
class TemporaryVariable {
 public:
  TemporaryVariable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    ::setenv(name, value.c_str(), 1);
  }
  ~TemporaryVariable() {
    if (before_) {
      ::setenv(name_, before_->c_str(), 1);
    } else {
      ::unsetenv(name_);
    }
  }
  TemporaryVariable(const TemporaryVariable&) = delete;
  TemporaryVariable& operator=(const TemporaryVariable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

void* open_library() {
  if (!can_map(kLibraryBytes)) throw std::bad_alloc();
  const TemporaryVariable threads("OPENBLAS_NUM_THREADS", "1");
  std::optional<TemporaryVariable> core;
  const std::string suitable = suitable_blas_core();
  if (std::getenv("OPENBLAS_CORETYPE") == nullptr && !suitable.empty()) {
    core.emplace("OPENBLAS_CORETYPE", suitable);
  }
  void* const library = ::dlopen(kLibraryName, RTLD_NOW | RTLD_LOCAL);
  if (library != nullptr) return library;
  throw Error(ErrorKind::io, std::string("cannot load OpenBLAS: ") + ::dlerror() +
                                 "; on Debian, install libopenblas0-pthread");
}

template <class Function>
void take(Function& function, void* library, const char* name) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  if (function == nullptr) {
    throw Error(ErrorKind::io, std::string(kLibraryName) + " has no " + name +
                                   ": install OpenBLAS with LAPACK inside, as Debian's is");
  }
}

BlasLibrary load() {
  void* const library = open_library();
  BlasLibrary loaded;
  BlasFunctions& f = loaded.functions;
  take(f.ddot, library, "cblas_ddot");
  take(f.dgemv, library, "cblas_dgemv");
  take(f.dgemm, library, "cblas_dgemm");
  take(f.sgemm, library, "cblas_sgemm");
  take(f.dsyrk, library, "cblas_dsyrk");
  take(f.ssyrk, library, "cblas_ssyrk");
  take(f.dtrsv, library, "cblas_dtrsv");
  take(f.strsv, library, "cblas_strsv");
  take(f.dtrsm, library, "cblas_dtrsm");
  take(f.strsm, library, "cblas_strsm");
  take(f.dpotrf, library, "dpotrf_");
  take(f.spotrf, library, "spotrf_");
  take(f.dpstrf, library, "dpstrf_");
  take(f.dsyevd, library, "dsyevd_");
  take(f.dsyevr, library, "dsyevr_");
  take(f.dsterf, library, "dsterf_");
  take(f.dgeqrf, library, "dgeqrf_");
  take(f.dorgqr, library, "dorgqr_");

  decltype(&::openblas_set_num_threads) set_num_threads = nullptr;
  decltype(&::openblas_get_parallel) get_parallel = nullptr;
  decltype(&::openblas_get_config) get_config = nullptr;
  decltype(&::openblas_get_corename) get_core = nullptr;
  take(set_num_threads, library, "openblas_set_num_threads");
  take(get_parallel, library, "openblas_get_parallel");
  take(get_config, library, "openblas_get_config");
  take(get_core, library, "openblas_get_corename");
  set_num_threads(1);  // where somebody else had loaded it before
  loaded.is_serial = get_parallel() == OPENBLAS_SEQUENTIAL;
  const std::string config = get_config();  // "OpenBLAS 0.3.21 DYNAMIC_ARCH ..."
  const auto version_end = config.find(' ', config.find(' ') + 1);
  loaded.description = config.substr(0, version_end) + ", kernels for " + get_core();
  return loaded;
}

}  // namespace

const BlasLibrary& blas_library() {
  static const BlasLibrary library = load();
  return library;
}

std::string suitable_blas_core() {
#ifdef __x86_64__
  __builtin_cpu_init();
  const bool has_avx512 =
      __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512cd") != 0 &&
      __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
      __builtin_cpu_supports("avx512vl") != 0;
  if (has_avx512) return "SkylakeX";
  const bool has_avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  if (has_avx2) return "Haswell";
#endif
  return "";
}

bool can_map(std::size_t num_bytes) {
  void* const map =
      ::mmap(nullptr, num_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED) return false;
  ::munmap(map, num_bytes);
  return true;
}

std::string linear_algebra() {
  return blas_library().description;
}

}  // namespace rankine
