// Long lists are sorted by the bits of their scores, 11 at a time from the lowest: each pass keeps
// the order of equal ones, so documents of equal scores stay in theirs.
#include "compute/document_order.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

namespace rankine {
namespace {

struct ScoredDocument {
  double score;
  std::uint32_t document;
};

constexpr std::size_t kLongList = 4096;
constexpr unsigned kDigitBits = 11;
constexpr std::size_t kNumDigits = (64 + kDigitBits - 1) / kDigitBits;
constexpr std::size_t kNumValues = std::size_t{1} << kDigitBits;

/// Numbers that compare as the scores do: negative ones have all bits turned, others the sign.
std::uint64_t sort_key(double score) {
  const auto bits = std::bit_cast<std::uint64_t>(score + 0.0);  // -0 becomes 0
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

void sort_long_list(std::vector<ScoredDocument>& documents) {
  struct Keyed {
    std::uint64_t key;
    std::uint32_t document;
  };
  thread_local std::vector<Keyed> from;
  thread_local std::vector<Keyed> to;
  from.resize(documents.size());
  to.resize(documents.size());
  std::array<std::array<std::uint32_t, kNumValues>, kNumDigits> counts{};
  const auto digit = [](std::uint64_t key, std::size_t place) {
    return static_cast<std::size_t>(key >> (place * kDigitBits)) & (kNumValues - 1);
  };
  for (std::size_t k = 0; k < documents.size(); ++k) {
    from[k] = {sort_key(documents[k].score), documents[k].document};
    for (std::size_t place = 0; place < kNumDigits; ++place) {
      ++counts[place][digit(from[k].key, place)];
    }
  }
  for (std::size_t place = 0; place < kNumDigits; ++place) {
    auto& starts = counts[place];
    if (starts[digit(from[0].key, place)] == from.size()) continue;  // all the same
    std::uint32_t start = 0;
    for (std::uint32_t& count : starts) start += std::exchange(count, start);
    for (const Keyed& each : from) to[starts[digit(each.key, place)]++] = each;
    from.swap(to);
  }
  for (std::size_t k = 0; k < documents.size(); ++k) documents[k].document = from[k].document;
}

}  // namespace

void order_documents(const QueryLoss& loss, const QueryDocuments& query,
                     std::span<const double> scores, std::span<std::uint32_t> order) {
  if (order.empty()) return;
  const bool less_grade = loss.order_less_grade();
  thread_local std::vector<ScoredDocument> documents;
  documents.resize(scores.size());
  for (std::size_t doc = 0; doc < scores.size(); ++doc) {
    documents[doc] = {less_grade ? scores[doc] - query.grades[doc] : scores[doc],
                      static_cast<std::uint32_t>(doc)};
  }
  if (documents.size() >= kLongList) {
    sort_long_list(documents);
  } else {
    std::sort(documents.begin(), documents.end(),
              [](const ScoredDocument& a, const ScoredDocument& b) {
                return a.score < b.score || (a.score == b.score && a.document < b.document);
              });
  }
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = documents[k].document;
}

}  // namespace rankine
