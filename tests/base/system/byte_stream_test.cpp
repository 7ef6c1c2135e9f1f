#include "base/system/byte_stream.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <rankine/error.hpp>

#include "base/system/output_file.hpp"

namespace rankine {
namespace {

namespace fs = std::filesystem;

class ByteStreamTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("rankine-stream-" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    for (int line = 0; line < 60000; ++line) text_ += std::to_string(line * 7919) + " line\n";
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// What OutputFile makes of `text` under this name.
  std::string encoded(const std::string& name, const std::string& text) const {
    const std::string path = (folder_ / name).string();
    OutputFile file(path);
    file.write(text);
    file.commit();
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::string decoded(const std::string& bytes, std::size_t piece = 10007) const {
    const std::string path = (folder_ / "in").string();
    std::ofstream(path, std::ios::binary) << bytes;
    const auto stream = open_stream(::open(path.c_str(), O_RDONLY), "in");
    std::string all;
    std::vector<char> buffer(piece);
    for (;;) {
      const std::size_t count = stream->read(buffer);
      all.append(buffer.data(), count);
      if (count == 0) break;
    }
    EXPECT_EQ(stream->consumed(), static_cast<std::int64_t>(bytes.size()));
    return all;
  }
  std::string failure(const std::string& bytes) const {
    try {
      decoded(bytes);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::data);
      return error.what();
    }
    return "no error";
  }

  fs::path folder_;
  std::string text_;
};

TEST_F(ByteStreamTest, gives_plain_gzip_and_zstd_data_alike) {
  for (const char* name : {"a.txt", "a.gz", "a.zst"}) {
    const std::string bytes = encoded(name, text_);
    EXPECT_EQ(decoded(bytes), text_) << name;
    EXPECT_EQ(decoded(bytes, std::size_t{1} << 22), text_) << name;
    EXPECT_EQ(decoded(encoded(name, "x"), 1), "x") << name;
    EXPECT_EQ(decoded(encoded(name, "")), "") << name;
  }
  EXPECT_EQ(decoded(""), "");
}

TEST_F(ByteStreamTest, gives_compressed_parts_one_after_the_other_as_one) {
  for (const char* name : {"a.gz", "a.zst"}) {
    const std::string bytes = encoded(name, text_) + encoded(name, "more\n") + encoded(name, "");
    EXPECT_EQ(decoded(bytes), text_ + "more\n") << name;
  }
}

TEST_F(ByteStreamTest, takes_zeros_after_gzip_data_but_nothing_else) {
  const std::string bytes = encoded("a.gz", text_);
  EXPECT_EQ(decoded(bytes + std::string(1000, '\0')), text_);
  EXPECT_EQ(failure(bytes + "junk"), "in: the gzip data is damaged: incorrect header check");
}

TEST_F(ByteStreamTest, says_so_when_compressed_data_is_cut_short) {
  for (const char* name : {"a.gz", "a.zst"}) {
    const std::string bytes = encoded(name, text_);
    const std::string kind = name == std::string("a.gz") ? "gzip" : "zstd";
    for (const std::size_t left : {bytes.size() - 1, bytes.size() / 2, std::size_t{7}}) {
      EXPECT_EQ(failure(bytes.substr(0, left)),
                "in: the " + kind + " data ends too early: it is cut short");
    }
  }
}

TEST_F(ByteStreamTest, gives_out_first_what_comes_before_the_damage) {
  for (const char* name : {"a.gz", "a.zst"}) {
    const std::string path = (folder_ / "in").string();
    const std::string bytes = encoded(name, text_);
    std::ofstream(path, std::ios::binary) << bytes.substr(0, bytes.size() - 3);
    const auto stream = open_stream(::open(path.c_str(), O_RDONLY), "in");
    std::vector<char> buffer(text_.size() + 100);
    const std::size_t count = stream->read(buffer);
    EXPECT_GT(count, 100000U);
    EXPECT_EQ(std::string(buffer.data(), count), text_.substr(0, count));
    EXPECT_THROW(stream->read(buffer), Error);
    EXPECT_THROW(stream->read(buffer), Error);
  }
}

TEST_F(ByteStreamTest, says_so_when_compressed_data_is_damaged) {
  std::string bytes = encoded("a.gz", text_);
  bytes[bytes.size() - 6] = static_cast<char>(bytes[bytes.size() - 6] ^ 1);
  EXPECT_EQ(failure(bytes), "in: the gzip data is damaged: incorrect data check");
  bytes = encoded("a.zst", text_);
  bytes[4] = static_cast<char>(bytes[4] ^ 0x08);  // a bit that the format reserves
  EXPECT_EQ(failure(bytes), "in: the zstd data is damaged: Unsupported frame parameter");
}

TEST_F(ByteStreamTest, lets_a_watch_follow_and_give_up_a_pipe) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "1 qid:1\n", 8), 8);
  ::close(ends[1]);
  std::vector<std::int64_t> seen;
  const auto stream =
      open_stream(ends[0], "pipe", [&](std::int64_t consumed) { seen.push_back(consumed); });
  std::array<char, 100> out{};
  EXPECT_EQ(stream->read(out), 8U);
  ASSERT_FALSE(seen.empty());
  EXPECT_EQ(seen.back(), 8);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));

  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "1 qid:1\n", 8), 8);
  const auto refuse = [](std::int64_t) { throw Error(ErrorKind::interrupted, "enough"); };
  EXPECT_THROW(open_stream(ends[0], "pipe", refuse), Error);
  ::close(ends[1]);
}

}  // namespace
}  // namespace rankine
