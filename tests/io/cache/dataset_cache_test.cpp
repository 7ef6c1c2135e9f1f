#include "io/cache/dataset_cache.hpp"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>

#include "base/checksum.hpp"
#include "data/random_dataset.hpp"
#include "io/cache/cache_layout.hpp"
#include "temporary_folder.hpp"

namespace rankine {
namespace {

std::string cache_bytes(const Dataset& data) {
  const TemporaryFolder folder;
  write_cache(folder.path("a.rkd"), data);
  return folder.content("a.rkd");
}

Dataset open_bytes(const std::string& bytes, CacheChecks checks = CacheChecks::all) {
  const auto owner = std::make_shared<const std::vector<char>>(bytes.begin(), bytes.end());
  return open_cache(*owner, owner, "a.rkd", 1, checks);
}

std::string failure(const std::string& bytes, CacheChecks checks = CacheChecks::all) {
  try {
    open_bytes(bytes, checks);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.what();
  }
  return "no error";
}

/// The bytes with their header changed and its checksum made right again, as a forger would.
std::string forged(std::string bytes,
                   const std::function<void(CacheHeader&, CacheSection*)>& change) {
  CacheHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  std::vector<CacheSection> sections(header.num_sections);
  const std::size_t table_bytes = sections.size() * sizeof(CacheSection);
  std::memcpy(sections.data(), bytes.data() + sizeof header, table_bytes);
  change(header, sections.data());
  std::memcpy(bytes.data(), &header, sizeof header);
  std::memcpy(bytes.data() + sizeof header, sections.data(), table_bytes);
  const auto sum = checksum(std::span<const char>(bytes).first(sizeof header + table_bytes));
  std::memcpy(bytes.data() + sizeof header + table_bytes, &sum, sizeof sum);
  return bytes;
}

TEST(DatasetCacheTest, gives_back_everything_a_data_set_holds) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    for (const bool sparse : {false, true}) {
      for (const bool extras : {false, true}) {
        const Dataset data = random_dataset(seed, {.sparse = sparse, .extras = extras});
        expect_same_dataset(open_bytes(cache_bytes(data)), data);
      }
    }
  }
}

TEST(DatasetCacheTest, gives_back_empty_data_sets) {
  for (const Dataset& data :
       {Dataset{}, random_dataset(1, {.num_rows = 0}), random_dataset(1, {.num_features = 0})}) {
    expect_same_dataset(open_bytes(cache_bytes(data)), data);
  }
}

TEST(DatasetCacheTest, spans_many_blocks_with_any_number_of_threads) {
  const Dataset data =
      random_dataset(5, {.num_rows = 3000, .num_queries = 40, .num_features = 301, .sparse = true});
  const TemporaryFolder folder;
  write_cache(folder.path("a.rkd"), data, 1);
  write_cache(folder.path("b.rkd"), data, 3);
  EXPECT_GT(std::filesystem::file_size(folder.path("a.rkd")), 10 * kBlockBytes);
  EXPECT_EQ(folder.content("a.rkd"), folder.content("b.rkd"));
  for (const int threads : {1, 2, 5}) {
    expect_same_dataset(read_cache(folder.path("a.rkd"), threads), data);
  }
}

TEST(DatasetCacheTest, is_used_where_it_lies_and_outlives_its_name) {
  const Dataset data = random_dataset(1);
  const TemporaryFolder folder;
  write_cache(folder.path("a.rkd"), data);
  const Dataset mapped = read_cache(folder.path("a.rkd"));
  const Dataset copy = mapped;
  EXPECT_EQ(copy.grades.values().data(), mapped.grades.values().data());
  const auto* values = std::get<DenseMatrix>(mapped.features).values.data();
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(values) % kSectionAlignment, 0U);
  std::filesystem::remove(folder.path("a.rkd"));
  expect_same_dataset(copy, data);
}

TEST(DatasetCacheTest, is_known_by_its_first_bytes) {
  const std::string bytes = cache_bytes(random_dataset(1));
  EXPECT_TRUE(is_cache(bytes));
  EXPECT_FALSE(is_cache(std::string_view(bytes).substr(0, 7)));
  EXPECT_FALSE(is_cache(std::string("2 qid:10 1:0.5")));
  EXPECT_EQ(failure("2 qid:10 1:0.5"), "a.rkd: not a rankine cache");
  EXPECT_EQ(failure(""), "a.rkd: not a rankine cache");
}

TEST(DatasetCacheTest, refuses_a_file_with_any_byte_changed) {
  const std::string bytes =
      cache_bytes(random_dataset(2, {.num_rows = 6, .num_queries = 2, .sparse = true}));
  for (std::size_t index = 0; index < bytes.size(); ++index) {
    for (const char mask : {'\x01', '\x80'}) {
      std::string damaged = bytes;
      damaged[index] = static_cast<char>(damaged[index] ^ mask);
      ASSERT_NE(failure(damaged), "no error") << "byte " << index;
    }
  }
}

TEST(DatasetCacheTest, refuses_a_file_cut_short_anywhere_or_with_bytes_added) {
  const std::string bytes =
      cache_bytes(random_dataset(2, {.num_rows = 6, .num_queries = 2, .sparse = true}));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ASSERT_NE(failure(bytes.substr(0, size)), "no error") << size;
    ASSERT_NE(failure(bytes.substr(0, size), CacheChecks::structure), "no error") << size;
  }
  const auto size = bytes.size();
  EXPECT_EQ(failure(bytes.substr(0, size - 1)), "a.rkd: the cache is damaged: it has " +
                                                    std::to_string(size - 1) +
                                                    " bytes in place of " + std::to_string(size));
  EXPECT_NE(failure(bytes + "x"), "no error");
}

TEST(DatasetCacheTest, says_that_a_later_version_or_another_byte_order_cannot_be_read) {
  const std::string bytes = cache_bytes(random_dataset(1));
  EXPECT_EQ(failure(forged(bytes, [](CacheHeader& h, CacheSection*) { h.version = 7; })),
            "a.rkd: the cache has version 7, this program reads up to version 2: use a later one, "
            "or make "
            "the cache anew");
  EXPECT_EQ(failure(forged(bytes, [](CacheHeader& h, CacheSection*) { h.version = 0; })),
            "a.rkd: the cache has version 0, this program reads up to version 2");
  EXPECT_EQ(failure(forged(bytes, [](CacheHeader& h,
                                     CacheSection*) { h.byte_order = kSwappedByteOrderMark; })),
            "a.rkd: the cache was written on a machine of the other byte order; make it anew here");
}

TEST(DatasetCacheTest, refuses_forged_counts_and_sections) {
  const std::string bytes = cache_bytes(random_dataset(1, {.sparse = true}));
  using Change = std::function<void(CacheHeader&, CacheSection*)>;
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  const std::vector<Change> changes{
      [](CacheHeader& h, CacheSection*) { h.num_documents = kMost; },
      [](CacheHeader& h, CacheSection*) { h.num_documents = -1; },
      [](CacheHeader& h, CacheSection*) { h.num_documents = 59; },
      [](CacheHeader& h, CacheSection*) { h.num_queries = kMost; },
      [](CacheHeader& h, CacheSection*) { h.num_queries += 1; },
      [](CacheHeader& h, CacheSection*) { h.num_features = 4; },
      [](CacheHeader& h, CacheSection*) { h.num_features = kMost; },
      [](CacheHeader& h, CacheSection*) { h.num_entries += 1; },
      [](CacheHeader& h, CacheSection*) { h.num_preferences = kMost; },
      [](CacheHeader& h, CacheSection*) { h.num_missing = -1; },
      [](CacheHeader& h, CacheSection*) { h.flags ^= kSparseFlag; },
      [](CacheHeader& h, CacheSection*) { h.flags ^= kPreferencesFlag; },
      [](CacheHeader& h, CacheSection*) { h.flags |= 4; },
      [](CacheHeader& h, CacheSection*) { h.file_bytes += 1; },
      [](CacheHeader&, CacheSection* s) { s[1].offset += 64; },
      [](CacheHeader&, CacheSection* s) { s[1].offset = ~std::uint64_t{0}; },
      [](CacheHeader&, CacheSection* s) { s[1].bytes = ~std::uint64_t{0}; },
      [](CacheHeader&, CacheSection* s) { s[1].bytes = 0; },
      [](CacheHeader&, CacheSection* s) { s[1].item_bytes = 4; },
      [](CacheHeader&, CacheSection* s) { s[1].kind = s[0].kind; },
      [](CacheHeader&, CacheSection* s) { s[1].kind = static_cast<SectionKind>(18); },
      [](CacheHeader&, CacheSection* s) { std::swap(s[1].kind, s[2].kind); },
  };
  EXPECT_EQ(failure(forged(bytes, [](CacheHeader&, CacheSection*) {})), "no error");
  for (std::size_t index = 0; index < changes.size(); ++index) {
    EXPECT_NE(failure(forged(bytes, changes[index])), "no error") << index;
  }
}

TEST(DatasetCacheTest, survives_forged_contents) {
  std::mt19937 random(11);
  for (const bool sparse : {false, true}) {
    const std::string bytes =
        cache_bytes(random_dataset(3, {.num_rows = 9, .num_queries = 3, .sparse = sparse}));
    for (int round = 0; round < 20000; ++round) {
      std::string changed = bytes;
      for (auto left = 1 + random() % 3; left > 0; --left) {
        changed[random() % changed.size()] = static_cast<char>(random());
      }
      try {
        const Dataset data = open_bytes(changed, CacheChecks::structure);
        // What is accepted can be walked through without leaving it.
        std::int64_t letters = 0;
        for (std::size_t query = 0; query < data.query_ids.size(); ++query) {
          letters += static_cast<std::int64_t>(data.query_ids[query].size());
        }
        EXPECT_EQ(letters, static_cast<std::int64_t>(data.query_ids.bytes().size()));
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::data);
      }
    }
  }
}

TEST(DatasetCacheTest, is_not_written_from_an_improper_data_set) {
  const TemporaryFolder folder;
  Dataset data = random_dataset(1);
  data.query_ids = {};
  try {
    write_cache(folder.path("a.rkd"), data);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "random: 0 query ids where there should be 7");
  }
  EXPECT_EQ(folder.num_files(), 0U);
}

TEST(DatasetCacheTest, is_not_compressed) {
  const TemporaryFolder folder;
  try {
    write_cache(folder.path("a.rkd.gz"), random_dataset(1));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::option);
    EXPECT_EQ(error.what(), folder.path("a.rkd.gz") +
                                ": the cache is mapped into memory, so it cannot be compressed");
  }
}

TEST(DatasetCacheTest, that_cannot_be_written_leaves_the_old_file) {
  const TemporaryFolder folder;
  folder.write("a.rkd", "old");
  const auto stop = [](const ProgressEvent&) { return false; };
  try {
    write_cache(folder.path("a.rkd"), random_dataset(1), 1, stop);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::interrupted);
  }
  EXPECT_EQ(folder.content("a.rkd"), "old");
  EXPECT_EQ(folder.num_files(), 1U);
  for (const std::string& path : {std::string("/dev/full"), folder.path("none/a.rkd")}) {
    try {
      write_cache(path, random_dataset(1));
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::io);
      EXPECT_TRUE(std::string(error.what()).starts_with(path + ": cannot write: "));
    }
  }
}

/// What tests/golden/v1/*.rkd hold.
Dataset golden_dataset(bool sparse) {
  ParsedRows rows;
  if (sparse) {
    rows.features = CsrMatrix{4, 7, std::vector<std::int64_t>{0, 2, 2, 3, 6},
                              std::vector<std::uint32_t>{0, 6, 3, 1, 2, 5},
                              std::vector<float>{0.5F, -1e-30F, 3, 0.1F, 0.2F, 0.3F}};
  } else {
    rows.features =
        DenseMatrix{4, 3, std::vector<float>{1, 2, 3, -0.0F, 0.1F, 1e30F, 7, 8, 9, 0, 0, 0}};
  }
  rows.grades = std::vector<double>{2, 0, 0.25, 1};
  rows.query_of_row = {0, 1, 0, 1};
  rows.query_ids = StringList::of({"10", "a query"});
  rows.comments = StringList::of({"docid = GX000", "", "x", "last"});
  rows.document_weights = std::vector<double>{1, 0, 2.5, 1e-3};
  std::vector<std::string> names;
  for (int column = 0; column < (sparse ? 7 : 3); ++column) {
    names.push_back("feature " + std::to_string(column));
  }
  rows.feature_names = StringList::of(names);
  Dataset data = build_dataset("golden.txt", std::move(rows));
  data.num_missing = 2;  // version 1 does not say which
  data.query_weights = std::vector<double>{1, 3};
  data.has_preferences = true;
  data.preferences = {{1, 0, 0.5, 2}};
  return data;
}

TEST(DatasetCacheTest, of_version_1_is_read_for_ever) {
  const std::string folder = RANKINE_TEST_DATA "/../golden/v1/";
  expect_same_dataset(read_cache(folder + "dense.rkd"), golden_dataset(false));
  expect_same_dataset(read_cache(folder + "sparse.rkd"), golden_dataset(true));
}

}  // namespace
}  // namespace rankine
