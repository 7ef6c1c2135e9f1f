// Scores are compared by their bits, as integers. Short lists are ordered by counting. Long ones
// are sorted by 11 bits at a time from the lowest: each pass keeps the order of equal ones, so
// documents of equal scores stay in theirs.
#include "compute/document_order.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>

#include "base/growing_array.hpp"
#include "compute/cpu/short_order.hpp"

namespace rankine {
namespace {

struct KeyedDocument {
  std::int64_t key;
  std::uint32_t document;
};

constexpr std::size_t kLongList = 4096;
constexpr unsigned kDigitBits = 11;
constexpr std::size_t kNumDigits = (64 + kDigitBits - 1) / kDigitBits;
constexpr std::size_t kNumValues = std::size_t{1} << kDigitBits;

/// Numbers that compare as the scores do: of negative ones all bits but the sign are turned.
std::int64_t sort_key(double score) {
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
  const auto bits = std::bit_cast<std::int64_t>(score + 0.0);       // -0 becomes 0
  return std::min(bits ^ ((bits >> 63) & kLargest), kLargest - 1);  // no number is that large
}

void sort_long_list(std::span<KeyedDocument>& from, std::span<KeyedDocument> to) {
  std::array<std::array<std::uint32_t, kNumValues>, kNumDigits> counts{};
  const auto digit = [](std::int64_t key, std::size_t place) {
    constexpr std::uint64_t kSign = std::uint64_t{1} << 63;  // turned: negative ones go before
    const std::uint64_t bits = static_cast<std::uint64_t>(key) ^ kSign;
    return static_cast<std::size_t>(bits >> (place * kDigitBits)) & (kNumValues - 1);
  };
  for (const KeyedDocument& each : from) {
    for (std::size_t place = 0; place < kNumDigits; ++place)
      ++counts[place][digit(each.key, place)];
  }
  for (std::size_t place = 0; place < kNumDigits; ++place) {
    auto& starts = counts[place];
    if (starts[digit(from[0].key, place)] == from.size()) continue;  // all the same
    std::uint32_t start = 0;
    for (std::uint32_t& count : starts) start += std::exchange(count, start);
    for (const KeyedDocument& each : from) to[starts[digit(each.key, place)]++] = each;
    std::swap(from, to);
  }
}

/// By key(document), whole numbers.
template <class Key>
void order_by(const Key& key, std::span<std::uint32_t> order) {
  const std::size_t size = order.size();
  if (size <= kMostCountedKeys) {
    std::array<std::int64_t, kMostCountedKeys> keys;
    for (std::size_t doc = 0; doc < size; ++doc) keys[doc] = key(doc);
    order_by_counting(std::span(keys).first(size), order);
    return;
  }
  thread_local GrowingArray<KeyedDocument> room;
  const bool is_long = size >= kLongList;
  room.resize(is_long ? 2 * size : size);
  std::span<KeyedDocument> documents(room.data(), size);
  for (std::size_t doc = 0; doc < size; ++doc) {
    documents[doc] = {key(doc), static_cast<std::uint32_t>(doc)};
  }
  if (is_long) {
    sort_long_list(documents, {room.data() + size, size});
  } else {
    std::sort(documents.begin(), documents.end(),
              [](const KeyedDocument& a, const KeyedDocument& b) {
                return a.key < b.key || (a.key == b.key && a.document < b.document);
              });
  }
  for (std::size_t k = 0; k < size; ++k) order[k] = documents[k].document;
  room.release_large();
}

}  // namespace

void order_documents(const QueryLoss& loss, const QueryDocuments& query,
                     std::span<const double> scores, std::span<std::uint32_t> order) {
  if (order.empty()) return;
  const bool less_grade = loss.order_less_grade();
  order_by(
      [&](std::size_t doc) {
        return sort_key(less_grade ? scores[doc] - query.grades[doc] : scores[doc]);
      },
      order);
}

void order_by_value(std::span<const double> values, std::span<std::uint32_t> order) {
  if (order.empty()) return;
  order_by([&](std::size_t doc) { return sort_key(values[doc]); }, order);
}

}  // namespace rankine
