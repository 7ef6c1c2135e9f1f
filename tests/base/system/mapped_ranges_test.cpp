#include "base/system/mapped_ranges.hpp"

#include <filesystem>
#include <fstream>
#include <memory>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <rankine/error.hpp>
#include <rankine/program.hpp>

#include "base/system/file_descriptor.hpp"
#include "base/system/mapped_file.hpp"
#include "temporary_folder.hpp"

namespace rankine {
namespace {

namespace fs = std::filesystem;

bool is_listed(const std::string& path) {
  const auto names = changed_inputs();
  return std::count(names.begin(), names.end(), path) == 1;
}

/// A time of change that no clock would give, however coarse.
void change(const std::string& path) {
  fs::last_write_time(path, fs::last_write_time(path) - std::chrono::hours(1));
}

TEST(MappedRangesDeathTest, a_file_cut_short_ends_the_process_with_its_name) {
  const TemporaryFolder folder;
  const std::string path = folder.write("data.rkd", std::string(1 << 20, 'x'));
  const auto read_cut = [&] {
    end_when_inputs_are_cut();
    const MappedFile unrelated(folder.write("other", "y"));
    const MappedFile file(path);
    fs::resize_file(path, 100);
    volatile char last = file.bytes().back();
    static_cast<void>(last);
  };
  EXPECT_EXIT(read_cut(), testing::ExitedWithCode(2),
              "^rankine: " + path +
                  ": cannot read: another program cut the file short, or its disk "
                  "failed, while it was in use\n$");
}

TEST(MappedRangesDeathTest, another_bus_error_stays_what_it_was) {
  const TemporaryFolder folder;
  const std::string path = folder.write("data", std::string(1 << 20, 'x'));
  const auto read_cut = [&] {
    ::signal(SIGBUS, SIG_DFL);  // a sanitizer has a handler of its own
    end_when_inputs_are_cut();
    { const MappedFile ended(path); }
    const FileDescriptor file = open_file(path, O_RDONLY);
    auto* const bytes = static_cast<volatile char*>(
        ::mmap(nullptr, 1 << 20, PROT_READ, MAP_PRIVATE, file.value(), 0));
    fs::resize_file(path, 100);
    static_cast<void>(bytes[(1 << 20) - 1]);
  };
  EXPECT_DEATH(read_cut(), "");
  EXPECT_EXIT(read_cut(), testing::KilledBySignal(SIGBUS), "");
}

TEST(MappedRanges, know_a_file_that_was_changed_while_it_was_open) {
  const TemporaryFolder folder;
  const std::string path = folder.write("data", "some bytes");
  {
    const MappedFile file(path);
    EXPECT_FALSE(is_listed(path));
    EXPECT_NO_THROW(file.check_unchanged());
    change(path);
    EXPECT_TRUE(is_listed(path));
    EXPECT_THROW(file.check_unchanged(), Error);
  }
  EXPECT_TRUE(is_listed(path));  // also when it is closed
}

TEST(MappedRanges, do_not_mind_a_file_that_was_replaced_or_removed) {
  const TemporaryFolder folder;
  const std::string path = folder.write("replaced", "some bytes");
  const MappedFile file(path);
  fs::rename(folder.write("new", "other bytes"), path);
  EXPECT_NO_THROW(file.check_unchanged());
  EXPECT_FALSE(is_listed(path));
  fs::remove(path);
  EXPECT_FALSE(is_listed(path));
}

TEST(MappedRanges, of_files_changed_before_or_afterwards_say_nothing) {
  const TemporaryFolder folder;
  const std::string path = folder.write("data", "some bytes");
  change(path);
  { const MappedFile file(path); }
  change(path);
  EXPECT_FALSE(is_listed(path));
}

}  // namespace
}  // namespace rankine
