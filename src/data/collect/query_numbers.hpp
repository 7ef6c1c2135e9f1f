// Query ids to numbers, by first appearance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <rankine/array.hpp>

namespace rankine {

/// A hash table over ids that are kept one after the other, so that they become a StringList
/// without a copy.
class QueryNumbers {
 public:
  /// The id's number: a new one, the next from 0, when it was not seen before.
  std::uint32_t number(std::string_view id);
  std::size_t size() const { return offsets_.size() - 1; }
  /// The ids by number; leaves nothing here.
  StringList finish();

 private:
  std::string_view id(std::uint32_t number) const;
  void grow();

  std::vector<char> bytes_;
  std::vector<std::int64_t> offsets_{0};
  std::vector<std::uint32_t> table_;  // number + 1 of an id that hashes there; 0: free
};

}  // namespace rankine
