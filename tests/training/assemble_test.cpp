#include "training/assemble.hpp"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/options.hpp>

namespace rankine {
namespace {

std::string option(const Model& model, const std::string& name) {
  for (const auto& [key, value] : model.options) {
    if (key == name) return value;
  }
  return "absent";
}

TEST(Assemble, records_the_value_of_the_path_and_what_the_data_chose) {
  ModelFrame frame;
  frame.gamma = 0.25;
  TrainOptions options{.method = SvmOptions{.C = {1, 2, 4}}, .threads = 3};
  options.map.kernel = Kernel::rbf;
  const SolveContext context(1e9, {});
  Solution solution;
  solution.warnings = {"w"};
  const TrainResult result = assemble(std::move(solution), 2, frame, options, context);
  EXPECT_EQ(option(result.model, "method"), "svm");
  EXPECT_EQ(option(result.model, "C"), "2");
  EXPECT_EQ(option(result.model, "gamma"), "0.25");
  EXPECT_EQ(option(result.model, "threads"), "absent");
  EXPECT_EQ(result.report.warnings, std::vector<std::string>{"w"});
  EXPECT_EQ(result.model.report, result.report);
}

TEST(Assemble, records_a_loss_of_the_users_own_by_its_name) {
  class Own final : public QueryLoss {
   public:
    std::string_view name() const override { return "our_loss"; }
    double gradient(const QueryDocuments&, const QueryPoint&, std::span<double>) const override {
      return 0;
    }
    void hessian_times(const QueryDocuments&, const QueryPoint&, std::span<const double>,
                       std::span<double>) const override {}
  };
  const Own own;
  TrainOptions options;
  options.loss = &own;
  const SolveContext context(1e9, {});
  EXPECT_EQ(option(assemble({}, 1, {}, options, context).model, "loss"), "our_loss");
}

TEST(Assemble, refuses_an_objective_that_is_not_finite) {
  ModelFrame frame;
  frame.trained_on.source = "d.txt";
  Solution solution;
  solution.report.objective = std::numeric_limits<double>::quiet_NaN();
  const SolveContext context(1e9, {});
  EXPECT_THROW(assemble(std::move(solution), 1, frame, {}, context), Error);
}

}  // namespace
}  // namespace rankine
