#include "base/system/file_descriptor.hpp"

#include <cerrno>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <rankine/program.hpp>

#include "temporary_folder.hpp"

namespace rankine {
namespace {

/// Closes a standard descriptor and puts it back.
class Closed {
 public:
  explicit Closed(int descriptor) : descriptor_(descriptor), kept_(::dup(descriptor)) {
    ::close(descriptor);
  }
  ~Closed() {
    ::dup2(kept_, descriptor_);
    ::close(kept_);
  }
  Closed(const Closed&) = delete;
  Closed& operator=(const Closed&) = delete;

 private:
  int descriptor_;
  int kept_;
};

TEST(FileDescriptor, of_a_file_is_never_that_of_a_standard_stream) {
  const TemporaryFolder folder;
  for (int standard = 0; standard <= 2; ++standard) {
    const Closed closed(standard);
    const FileDescriptor file = open_file(folder.path("a"), O_WRONLY | O_CREAT);
    EXPECT_GT(file.value(), 2);
    EXPECT_EQ(::fcntl(standard, F_GETFD), -1) << standard;
    EXPECT_NE(::fcntl(file.value(), F_GETFD) & FD_CLOEXEC, 0);
  }
}

TEST(FileDescriptor, keeps_the_cause_of_a_failure) {
  const FileDescriptor file = open_file("/nowhere/at/all", O_RDONLY);
  EXPECT_EQ(errno, ENOENT);
  EXPECT_FALSE(file.is_open());
}

TEST(FileDescriptor, is_closed_once_whoever_holds_it) {
  FileDescriptor first = open_file("/dev/null", O_WRONLY);
  const int number = first.value();
  FileDescriptor second(std::move(first));
  EXPECT_EQ(second.value(), number);
  EXPECT_TRUE(second.close());
  EXPECT_EQ(::fcntl(number, F_GETFD), -1);
  EXPECT_TRUE(second.close());
}

TEST(FileDescriptor, stand_ins_of_closed_streams_refuse) {
  const Closed in(0);
  const Closed out(1);
  EXPECT_FALSE(is_readable(0));
  EXPECT_FALSE(is_writable(1));
  reserve_standard_descriptors();
  char byte = 'x';
  EXPECT_FALSE(is_readable(0));
  EXPECT_EQ(::read(0, &byte, 1), -1);
  EXPECT_FALSE(is_writable(1));
  EXPECT_EQ(::write(1, &byte, 1), -1);
}

}  // namespace
}  // namespace rankine
