#include "models/file/sections.hpp"

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace rankine {
namespace {

SectionWriter some_sections() {
  SectionWriter writer;
  writer.text("name", "größe\n");
  writer.texts("names", std::vector<std::string>{"a", "", "ccc"});
  writer.numbers("doubles", std::vector<double>{1, -0.5, std::numeric_limits<double>::infinity()});
  writer.numbers("floats", std::vector<float>{1, 2, 3});
  writer.number("count", std::int64_t{-7});
  writer.numbers("indices", std::vector<std::uint32_t>{1, 4000000000U});
  writer.bytes("bytes", std::vector<std::uint8_t>{0, 255, 3});
  writer.numbers("none", std::vector<double>{});
  return writer;
}

template <class Call>
std::string damage_of(Call call) {
  try {
    call();
  } catch (const DamagedModel& damage) {
    return damage.what;
  }
  return "no damage";
}

TEST(Sections, give_back_what_was_written) {
  const SectionWriter writer = some_sections();
  const SectionReader reader(writer.all(), writer.num_sections());
  EXPECT_EQ(reader.text("name"), "größe\n");
  EXPECT_EQ(reader.texts("names"), (std::vector<std::string>{"a", "", "ccc"}));
  EXPECT_EQ(reader.doubles("doubles"),
            (std::vector<double>{1, -0.5, std::numeric_limits<double>::infinity()}));
  EXPECT_EQ(reader.floats("floats"), (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(reader.integer("count"), -7);
  EXPECT_EQ(reader.indices("indices"), (std::vector<std::uint32_t>{1, 4000000000U}));
  EXPECT_EQ(reader.bytes("bytes"), (std::vector<std::uint8_t>{0, 255, 3}));
  EXPECT_TRUE(reader.doubles("none").empty());
  EXPECT_FALSE(reader.has("other"));
  EXPECT_NO_THROW(reader.check_all_known());
}

TEST(Sections, say_what_is_wrong_with_them) {
  const SectionWriter writer = some_sections();
  const SectionReader reader(writer.all(), writer.num_sections());
  EXPECT_EQ(damage_of([&] { reader.doubles("other"); }), "other is missing");
  EXPECT_EQ(damage_of([&] { reader.doubles("floats"); }), "floats is of another type");
  EXPECT_EQ(damage_of([&] { reader.real("doubles"); }), "doubles is not one number");
  EXPECT_EQ(damage_of([&] { reader.integer("count", 0, 9); }), "count is out of its range");
  EXPECT_EQ(damage_of([&] { reader.finite_doubles("doubles"); }),
            "doubles has a number that is not finite");
}

TEST(Sections, may_be_unknown_where_their_writer_said_so) {
  SectionWriter writer;
  writer.set_required(false);
  writer.number("hint", 1.0);
  writer.set_required(true);
  writer.number("law", 1.0);
  const SectionReader reader(writer.all(), writer.num_sections());
  try {
    reader.check_all_known();
    FAIL();
  } catch (const NewerModel& newer) {
    EXPECT_EQ(newer.what, "it has a part 'law'");
  }
  reader.real("law");
  EXPECT_NO_THROW(reader.check_all_known());
}

TEST(Sections, of_a_type_that_is_not_known_may_be_passed_over) {
  SectionWriter writer;
  writer.set_required(false);
  writer.number("hint", 1.0);
  std::vector<char> bytes = writer.all();
  bytes[0] = 99;
  EXPECT_NO_THROW(SectionReader(bytes, 1).check_all_known());
}

TEST(Sections, are_found_under_their_prefix) {
  SectionWriter writer;
  writer.set_prefix("extra.");
  writer.number("b", 1.0);
  writer.number("a", 2.0);
  const SectionReader reader(writer.all(), writer.num_sections());
  EXPECT_EQ(reader.within("extra.").real("a"), 2);
  EXPECT_EQ(reader.names("extra."), (std::vector<std::string>{"a", "b"}));
}

/// One section whose head states these sizes.
std::vector<char> crafted(std::uint64_t name_bytes, std::uint64_t content_bytes) {
  std::vector<char> bytes(64);
  std::memcpy(bytes.data() + 8, &name_bytes, 8);
  std::memcpy(bytes.data() + 16, &content_bytes, 8);
  return bytes;
}

TEST(Sections, of_sizes_that_wrap_are_refused_before_anything_is_asked_for) {
  constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint64_t size : {kMost, kMost - 7, kMost - 8, std::uint64_t{1} << 63,
                                   std::uint64_t{1} << 40, std::uint64_t{41}}) {
    EXPECT_NE(damage_of([&] { SectionReader(crafted(0, size), 1); }), "no damage") << size;
    EXPECT_NE(damage_of([&] { SectionReader(crafted(size, 0), 1); }), "no damage") << size;
  }
  const SectionWriter writer = some_sections();
  EXPECT_NE(damage_of([&] { SectionReader(writer.all(), kMost); }), "no damage");
  EXPECT_NE(damage_of([&] { SectionReader(writer.all(), 1); }), "no damage");
}

TEST(Sections, come_once) {
  SectionWriter writer;
  writer.number("a", 1.0);
  writer.number("a", 2.0);
  EXPECT_EQ(damage_of([&] { SectionReader(writer.all(), 2); }), "a section comes twice");
}

TEST(Sections, of_texts_whose_lengths_lie_are_refused) {
  SectionWriter writer;
  writer.texts("names", std::vector<std::string>{"abcdefgh"});
  std::vector<char> bytes = writer.all();
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  std::memcpy(bytes.data() + 24 + 8, &most, 8);
  const SectionReader reader(bytes, 1);
  EXPECT_EQ(damage_of([&] { reader.texts("names"); }), "names ends early");
}

}  // namespace
}  // namespace rankine
