#include "tuning/run_log.hpp"

#include <fstream>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

#include "temporary_folder.hpp"

namespace rankine {
namespace {

using Json = nlohmann::ordered_json;

const Json kDescription{{"select", "map"}, {"options", {{"C", "1"}, {"loss", "huber"}}}};

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(RunLog, finds_after_opening_again_what_was_added) {
  const TemporaryFolder folder;
  const std::string run = folder.path("runs/a");
  {
    RunLog log(run, kDescription);
    EXPECT_TRUE(log.is_kept());
    EXPECT_EQ(log.find("one"), nullptr);
    log.add("one", {{"value", 0.1}});
  }
  const RunLog log(run, kDescription);
  ASSERT_NE(log.find("one"), nullptr);
  EXPECT_EQ((*log.find("one"))["value"].get<double>(), 0.1);
}

TEST(RunLog, without_a_folder_remembers_in_memory_alone) {
  RunLog log;
  log.add("one", 1);
  EXPECT_FALSE(log.is_kept());
  EXPECT_EQ(*log.find("one"), 1);
}

TEST(RunLog, writes_every_record_through_at_once) {
  const TemporaryFolder folder;
  RunLog log(folder.path("run"), kDescription);
  log.add("one", 1);
  const std::string text = folder.content("run/tuning.jsonl");
  EXPECT_NE(text.find("\n{\"key\":\"one\",\"record\":1,\"checksum\":\""), std::string::npos);
  EXPECT_TRUE(text.ends_with("\"}\n"));
}

TEST(RunLog, drops_a_line_that_was_cut_short) {
  const TemporaryFolder folder;
  const std::string run = folder.path("run");
  { RunLog(run, kDescription).add("one", 1); }
  std::ofstream(folder.path("run/tuning.jsonl"), std::ios::app) << "{\"key\":\"two\",\"rec";
  {
    RunLog log(run, kDescription);
    EXPECT_NE(log.find("one"), nullptr);
    EXPECT_EQ(log.find("two"), nullptr);
    log.add("three", 3);
  }
  EXPECT_NE(RunLog(run, kDescription).find("three"), nullptr);
}

TEST(RunLog, names_the_difference_to_another_run) {
  const TemporaryFolder folder;
  const std::string run = folder.path("run");
  { const RunLog log(run, kDescription); }
  Json other = kDescription;
  other["options"]["loss"] = "hinge";
  EXPECT_EQ(message_of([&] { RunLog(run, other); }),
            "run = " + run + " holds another tuning: loss was huber and is hinge");
  other = kDescription;
  other["options"]["gamma"] = "2";
  EXPECT_EQ(message_of([&] { RunLog(run, other); }),
            "run = " + run + " holds another tuning: gamma was not set and is 2");
  other = kDescription;
  other["options"].erase("C");
  EXPECT_EQ(message_of([&] { RunLog(run, other); }),
            "run = " + run + " holds another tuning: C was 1 and is not set");
}

TEST(RunLog, refuses_a_file_that_is_not_its_own) {
  const TemporaryFolder folder;
  const std::string run = folder.path("run");
  { const RunLog log(run, kDescription); }
  std::ofstream(folder.path("run/tuning.jsonl"), std::ios::app) << "hello\n";
  EXPECT_EQ(message_of([&] { RunLog(run, kDescription); }),
            folder.path("run/tuning.jsonl") +
                ":2: not a line of rankine tune; the folder is damaged or belongs to something "
                "else");
}

TEST(RunLog, finds_any_byte_that_changed) {
  const TemporaryFolder folder;
  const std::string run = folder.path("run");
  { RunLog(run, kDescription).add("C=1", {{"value", 0.4871}, {"text", "some words"}}); }
  const std::string whole = folder.content("run/tuning.jsonl");
  for (std::size_t at = 0; at + 1 < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = changed[at] == '7' ? '8' : '7';
    folder.write("run/tuning.jsonl", changed);
    EXPECT_NE(message_of([&] { RunLog(run, kDescription); }), "no error") << changed;
  }
  folder.write("run/tuning.jsonl", whole);
  EXPECT_EQ(message_of([&] { RunLog(run, kDescription); }), "no error");
}

TEST(RunLog, names_the_line_whose_checksum_differs) {
  const TemporaryFolder folder;
  const std::string run = folder.path("run");
  { RunLog(run, kDescription).add("one", {{"value", 0.4871}}); }
  std::string text = folder.content("run/tuning.jsonl");
  text.replace(text.find("0.4871"), 6, "0.8471");
  folder.write("run/tuning.jsonl", text);
  EXPECT_EQ(message_of([&] { RunLog(run, kDescription); }),
            folder.path("run/tuning.jsonl") +
                ":2: the line is damaged: its checksum says otherwise; remove the line to have it "
                "done again");
}

TEST(RunLog, refuses_lines_without_a_checksum) {
  const TemporaryFolder folder;
  folder.write("tuning.jsonl", "{\"key\":\"description\",\"record\":{}}\n");
  EXPECT_EQ(message_of([&] { RunLog(folder.path(""), kDescription); }),
            folder.path("tuning.jsonl") +
                ":1: the line has no checksum: it comes from an earlier version; begin in another "
                "folder");
}

TEST(RunLog, refuses_a_folder_that_is_in_use) {
  const TemporaryFolder folder;
  const std::string run = folder.path("run");
  const RunLog log(run, kDescription);
  EXPECT_EQ(message_of([&] { RunLog(run, kDescription); }),
            "run = " + run + " is in use by another tuning");
}

TEST(RunLog, says_when_the_folder_cannot_be_made) {
  const TemporaryFolder folder;
  const std::string file = folder.write("file", "");
  EXPECT_NE(message_of([&] { RunLog(file + "/run", kDescription); }).find("cannot make the folder"),
            std::string::npos);
}

}  // namespace
}  // namespace rankine
