#include "io/query_gatherer.hpp"

#include <algorithm>
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
    block.weights.push_back(first + static_cast<float>(row));
    if ((static_cast<int>(first) + static_cast<int>(row) - 1) % 3 == 0) {
      block.missing.push_back({static_cast<std::int64_t>(row), 0});
    }
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
  QueryGatherer gatherer(together);
  std::string text;
  const auto work = [&](const QueryBatch& batch) {
    const Dataset& data = batch.documents;
    for (std::size_t q = 0; q + 1 < data.query_offsets.size(); ++q) {
      text += "[";
      for (auto doc = data.query_offsets[q]; doc < data.query_offsets[q + 1]; ++doc) {
        const auto index = static_cast<std::size_t>(doc);
        const float value =
            std::visit([&](const auto& matrix) { return matrix.values[index]; }, data.features);
        EXPECT_EQ(value, static_cast<float>(batch.places[index] + 1));
        EXPECT_EQ(data.document_weights[index], value);
        text += std::to_string(static_cast<int>(value));
      }
      text += "]";
    }
    for (const MissingValue& cell : data.missing) {
      EXPECT_EQ(batch.places[static_cast<std::size_t>(cell.document)] % 3, 0);
    }
    EXPECT_EQ(data.num_missing, std::count_if(batch.places.begin(), batch.places.end(),
                                              [](std::int64_t place) { return place % 3 == 0; }));
    text += ";";
  };
  float first = 1;
  try {
    for (const std::string& letters : blocks) {
      gatherer.add(block_of(letters, first, dense), work);
      first += static_cast<float>(letters.size());
    }
    gatherer.finish(work);
  } catch (const NonContiguousQuery& query) {
    text += "!" + query.id + std::to_string(query.row);
  }
  return text;
}

TEST(QueryGatherer, hands_queries_out_when_enough_are_held) {
  for (const bool dense : {true, false}) {
    EXPECT_EQ(gathered({"aab", "bb", "cd", "d"}, 2, dense), "[12][345];[6][78];");
    EXPECT_EQ(gathered({"aab", "bb", "cd", "d"}, 1, dense), "[12];[345];[6][78];");
    EXPECT_EQ(gathered({"aab", "bb", "cd", "d"}, 99, dense), "[12][345][6][78];");
  }
}

TEST(QueryGatherer, puts_together_what_lies_near) {
  for (const bool dense : {true, false}) {
    EXPECT_EQ(gathered({"aab", "ba"}, 99, dense), "[125][34];");
    EXPECT_EQ(gathered({"abab", "cdc"}, 2, dense), "[13];[24];[57][6];");
    EXPECT_EQ(gathered({"abcda"}, 2, dense), "[2][3];[15][4];");
  }
}

TEST(QueryGatherer, notices_a_query_that_comes_back_too_late) {
  EXPECT_EQ(gathered({"ab", "c", "a"}, 1, false), "[1];[2];!a3");
  EXPECT_EQ(gathered({"aaaaba"}, 1, true), "[1234];!a5");
}

TEST(QueryGatherer, does_not_depend_on_the_blocks) {
  const std::string text = "aabbcabdcefgefhhhij";
  for (const std::size_t together : {1U, 2U, 3U, 5U, 8U}) {
    const std::string whole = gathered({text}, together, true);
    for (std::size_t size = 1; size < text.size(); ++size) {
      std::vector<std::string> blocks;
      for (std::size_t at = 0; at < text.size(); at += size)
        blocks.push_back(text.substr(at, size));
      EXPECT_EQ(gathered(blocks, together, true), whole) << size;
    }
  }
}

}  // namespace
}  // namespace rankine
