#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include <rankine/error.hpp>
#include <rankine/evaluate.hpp>

namespace rankine {
namespace {

namespace fs = std::filesystem;

EvaluationResult two_queries() {
  EvaluationResult result;
  result.means = {{{"ndcg", 10}, 0.5, 1, 1}, {{"map"}, 0.5, 2, 0}};
  result.query_ids = StringList::of({"1", "a,\"b\""});
  result.per_query = {std::numeric_limits<double>::quiet_NaN(), 0.1, 1.0 / 3, 1};
  return result;
}

std::string written(const std::string& name) {
  const auto path = fs::temp_directory_path() / (std::to_string(::getpid()) + name);
  write_per_query(path.string(), two_queries());
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  fs::remove(path);
  return text.str();
}

TEST(PerQueryFile, has_a_row_a_query_with_every_digit) {
  EXPECT_EQ(written("-values.tsv"),
            "query\tndcg@10\tmap\n1\tnan\t0.1\n\"a,\"\"b\"\"\"\t0.3333333333333333\t1\n");
}

TEST(PerQueryFile, has_commas_where_its_name_says_so) {
  EXPECT_EQ(written("-values.csv"),
            "query,ndcg@10,map\n1,nan,0.1\n\"a,\"\"b\"\"\",0.3333333333333333,1\n");
}

TEST(PerQueryFile, names_the_file_it_cannot_write) {
  try {
    write_per_query("/dev/full", two_queries());
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "/dev/full: cannot write: No space left on device");
  }
}

}  // namespace
}  // namespace rankine
