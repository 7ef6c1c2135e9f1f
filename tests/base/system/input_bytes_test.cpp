#include "base/system/input_bytes.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <rankine/error.hpp>

#include "base/system/output_file.hpp"

namespace rankine {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestLine = 5001;  // of those below

class InputBytesTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("rankine-input-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& text) const {
    OutputFile file(path(name));
    file.write(text);
    file.commit();
    return path(name);
  }
  /// All blocks joined, checked for what a block promises.
  static std::string joined(InputBytes& input, std::size_t target) {
    std::string all;
    LineBlock block;
    std::int64_t consumed = 0;
    while (input.next_lines(block, target)) {
      EXPECT_TRUE(all.empty() || all.back() == '\n');
      EXPECT_FALSE(block.text.empty());
      EXPECT_LE(block.text.size(), 2 * (target + kLongestLine));
      all += block.text;
      EXPECT_GE(block.consumed, consumed);
      consumed = block.consumed;
      input.release(block);
    }
    EXPECT_EQ(std::string(block.text.data() + block.text.size(), InputBytes::kPadding),
              std::string(InputBytes::kPadding, '\0'));
    EXPECT_FALSE(input.next_lines(block, target));
    return all;
  }
  static std::string failure(const std::string& path) {
    try {
      InputBytes input(path);
      input.read_all();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      return error.what();
    }
    return "no error";
  }
  static std::string content(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static std::string lines(std::size_t count) {
    std::string text;
    for (std::size_t line = 0; line < count; ++line) {
      text += std::string(line * 37 % 101, 'x') + "\n";
    }
    return text;
  }
  fs::path folder_;
};

TEST_F(InputBytesTest, gives_whole_lines_whatever_the_source_and_the_size) {
  for (const char* name : {"a.txt", "a.gz", "a.zst"}) {
    for (const std::string& text : {lines(3000), lines(3000) + "no end", std::string("x"),
                                    std::string("\n"), std::string(5000, 'x') + "\ny\n"}) {
      const std::string file = write(name, text);
      for (const std::size_t target : {1UL, 2UL, 100UL, 4096UL, 1000000UL}) {
        InputBytes input(file);
        EXPECT_EQ(joined(input, target), text) << name << " " << target;
      }
    }
  }
}

TEST_F(InputBytesTest, maps_plain_files_only) {
  EXPECT_TRUE(InputBytes(write("a.txt", "x\n")).is_mapped());
  EXPECT_FALSE(InputBytes(write("a.gz", "x\n")).is_mapped());
}

TEST_F(InputBytesTest, knows_compression_by_content_not_by_name) {
  fs::copy_file(write("a.gz", "text\n"), path("b.txt"));
  InputBytes input(path("b.txt"));
  EXPECT_EQ(input.read_all(), "text\n");
}

TEST_F(InputBytesTest, may_be_looked_at_before_it_is_read) {
  const std::string text = lines(100);
  for (const char* name : {"a.txt", "a.zst"}) {
    InputBytes input(write(name, text));
    EXPECT_EQ(input.peek(8), text.substr(0, 8));
    EXPECT_EQ(input.peek(1000000), text);
    EXPECT_EQ(joined(input, 64), text);
    InputBytes again(path(name));
    EXPECT_EQ(again.peek(3), text.substr(0, 3));
    EXPECT_EQ(again.read_all(), text);
    InputBytes third(path(name));
    std::string storage;
    EXPECT_EQ(third.rest(storage), text);
    EXPECT_EQ(storage.empty(), third.is_mapped());
  }
}

TEST_F(InputBytesTest, reads_pipes) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const std::string text = lines(20000);
  std::thread writer([&] { std::ofstream(path("pipe")) << text; });
  InputBytes input(path("pipe"));
  EXPECT_EQ(joined(input, 1000), text);
  writer.join();
  EXPECT_EQ(input.num_bytes(), 0);
}

TEST_F(InputBytesTest, reads_files_that_claim_to_be_empty) {
  InputBytes input("/proc/self/status");
  EXPECT_NE(input.read_all().find("VmHWM"), std::string::npos);
}

TEST_F(InputBytesTest, reads_bytes_in_memory_as_it_reads_a_file) {
  const std::string text = lines(500);
  for (const char* name : {"a.txt", "a.gz", "a.zst"}) {
    InputBytes file(write(name, text));
    const std::string stored = content(path(name));
    InputBytes memory("memory", stored);
    EXPECT_EQ(joined(memory, 333), text) << name;
    EXPECT_EQ(memory.num_bytes(), file.num_bytes());
    EXPECT_EQ(memory.name(), "memory");
  }
}

TEST_F(InputBytesTest, of_an_empty_file_has_no_lines) {
  InputBytes input(write("a.txt", ""));
  LineBlock block;
  EXPECT_EQ(input.peek(4), "");
  EXPECT_FALSE(input.next_lines(block, 100));
}

TEST_F(InputBytesTest, names_the_file_and_the_cause_of_a_failure) {
  EXPECT_EQ(failure(path("none")), path("none") + ": cannot read: No such file or directory");
  EXPECT_EQ(failure(folder_.string()), folder_.string() + ": cannot read: it is a directory");
  EXPECT_EQ(failure(write("a.txt", "x") + "/b"),
            path("a.txt") + "/b: cannot read: Not a directory");
  if (::geteuid() != 0) {
    fs::permissions(path("a.txt"), fs::perms::none);
    EXPECT_EQ(failure(path("a.txt")), path("a.txt") + ": cannot read: Permission denied");
  }
}

TEST_F(InputBytesTest, gives_up_on_an_endless_line) {
  InputBytes input("/dev/zero");
  LineBlock block;
  try {
    input.next_lines(block, 1 << 20);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "/dev/zero: cannot read: a line of over 256 MiB: this is not text");
  }
}

}  // namespace
}  // namespace rankine
