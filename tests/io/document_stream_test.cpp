#include "io/document_stream.hpp"

#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <rankine/error.hpp>
#include <rankine/write.hpp>

#include "oracles/random_dataset.hpp"
#include "temporary_folder.hpp"

namespace rankine {
namespace {

/// What the documents of a stream add up to, in its order.
struct Sums {
  std::vector<double> grades;
  std::vector<float> values;
  std::vector<std::int64_t> query_lengths;

  void add(const Dataset& data) {
    grades.insert(grades.end(), data.grades.begin(), data.grades.end());
    const auto& dense = std::get<DenseMatrix>(data.features);
    values.insert(values.end(), dense.values.begin(), dense.values.end());
  }
  bool operator==(const Sums&) const = default;
};

Sums blocks_of(DocumentStream& stream) {
  Sums sums;
  stream.for_each_block(
      5, {}, [&](const DocumentBlock& block, std::size_t) { sums.add(block.documents); });
  return sums;
}

Sums batches_of(DocumentStream& stream, std::size_t together) {
  Sums sums;
  std::int64_t next = 0;
  stream.for_each_batch(5, together, [&](const QueryBatch& batch) {
    sums.add(batch.documents);
    const auto& offsets = batch.documents.query_offsets;
    for (std::size_t q = 1; q < offsets.size(); ++q) {
      sums.query_lengths.push_back(offsets[q] - offsets[q - 1]);
    }
    for (const std::int64_t place : batch.places) EXPECT_EQ(place, next++);
  });
  return sums;
}

class DocumentStreamTest : public testing::Test {
 protected:
  DocumentStreamTest() {
    std::mt19937_64 random(3);
    data_ = oracles::random_dataset(random, {.queries = 900, .features = 5, .offset = 2});
    whole_.add(data_);
    for (std::size_t q = 1; q < data_.query_offsets.size(); ++q) {
      whole_.query_lengths.push_back(data_.query_offsets[q] - data_.query_offsets[q - 1]);
    }
  }

  TemporaryFolder folder_;
  Progress progress_;
  Dataset data_;
  Sums whole_;
};

TEST_F(DocumentStreamTest, gives_every_form_of_the_data_in_every_pass) {
  for (const std::string name : {"a.txt", "a.csv", "a.rkd", "a.txt.gz", "a.csv.zst"}) {
    write_dataset(folder_.path(name), data_);
    for (const int threads : {1, 3}) {
      DocumentStream stream(folder_.path(name), {.storage = Storage::dense, .threads = threads},
                            progress_);
      EXPECT_TRUE(stream.is_rewindable());
      for (const std::size_t together : {1U, 100U, 100000U}) {
        EXPECT_EQ(batches_of(stream, together), whole_) << name;
        const Sums blocks = blocks_of(stream);
        EXPECT_EQ(blocks.grades, whole_.grades) << name;
        EXPECT_EQ(blocks.values, whole_.values) << name;
      }
      EXPECT_EQ(stream.num_features(), 5);
    }
  }
}

TEST_F(DocumentStreamTest, says_that_a_pipe_cannot_be_read_again) {
  const std::string path = folder_.path("pipe");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(path) << "1 qid:1 1:1\n0 qid:1 1:2\n"; });
  DocumentStream stream(path, {.storage = Storage::dense}, progress_);
  EXPECT_FALSE(stream.is_rewindable());
  EXPECT_EQ(blocks_of(stream).grades, (std::vector<double>{1, 0}));
  writer.join();
  try {
    blocks_of(stream);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.what(),
              path + ": a pipe cannot be read again, as several passes need: give a file");
  }
}

TEST_F(DocumentStreamTest, knows_width_and_names_before_the_documents_where_the_input_says_them) {
  data_.feature_names = StringList::of({"a", "b", "c", "d", "e"});
  write_dataset(folder_.path("a.csv"), data_);
  write_dataset(folder_.path("a.rkd"), data_);
  write_dataset(folder_.path("a.txt"), data_);
  for (const std::string name : {"a.csv", "a.rkd"}) {
    DocumentStream stream(folder_.path(name), {}, progress_);
    EXPECT_TRUE(stream.is_width_known());
    EXPECT_EQ(stream.num_features(), 5);
    EXPECT_EQ(stream.feature_names()[4], "e");
    stream.for_each_block(5, {}, [&](const DocumentBlock& block, std::size_t) {
      EXPECT_EQ(block.documents.feature_names.size(), 5U);
    });
  }
  EXPECT_FALSE(DocumentStream(folder_.path("a.txt"), {}, progress_).is_width_known());
}

TEST_F(DocumentStreamTest, names_the_query_that_comes_back_too_late) {
  std::ofstream(folder_.path("a.txt")) << "1 qid:a 1:1\n0 qid:b 1:2\n1 qid:c 1:1\n0 qid:a 1:3\n";
  DocumentStream stream(folder_.path("a.txt"), {}, progress_);
  try {
    batches_of(stream, 1);
    FAIL();
  } catch (const NonContiguousQuery& query) {
    EXPECT_EQ(query.id, "a");
    EXPECT_EQ(query.row, 3);
    EXPECT_THROW(throw_non_contiguous("a.txt", query, "why"), Error);
  }
}

TEST_F(DocumentStreamTest, ends_when_the_caller_asks_it_to) {
  write_dataset(folder_.path("a.txt"), data_);
  write_dataset(folder_.path("a.txt.gz"), data_);
  const Progress stop = [](const ProgressEvent&) { return false; };
  for (const std::string name : {"a.txt", "a.txt.gz"}) {
    EXPECT_THROW(
        {
          DocumentStream stream(folder_.path(name), {}, stop);
          blocks_of(stream);
        },
        Error);
  }
}

}  // namespace
}  // namespace rankine
