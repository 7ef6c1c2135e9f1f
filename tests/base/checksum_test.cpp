#include "base/checksum.hpp"

#include <algorithm>
#include <span>
#include <string>

#include <gtest/gtest.h>

namespace rankine {
namespace {

// Published values of XXH3: they are stored in files, so they may never change.
TEST(ChecksumTest, is_xxh3) {
  EXPECT_EQ(checksum(std::string()), 0x2d06800538d394c2U);
  EXPECT_EQ(checksum(std::string("abc")), 0x78af5f94892f3950U);
}

TEST(ChecksumTest, changes_with_every_bit) {
  std::string bytes(1000, '\0');
  const auto before = checksum(bytes);
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    const auto mask = static_cast<char>(1 << (bit % 8));
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ mask);
    ASSERT_NE(checksum(bytes), before) << bit;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ mask);
  }
}

TEST(ChecksumTest, of_parts_is_that_of_the_whole) {
  std::string bytes;
  for (int k = 0; k < 5000; ++k) bytes.push_back(static_cast<char>(k * 7));
  for (const std::size_t part : {1U, 13U, 256U, 1024U, 5000U}) {
    RunningChecksum sum;
    for (std::size_t first = 0; first < bytes.size(); first += part) {
      sum.add(std::span(bytes).subspan(first, std::min(part, bytes.size() - first)));
    }
    EXPECT_EQ(sum.result(), checksum(bytes)) << part;
  }
  EXPECT_EQ(RunningChecksum().result(), checksum(std::string()));
}

TEST(ChecksumTest, with_a_seed_gives_another_value_for_each_seed) {
  const std::string text = "query 17";
  EXPECT_EQ(seeded_hash(text, 0), checksum(text));
  EXPECT_NE(seeded_hash(text, 1), seeded_hash(text, 2));
}

}  // namespace
}  // namespace rankine
