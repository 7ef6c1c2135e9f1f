#include "methods/rls_stream.hpp"

#include <random>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/folds.hpp>

#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

TEST(RlsStream, of_two_parts_equals_training_on_both) {
  std::mt19937_64 random(4);
  const Dataset data = oracles::random_dataset(random, {.queries = 20, .features = 4});
  const RlsOptions rls{.alpha = 0.5, .normalisation = Normalisation::total};
  TrainOptions options{.method = rls, .scaling = Scaling::none, .threads = 1};
  const auto stream = make_rls_stream(rls, options, data.num_features());
  std::vector<std::int64_t> first;
  std::vector<std::int64_t> second;
  for (std::int64_t q = 0; q < data.num_queries(); ++q) (q < 7 ? first : second).push_back(q);
  stream->add(select_queries(data, first));
  stream->add(select_queries(data, second));
  const auto solutions = stream->finish(std::vector<double>{0.5}, {}, {});
  const TrainResult whole = train(data, options);
  EXPECT_EQ(stream->num_pairs(), whole.model.trained_on.num_pairs);
  EXPECT_NEAR(solutions[0].report.objective, whole.report.objective, 1e-9 * whole.report.objective);
}

TEST(RlsStream, refuses_what_needs_the_documents_again) {
  EXPECT_THROW(make_rls_stream({.solver = RlsSolver::cg}, {}, 3), Error);
  EXPECT_THROW(make_rls_stream({.pairs = Pairs::none}, {.scaling = Scaling::standard}, 3), Error);
  EXPECT_THROW(make_rls_stream({}, {}, 10'000'000), Error);  // 2.4 PB
}

}  // namespace
}  // namespace rankine
