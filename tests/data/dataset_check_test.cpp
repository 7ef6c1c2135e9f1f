#include "data/dataset_check.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

#include "data/random_dataset.hpp"

namespace rankine {
namespace {

template <class T>
std::vector<T> changed(const Array<T>& array, std::size_t index, T value) {
  std::vector<T> items(array.begin(), array.end());
  items.at(index) = value;
  return items;
}

std::string failure(const Dataset& data) {
  try {
    check_dataset(data, "here");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.what();
  }
  return "no error";
}

std::string failure_after(bool sparse, const std::function<void(Dataset&)>& change) {
  Dataset data = random_dataset(1, {.sparse = sparse});
  change(data);
  return failure(data);
}

std::string csr_failure(const std::function<void(CsrMatrix&)>& change) {
  return failure_after(true, [&](Dataset& data) { change(std::get<CsrMatrix>(data.features)); });
}

TEST(DatasetCheckTest, passes_proper_data_sets) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    for (const bool sparse : {false, true}) {
      EXPECT_EQ(failure(random_dataset(seed, {.sparse = sparse})), "no error");
    }
  }
  EXPECT_EQ(failure(Dataset{}), "no error");
  EXPECT_EQ(failure(random_dataset(1, {.num_rows = 0})), "no error");
}

TEST(DatasetCheckTest, finds_offsets_that_lead_out_of_bounds) {
  const std::string rise = "here: row offsets do not rise from 0 to ";
  EXPECT_TRUE(csr_failure([](CsrMatrix& m) {
                m.offsets = changed(m.offsets, 0, std::int64_t{1});
              }).starts_with(rise));
  EXPECT_TRUE(csr_failure([](CsrMatrix& m) {
                m.offsets = changed(m.offsets, 3, std::numeric_limits<std::int64_t>::max());
              }).starts_with(rise));
  EXPECT_TRUE(csr_failure([](CsrMatrix& m) {
                m.offsets = changed(m.offsets, 3, std::numeric_limits<std::int64_t>::min());
              }).starts_with(rise));
  EXPECT_TRUE(csr_failure([](CsrMatrix& m) {
                m.offsets = changed(m.offsets, m.offsets.size() - 1, std::int64_t{100000});
              }).starts_with(rise));
  EXPECT_EQ(failure_after(
                false,
                [](Dataset& d) { d.query_offsets = changed(d.query_offsets, 1, std::int64_t{0}); }),
            "here: query offsets do not rise from 0 to 60");
  EXPECT_EQ(failure_after(false, [](Dataset& d) { d.query_offsets = {}; }),
            "here: 0 query offsets where there should be 1");
}

TEST(DatasetCheckTest, finds_columns_that_do_not_exist_or_do_not_rise) {
  const std::string message = "here: columns that do not exist or do not rise within a row";
  EXPECT_EQ(csr_failure([](CsrMatrix& m) {
              m.columns = changed(m.columns, m.columns.size() - 1, std::uint32_t{5});
            }),
            message);
  EXPECT_EQ(csr_failure([](CsrMatrix& m) { m.num_columns = 4; }),
            "here: 5 feature names where there should be 4");
  EXPECT_EQ(csr_failure([](CsrMatrix& m) {
              for (std::size_t row = 0;; ++row) {
                const auto first = static_cast<std::size_t>(m.offsets[row]);
                if (m.offsets[row + 1] - m.offsets[row] < 2) continue;
                m.columns = changed(m.columns, first + 1, m.columns[first]);
                return;
              }
            }),
            message);
}

TEST(DatasetCheckTest, judges_columns_the_same_whole_or_in_pieces) {
  std::mt19937 random(3);
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Dataset data = random_dataset(seed, {.num_rows = 12, .sparse = true});
    auto matrix = std::get<CsrMatrix>(data.features);
    const auto count = static_cast<std::int64_t>(matrix.columns.size());
    const auto entry = static_cast<std::size_t>(random()) % matrix.columns.size();
    matrix.columns = changed(matrix.columns, entry, static_cast<std::uint32_t>(random() % 6));
    bool obvious = true;
    for (std::size_t row = 0; row < 12; ++row) {
      std::int64_t before = -1;
      for (auto at = matrix.offsets[row]; at < matrix.offsets[row + 1]; ++at) {
        const std::int64_t column = matrix.columns[static_cast<std::size_t>(at)];
        obvious = obvious && column > before && column < 5;
        before = column;
      }
    }
    EXPECT_EQ(columns_rise(matrix, 0, count), obvious);
    for (const std::int64_t piece : {1, 3, 7}) {
      bool all = true;
      for (std::int64_t first = 0; first < count; first += piece) {
        all = columns_rise(matrix, first, std::min(first + piece, count)) && all;
      }
      EXPECT_EQ(all, obvious) << seed << " by " << piece;
    }
  }
}

TEST(DatasetCheckTest, finds_codes_that_stand_for_no_grade) {
  const auto with_codes = [](std::uint8_t last) {
    return failure_after(false, [&](Dataset& d) {
      std::vector<std::uint8_t> codes(d.grades.size(), 1);
      codes.back() = last;
      d.grades = Grades(codes, std::vector<double>{2, 0.5});
    });
  };
  EXPECT_EQ(with_codes(1), "no error");
  EXPECT_EQ(with_codes(2), "here: a code that stands for no grade");
}

TEST(DatasetCheckTest, finds_numbers_that_are_not_finite) {
  const float infinity = std::numeric_limits<float>::infinity();
  const double nan = std::nan("");
  for (const float bad : {infinity, -infinity, std::nanf("")}) {
    EXPECT_EQ(failure_after(false,
                            [&](Dataset& d) {
                              auto& m = std::get<DenseMatrix>(d.features);
                              m.values = changed(m.values, 77, bad);
                            }),
              "here: a feature value that is not finite");
    EXPECT_EQ(csr_failure([&](CsrMatrix& m) { m.values = changed(m.values, 7, bad); }),
              "here: a feature value that is not finite");
  }
  EXPECT_EQ(
      failure_after(false, [&](Dataset& d) { d.grades = changed(d.grades.values(), 3, nan); }),
      "here: a grade that is not finite");
  EXPECT_EQ(failure_after(false,
                          [&](Dataset& d) { d.query_weights = changed(d.query_weights, 0, -1.0); }),
            "here: query weights must be finite and not negative");
  EXPECT_EQ(
      failure_after(false,
                    [&](Dataset& d) { d.document_weights = changed(d.document_weights, 0, nan); }),
      "here: document weights must be finite and not negative");
}

TEST(DatasetCheckTest, finds_arrays_of_the_wrong_size) {
  EXPECT_EQ(
      failure_after(false, [](Dataset& d) { std::get<DenseMatrix>(d.features).num_columns = 6; }),
      "here: 300 feature values where there should be 360");
  EXPECT_EQ(failure_after(false,
                          [](Dataset& d) {
                            std::get<DenseMatrix>(d.features).num_columns = std::int64_t{1} << 62;
                          }),
            "here: 4611686018427387904 features must be in [0, 2^32)");
  EXPECT_EQ(failure_after(false, [](Dataset& d) { d.query_ids = StringList::of({"one"}); }),
            "here: 1 query ids where there should be 7");
  EXPECT_EQ(failure_after(false, [](Dataset& d) { d.comments = StringList::of({"one"}); }),
            "here: 1 comments where there should be 60");
  EXPECT_EQ(failure_after(false, [](Dataset& d) { d.query_weights = std::vector<double>{1}; }),
            "here: 1 query weights where there should be 7");
  EXPECT_EQ(failure_after(false, [](Dataset& d) { d.grades = std::vector<double>{1}; }),
            "here: 60 rows of features for 1 documents");
}

TEST(DatasetCheckTest, finds_input_rows_that_are_no_permutation_or_out_of_order) {
  EXPECT_EQ(
      failure_after(false,
                    [](Dataset& d) { d.input_rows = changed(d.input_rows, 5, d.input_rows[6]); }),
      "here: input rows are not a permutation of the documents");
  EXPECT_EQ(
      failure_after(false,
                    [](Dataset& d) { d.input_rows = changed(d.input_rows, 5, std::int64_t{-1}); }),
      "here: input rows are not a permutation of the documents");
  EXPECT_EQ(failure_after(false,
                          [](Dataset& d) {
                            auto rows = changed(d.input_rows, 0, d.input_rows[1]);
                            rows[1] = d.input_rows[0];
                            d.input_rows = rows;
                          }),
            "here: documents or queries are not in the order of the input rows");
}

TEST(DatasetCheckTest, finds_preferences_that_make_no_sense) {
  const auto with = [](const Preference& pair) {
    return failure_after(false, [&](Dataset& d) { d.preferences = {pair}; });
  };
  const std::string exist =
      "here: a preference between documents that do not exist or are the same";
  EXPECT_EQ(with({0, 60, 1, 1}), exist);
  EXPECT_EQ(with({-1, 0, 1, 1}), exist);
  EXPECT_EQ(with({1, 1, 1, 1}), exist);
  EXPECT_EQ(with({0, 59, 1, 1}), "here: a preference between documents of different queries");
  EXPECT_EQ(with({59, 0, 1, 1}), "here: a preference between documents of different queries");
  EXPECT_EQ(with({0, 1, -1, 1}),
            "here: a preference whose weight or magnitude is negative or not finite");
  EXPECT_EQ(failure_after(false, [](Dataset& d) { d.has_preferences = false; }),
            "here: preferences that the data set says it does not have");
}

}  // namespace
}  // namespace rankine
