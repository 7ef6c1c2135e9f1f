#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/scores.hpp>

namespace rankine {
namespace {

// Rows (1 0 2), (0 0 0), (0 3 4).
Dataset dense_data() {
  Dataset data;
  data.source = "test.txt";
  data.grades = std::vector<double>{0, 0, 0};
  data.features = DenseMatrix{3, 3, std::vector<float>{1, 0, 2, 0, 0, 0, 0, 3, 4}};
  return data;
}

Dataset sparse_data() {
  Dataset data = dense_data();
  data.features = CsrMatrix{3, 3, std::vector<std::int64_t>{0, 2, 2, 4},
                            std::vector<std::uint32_t>{0, 2, 1, 2}, std::vector<float>{1, 2, 3, 4}};
  return data;
}

TEST(FeatureScores, are_the_column_however_it_is_stored) {
  for (const Dataset& data : {dense_data(), sparse_data()}) {
    EXPECT_EQ(feature_scores(data, 0), (std::vector<double>{1, 0, 0}));
    EXPECT_EQ(feature_scores(data, 1), (std::vector<double>{0, 0, 3}));
    EXPECT_EQ(feature_scores(data, 2), (std::vector<double>{2, 0, 4}));
  }
}

TEST(FeatureScores, need_a_feature_that_exists) {
  for (const std::int64_t column : {-1, 3}) {
    try {
      feature_scores(dense_data(), column);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), "feature: test.txt has 3 features, and none in column " +
                                  std::to_string(column + 1));
    }
  }
}

}  // namespace
}  // namespace rankine
