#include "linalg/blas_library.hpp"

#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include <rankine/program.hpp>

namespace rankine {
namespace {

std::ptrdiff_t num_threads() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"),
                       std::filesystem::directory_iterator());
}

TEST(BlasLibrary, starts_no_thread_and_leaves_the_environment_as_it_was) {
  const char* const before = std::getenv("OPENBLAS_NUM_THREADS");
  const std::string kept = before == nullptr ? "none" : before;
  const auto threads = num_threads();
  EXPECT_NE(blas_library().functions.sgemm, nullptr);
  EXPECT_EQ(num_threads(), threads);
  const char* const after = std::getenv("OPENBLAS_NUM_THREADS");
  EXPECT_EQ(after == nullptr ? "none" : std::string(after), kept);
}

TEST(BlasLibrary, says_what_it_is_and_takes_the_kernels_that_suit) {
  const std::string text = linear_algebra();
  EXPECT_EQ(text.find("OpenBLAS "), 0U) << text;
  const std::string core = std::getenv("OPENBLAS_CORETYPE") != nullptr ? "" : suitable_blas_core();
  EXPECT_NE(text.find(", kernels for " + core), std::string::npos) << text;
}

TEST(BlasLibrary, knows_what_the_address_space_has_room_for) {
  EXPECT_TRUE(can_map(std::size_t{1} << 20));
  EXPECT_FALSE(can_map(std::size_t{1} << 62));
}

}  // namespace
}  // namespace rankine
