#include "base/system/temporary_file.hpp"

#include <csignal>
#include <filesystem>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "temporary_folder.hpp"

namespace rankine {
namespace {

struct Synchronised {
  bool is_folder;
  bool target_exists;
};
std::vector<Synchronised> synchronised;
std::string watched_target;

}  // namespace
}  // namespace rankine

/// In the place of the C library's: what is synchronised, and when.
extern "C" int fsync(int descriptor) {
  struct stat status {};
  ::fstat(descriptor, &status);
  rankine::synchronised.push_back(
      {S_ISDIR(status.st_mode), std::filesystem::exists(rankine::watched_target)});
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

namespace rankine {
namespace {

void write_text(const TemporaryFile& file, const std::string& text) {
  ASSERT_EQ(::write(file.descriptor(), text.data(), text.size()),
            static_cast<ssize_t>(text.size()));
}

/// Runs `work` in a process that then kills itself.
template <class Work>
void in_killed_process(const Work& work) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    work();
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
}

TEST(TemporaryFile, reaches_the_disk_before_its_name_and_then_the_folder) {
  const TemporaryFolder folder;
  watched_target = folder.path("a.txt");
  TemporaryFile file(watched_target);
  write_text(file, "hello");
  synchronised.clear();
  EXPECT_TRUE(file.commit());
  ASSERT_EQ(synchronised.size(), 2U);
  EXPECT_FALSE(synchronised[0].is_folder);
  EXPECT_FALSE(synchronised[0].target_exists);
  EXPECT_TRUE(synchronised[1].is_folder);
  EXPECT_TRUE(synchronised[1].target_exists);
  EXPECT_EQ(folder.content("a.txt"), "hello");
}

TEST(TemporaryFile, of_a_killed_writer_is_removed_by_the_next) {
  const TemporaryFolder folder;
  const std::string target = folder.path("a.txt");
  for (int k = 0; k < 3; ++k) {
    in_killed_process([&] {
      // Never destroyed, as the process is killed.
      write_text(*new TemporaryFile(target), "half");
    });
  }
  EXPECT_EQ(folder.num_files(), 1U);  // each has removed the one before it
  TemporaryFile file(target);
  write_text(file, "whole");
  EXPECT_TRUE(file.commit());
  EXPECT_EQ(folder.num_files(), 1U);
  EXPECT_EQ(folder.content("a.txt"), "whole");
}

TEST(TemporaryFile, of_a_living_writer_stays) {
  const TemporaryFolder folder;
  const std::string target = folder.path("a.txt");
  TemporaryFile first(target);
  write_text(first, "first");
  TemporaryFile second(target);
  write_text(second, "second");
  EXPECT_EQ(folder.num_files(), 2U);
  EXPECT_TRUE(first.commit());
  EXPECT_EQ(folder.content("a.txt"), "first");
  EXPECT_TRUE(second.commit());
  EXPECT_EQ(folder.content("a.txt"), "second");
  EXPECT_EQ(folder.num_files(), 1U);
}

TEST(TemporaryFile, of_another_target_stays) {
  const TemporaryFolder folder;
  const std::string target = folder.path("a.txt");
  for (const std::string name : {"a.txt.tmp-notes", "a.txt.tmp-0123456789abc",
                                 "b.txt.tmp-0123456789ab", "a.txt.tmp-0123456789aZ"}) {
    folder.write(name, "mine");
  }
  const TemporaryFile file(target);
  EXPECT_EQ(folder.num_files(), 5U);
}

TEST(TemporaryFile, leaves_nothing_without_a_commit) {
  const TemporaryFolder folder;
  { const TemporaryFile file(folder.path("a.txt")); }
  EXPECT_EQ(folder.num_files(), 0U);
}

TEST(TemporaryFile, keeps_the_mode_of_what_it_replaces) {
  const TemporaryFolder folder;
  const std::string target = folder.write("a.txt", "old");
  ::chmod(target.c_str(), 0640);
  TemporaryFile file(target);
  EXPECT_TRUE(file.commit());
  struct stat status {};
  ASSERT_EQ(::stat(target.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0640U);
}

TEST(TemporaryFile, says_why_it_cannot_be_made) {
  const TemporaryFile file("/nowhere/at/all");
  EXPECT_EQ(errno, ENOENT);
  EXPECT_LT(file.descriptor(), 0);
}

}  // namespace
}  // namespace rankine
