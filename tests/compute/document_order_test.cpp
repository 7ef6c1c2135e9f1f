#include "compute/document_order.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "losses/grade_margin_pairs.hpp"
#include "losses/hinge_pairs.hpp"

namespace rankine {
namespace {

TEST(OrderDocuments, sorts_by_score_and_then_by_document) {
  const std::vector<double> grades{0, 0, 3, 0};
  const std::vector<double> scores{2, -1, 2, 0};
  const std::vector<std::uint32_t> ranks{0, 0, 1, 0};
  const QueryDocuments query{grades, ranks, 2, {}};
  std::vector<std::uint32_t> order(4);
  order_documents(HingePairs(), query, scores, order);
  EXPECT_EQ(order, (std::vector<std::uint32_t>{1, 3, 0, 2}));
  order_documents(GradeMarginPairs(std::make_unique<HingePairs>(0.0)), query, scores, order);
  EXPECT_EQ(order, (std::vector<std::uint32_t>{1, 2, 3, 0}));
}

}  // namespace
}  // namespace rankine
