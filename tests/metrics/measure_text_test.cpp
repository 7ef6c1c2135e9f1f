#include <string>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/metrics.hpp>

namespace rankine {
namespace {

std::string message_of(const std::string& text) {
  try {
    parse_measures(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::option);
    return error.what();
  }
  return "no error";
}

TEST(ParseMeasures, reads_names_with_and_without_cut_off) {
  const auto measures = parse_measures("ndcg@10, map,ERR@20,ndcg@10");
  ASSERT_EQ(measures.size(), 3U);
  EXPECT_EQ(measures[0], (Measure{"ndcg", 10}));
  EXPECT_EQ(measures[1], (Measure{"map"}));
  EXPECT_EQ(measures[2], (Measure{"err", 20}));
}

TEST(ParseMeasures, reads_back_what_a_measure_writes) {
  for (const MeasureInfo& info : all_measures()) {
    if (info.cut_off != CutOff::required) {
      const Measure plain{std::string(info.name)};
      EXPECT_EQ(parse_measures(plain.text())[0], plain);
    }
    if (info.cut_off != CutOff::none) {
      const Measure cut{std::string(info.name), 7};
      EXPECT_EQ(parse_measures(cut.text())[0], cut);
    }
  }
}

TEST(ParseMeasures, says_in_one_line_what_is_wrong) {
  EXPECT_EQ(message_of("map@0"), "measures: map@0: k must be at least 1");
  EXPECT_EQ(message_of("map@-3"), "measures: map@-3: k must be at least 1");
  EXPECT_EQ(message_of("map@ten"), "measures: map@ten: k = 'ten' is not a whole number");
  EXPECT_EQ(message_of("map@"), "measures: map@: k = '' is not a whole number");
  EXPECT_EQ(message_of("map@1.5"), "measures: map@1.5: k = '1.5' is not a whole number");
  EXPECT_EQ(message_of("map@99999999999999999999"),
            "measures: map@99999999999999999999: k = '99999999999999999999' is not a whole number");
  EXPECT_EQ(message_of("p"), "measures: p: it needs a cut-off, as in p@10");
  EXPECT_EQ(message_of("auc@5"), "measures: auc@5: it takes no @k");
  EXPECT_EQ(message_of("ndcg,,map"), "measures: an empty name between commas");
  EXPECT_EQ(message_of(""), "measures: none are named");
  const std::string unknown = message_of("ndgc@10");
  EXPECT_TRUE(unknown.starts_with("measures = 'ndgc' is none of ndcg, ")) << unknown;
  EXPECT_TRUE(unknown.ends_with(" (did you mean ndcg?)")) << unknown;
}

}  // namespace
}  // namespace rankine
