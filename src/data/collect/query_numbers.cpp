// A hash table with open addressing and linear probing, at most half full (Knuth, The Art of
// Computer Programming 3, section 6.4).
#include "data/collect/query_numbers.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace rankine {

std::uint32_t QueryNumbers::number(std::string_view id) {
  if (table_.size() < 2 * (size() + 1)) grow();
  const std::size_t mask = table_.size() - 1;
  std::size_t at = std::hash<std::string_view>{}(id)&mask;
  for (; table_[at] != 0; at = (at + 1) & mask) {
    if (this->id(table_[at] - 1) == id) return table_[at] - 1;
  }
  bytes_.insert(bytes_.end(), id.begin(), id.end());
  offsets_.push_back(static_cast<std::int64_t>(bytes_.size()));
  table_[at] = static_cast<std::uint32_t>(size());
  return table_[at] - 1;
}

StringList QueryNumbers::finish() {
  table_.clear();
  return {std::exchange(bytes_, {}), std::exchange(offsets_, {0})};
}

std::string_view QueryNumbers::id(std::uint32_t number) const {
  const auto first = static_cast<std::size_t>(offsets_[number]);
  return {bytes_.data() + first, static_cast<std::size_t>(offsets_[number + 1]) - first};
}

void QueryNumbers::grow() {
  const std::size_t size = std::max<std::size_t>(64, 2 * table_.size());
  table_.assign(size, 0);
  for (std::uint32_t number = 0; number < this->size(); ++number) {
    std::size_t at = std::hash<std::string_view>{}(id(number)) & (size - 1);
    while (table_[at] != 0) at = (at + 1) & (size - 1);
    table_[at] = number + 1;
  }
}

}  // namespace rankine
