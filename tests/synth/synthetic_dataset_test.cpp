#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/read.hpp>
#include <rankine/synth.hpp>

#include "temporary_folder.hpp"

namespace rankine {
namespace {

template <class T>
std::vector<T> vector_of(const Array<T>& array) {
  return {array.begin(), array.end()};
}

std::vector<std::string> vector_of(const StringList& list) {
  std::vector<std::string> strings;
  for (std::size_t index = 0; index < list.size(); ++index) strings.emplace_back(list[index]);
  return strings;
}

void expect_equal(const Dataset& a, const Dataset& b) {
  EXPECT_EQ(vector_of(a.grades.values()), vector_of(b.grades.values()));
  EXPECT_EQ(vector_of(a.query_offsets), vector_of(b.query_offsets));
  EXPECT_EQ(vector_of(a.query_ids), vector_of(b.query_ids));
  EXPECT_EQ(vector_of(a.comments), vector_of(b.comments));
  EXPECT_EQ(a.num_features(), b.num_features());
  ASSERT_EQ(a.is_dense(), b.is_dense());
  if (a.is_dense()) {
    EXPECT_EQ(vector_of(std::get<DenseMatrix>(a.features).values),
              vector_of(std::get<DenseMatrix>(b.features).values));
  } else {
    const auto& left = std::get<CsrMatrix>(a.features);
    const auto& right = std::get<CsrMatrix>(b.features);
    EXPECT_EQ(vector_of(left.offsets), vector_of(right.offsets));
    EXPECT_EQ(vector_of(left.columns), vector_of(right.columns));
    EXPECT_EQ(vector_of(left.values), vector_of(right.values));
  }
}

void expect_same_as_written(const SynthOptions& options) {
  const TemporaryFolder folder;
  write_synthetic(folder.path("data.txt"), options, folder.path("scores.txt"));
  ReadOptions read_options;
  read_options.keep_comments = true;
  read_options.num_features = options.features;
  const Dataset read = read_letor(folder.path("data.txt"), read_options);
  const SyntheticData made = make_synthetic(options);
  expect_equal(made.data, read);
  std::vector<double> scores;
  std::ifstream file(folder.path("scores.txt"));
  for (std::string line; std::getline(file, line);) scores.push_back(std::stod(line));
  EXPECT_EQ(vector_of(made.true_scores), scores);
}

TEST(MakeSynthetic, is_what_reading_the_dense_text_gives) {
  expect_same_as_written({.queries = 50});
  expect_same_as_written({.queries = 1, .documents = 1, .features = 1, .grades = 1});
}

TEST(MakeSynthetic, is_what_reading_the_sparse_text_gives) {
  expect_same_as_written({.queries = 10,
                          .documents = 20,
                          .lengths = LengthDistribution::uniform,
                          .features = 5000,
                          .density = 0.01});
}

TEST(MakeSynthetic, is_what_reading_text_of_middling_density_gives) {
  for (const double density : {0.15, 0.26, 0.6}) {
    expect_same_as_written({.queries = 20,
                            .lengths = LengthDistribution::geometric,
                            .features = 30,
                            .density = density,
                            .grades = 0,
                            .truth = Truth::rbf});
  }
}

TEST(MakeSynthetic, does_not_depend_on_the_number_of_threads) {
  const SynthOptions options{.queries = 40, .features = 300, .density = 0.5};
  const SyntheticData one = make_synthetic(options, 1);
  const SyntheticData many = make_synthetic(options, 4);
  expect_equal(one.data, many.data);
  EXPECT_EQ(vector_of(one.true_scores), vector_of(many.true_scores));
}

TEST(MakeSynthetic, checks_its_options) {
  EXPECT_THROW(make_synthetic({.queries = 0}), Error);
  EXPECT_THROW(make_synthetic({.density = std::nan("")}), Error);
}

}  // namespace
}  // namespace rankine
