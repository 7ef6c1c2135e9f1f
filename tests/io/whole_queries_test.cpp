#include "io/whole_queries.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace rankine {
namespace {

/// A row for each letter, of the query it names; row r has the one feature r.
DocumentBlock block_of(std::string_view letters, float first, bool dense) {
  DocumentBlock block;
  std::vector<std::size_t> ends;
  std::vector<std::uint32_t> columns;
  std::vector<float> values;
  for (std::size_t row = 0; row < letters.size(); ++row) {
    if (row == 0 || letters[row] != letters[row - 1]) {
      block.query_offsets.push_back(static_cast<std::int64_t>(row));
      block.query_ids.push_back(letters.substr(row, 1));
    }
    block.grades.push_back(0);
    columns.push_back(0);
    values.push_back(first + static_cast<float>(row));
    ends.push_back(row + 1);
  }
  block.query_offsets.push_back(static_cast<std::int64_t>(letters.size()));
  set_features(block, {ends, columns, values, 1}, dense, 1);
  set_documents(block);
  return block;
}

std::string gathered(const std::vector<std::string>& blocks, std::size_t together, bool dense) {
  WholeQueries queries(together);
  std::string text;
  const auto take = [&](const Dataset& data) {
    for (std::size_t q = 0; q + 1 < data.query_offsets.size(); ++q) {
      text += "[";
      for (auto doc = data.query_offsets[q]; doc < data.query_offsets[q + 1]; ++doc) {
        const float value = std::visit(
            [&](const auto& matrix) { return matrix.values[static_cast<std::size_t>(doc)]; },
            data.features);
        text += std::to_string(static_cast<int>(value));
      }
      text += "]";
    }
    text += ";";
  };
  float first = 1;
  try {
    for (const std::string& letters : blocks) {
      queries.add(block_of(letters, first, dense), take);
      first += static_cast<float>(letters.size());
    }
    queries.finish(take);
  } catch (const NonContiguousQuery& query) {
    text += "!" + query.id + std::to_string(query.row);
  }
  return text;
}

TEST(WholeQueries, are_handed_out_when_enough_are_complete) {
  for (const bool dense : {true, false}) {
    EXPECT_EQ(gathered({"aab", "bb", "cd", "d"}, 3, dense), "[12][345];[6][78];");
    EXPECT_EQ(gathered({"aab", "bb", "cd", "d"}, 1, dense), "[12];[345];[6];[78];");
    EXPECT_EQ(gathered({"aab", "bb", "cd", "d"}, 99, dense), "[12][345][6][78];");
  }
}

TEST(WholeQueries, notice_a_query_that_comes_back) {
  EXPECT_EQ(gathered({"aab", "ba"}, 99, true), "!a4");
  EXPECT_EQ(gathered({"ab", "c", "b"}, 1, false), "[1];[2];!b3");
}

}  // namespace
}  // namespace rankine
