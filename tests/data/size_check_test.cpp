#include "data/size_check.hpp"

#include <cstdint>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/summary.hpp>
#include <rankine/train.hpp>

namespace rankine {
namespace {

template <class Work>
std::string message_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// Two documents, one of them with a feature of a high index: a line of 20 bytes.
Dataset wide_data(std::int64_t num_columns) {
  Dataset data;
  data.source = "a.txt";
  data.features =
      CsrMatrix{2, num_columns, std::vector<std::int64_t>{0, 1, 2},
                std::vector<std::uint32_t>{static_cast<std::uint32_t>(num_columns - 1), 0},
                std::vector<float>{1, 1}};
  data.grades = std::vector<double>{1, 0};
  data.query_offsets = std::vector<std::int64_t>{0, 2};
  data.query_ids = StringList::of({"1"});
  return data;
}

TEST(CheckDenseFits, refuses_products_that_no_integer_holds) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(message_of([] { check_dense_fits("a.txt", 1000, 46); }), "no error");
  EXPECT_EQ(message_of([] { check_dense_fits("a.txt", 0, kMost); }), "no error");
  for (const std::int64_t rows : {std::int64_t{1} << 24, std::int64_t{1} << 40, kMost}) {
    EXPECT_NE(message_of([&] { check_dense_fits("a.txt", rows, std::int64_t{1} << 32); }),
              "no error");
  }
}

TEST(CheckColumnsFit, says_how_much_would_be_needed) {
  EXPECT_EQ(message_of([] { check_columns_fit("a.txt", 46, 1e9); }), "no error");
  EXPECT_EQ(message_of([] { check_columns_fit("a.txt", 100'000'000, 4e9); }),
            "a.txt: work by feature needs about 20.0 GB for 100000000 features, and 4.0 GB are "
            "allowed: is the largest index right?");
}

TEST(CheckColumnsFit, is_asked_before_the_columns_of_a_bomb_are_worked_on) {
  const Dataset data = wide_data(4'294'967'295);  // 859 GB
  EXPECT_NE(message_of([&] { summarise(data); }).find("work by feature needs about 859"),
            std::string::npos);
  EXPECT_NE(message_of([&] { train(data); }).find("work by feature needs about 859"),
            std::string::npos);
  TrainOptions options;
  options.memory_limit = 1e-3;
  EXPECT_NE(message_of([&] { train(wide_data(1'000'000), options); }).find("0.1 GB are allowed"),
            std::string::npos);
}

}  // namespace
}  // namespace rankine
