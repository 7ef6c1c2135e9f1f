#include "io/dataset_writer.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/write.hpp>

#include "data/random_dataset.hpp"
#include "io/cache/dataset_cache.hpp"
#include "io/side/side_files.hpp"
#include "oracles/slow_text_reader.hpp"
#include "temporary_folder.hpp"

namespace rankine {
namespace {

/// Sparse text keeps no zeros, so a sparse data set that text can give back has none.
Dataset without_zeros(Dataset data) {
  const auto* sparse = std::get_if<CsrMatrix>(&data.features);
  if (sparse == nullptr) return data;
  std::vector<float> values(sparse->values.begin(), sparse->values.end());
  for (float& value : values) value = value == 0 ? 1.0F : value;
  data.features = CsrMatrix{sparse->num_rows, sparse->num_columns, sparse->offsets, sparse->columns,
                            std::move(values)};
  return data;
}

std::string written(const Dataset& data, const std::string& name) {
  const TemporaryFolder folder;
  write_dataset(folder.path(name), data);
  return folder.content(name);
}

std::string failure(const std::string& path, const Dataset& data,
                    ErrorKind kind = ErrorKind::data) {
  try {
    write_dataset(path, data);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    return error.what();
  }
  return "no error";
}

Dataset tiny() {
  ParsedRows rows;
  rows.features = DenseMatrix{3, 2, std::vector<float>{0.1F, 0, -0.0F, 1e20F, 16777216, 1e-5F}};
  rows.grades = std::vector<double>{2, 0.1, -1};
  rows.query_of_row = {0, 1, 0};
  rows.query_ids = StringList::of({"10", "x-7"});
  return build_dataset("tiny", std::move(rows));
}

TEST(DatasetWriterTest, writes_letor_text_in_the_order_of_the_input) {
  EXPECT_EQ(written(tiny(), "a.txt"),
            "2 qid:10 1:0.1 2:0\n"
            "0.1 qid:x-7 1:-0 2:1e+20\n"
            "-1 qid:10 1:16777216 2:1e-05\n");
}

TEST(DatasetWriterTest, writes_csv_with_a_header) {
  Dataset data = tiny();
  EXPECT_EQ(written(data, "a.csv"),
            "label,qid,f1,f2\n2,10,0.1,0\n0.1,x-7,-0,1e+20\n-1,10,16777216,1e-05\n");
  data.feature_names = StringList::of({"a,b", "say \"x\""});
  data.document_weights = std::vector<double>{1, 3, 0.5};
  EXPECT_EQ(written(data, "a.csv"),
            "label,qid,weight,\"a,b\",\"say \"\"x\"\"\"\n"
            "2,10,1,0.1,0\n0.1,x-7,0.5,-0,1e+20\n-1,10,3,16777216,1e-05\n");
}

TEST(DatasetWriterTest, leaves_out_the_query_id_where_there_was_none) {
  Dataset data = tiny();
  data.input_rows = {};
  data.query_offsets = std::vector<std::int64_t>{0, 3};
  data.query_ids = StringList::of({""});
  EXPECT_EQ(written(data, "a.txt"), "2 1:0.1 2:0\n-1 1:16777216 2:1e-05\n0.1 1:-0 2:1e+20\n");
  EXPECT_TRUE(written(data, "a.csv").starts_with("label,f1,f2\n2,0.1,0\n"));
}

TEST(DatasetWriterTest, writes_text_that_reads_back_bit_for_bit) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    for (const bool sparse : {false, true}) {
      const Dataset data =
          without_zeros(random_dataset(seed, {.num_rows = 80, .sparse = sparse, .extras = false}));
      expect_same_rows(read_letor_slowly(written(data, "a.txt"), sparse), data);
      expect_same_rows(read_csv_slowly(written(data, "a.csv"), 0, sparse), data);
    }
  }
}

TEST(DatasetWriterTest, writes_text_that_read_dataset_gives_back_bit_for_bit) {
  const TemporaryFolder folder;
  for (unsigned seed = 0; seed < 30; ++seed) {
    for (const bool sparse : {false, true}) {
      const Dataset data = without_zeros(random_dataset(seed, {.sparse = sparse, .extras = false}));
      ReadOptions options;
      options.storage = sparse ? Storage::sparse : Storage::dense;
      for (const std::string name : {"a.txt", "a.txt.gz", "a.txt.zst"}) {
        write_dataset(folder.path(name), data);
        expect_same_rows(read_dataset(folder.path(name), options), data);
      }
    }
  }
}

TEST(DatasetWriterTest, writes_csv_that_read_dataset_gives_back_bit_for_bit) {
  const TemporaryFolder folder;
  ReadOptions options;
  options.weight = "weight";
  for (unsigned seed = 0; seed < 30; ++seed) {
    Dataset data = without_zeros(random_dataset(seed, {.sparse = seed % 2 == 0}));
    options.storage = data.is_dense() ? Storage::dense : Storage::sparse;
    write_dataset(folder.path("a.csv"), data);
    options.preferences = folder.path("a.csv.preferences");
    const Dataset back = read_dataset(folder.path("a.csv"), options);
    data.source = back.source;
    data.comments = {};
    data.num_missing = 0;
    data.missing = {};
    expect_same_dataset(back, data);
  }
}

TEST(DatasetWriterTest, writes_odd_names_and_ids_that_read_dataset_gives_back) {
  const TemporaryFolder folder;
  Dataset data = tiny();
  data.query_ids = StringList::of({"a, b", " \"c\" "});
  data.feature_names = StringList::of({"x,y", "say \"z\""});
  write_dataset(folder.path("a.csv"), data);
  const Dataset back = read_dataset(folder.path("a.csv"));
  expect_same_rows(back, data);
  expect_same_strings(back.feature_names, data.feature_names, "feature names");
}

TEST(DatasetWriterTest, writes_caches_that_read_dataset_gives_back_whole) {
  const TemporaryFolder folder;
  for (const bool sparse : {false, true}) {
    const Dataset data = random_dataset(2, {.sparse = sparse});
    write_dataset(folder.path("a.rkd"), data);
    expect_same_dataset(read_dataset(folder.path("a.rkd")), data);
  }
}

TEST(DatasetWriterTest, gives_back_the_real_sets) {
  const char* named = std::getenv("RANKINE_LETOR_DIR");
  const std::filesystem::path letor =
      named != nullptr ? named : RANKINE_TEST_DATA "/../../build/letor";
  if (!std::filesystem::exists(letor / "ohsumed")) GTEST_SKIP() << "no LETOR data in " << letor;
  const TemporaryFolder folder;
  ReadOptions options;
  options.keep_comments = true;
  for (const std::string set : {"ohsumed", "mq2008"}) {
    const Dataset data = read_dataset((letor / set / "Fold1/test.txt").string(), options);
    write_dataset(folder.path("a.txt"), data);
    write_dataset(folder.path("a.rkd"), data);
    const Dataset text = read_dataset(folder.path("a.txt"), options);
    expect_same_rows(text, data);
    expect_same_strings(text.comments, data.comments, "comments");
    expect_same_dataset(read_cache(folder.path("a.rkd")), data);
  }
}

TEST(DatasetWriterTest, keeps_comments) {
  Dataset data = random_dataset(3);
  data.query_weights = {};
  const Dataset back = read_letor_slowly(written(data, "a.txt"), false);
  expect_same_rows(back, data);
  expect_same_strings(back.comments, data.comments, "comments");
}

TEST(DatasetWriterTest, tells_of_columns_that_no_row_uses) {
  Dataset data = without_zeros(random_dataset(3, {.sparse = true, .extras = false}));
  std::get<CsrMatrix>(data.features).num_columns = 9;
  expect_same_rows(read_letor_slowly(written(data, "a.txt"), true), data);
}

TEST(DatasetWriterTest, writes_the_same_bytes_with_any_number_of_threads) {
  const Dataset data = random_dataset(
      5, {.num_rows = 30000, .num_queries = 300, .num_features = 20, .extras = false});
  const TemporaryFolder folder;
  for (const int threads : {1, 2, 5}) {
    write_dataset_with(folder.path(std::to_string(threads)), data, DataFormat::letor, threads, {});
  }
  EXPECT_GT(folder.content("1").size(), std::size_t{5} << 20);
  EXPECT_EQ(folder.content("1"), folder.content("2"));
  EXPECT_EQ(folder.content("1"), folder.content("5"));
  expect_same_rows(read_letor_slowly(folder.content("1"), false), data);
}

TEST(DatasetWriterTest, compresses_and_chooses_the_format_by_name) {
  const TemporaryFolder folder;
  const Dataset data = random_dataset(4);
  write_dataset(folder.path("a.rkd"), data);
  expect_same_dataset(read_cache(folder.path("a.rkd")), data);
  write_dataset(folder.path("b"), data, DataFormat::cache);
  expect_same_dataset(read_cache(folder.path("b")), data);
  write_dataset(folder.path("a.csv.gz"), tiny());
  ASSERT_EQ(std::system(("gzip -d " + folder.path("a.csv.gz")).c_str()), 0);
  EXPECT_EQ(folder.content("a.csv"), written(tiny(), "a.csv"));
}

TEST(DatasetWriterTest, puts_what_text_cannot_say_beside_it) {
  const TemporaryFolder folder;
  Dataset data = random_dataset(6, {.num_queries = 4});
  data.query_weights = {};
  write_dataset(folder.path("a.txt"), data);
  Dataset back = read_letor_slowly(folder.content("a.txt"), false);
  ReadOptions options;
  options.preferences = folder.path("a.txt.preferences");
  attach_side_files(back, folder.path("a.txt"), options);
  back.source = data.source;
  back.feature_names = data.feature_names;
  back.num_missing = data.num_missing;
  back.missing = data.missing;
  expect_same_dataset(back, data);

  data.query_weights = std::vector<double>{1, 2, 3, 4.5};
  write_dataset(folder.path("a.csv"), data);
  EXPECT_EQ(folder.content("a.csv.weight"), "1\n2\n3\n4.5\n");
  data.document_weights = {};
  write_dataset(folder.path("a.txt"), data);
  EXPECT_EQ(folder.content("a.txt.weight"), "1\n2\n3\n4.5\n");
}

TEST(DatasetWriterTest, refuses_what_it_would_lose) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.txt");
  EXPECT_EQ(failure(path, random_dataset(1)),
            path +
                ": a weight file holds weights by query or by document, and the data has both: "
                "write CSV or a cache");
  Dataset data = tiny();
  data.query_weights = std::vector<double>{1, 2};
  EXPECT_EQ(failure("/dev/null", data),
            "/dev/null: weights need a file beside the data: write to a file, or a cache");
  data = tiny();
  data.query_ids = StringList::of({"a b", "c"});
  EXPECT_EQ(failure(path, data),
            "tiny: query id 'a b' cannot stand in LETOR text: it is empty or has a blank or '#'");
  data = tiny();
  data.comments = StringList::of({"", "one\ntwo", ""});
  EXPECT_EQ(failure(path, data),
            "tiny: comment 'one' cannot stand in LETOR text: it goes on in another line");
  data = tiny();
  data.feature_names = StringList::of({"x", "label"});
  EXPECT_EQ(failure(folder.path("a.csv"), data),
            "tiny: a feature named 'label' cannot stand in CSV beside the column of that name");
  EXPECT_EQ(folder.num_files(), 0U);
  folder.write("a.txt.weight", "1\n");
  EXPECT_EQ(failure(path, tiny(), ErrorKind::io), path +
                                                      ".weight: would be read as the weights of " +
                                                      path + ", which it is not: remove it first");
}

TEST(DatasetWriterTest, names_the_target_that_cannot_be_written) {
  const TemporaryFolder folder;
  const Dataset data = random_dataset(1, {.num_rows = 2000, .extras = false});
  EXPECT_EQ(failure("/dev/full", data, ErrorKind::io),
            "/dev/full: cannot write: No space left on device");
  EXPECT_EQ(failure(folder.path("none/a.txt"), data, ErrorKind::io),
            folder.path("none/a.txt") + ": cannot write: No such file or directory");
  EXPECT_EQ(failure(folder.path(""), data, ErrorKind::io),
            folder.path("") + ": cannot write: it is a directory");
}

TEST(DatasetWriterTest, leaves_the_old_files_when_it_is_stopped) {
  const TemporaryFolder folder;
  folder.write("a.txt", "old");
  folder.write("a.txt.weight", "old weights");
  Dataset data = random_dataset(1);
  data.query_weights = {};
  const auto stop = [](const ProgressEvent& event) {
    EXPECT_EQ(event.total, 60);
    EXPECT_EQ(event.unit, "rows");
    return false;
  };
  try {
    write_dataset(folder.path("a.txt"), data, DataFormat::automatic, stop);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::interrupted);
  }
  EXPECT_EQ(folder.content("a.txt"), "old");
  EXPECT_EQ(folder.content("a.txt.weight"), "old weights");
  EXPECT_EQ(folder.num_files(), 2U);
}

}  // namespace
}  // namespace rankine
