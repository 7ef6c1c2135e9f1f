#include "base/collective.hpp"

#include <utility>

namespace rankine {
namespace {

class OneProcess final : public Collective {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  std::vector<Bytes> gather(std::span<const std::byte> mine) override {
    return {Bytes(mine.begin(), mine.end())};
  }
  Bytes pass_to_previous(std::span<const std::byte> /*mine*/) override { return {}; }
};

}  // namespace

Bytes Collective::pass_to_previous(std::span<const std::byte> mine) {
  std::vector<Bytes> all = gather(mine);
  const auto next = static_cast<std::size_t>(rank()) + 1;
  return next < all.size() ? std::move(all[next]) : Bytes();
}

Collective& one_process() {
  static OneProcess collective;
  return collective;
}

}  // namespace rankine
