#include "io/csv/csv_reader.hpp"

#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/write.hpp>

#include "data/random_dataset.hpp"
#include "oracles/naive_csv.hpp"
#include "temporary_folder.hpp"

namespace rankine {
namespace {

Dataset read(const std::string& text, const ReadOptions& options = {}) {
  return read_csv("train.csv", text, options);
}

std::string message_of(const std::string& text, const ReadOptions& options = {}) {
  try {
    read(text, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

template <class T>
std::vector<T> to_vector(const Array<T>& array) {
  return {array.begin(), array.end()};
}

std::vector<std::string> to_vector(const StringList& strings) {
  std::vector<std::string> result;
  for (std::size_t k = 0; k < strings.size(); ++k) result.emplace_back(strings[k]);
  return result;
}

std::vector<float> dense_values(const Dataset& data) {
  if (data.is_dense()) return to_vector(std::get<DenseMatrix>(data.features).values);
  const auto& matrix = std::get<CsrMatrix>(data.features);
  std::vector<float> values(static_cast<std::size_t>(matrix.num_rows * matrix.num_columns));
  for (std::int64_t row = 0; row < matrix.num_rows; ++row) {
    const auto first = static_cast<std::size_t>(matrix.offsets[static_cast<std::size_t>(row)]);
    const auto last = static_cast<std::size_t>(matrix.offsets[static_cast<std::size_t>(row) + 1]);
    for (std::size_t k = first; k < last; ++k) {
      EXPECT_TRUE(k == first || matrix.columns[k - 1] < matrix.columns[k]);
      values[static_cast<std::size_t>(row * matrix.num_columns) + matrix.columns[k]] =
          matrix.values[k];
    }
  }
  return values;
}

ReadOptions with_storage(Storage storage, int threads = 1) {
  ReadOptions options;
  options.storage = storage;
  options.threads = threads;
  return options;
}

TEST(CsvReader, reads_grades_queries_features_and_their_names) {
  const Dataset data = read("title,qid,label,\"url, depth\"\n0.5,a,2,1\n1.5,b,0,\n2.5,a,1,3\n");
  EXPECT_EQ(data.source, "train.csv");
  EXPECT_EQ(to_vector(data.feature_names), (std::vector<std::string>{"title", "url, depth"}));
  EXPECT_EQ(to_vector(data.grades.values()), (std::vector<double>{2, 1, 0}));
  EXPECT_EQ(to_vector(data.query_ids), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(to_vector(data.query_offsets), (std::vector<std::int64_t>{0, 2, 3}));
  EXPECT_EQ(to_vector(data.input_rows), (std::vector<std::int64_t>{0, 2, 1}));
  EXPECT_EQ(dense_values(data), (std::vector<float>{0.5F, 1, 2.5F, 3, 1.5F, 0}));
  EXPECT_EQ(data.num_missing, 1);
  EXPECT_TRUE(data.document_weights.empty());
}

TEST(CsvReader, reads_what_spreadsheets_write) {
  const Dataset data = read("\xEF\xBB\xBFlabel;qid;a\r\n1;q;2\r\n\r\n0;q;3");
  EXPECT_EQ(to_vector(data.grades.values()), (std::vector<double>{1, 0}));
  EXPECT_EQ(dense_values(data), (std::vector<float>{2, 3}));
  EXPECT_EQ(to_vector(read("\n\nlabel\ta\n1\t5\n").grades.values()), std::vector<double>{1});
}

TEST(CsvReader, reads_weights_and_leaves_columns_out) {
  ReadOptions options;
  options.weight = "w";
  options.ignore = {"url"};
  const Dataset data = read("label,w,url,a\n1,0.5,http://x,2\n0,2,\"y, z\",3\n", options);
  EXPECT_EQ(to_vector(data.document_weights), (std::vector<double>{0.5, 2}));
  EXPECT_EQ(dense_values(data), (std::vector<float>{2, 3}));
}

TEST(CsvReader, without_query_ids_reads_one_query) {
  const Dataset data = read("label,a\n1,2\n0,3\n");
  EXPECT_EQ(data.num_queries(), 1);
  EXPECT_EQ(to_vector(data.query_offsets), (std::vector<std::int64_t>{0, 2}));
}

TEST(CsvReader, reads_a_file_without_features) {
  const Dataset data = read("label,qid\n1,a\n0,a\n");
  EXPECT_EQ(data.num_documents(), 2);
  EXPECT_EQ(data.num_features(), 0);
}

TEST(CsvReader, stores_mostly_zeros_sparsely_unless_told_otherwise) {
  const std::string sparse = "label,a,b,c,d,e\n1,0,0,7,0,0\n0,0,0,0,0,8\n";
  const std::string dense = "label,a,b\n1,1,0\n0,2,3\n";
  EXPECT_FALSE(read(sparse).is_dense());
  EXPECT_TRUE(read(dense).is_dense());
  EXPECT_TRUE(read(sparse, with_storage(Storage::dense)).is_dense());
  EXPECT_FALSE(read(dense, with_storage(Storage::sparse)).is_dense());
  for (const auto& text : {sparse, dense}) {
    EXPECT_EQ(dense_values(read(text, with_storage(Storage::sparse))),
              dense_values(read(text, with_storage(Storage::dense))));
    EXPECT_EQ(dense_values(read(text)), dense_values(read(text, with_storage(Storage::dense))));
  }
}

TEST(CsvReader, adds_columns_of_zeros_up_to_num_features) {
  for (const auto storage : {Storage::dense, Storage::sparse, Storage::automatic}) {
    ReadOptions options = with_storage(storage);
    options.num_features = 3;
    const Dataset data = read("label,a,b\n1,2,3\n0,4,5\n", options);
    EXPECT_EQ(dense_values(data), (std::vector<float>{2, 3, 0, 4, 5, 0}));
    EXPECT_EQ(to_vector(data.feature_names), (std::vector<std::string>{"a", "b", ""}));
  }
}

TEST(CsvReader, needs_no_memory_for_columns_that_are_only_asked_for) {
  ReadOptions options;
  options.num_features = 10000000;
  std::string text = "label,b\n";
  for (int row = 0; row < 10000; ++row) text += "1,2\n";
  const Dataset data = read(text, options);
  EXPECT_EQ(data.num_features(), 10000000);
  EXPECT_FALSE(data.is_dense());
}

TEST(CsvReader, names_what_is_wrong_with_a_file_that_has_no_rows) {
  EXPECT_EQ(message_of(""), "train.csv:1:1: the file is empty");
  EXPECT_EQ(message_of("\xEF\xBB\xBF"), "train.csv:1:1: the file is empty");
  EXPECT_EQ(message_of("\r\n\n"), "train.csv:1:1: the file is empty");
  EXPECT_EQ(message_of("label,a\n"), "train.csv:2:1: there are no rows after the header");
  EXPECT_EQ(message_of("label,a\n\n\r\n"), "train.csv:2:1: there are no rows after the header");
}

TEST(CsvReader, names_encodings_it_does_not_read) {
  EXPECT_EQ(message_of(std::string("\xFF\xFEl\0", 4)),
            "train.csv:1:1: the file is UTF-16; save it as UTF-8");
  EXPECT_EQ(message_of("label,a\r1,2\r0,3\r"),
            "train.csv:1:8: a carriage return inside the header: lines end with LF or CRLF");
}

TEST(CsvReader, never_crashes_on_junk) {
  std::mt19937 random(5);
  for (int repeat = 0; repeat < 3000; ++repeat) {
    std::string text = repeat % 3 == 0 ? "" : "label,qid,a\n";
    const std::string letters("\"\n\r,;\t1e-.NULL\0\xff x", 18);
    for (auto length = random() % 40; length > 0; --length)
      text += letters[random() % letters.size()];
    const std::string message = message_of(text);
    EXPECT_TRUE(message == "no error" || message.starts_with("train.csv:")) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
}

/// More than one chunk of rows with line ends, quotes and separators inside quoted query ids.
std::string large_csv(std::size_t bytes) {
  std::mt19937 random(11);
  std::string text = "qid,label,a,b,c\n";
  while (text.size() < bytes) {
    std::string id = "q" + std::to_string(random() % 3000);
    if (random() % 3 == 0) id += "\n,\"\"";
    text += "\"" + id + "\"," + std::to_string(random() % 5);
    for (int k = 0; k < 3; ++k) {
      text += random() % 4 == 0
                  ? ","
                  : "," + std::to_string(static_cast<int>(random() % 2000) - 1000) + "e-2";
    }
    text += "\n";
  }
  return text;
}

TEST(CsvReader, agrees_with_reading_letter_by_letter) {
  const std::string text = large_csv(std::size_t{5} << 19);
  const auto expected = oracles::naive_csv(text, ',');
  std::vector<std::string> ids;
  std::map<std::string, std::vector<std::size_t>> rows_of_id;
  std::int64_t num_missing = 0;
  for (std::size_t row = 1; row < expected.size(); ++row) {
    auto& rows = rows_of_id[expected[row][0]];
    if (rows.empty()) ids.push_back(expected[row][0]);
    rows.push_back(row);
  }
  const Dataset data = read(text, with_storage(Storage::dense, 2));
  ASSERT_EQ(to_vector(data.query_ids), ids);
  std::size_t doc = 0;
  for (const std::string& id : ids) {
    for (const std::size_t row : rows_of_id[id]) {
      ASSERT_EQ(data.input_rows[doc], static_cast<std::int64_t>(row) - 1);
      ASSERT_EQ(data.grades[doc], std::stod(expected[row][1]));
      for (std::size_t k = 0; k < 3; ++k) {
        const std::string& cell = expected[row][2 + k];
        if (cell.empty()) ++num_missing;
        const float value = cell.empty() ? 0 : std::stof(cell);
        ASSERT_EQ(std::get<DenseMatrix>(data.features).values[3 * doc + k], value);
      }
      ++doc;
    }
  }
  EXPECT_EQ(data.num_missing, num_missing);
}

TEST(CsvReader, gives_the_same_for_any_number_of_threads) {
  const std::string text = large_csv(std::size_t{5} << 19);
  for (const auto storage : {Storage::dense, Storage::sparse}) {
    const Dataset one = read(text, with_storage(storage, 1));
    for (const int threads : {2, 3}) {
      const Dataset more = read(text, with_storage(storage, threads));
      EXPECT_EQ(dense_values(more), dense_values(one));
      EXPECT_EQ(to_vector(more.grades.values()), to_vector(one.grades.values()));
      EXPECT_EQ(to_vector(more.query_ids), to_vector(one.query_ids));
      EXPECT_EQ(to_vector(more.query_offsets), to_vector(one.query_offsets));
      EXPECT_EQ(to_vector(more.input_rows), to_vector(one.input_rows));
      EXPECT_EQ(more.num_missing, one.num_missing);
    }
  }
}

TEST(CsvReader, names_the_first_mistake_for_any_number_of_threads) {
  std::string text = large_csv(std::size_t{5} << 19);
  const auto spoil = [&](std::size_t from) {
    const auto line_end = text.find("e-2\n", from);
    text.replace(line_end, 4, "abc\n");
  };
  spoil(text.size() - 1000);
  spoil(text.size() / 2);
  const std::string message = message_of(text, with_storage(Storage::automatic, 1));
  EXPECT_NE(message.find("is not a number: --ignore"), std::string::npos) << message;
  for (const int threads : {2, 3}) {
    for (int repeat = 0; repeat < 3; ++repeat) {
      EXPECT_EQ(message_of(text, with_storage(Storage::automatic, threads)), message);
    }
  }
}

TEST(CsvReader, names_a_quote_left_open_in_the_first_of_many_chunks) {
  std::string text = "label,a\n1,\"2\n";
  for (int row = 0; row < 700000; ++row) text += "1,2\n";
  for (const int threads : {1, 2}) {
    EXPECT_EQ(message_of(text, with_storage(Storage::automatic, threads)),
              "train.csv:2:3: this quote is never closed");
  }
}

TEST(CsvReader, tells_its_progress_and_stops_when_asked) {
  const std::string text = large_csv(std::size_t{5} << 18);
  std::int64_t last = 0;
  read_csv("train.csv", text, with_storage(Storage::dense, 2), [&](const ProgressEvent& event) {
    EXPECT_EQ(event.stage, "reading train.csv");
    EXPECT_GE(event.done, last);
    EXPECT_LE(event.done, event.total);
    last = event.done;
    return true;
  });
  EXPECT_GT(last, 0);
  try {
    read_csv("train.csv", text, {}, [](const ProgressEvent&) { return false; });
    FAIL() << "not stopped";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::interrupted);
  }
}

TEST(CsvReader, reads_back_what_is_written) {
  for (const bool shuffled : {false, true}) {
    RandomDatasetShape shape;
    shape.shuffled = shuffled;
    Dataset data = random_dataset(8, shape);
    data.feature_names = StringList::of({"a;b;c;d;e;f;g", "x\ty", " blank ", "a \"b\"\n", "1,5"});
    const TemporaryFolder folder;
    write_dataset(folder.path("data.csv"), data);
    ReadOptions options = with_storage(Storage::dense);
    options.weight = "weight";
    const Dataset back = read(folder.content("data.csv"), options);
    expect_same_rows(back, data);
    expect_same_strings(back.feature_names, data.feature_names, "feature names");
    expect_same_array(back.document_weights, data.document_weights, "document weights");
  }
}

}  // namespace
}  // namespace rankine
