#include "data/dataset_checksum.hpp"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "data/collect/grade_collector.hpp"
#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

Dataset some_data() {
  std::mt19937_64 random(5);
  return oracles::random_dataset(random, {.queries = 4, .features = 3});
}

TEST(DatasetChecksum, is_that_of_the_content_not_of_the_source) {
  Dataset data = some_data();
  const auto before = dataset_checksum(data);
  data.source = "elsewhere.txt";
  EXPECT_EQ(dataset_checksum(data), before);
}

TEST(DatasetChecksum, does_not_change_with_the_way_grades_are_kept) {
  Dataset plain = some_data();
  std::vector<double> grades(3000);
  for (std::size_t doc = 0; doc < grades.size(); ++doc) grades[doc] = static_cast<double>(doc % 5);
  plain.grades = grades;
  Dataset coded = plain;
  coded.grades = coded_if_few(grades);
  ASSERT_TRUE(coded.grades.are_coded());
  EXPECT_EQ(dataset_checksum(coded), dataset_checksum(plain));
  EXPECT_EQ(rows_checksum(coded), rows_checksum(plain));
}

TEST(DatasetChecksum, changes_with_everything_that_training_sees) {
  const Dataset data = some_data();
  std::vector<Dataset> changed(6, data);
  std::vector<double> grades(data.grades.begin(), data.grades.end());
  grades[0] += 1;
  changed[0].grades = grades;
  changed[1].features = oracles::as_sparse(data).features;
  changed[2].document_weights = std::vector<double>(data.grades.size(), 2.0);
  changed[3].query_weights = std::vector<double>(static_cast<std::size_t>(data.num_queries()), 2.0);
  changed[4].preferences = {{0, 1, 1, 1}};
  changed[5].preferences = {{0, 1, 2, 1}};
  std::vector<std::uint64_t> sums{dataset_checksum(data)};
  for (const Dataset& other : changed) {
    const auto sum = dataset_checksum(other);
    for (const auto before : sums) EXPECT_NE(sum, before);
    sums.push_back(sum);
  }
}

TEST(RowsChecksum, changes_with_features_and_grades_alone) {
  const Dataset data = some_data();
  Dataset weighted = data;
  weighted.document_weights = std::vector<double>(data.grades.size(), 2.0);
  EXPECT_EQ(rows_checksum(weighted), rows_checksum(data));
  Dataset regraded = data;
  std::vector<double> grades(data.grades.begin(), data.grades.end());
  grades[0] += 1;
  regraded.grades = grades;
  EXPECT_NE(rows_checksum(regraded), rows_checksum(data));
  EXPECT_NE(rows_checksum(oracles::as_sparse(data)), rows_checksum(data));
}

}  // namespace
}  // namespace rankine
