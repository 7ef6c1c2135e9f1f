#include "compute/registry.hpp"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

#include "compute/cpu/cpu_backend.hpp"

namespace rankine {
namespace {

std::string refusal(const auto& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::option);
    return error.what();
  }
  return "";
}

TEST(BackendRegistry, has_the_processor_as_its_default) {
  EXPECT_EQ(default_backend().name(), "cpu");
  EXPECT_EQ(&find_backend("cpu"), &default_backend());
  EXPECT_EQ(backend_names().front(), "cpu");
}

TEST(BackendRegistry, names_the_devices_there_are) {
  const std::string message = refusal([] { find_backend("gpu"); });
  EXPECT_NE(message.find("device"), std::string::npos) << message;
  EXPECT_NE(message.find("gpu"), std::string::npos) << message;
  EXPECT_NE(message.find("cpu"), std::string::npos) << message;
}

TEST(BackendRegistry, refuses_a_name_twice) {
  const std::string message = refusal([] { register_backend(std::make_unique<CpuBackend>()); });
  EXPECT_NE(message.find("'cpu' is registered already"), std::string::npos) << message;
  EXPECT_EQ(backend_names().size(), 1U);
}

}  // namespace
}  // namespace rankine
