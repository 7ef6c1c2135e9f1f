#include "features/row_lookup.hpp"

#include <algorithm>
#include <span>
#include <variant>

#include "base/checksum.hpp"

namespace rankine {
namespace {

/// A row's bytes: its values, and where they are if not everywhere.
struct RowBytes {
  std::span<const char> values;
  std::span<const char> columns;

  bool operator==(const RowBytes& other) const {
    return std::equal(values.begin(), values.end(), other.values.begin(), other.values.end()) &&
           std::equal(columns.begin(), columns.end(), other.columns.begin(), other.columns.end());
  }
  std::uint64_t hash() const { return seeded_hash(values, checksum(columns)); }
};

template <class T>
std::span<const char> bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

RowBytes row_bytes(const FeatureMatrix& matrix, std::int64_t row) {
  if (const auto* dense = std::get_if<DenseMatrix>(&matrix)) return {bytes_of(dense->row(row)), {}};
  const auto& sparse = std::get<CsrMatrix>(matrix);
  const auto begin = static_cast<std::size_t>(sparse.offsets[static_cast<std::size_t>(row)]);
  const auto end = static_cast<std::size_t>(sparse.offsets[static_cast<std::size_t>(row) + 1]);
  return {bytes_of(sparse.values.span().subspan(begin, end - begin)),
          bytes_of(sparse.columns.span().subspan(begin, end - begin))};
}

}  // namespace

std::optional<std::size_t> RowLookup::find(const FeatureMatrix& matrix, std::int64_t row) const {
  const RowBytes wanted = row_bytes(matrix, row);
  const auto [first, last] = numbers_.equal_range(wanted.hash());
  for (auto entry = first; entry != last; ++entry) {
    const Place& place = places_[entry->second];
    const FeatureMatrix& held = matrices_[place.matrix];
    if (held.index() == matrix.index() && row_bytes(held, place.row) == wanted) {
      return entry->second;
    }
  }
  return std::nullopt;
}

void RowLookup::add(const FeatureMatrix& matrix) {
  matrices_.push_back(matrix);
  const std::int64_t count = std::visit([](const auto& m) { return m.num_rows; }, matrix);
  for (std::int64_t row = 0; row < count; ++row) {
    numbers_.emplace(row_bytes(matrix, row).hash(), places_.size());
    places_.push_back({matrices_.size() - 1, row});
  }
}

bool is_same_memory(const FeatureMatrix& a, const FeatureMatrix& b) {
  if (a.index() != b.index()) return false;
  const auto same = [](const auto& x, const auto& z) {
    return x.data() == z.data() && x.size() == z.size();
  };
  if (const auto* dense = std::get_if<DenseMatrix>(&a)) {
    return same(dense->values, std::get<DenseMatrix>(b).values) &&
           dense->num_rows == std::get<DenseMatrix>(b).num_rows;
  }
  const auto& x = std::get<CsrMatrix>(a);
  const auto& z = std::get<CsrMatrix>(b);
  return same(x.values, z.values) && same(x.columns, z.columns) && same(x.offsets, z.offsets);
}

}  // namespace rankine
