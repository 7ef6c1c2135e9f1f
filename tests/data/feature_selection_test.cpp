#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/feature_selection.hpp>

namespace rankine {
namespace {

using Columns = std::vector<std::int64_t>;

const StringList kNone;

StringList names() {
  return StringList::of({"title_bm25", "body-bm25", "url_length", "3", "clicks"});
}

std::string message_of(const std::string& text, const StringList& feature_names) {
  try {
    parse_feature_list(text, 5, feature_names);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::option);
    return error.what();
  }
  return "no error";
}

TEST(ParseFeatureList, reads_numbers_and_ranges_from_one) {
  EXPECT_EQ(parse_feature_list("1-3,5", 5, kNone), (Columns{0, 1, 2, 4}));
  EXPECT_EQ(parse_feature_list("4-", 5, kNone), (Columns{3, 4}));
  EXPECT_EQ(parse_feature_list(" 5 , 2-2", 5, kNone), (Columns{4, 1}));
}

TEST(ParseFeatureList, reads_names_and_ranges_of_names) {
  EXPECT_EQ(parse_feature_list("clicks,body-bm25", 5, names()), (Columns{4, 1}));
  EXPECT_EQ(parse_feature_list("body-bm25-clicks", 5, names()), (Columns{1, 2, 3, 4}));
  EXPECT_EQ(parse_feature_list("title_bm25-2", 5, names()), (Columns{0, 1}));
}

TEST(ParseFeatureList, takes_a_name_for_a_name_even_if_it_is_a_number) {
  EXPECT_EQ(parse_feature_list("3", 5, names()), Columns{3});
}

TEST(ParseFeatureList, says_what_is_wrong) {
  EXPECT_EQ(message_of("0", kNone), "features: '0' is no feature: they are numbered from 1");
  EXPECT_EQ(message_of("0-2", kNone), "features: '0-2' is no feature: they are numbered from 1");
  EXPECT_EQ(message_of("6", kNone), "features: '6' is no feature: there are 5");
  EXPECT_EQ(message_of("2-60", kNone), "features: '2-60' is no feature: there are 5");
  EXPECT_EQ(message_of("99999999999999999999", kNone),
            "features: '99999999999999999999' is no feature: there are 5");
  EXPECT_EQ(message_of("4-2", kNone), "features: '4-2' is a range that ends before it begins");
  EXPECT_EQ(message_of("1,x", kNone),
            "features: 'x' is neither a feature's number nor a range like 1-10");
  EXPECT_EQ(message_of("-3", kNone),
            "features: '-3' is neither a feature's number nor a range like 1-10");
  EXPECT_EQ(message_of("1,,2", kNone),
            "features: '' is neither a feature's number nor a range like 1-10");
  EXPECT_EQ(message_of("click", names()),
            "features: 'click' is neither a feature's name or number nor a range like 1-10 (did "
            "you mean clicks?)");
  EXPECT_EQ(message_of("1-3,2", kNone), "features: '1-3,2' names feature 2 twice");
  EXPECT_EQ(message_of("", kNone), "features: '' names no feature");
}

Dataset dense_data() {
  Dataset data;
  data.features = DenseMatrix{2, 3, std::vector<float>{1, 0, 3, 4, 5, 0}};
  data.grades = std::vector<double>{1, 0};
  data.feature_names = StringList::of({"a", "b", "c"});
  return data;
}

TEST(SelectFeatures, keeps_the_columns_in_the_order_asked_for) {
  const Dataset data = dense_data();
  const Dataset result = select_features(data, Columns{2, 0});
  const auto& matrix = std::get<DenseMatrix>(result.features);
  EXPECT_EQ(matrix.num_columns, 2);
  EXPECT_EQ(std::vector<float>(matrix.values.begin(), matrix.values.end()),
            (std::vector<float>{3, 1, 0, 4}));
  EXPECT_EQ(result.feature_names[0], "c");
  EXPECT_EQ(result.feature_names.size(), 2U);
  EXPECT_EQ(result.grades.values().data(), data.grades.values().data());
}

TEST(SelectFeatures, of_sparse_rows_keeps_columns_rising) {
  Dataset data = dense_data();
  data.features = CsrMatrix{2, 3, std::vector<std::int64_t>{0, 2, 4},
                            std::vector<std::uint32_t>{0, 2, 0, 1}, std::vector<float>{1, 3, 4, 5}};
  const Dataset result = select_features(data, Columns{2, 0});
  const auto& matrix = std::get<CsrMatrix>(result.features);
  EXPECT_EQ(matrix.num_columns, 2);
  EXPECT_EQ(std::vector<std::int64_t>(matrix.offsets.begin(), matrix.offsets.end()),
            (std::vector<std::int64_t>{0, 2, 3}));
  EXPECT_EQ(std::vector<std::uint32_t>(matrix.columns.begin(), matrix.columns.end()),
            (std::vector<std::uint32_t>{0, 1, 1}));
  EXPECT_EQ(std::vector<float>(matrix.values.begin(), matrix.values.end()),
            (std::vector<float>{3, 1, 4}));
}

TEST(SelectFeatures, refuses_columns_that_are_not_there_or_named_twice) {
  EXPECT_THROW(select_features(dense_data(), Columns{3}), Error);
  EXPECT_THROW(select_features(dense_data(), Columns{-1}), Error);
  EXPECT_THROW(select_features(dense_data(), Columns{1, 1}), Error);
  EXPECT_EQ(select_features(dense_data(), Columns{}).num_features(), 0);
}

}  // namespace
}  // namespace rankine
