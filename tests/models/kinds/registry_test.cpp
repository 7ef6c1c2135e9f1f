#include "models/kinds/registry.hpp"

#include <algorithm>
#include <memory>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

#include "models/kinds/linear_kind.hpp"

namespace rankine {
namespace {

TEST(ModelKindRegistry, finds_kinds_by_their_names) {
  for (const std::string_view name : model_kind_names()) {
    ASSERT_NE(find_model_kind(name), nullptr);
    EXPECT_EQ(find_model_kind(name)->name(), name);
  }
  EXPECT_EQ(find_model_kind("trees"), nullptr);
  EXPECT_EQ(kind_of(LinearFunction{}).name(), "linear");
}

TEST(ModelKindRegistry, takes_a_name_once) {
  EXPECT_THROW(register_model_kind(std::make_unique<LinearKind>()), Error);
}

}  // namespace
}  // namespace rankine
