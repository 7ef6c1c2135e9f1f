#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/scaling.hpp>

#include "oracles/naive_scaling.hpp"

namespace rankine {
namespace {

using oracles::Table;

constexpr auto kKinds = {Scaling::none,         Scaling::standard, Scaling::minmax,
                         Scaling::query_minmax, Scaling::quantile, Scaling::log};

std::vector<float> flat(const Table& table) {
  std::vector<float> values;
  for (const auto& row : table) {
    for (const double value : row) values.push_back(static_cast<float>(value));
  }
  return values;
}

Dataset dense_data(const Table& table, std::vector<std::int64_t> query_offsets) {
  Dataset data;
  data.source = "train.txt";
  const auto width = table.empty() ? 0 : std::ssize(table.front());
  data.features = DenseMatrix{std::ssize(table), width, flat(table)};
  data.grades = std::vector<double>(table.size());
  data.query_ids = StringList::of(std::vector<std::string>(query_offsets.size() - 1, "q"));
  data.query_offsets = std::move(query_offsets);
  return data;
}

Dataset sparse_data(const Table& table, std::vector<std::int64_t> query_offsets) {
  Dataset data = dense_data(table, std::move(query_offsets));
  std::vector<std::int64_t> offsets{0};
  std::vector<std::uint32_t> columns;
  std::vector<float> values;
  for (const auto& row : table) {
    for (std::size_t column = 0; column < row.size(); ++column) {
      if (row[column] == 0) continue;
      columns.push_back(static_cast<std::uint32_t>(column));
      values.push_back(static_cast<float>(row[column]));
    }
    offsets.push_back(std::ssize(values));
  }
  data.features = CsrMatrix{std::ssize(table), data.num_features(), offsets, columns, values};
  return data;
}

std::vector<float> dense_values(const Dataset& data) {
  if (data.is_dense()) {
    const auto values = std::get<DenseMatrix>(data.features).values.span();
    return {values.begin(), values.end()};
  }
  const auto& matrix = std::get<CsrMatrix>(data.features);
  const auto width = static_cast<std::size_t>(matrix.num_columns);
  std::vector<float> values(static_cast<std::size_t>(matrix.num_rows) * width);
  for (std::size_t row = 0; row + 1 < matrix.offsets.size(); ++row) {
    for (auto k = static_cast<std::size_t>(matrix.offsets[row]);
         k < static_cast<std::size_t>(matrix.offsets[row + 1]); ++k) {
      values[row * width + matrix.columns[k]] = matrix.values[k];
    }
  }
  return values;
}

/// Rows with ties, zeros and columns of different size; the last column is constant.
Table random_table(std::mt19937& random, std::size_t rows, std::size_t columns) {
  Table table(rows, std::vector<double>(columns));
  for (auto& row : table) {
    for (std::size_t column = 0; column < columns; ++column) {
      const double size = std::pow(10.0, static_cast<double>(column % 7) - 3);
      const double value = (static_cast<double>(random() % 20) - 8) * size;
      row[column] = random() % 3 == 0 ? 0 : static_cast<double>(static_cast<float>(value));
    }
    row.back() = 0.3F;
  }
  return table;
}

void expect_close(const std::vector<float>& values, const Table& expected, const char* what) {
  const auto wanted = flat(expected);
  ASSERT_EQ(values.size(), wanted.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    ASSERT_NEAR(values[k], wanted[k], 1e-6 * std::max(1.0F, std::abs(wanted[k]))) << what << k;
  }
}

TEST(DatasetScaling, equals_its_formulas) {
  std::mt19937 random(1);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const Table train = random_table(random, 1 + random() % 40, 8);
    const Table test = random_table(random, 6, 8);
    const std::vector<std::int64_t> one_query{0, std::ssize(train)};
    const std::vector<std::int64_t> queries{0, 2, 2, 5, 6};
    for (const Scaling kind : kKinds) {
      const auto expect = [&](const Dataset& fitted, const Dataset& data, bool keeps_zeros) {
        const auto scaling = fit_scaling(fitted, kind);
        expect_close(dense_values(apply_scaling(data, scaling)),
                     oracles::naive_scaling(kind, train, test, queries, keeps_zeros),
                     name_of(kind).data());
      };
      // What is fitted decides, whatever it is applied to.
      expect(dense_data(train, one_query), dense_data(test, queries), false);
      expect(dense_data(train, one_query), sparse_data(test, queries), false);
      expect(sparse_data(train, one_query), dense_data(test, queries), true);
      expect(sparse_data(train, one_query), sparse_data(test, queries), true);
    }
  }
}

TEST(DatasetScaling, keeps_sparse_data_sparse_when_fitted_on_such) {
  std::mt19937 random(2);
  const Table table = random_table(random, 30, 5);
  const Dataset sparse = sparse_data(table, {0, 30});
  for (const Scaling kind : kKinds) {
    EXPECT_FALSE(apply_scaling(sparse, fit_scaling(sparse, kind)).is_dense());
    const bool shifts = kind != Scaling::none && kind != Scaling::log;
    const auto fitted_dense = fit_scaling(dense_data(table, {0, 30}), kind);
    EXPECT_EQ(apply_scaling(sparse, fitted_dense).is_dense(), shifts);
  }
}

TEST(DatasetScaling, differs_between_sparse_and_dense_by_a_constant_for_each_column_and_query) {
  std::mt19937 random(3);
  const Table table = random_table(random, 60, 7);
  const std::vector<std::int64_t> queries{0, 25, 26, 60};
  const Dataset dense = dense_data(table, queries);
  const Dataset sparse = sparse_data(table, queries);
  for (const Scaling kind :
       {Scaling::standard, Scaling::minmax, Scaling::query_minmax, Scaling::quantile}) {
    const auto shifted = dense_values(apply_scaling(dense, fit_scaling(dense, kind)));
    const auto kept = dense_values(apply_scaling(sparse, fit_scaling(sparse, kind)));
    for (std::size_t query = 0; query + 1 < queries.size(); ++query) {
      const auto first = static_cast<std::size_t>(queries[query]) * 7;
      const auto last = static_cast<std::size_t>(queries[query + 1]) * 7;
      for (std::size_t k = first; k < last; ++k) {
        const std::size_t first_of_column = first + k % 7;
        EXPECT_NEAR(shifted[k] - shifted[first_of_column], kept[k] - kept[first_of_column], 1e-5);
      }
    }
  }
}

// The numbers of scikit-learn 1's StandardScaler and MinMaxScaler on the same rows. They leave a
// constant column's distance from its value in other data; here it is 0.
TEST(DatasetScaling, agrees_with_scikit_learn) {
  const Table train{{1, -2, 0.1F, 3},
                    {2, 0.5, 0.1F, 1e6},
                    {4, 8, 0.1F, -7},
                    {7, -1.25, 0.1F, 0},
                    {11, 3, 0.1F, 2.5}};
  const Table test{{0, 10, 0.2F, 5}, {20, -4, 0.1F, 2e6}};
  const Dataset data = dense_data(train, {0, 5});
  const Dataset other = dense_data(test, {0, 2});
  const auto standard = fit_scaling(data, Scaling::standard);
  const auto minmax = fit_scaling(data, Scaling::minmax);
  EXPECT_NEAR(standard.shift[1], 1.65, 1e-15);
  EXPECT_NEAR(1 / standard.factor[3], 400000.15001592186, 1e-9);
  EXPECT_EQ(standard.factor[2], 0);
  expect_close(dense_values(apply_scaling(data, standard)),
               {{-1.1009637651263606, -1.0107740155096232, 0.0, -0.4999915624832621},
                {-0.8257228238447705, -0.318463045982484, 0.0, 1.9999999999203908},
                {-0.27524094128159016, 1.7584698625989332, 0.0, -0.5000165624738862},
                {0.5504818825631803, -0.8030807246514814, 0.0, -0.49999906248044934},
                {1.651445647689541, 0.3738479235446551, 0.0, -0.4999928124827933}},
               "standard");
  expect_close(dense_values(apply_scaling(other, standard)),
               {{-1.3762047064079508, 2.3123186382206447, 0, -0.4999865624851373},
                {4.128614119223853, -1.5646227911313346, 0.0, 4.499999062321231}},
               "standard");
  expect_close(dense_values(apply_scaling(data, minmax)),
               {{0.0, 0.0, 0.0, 9.999930000489996e-06},
                {0.1, 0.25, 0.0, 1.0},
                {0.3, 1.0, 0.0, 0.0},
                {0.6, 0.075, 0.0, 6.999951000342997e-06},
                {1.0, 0.5, 0.0, 9.499933500465496e-06}},
               "minmax");
  expect_close(dense_values(apply_scaling(other, minmax)),
               {{-0.1, 1.2, 0, 1.1999916000587994e-05}, {1.9, -0.2, 0.0, 1.9999930000489996}},
               "minmax");
}

TEST(DatasetScaling, is_the_same_for_any_number_of_threads) {
  std::mt19937 random(4);
  const Table table = random_table(random, 5000, 6);
  std::vector<std::int64_t> queries{0};
  while (queries.back() < 5000) {
    queries.push_back(std::min<std::int64_t>(
        5000, queries.back() + 1 + static_cast<std::int64_t>(random() % 30)));
  }
  for (const Dataset& data : {dense_data(table, queries), sparse_data(table, queries)}) {
    for (const Scaling kind : kKinds) {
      const auto one = fit_scaling(data, kind, 1);
      const auto scaled = dense_values(apply_scaling(data, one, 1));
      for (const int threads : {2, 5}) {
        EXPECT_EQ(fit_scaling(data, kind, threads), one);
        EXPECT_EQ(dense_values(apply_scaling(data, one, threads)), scaled);
      }
    }
  }
}

TEST(DatasetScaling, does_not_depend_on_the_order_of_rows) {
  std::mt19937 random(5);
  Table table = random_table(random, 3000, 6);
  const auto fit = [&](Scaling kind) { return fit_scaling(dense_data(table, {0, 3000}), kind); };
  const auto minmax = fit(Scaling::minmax);
  const auto quantile = fit(Scaling::quantile);
  const auto standard = fit(Scaling::standard);
  std::shuffle(table.begin(), table.end(), random);
  EXPECT_EQ(fit(Scaling::minmax), minmax);
  EXPECT_EQ(fit(Scaling::quantile), quantile);
  const auto shuffled = fit(Scaling::standard);
  for (std::size_t column = 0; column < 6; ++column) {
    EXPECT_NEAR(shuffled.shift[column] * standard.factor[column],
                standard.shift[column] * standard.factor[column], 1e-13);
    EXPECT_NEAR(shuffled.factor[column], standard.factor[column], 1e-12 * standard.factor[column]);
  }
}

TEST(DatasetScaling, makes_constant_columns_zero_and_lists_them) {
  // 0.1F has no exact sum: a mean found by adding is not the value itself.
  const Table table(1000, {0.1F, 0});
  for (const auto& data : {dense_data(table, {0, 1000}), sparse_data(table, {0, 1000})}) {
    for (const Scaling kind : {Scaling::standard, Scaling::minmax, Scaling::quantile}) {
      const auto scaling = fit_scaling(data, kind);
      EXPECT_EQ(constant_columns(scaling), (std::vector<std::int64_t>{0, 1}));
      EXPECT_EQ(dense_values(apply_scaling(data, scaling)), std::vector<float>(2000));
    }
  }
}

TEST(DatasetScaling, takes_a_single_row_and_no_columns) {
  for (const Scaling kind : kKinds) {
    const Dataset single = dense_data({{3, -4}}, {0, 1});
    const auto values = dense_values(apply_scaling(single, fit_scaling(single, kind)));
    if (kind != Scaling::none && kind != Scaling::log) {
      EXPECT_EQ(values, (std::vector<float>{0, 0}));
    }
    const Dataset narrow = dense_data({{}, {}}, {0, 2});
    EXPECT_EQ(apply_scaling(narrow, fit_scaling(narrow, kind)).num_features(), 0);
  }
}

TEST(DatasetScaling, survives_the_largest_numbers) {
  const Table table{{3e38, 1e-45, 1}, {-3e38, 0, 1}, {1e38, 1e-45, 1 + 1.2e-7}};
  for (const auto& data : {dense_data(table, {0, 3}), sparse_data(table, {0, 3})}) {
    for (const Scaling kind : kKinds) {
      if (kind == Scaling::none) continue;
      for (const float value : dense_values(apply_scaling(data, fit_scaling(data, kind)))) {
        EXPECT_LE(std::abs(value), data.is_dense() ? 100 : 1e8) << name_of(kind);
      }
    }
  }
}

TEST(DatasetScaling, fills_columns_that_the_data_does_not_have_with_scaled_zeros) {
  const Dataset train = dense_data({{1, 2}, {3, 6}}, {0, 2});
  Dataset narrow = dense_data({{2}}, {0, 1});
  narrow.feature_names = StringList::of({"a"});
  const Dataset scaled = apply_scaling(narrow, fit_scaling(train, Scaling::minmax));
  EXPECT_EQ(dense_values(scaled), (std::vector<float>{0.5F, -0.5F}));
  EXPECT_EQ(scaled.feature_names.size(), 2U);
  EXPECT_EQ(scaled.feature_names[0], "a");
  EXPECT_EQ(apply_scaling(narrow, fit_scaling(train, Scaling::none)).num_features(), 2);
  EXPECT_EQ(
      apply_scaling(sparse_data({{2}}, {0, 1}), fit_scaling(train, Scaling::none)).num_features(),
      2);
}

TEST(DatasetScaling, refuses_more_columns_than_it_was_fitted_on) {
  const Dataset train = dense_data({{1}, {3}}, {0, 2});
  const Dataset wide = dense_data({{1, 2}}, {0, 1});
  try {
    apply_scaling(wide, fit_scaling(train, Scaling::standard));
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "train.txt: 2 features, but the scaling was fitted on 1");
  }
}

TEST(DatasetScaling, refuses_to_fit_on_no_documents) {
  const Dataset empty = dense_data({}, {0});
  for (const Scaling kind : {Scaling::standard, Scaling::minmax, Scaling::quantile}) {
    EXPECT_THROW(fit_scaling(empty, kind), Error);
  }
  const auto scaling = fit_scaling(empty, Scaling::query_minmax);
  EXPECT_EQ(apply_scaling(empty, scaling).num_documents(), 0);
}

TEST(DatasetScaling, shares_all_but_the_features) {
  Dataset data = dense_data({{1}, {3}}, {0, 2});
  data.document_weights = std::vector<double>{1, 2};
  const Dataset scaled = apply_scaling(data, fit_scaling(data, Scaling::standard));
  EXPECT_EQ(scaled.grades.values().data(), data.grades.values().data());
  EXPECT_EQ(scaled.document_weights.data(), data.document_weights.data());
  const Dataset same = apply_scaling(data, fit_scaling(data, Scaling::none));
  EXPECT_EQ(std::get<DenseMatrix>(same.features).values.data(),
            std::get<DenseMatrix>(data.features).values.data());
}

TEST(DatasetScaling, standard_refuses_a_value_that_is_not_finite_wherever_it_is) {
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    for (const std::size_t row : {0U, 1U, 2999U}) {
      Table table(3000, {1.0, 2.0});
      for (std::size_t k = 0; k < table.size(); ++k) table[k][1] = static_cast<double>(k % 7) + 1;
      table[row][1] = bad;
      EXPECT_THROW(fit_scaling(dense_data(table, {0, 3000}), Scaling::standard), Error);
      EXPECT_THROW(fit_scaling(sparse_data(table, {0, 3000}), Scaling::standard), Error);
    }
  }
}

}  // namespace
}  // namespace rankine
