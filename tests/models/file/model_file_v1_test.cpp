#include "models/file/model_file_v1.hpp"

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

#include "base/checksum.hpp"
#include "models/file/model_file.hpp"
#include "models/file/sections.hpp"

namespace rankine {
namespace {

std::vector<char> golden(const std::string& name) {
  const std::filesystem::path folder(RANKINE_TEST_DATA);
  std::ifstream file(folder / "../golden/v1" / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A file of version 1 with this description and these doubles.
std::vector<char> file_of(std::string description, const std::vector<double>& doubles) {
  description.append((8 - description.size() % 8) % 8, ' ');
  ModelHeader header;
  header.version = 1;
  header.first_size = description.size();
  header.second_size = doubles.size();
  std::vector<char> bytes(sizeof header);
  std::memcpy(bytes.data(), &header, sizeof header);
  bytes.insert(bytes.end(), description.begin(), description.end());
  const char* numbers = reinterpret_cast<const char*>(doubles.data());
  bytes.insert(bytes.end(), numbers, numbers + 8 * doubles.size());
  const std::uint64_t sum = checksum(bytes);
  const char* first = reinterpret_cast<const char*>(&sum);
  bytes.insert(bytes.end(), first, first + 8);
  return bytes;
}

struct Parts {
  std::string description;
  std::vector<double> doubles;
};

Parts parts_of(const std::vector<char>& bytes) {
  ModelHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  const char* const text = bytes.data() + sizeof header;
  Parts parts{std::string(text, header.first_size), std::vector<double>(header.second_size)};
  std::memcpy(parts.doubles.data(), text + header.first_size, 8 * header.second_size);
  return parts;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string message_of(const std::vector<char>& bytes) {
  try {
    parse_model(bytes, "m.rkn");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(ModelFileV1, reads_what_version_1_wrote) {
  const Parts parts = parts_of(golden("kernel_sparse.rkn"));
  EXPECT_EQ(file_of(parts.description, parts.doubles), golden("kernel_sparse.rkn"));
  EXPECT_EQ(message_of(golden("kernel_sparse.rkn")), "no error");
}

TEST(ModelFileV1, refuses_columns_that_arithmetic_does_not_hold) {
  const Parts parts = parts_of(golden("kernel_sparse.rkn"));
  for (const char* columns : {"1099511627776", "4294967296", "9223372036854775807", "-1"}) {
    const std::string text = replaced(parts.description, R"("columns":3})",
                                      R"("columns":)" + std::string(columns) + "}");
    EXPECT_NE(message_of(file_of(text, parts.doubles)).find("damaged model file"),
              std::string::npos)
        << columns;
  }
  const Parts dense = parts_of(golden("kernel_dense.rkn"));
  const std::string text =
      replaced(replaced(dense.description, R"("rows":4)", R"("rows":4611686018427387904)"),
               R"("columns":3})", R"("columns":4})");
  EXPECT_NE(message_of(file_of(text, dense.doubles)).find("damaged model file"), std::string::npos);
}

TEST(ModelFileV1, reads_no_description_of_very_many_keys) {
  const Parts parts = parts_of(golden("linear.rkn"));
  std::string keys;
  for (int k = 0; k < 120'000; ++k) keys += "\"key" + std::to_string(k) + "\":\"\",";
  const auto bytes = file_of(replaced(parts.description, R"("options":{)", R"("options":{)" + keys),
                             parts.doubles);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(message_of(bytes), "m.rkn: damaged model file: its description has too many keys");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  const std::string deep(100'000, '[');
  EXPECT_EQ(message_of(file_of(deep, {})),
            "m.rkn: damaged model file: its description is nested too deeply");
}

TEST(ModelFileV1, survives_lies_under_a_right_checksum) {
  std::mt19937_64 random(17);
  for (const char* name : {"linear.rkn", "kernel_dense.rkn", "kernel_sparse.rkn", "fourier.rkn"}) {
    const std::vector<char> good = golden(name);
    for (int repeat = 0; repeat < 1500; ++repeat) {
      std::vector<char> bad = good;
      for (int change = 0; change < 3; ++change) {
        bad[16 + random() % (bad.size() - 24)] = static_cast<char>(random());
      }
      const std::uint64_t sum = checksum(std::span<const char>(bad).first(bad.size() - 8));
      std::memcpy(bad.data() + bad.size() - 8, &sum, 8);
      try {
        parse_model(bad, "m.rkn");
      } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()).substr(0, 6), "m.rkn:");
      }
    }
  }
}

}  // namespace
}  // namespace rankine
