#include "methods/method.hpp"

#include <gtest/gtest.h>

#include <rankine/options.hpp>

#include "compute/registry.hpp"
#include "methods/registry.hpp"

namespace rankine {
namespace {

TEST(Method, takes_more_memory_for_a_larger_kernel) {
  const Backend& cpu = default_backend();
  for (const std::string_view name : method_names()) {
    const auto method = make_method(MethodOptions::named(name));
    EXPECT_GT(method->exact_kernel_bytes(cpu, 2000), 3 * method->exact_kernel_bytes(cpu, 1000))
        << name;
  }
}

TEST(Method, has_no_stream_unless_it_says_so) {
  const TrainOptions options;
  EXPECT_EQ(make_method(SvmOptions{})->stream(options, 5), nullptr);
  EXPECT_NE(make_method(RlsOptions{})->stream(options, 5), nullptr);
}

}  // namespace
}  // namespace rankine
