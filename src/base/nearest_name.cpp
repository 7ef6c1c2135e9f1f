#include "base/nearest_name.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace rankine {
namespace {

constexpr std::size_t kTooFar = 3;  // edits; this many are no typing slip

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

/// Levenshtein distance.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitute = diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row.back();
}

}  // namespace

std::string_view nearest_name(std::string_view text, std::span<const std::string_view> names) {
  std::string_view nearest;
  std::size_t least = kTooFar;
  for (const std::string_view name : names) {
    const std::size_t longer = std::max(text.size(), name.size());
    if (longer - std::min(text.size(), name.size()) >= least) continue;
    if (const auto distance = edit_distance(text, name); distance < std::min(least, longer)) {
      least = distance;
      nearest = name;
    }
  }
  return nearest;
}

}  // namespace rankine
