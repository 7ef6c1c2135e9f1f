// Three ways to sort, by length. Short lists are ordered by counting. Those of some hundred
// documents are sorted by the bits of their scores, as integers. In long ones every score is given
// one of 2^32 cells of equal width, and documents are sorted by cell, 11 bits at a time from the
// lowest (radix sort, least significant digit first): each pass is stable, so documents with equal
// scores keep their order. Cells that several documents share are sorted on their own. There are
// few of them, unless some scores lie far from all others; then such a cell is split again by the
// bits of the scores, and two levels separate any scores.
// Knuth, "The Art of Computer Programming", volume 3, section 5.2.5.
#include "compute/document_order.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "base/system/work_array.hpp"
#include "compute/cpu/products/short_order.hpp"

namespace rankine {
namespace {

struct KeyedDocument {
  std::int64_t key;
  std::uint32_t document;

  friend bool operator<(const KeyedDocument& a, const KeyedDocument& b) {
    return a.key < b.key || (a.key == b.key && a.document < b.document);
  }
};

constexpr std::size_t kLongList = 4096;
constexpr unsigned kCellBits = 32;
constexpr unsigned kDigitBits = 11;
constexpr std::size_t kNumDigits = (kCellBits + kDigitBits - 1) / kDigitBits;
constexpr std::size_t kNumValues = std::size_t{1} << kDigitBits;

/// A document below its cell.
using Entry = std::uint64_t;

std::uint32_t document_of(Entry entry) {
  return static_cast<std::uint32_t>(entry);
}
std::uint32_t cell_of(Entry entry) {
  return static_cast<std::uint32_t>(entry >> kCellBits);
}

/// Integers that compare as the scores do: of negative scores all bits but the sign are inverted.
std::int64_t sort_key(double score) {
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
  const auto bits = std::bit_cast<std::int64_t>(score + 0.0);       // -0 becomes 0
  return std::min(bits ^ ((bits >> 63) & kLargest), kLargest - 1);  // no number is that large
}

/// Sorts some thousand entries at most by score alone, whatever their cells.
template <class Score>
void sort_by_key(const Score& score, std::span<Entry> entries) {
  thread_local std::vector<KeyedDocument> documents;
  documents.clear();
  for (const Entry entry : entries) {
    documents.push_back({sort_key(score(document_of(entry))), document_of(entry)});
  }
  if (std::is_sorted(documents.begin(), documents.end())) return;  // equal scores, most often
  std::sort(documents.begin(), documents.end());
  for (std::size_t k = 0; k < entries.size(); ++k) entries[k] = documents[k].document;
}

enum class Cells { by_score, by_key };

/// Gives every entry one of 2^32 cells of equal width, either among the scores or among their keys
/// (bits); false when all scores are equal. By score, few entries share a cell unless some lie far
/// from all others. By key, cells separate any scores by the upper half of their bits, even scores
/// that are not finite.
template <class Score>
bool find_cells(const Score& score, std::span<Entry> entries, Cells cells) {
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  std::int64_t least_key = std::numeric_limits<std::int64_t>::max();
  std::int64_t most_key = std::numeric_limits<std::int64_t>::min();
  for (const Entry entry : entries) {
    const double here = score(document_of(entry));
    least = std::min(least, here);
    most = std::max(most, here);
    least_key = std::min(least_key, sort_key(here));
    most_key = std::max(most_key, sort_key(here));
  }
  if (least_key == most_key) return false;
  const auto put = [&](const auto& cell) {
    for (Entry& entry : entries) {
      const std::uint32_t document = document_of(entry);
      entry = static_cast<Entry>(cell(score(document))) << kCellBits | document;
    }
  };
  const double cells_a_unit = static_cast<double>(~std::uint32_t{0}) / (most - least);
  const bool are_numbers = least_key == sort_key(least) && most_key == sort_key(most);
  if (cells == Cells::by_score && are_numbers && cells_a_unit > 0 && std::isfinite(cells_a_unit)) {
    // Every step rounds the larger of two numbers to no less than the other.
    put([&](double here) { return static_cast<Entry>((here - least) * cells_a_unit); });
    return true;
  }
  const auto origin = static_cast<std::uint64_t>(least_key);
  const auto width =
      static_cast<int>(std::bit_width(static_cast<std::uint64_t>(most_key) - origin));
  const int shift = std::max(0, width - static_cast<int>(kCellBits));
  put([&](double here) { return (static_cast<std::uint64_t>(sort_key(here)) - origin) >> shift; });
  return true;
}

/// By cell; the sorted entries are in `from` then.
void sort_by_cell(std::span<Entry>& from, std::span<Entry> to) {
  const auto digit = [](Entry entry, std::size_t place) {
    return static_cast<std::size_t>(entry >> (kCellBits + place * kDigitBits)) & (kNumValues - 1);
  };
  std::array<std::array<std::uint32_t, kNumValues>, kNumDigits> counts{};
  for (const Entry entry : from) {
    for (std::size_t place = 0; place < kNumDigits; ++place) ++counts[place][digit(entry, place)];
  }
  for (std::size_t place = 0; place < kNumDigits; ++place) {
    auto& starts = counts[place];
    if (starts[digit(from[0], place)] == from.size()) continue;  // all the same
    std::uint32_t start = 0;
    for (std::uint32_t& count : starts) start += std::exchange(count, start);
    for (const Entry entry : from) to[starts[digit(entry, place)]++] = entry;
    std::swap(from, to);
  }
}

/// Sorts entries by score; `scratch` is as long. Requires: they are in the order of their
/// documents.
template <class Score>
void sort_entries(const Score& score, std::span<Entry> entries, std::span<Entry> scratch,
                  Cells cells) {
  if (entries.size() < kLongList) return sort_by_key(score, entries);
  if (!find_cells(score, entries, cells)) return;
  std::span<Entry> sorted = entries;
  sort_by_cell(sorted, scratch);
  if (sorted.data() != entries.data()) std::copy(sorted.begin(), sorted.end(), entries.begin());
  for (std::size_t begin = 0; begin < entries.size();) {
    std::size_t end = begin + 1;
    while (end < entries.size() && cell_of(entries[end]) == cell_of(entries[begin])) ++end;
    if (end - begin > 1) {
      sort_entries(score, entries.subspan(begin, end - begin), scratch.subspan(begin, end - begin),
                   Cells::by_key);
    }
    begin = end;
  }
}

template <class Score>
void order_by(const Score& score, std::span<std::uint32_t> order) {
  const std::size_t size = order.size();
  if (size <= kMostCountedKeys) {
    std::array<std::int64_t, kMostCountedKeys> keys;
    for (std::size_t doc = 0; doc < size; ++doc) keys[doc] = sort_key(score(doc));
    order_by_counting(std::span(keys).first(size), order);
    return;
  }
  const WorkArray<Entry> memory(2 * size);
  const std::span<Entry> entries = memory.span().first(size);
  for (std::size_t doc = 0; doc < size; ++doc) entries[doc] = doc;
  sort_entries(score, entries, memory.span().subspan(size), Cells::by_score);
  for (std::size_t k = 0; k < size; ++k) order[k] = document_of(entries[k]);
}

}  // namespace

void order_documents(const QueryLoss& loss, const QueryDocuments& query,
                     std::span<const double> scores, std::span<std::uint32_t> order) {
  if (order.empty()) return;
  if (loss.order_less_grade()) {
    order_by([&](std::size_t doc) { return scores[doc] - query.grades[doc]; }, order);
  } else {
    order_by([&](std::size_t doc) { return scores[doc]; }, order);
  }
}

void order_by_value(std::span<const double> values, std::span<std::uint32_t> order) {
  if (order.empty()) return;
  order_by([&](std::size_t doc) { return values[doc]; }, order);
}

}  // namespace rankine
