#include "base/system/work_array.hpp"

#include <cstddef>

#include "base/contract.hpp"
#include "base/system/growing_array.hpp"

namespace rankine {
namespace {

struct Block {
  GrowingArray<std::byte> bytes;
  bool in_use = false;
};

Block& block_of_thread() {
  thread_local Block block;
  return block;
}

}  // namespace

WorkBlock::WorkBlock(std::size_t num_bytes) {
  Block& block = block_of_thread();
  RANKINE_ASSERT(!block.in_use);
  block.bytes.resize(num_bytes);
  block.in_use = true;
  data_ = block.bytes.data();
}

WorkBlock::~WorkBlock() {
  Block& block = block_of_thread();
  block.bytes.release_large();
  block.in_use = false;
}

}  // namespace rankine
