#include "models/kinds/model_kind.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

#include "models/kinds/linear_kind.hpp"
#include "oracles/function_scores.hpp"

namespace rankine {
namespace {

TEST(ModelKind, has_no_variance_and_no_format_of_others_unless_it_says_so) {
  const LinearFunction function{{1}};
  Model model;
  model.function = function;
  model.scaling.num_features = 1;
  const Dataset data = oracles::unnamed(DenseMatrix{1, 1, std::vector<float>{2}});
  EXPECT_FALSE(LinearKind().variances(function, ModelRows(model, data, 1)).has_value());
  EXPECT_FALSE(LinearKind().with_terms(function, {}).has_value());
  EXPECT_THROW(LinearKind().exported(function, "onnx"), Error);
}

TEST(ModelRows, wider_than_memory_are_refused_whatever_the_data_is) {
  Model model;
  model.function = KernelFunction{{.kind = Kernel::rbf},
                                  CsrMatrix{0, 4294967295, std::vector<std::int64_t>{0},
                                            std::vector<std::uint32_t>{}, std::vector<float>{}},
                                  {}};
  model.scaling.kind = Scaling::log;
  model.scaling.num_features = 4294967295;
  const Dataset data = oracles::unnamed(DenseMatrix{60'000, 1, std::vector<float>(60'000)});
  try {
    ModelRows(model, data, 1).scaled();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find("rows: its rows, as wide as the model, would take"),
              0U)
        << error.what();
  }
}

TEST(ModelRows, is_affine_where_a_scaling_is_a_shift_and_a_factor) {
  EXPECT_TRUE(is_affine(Scaling::none));
  EXPECT_TRUE(is_affine(Scaling::minmax));
  EXPECT_FALSE(is_affine(Scaling::quantile));
}

}  // namespace
}  // namespace rankine
