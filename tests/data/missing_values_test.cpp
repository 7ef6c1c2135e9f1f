#include "data/missing_values.hpp"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/feature_selection.hpp>
#include <rankine/folds.hpp>
#include <rankine/missing.hpp>

#include "oracles/random_dataset.hpp"

namespace rankine {
namespace {

/// Random data of which one value in five is missing.
Dataset with_holes(bool dense) {
  std::mt19937_64 random(4);
  Dataset data = oracles::random_dataset(random, {.queries = 60, .features = 6, .offset = 1});
  const auto& matrix = std::get<DenseMatrix>(data.features);
  std::vector<float> values(matrix.values.begin(), matrix.values.end());
  std::vector<MissingValue> missing;
  for (std::size_t at = 0; at < values.size(); ++at) {
    if (random() % 5 != 0) continue;
    values[at] = 0;
    missing.push_back({static_cast<std::int64_t>(at) / 6, static_cast<std::int64_t>(at) % 6});
  }
  data.num_missing = std::ssize(missing);
  data.missing = std::move(missing);
  data.features = DenseMatrix{matrix.num_rows, 6, std::move(values)};
  return dense ? data : oracles::as_sparse(data);
}

/// The slow obvious way: what stands at (document, column), and whether it is missing.
std::vector<double> naive_means(const Dataset& dense) {
  std::vector<double> means;
  for (std::int64_t column = 0; column < dense.num_features(); ++column) {
    double sum = 0;
    double count = 0;
    for (std::int64_t doc = 0; doc < dense.num_documents(); ++doc) {
      bool is_missing = false;
      for (const MissingValue& cell : dense.missing) {
        is_missing = is_missing || (cell.document == doc && cell.column == column);
      }
      if (is_missing) continue;
      sum += std::get<DenseMatrix>(dense.features).row(doc)[static_cast<std::size_t>(column)];
      ++count;
    }
    means.push_back(count > 0 ? sum / count : 0);
  }
  return means;
}

std::vector<float> values_of(const Dataset& data) {
  std::vector<float> values;
  for (std::int64_t doc = 0; doc < data.num_documents(); ++doc) {
    if (const auto* dense = std::get_if<DenseMatrix>(&data.features)) {
      const auto row = dense->row(doc);
      values.insert(values.end(), row.begin(), row.end());
      continue;
    }
    const auto& sparse = std::get<CsrMatrix>(data.features);
    std::vector<float> row(static_cast<std::size_t>(sparse.num_columns));
    for (auto k = sparse.offsets[static_cast<std::size_t>(doc)];
         k < sparse.offsets[static_cast<std::size_t>(doc) + 1]; ++k) {
      row[sparse.columns[static_cast<std::size_t>(k)]] = sparse.values[static_cast<std::size_t>(k)];
    }
    values.insert(values.end(), row.begin(), row.end());
  }
  return values;
}

TEST(MeansOfPresent, are_those_of_the_values_that_are_there) {
  const std::vector<double> wanted = naive_means(with_holes(true));
  for (const bool dense : {true, false}) {
    const auto means = means_of_present(with_holes(dense), 2);
    ASSERT_EQ(means.size(), wanted.size());
    for (std::size_t f = 0; f < means.size(); ++f) EXPECT_NEAR(means[f], wanted[f], 1e-12);
    // Filled once, they are the same.
    const Dataset filled = fill_missing(with_holes(dense), means);
    EXPECT_EQ(means_of_present(filled, 2), means);
  }
}

TEST(MeansOfPresent, are_zero_where_nothing_is_there) {
  Dataset data = with_holes(true);
  std::vector<MissingValue> all;
  for (std::int64_t doc = 0; doc < data.num_documents(); ++doc) all.push_back({doc, 2});
  data.num_missing = std::ssize(all);
  data.missing = std::move(all);
  EXPECT_EQ(means_of_present(data)[2], 0);
}

TEST(PresentMeans, of_parts_are_those_of_the_whole) {
  const Dataset data = with_holes(true);
  PresentMeans parts(6);
  for (std::int64_t query = 0; query < data.num_queries(); ++query) {
    parts.add(select_queries(data, std::vector{query}), 1);
  }
  const auto whole = means_of_present(data);
  for (std::size_t f = 0; f < whole.size(); ++f) EXPECT_NEAR(parts.means()[f], whole[f], 1e-12);
}

TEST(FillMissing, puts_each_value_in_its_place_and_nowhere_else) {
  const std::vector<double> fill{1, -2, 0, 4, 1e300};
  const Dataset dense = with_holes(true);
  auto wanted = values_of(dense);
  for (const MissingValue& cell : dense.missing) {
    const std::vector<float> as_floats{1, -2, 0, 4, std::numeric_limits<float>::max(), 0};
    wanted[static_cast<std::size_t>(cell.document * 6 + cell.column)] =
        as_floats[static_cast<std::size_t>(cell.column)];
  }
  for (const bool is_dense : {true, false}) {
    const Dataset filled = fill_missing(with_holes(is_dense), fill);
    check_dataset(filled, "filled");
    EXPECT_EQ(values_of(filled), wanted);
    EXPECT_EQ(values_of(fill_missing(filled, fill)), wanted);
    EXPECT_EQ(values_of(fill_missing(filled, {})), values_of(dense));
  }
}

TEST(FillMissing, follows_selected_features_and_queries) {
  const std::vector<double> fill{1, 2, 3, 4, 5, 6};
  const std::vector<std::int64_t> columns{4, 0, 5};
  const std::vector<double> fill_of_columns{5, 1, 6};
  const std::vector<std::int64_t> queries{3, 7, 8, 40};
  for (const bool dense : {true, false}) {
    const Dataset data = with_holes(dense);
    EXPECT_EQ(values_of(fill_missing(select_features(data, columns), fill_of_columns)),
              values_of(select_features(fill_missing(data, fill), columns)));
    EXPECT_EQ(values_of(fill_missing(select_queries(data, queries), fill)),
              values_of(select_queries(fill_missing(data, fill), queries)));
    EXPECT_EQ(select_features(data, columns).num_missing,
              std::ssize(select_features(data, columns).missing));
  }
}

TEST(FillMissing, refuses_what_it_does_not_know) {
  Dataset data = with_holes(true);
  data.missing = {};
  EXPECT_THROW(fill_missing(data, {}), Error);
}

TEST(MissingWarning, names_the_file_and_what_stands_for_them) {
  EXPECT_EQ(missing_warning("a.txt", 0, Missing::zero), "");
  EXPECT_EQ(missing_warning("a.txt", 1, Missing::zero), "a.txt: 1 missing value was read as 0");
  EXPECT_EQ(missing_warning("a.txt", 2, Missing::mean),
            "a.txt: 2 missing values were read as the mean of the column");
}

}  // namespace
}  // namespace rankine
