#include "base/collective.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "oracles/thread_collective.hpp"

namespace rankine {
namespace {

std::vector<int> ints_of(const Bytes& bytes) {
  std::vector<int> values(bytes.size() / sizeof(int));
  std::span<const std::byte> from(bytes);
  read_values(from, std::span(values));
  EXPECT_TRUE(from.empty());
  return values;
}

TEST(Collective, of_one_process_gathers_its_own_bytes_and_passes_to_nobody) {
  const std::vector<int> mine{3, 1, 4};
  const auto all = one_process().gather(std::as_bytes(std::span(mine)));
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(ints_of(all[0]), mine);
  EXPECT_TRUE(one_process().pass_to_previous(std::as_bytes(std::span(mine))).empty());
  EXPECT_EQ(gather_values(one_process(), std::span<const int>(mine)), mine);
}

TEST(Collective, gathers_from_all_in_order_of_rank_whatever_each_has) {
  oracles::as_processes(4, [](Collective& collective) {
    const std::vector<int> mine(static_cast<std::size_t>(collective.rank()), collective.rank());
    EXPECT_EQ(gather_values(collective, std::span<const int>(mine)),
              (std::vector<int>{1, 2, 2, 3, 3, 3}));
  });
}

TEST(Collective, passes_to_the_previous_process_what_the_next_one_sent) {
  oracles::as_processes(3, [](Collective& collective) {
    const std::vector<int> mine{10 * collective.rank()};
    const auto come = ints_of(collective.pass_to_previous(std::as_bytes(std::span(mine))));
    EXPECT_EQ(come, collective.rank() == 2 ? std::vector<int>()
                                           : std::vector<int>{10 * (collective.rank() + 1)});
  });
}

}  // namespace
}  // namespace rankine
