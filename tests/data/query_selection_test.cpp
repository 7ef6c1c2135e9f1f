#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/folds.hpp>

#include "data/dataset_check.hpp"
#include "data/random_dataset.hpp"

namespace rankine {
namespace {

/// The selection made document by document, through the builder.
Dataset select_slowly(const Dataset& data, const std::vector<std::int64_t>& queries) {
  std::vector<std::pair<std::int64_t, std::int64_t>> rows;  // row of the input, document
  for (const auto query : queries) {
    const auto index = static_cast<std::size_t>(query);
    for (auto doc = data.query_offsets[index]; doc < data.query_offsets[index + 1]; ++doc) {
      const auto row =
          data.input_rows.empty() ? doc : data.input_rows[static_cast<std::size_t>(doc)];
      rows.emplace_back(row, doc);
    }
  }
  std::sort(rows.begin(), rows.end());
  ParsedRows parsed;
  std::vector<std::string> ids, comments;
  std::vector<double> grades, weights;
  std::vector<float> values;
  std::vector<std::int64_t> offsets{0};
  std::vector<std::uint32_t> columns;
  for (const auto& [row, document] : rows) {
    const auto doc = static_cast<std::size_t>(document);
    std::size_t query = 0;
    while (data.query_offsets[query + 1] <= document) ++query;
    const std::string id(data.query_ids[query]);
    const auto known = std::find(ids.begin(), ids.end(), id);
    parsed.query_of_row.push_back(static_cast<std::uint32_t>(known - ids.begin()));
    if (known == ids.end()) ids.push_back(id);
    grades.push_back(data.grades[doc]);
    if (!data.comments.empty()) comments.emplace_back(data.comments[doc]);
    if (!data.document_weights.empty()) weights.push_back(data.document_weights[doc]);
    if (const auto* dense = std::get_if<DenseMatrix>(&data.features)) {
      const auto source = dense->row(document);
      values.insert(values.end(), source.begin(), source.end());
    } else {
      const auto& sparse = std::get<CsrMatrix>(data.features);
      for (auto entry = sparse.offsets[doc]; entry < sparse.offsets[doc + 1]; ++entry) {
        columns.push_back(sparse.columns[static_cast<std::size_t>(entry)]);
        values.push_back(sparse.values[static_cast<std::size_t>(entry)]);
      }
      offsets.push_back(static_cast<std::int64_t>(values.size()));
    }
  }
  const auto num_rows = static_cast<std::int64_t>(rows.size());
  if (data.is_dense()) {
    parsed.features = DenseMatrix{num_rows, data.num_features(), values};
  } else {
    parsed.features = CsrMatrix{num_rows, data.num_features(), offsets, columns, values};
  }
  parsed.grades = grades;
  parsed.query_ids = StringList::of(ids);
  if (!comments.empty()) parsed.comments = StringList::of(comments);
  parsed.document_weights = weights;
  parsed.feature_names = data.feature_names;
  return build_dataset(data.source, std::move(parsed));
}

TEST(QuerySelectionTest, equals_one_made_document_by_document) {
  std::mt19937 random(4);
  for (unsigned seed = 0; seed < 100; ++seed) {
    const Dataset data = random_dataset(
        seed, {.sparse = seed % 2 == 0, .shuffled = seed % 3 != 0, .extras = seed % 5 != 0});
    std::vector<std::int64_t> queries;
    for (std::int64_t query = 0; query < data.num_queries(); ++query) {
      if (random() % 2 == 0) queries.push_back(query);
    }
    std::shuffle(queries.begin(), queries.end(), random);
    Dataset selection = select_queries(data, queries);
    check_dataset(selection, "selection");
    EXPECT_EQ(selection.query_weights.size(), data.query_weights.empty() ? 0 : queries.size());
    EXPECT_EQ(selection.has_preferences, data.has_preferences);
    selection.query_weights = {};
    selection.preferences = {};
    selection.has_preferences = false;
    selection.missing = {};
    selection.num_missing = 0;
    expect_same_dataset(selection, select_slowly(data, queries));
  }
}

TEST(QuerySelectionTest, of_all_queries_is_the_whole) {
  const Dataset data = random_dataset(1);
  expect_same_dataset(select_queries(data, std::vector<std::int64_t>{6, 5, 4, 3, 2, 1, 0}), data);
}

TEST(QuerySelectionTest, of_no_queries_is_empty) {
  const Dataset data = select_queries(random_dataset(1), {});
  EXPECT_EQ(data.num_documents(), 0);
  EXPECT_EQ(data.num_queries(), 0);
  check_dataset(data, "empty");
}

TEST(QuerySelectionTest, keeps_the_preferences_of_its_queries_between_the_same_documents) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Dataset data = random_dataset(seed);
    const Dataset selection = select_queries(data, std::vector<std::int64_t>{1, 2, 5});
    std::size_t expected = 0;
    for (const Preference& pair : data.preferences) {
      for (const std::size_t query : {1U, 2U, 5U}) {
        if (pair.winner < data.query_offsets[query] || pair.winner >= data.query_offsets[query + 1])
          continue;
        const Preference& moved = selection.preferences.at(expected++);
        const auto& from = std::get<DenseMatrix>(data.features);
        const auto& to = std::get<DenseMatrix>(selection.features);
        EXPECT_TRUE(std::ranges::equal(from.row(pair.winner), to.row(moved.winner)));
        EXPECT_TRUE(std::ranges::equal(from.row(pair.loser), to.row(moved.loser)));
        EXPECT_EQ(moved.weight, pair.weight);
      }
    }
    EXPECT_EQ(selection.preferences.size(), expected);
  }
}

TEST(QuerySelectionTest, refuses_queries_named_twice_or_not_there) {
  const auto failure = [](std::vector<std::int64_t> queries) -> std::string {
    try {
      select_queries(random_dataset(1), queries);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::option);
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(failure({1, 2, 1}), "query 1 is selected twice");
  EXPECT_EQ(failure({1, 7}), "query 7 must be in [0, 7)");
  EXPECT_EQ(failure({-1}), "query -1 must be in [0, 7)");
}

}  // namespace
}  // namespace rankine
