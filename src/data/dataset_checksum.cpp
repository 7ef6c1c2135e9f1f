// A checksum of the checksums of its arrays.
#include "data/dataset_checksum.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <variant>
#include <vector>

#include "base/checksum.hpp"

namespace rankine {
namespace {

template <class T>
std::uint64_t checksum_of(std::span<const T> values) {
  return checksum({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

/// The same however the grades are stored.
std::uint64_t checksum_of(const Grades& grades) {
  if (!grades.are_coded()) return checksum_of(grades.values().span());
  constexpr std::size_t kBlock = 1024;
  RunningChecksum sum;
  std::vector<double> room;
  for (std::size_t first = 0; first < grades.size(); first += kBlock) {
    const auto block =
        grades.view().subview(first, std::min(kBlock, grades.size() - first)).values(room);
    sum.add({reinterpret_cast<const char*>(block.data()), block.size_bytes()});
  }
  return sum.result();
}

void add_features(const FeatureMatrix& features, std::vector<std::uint64_t>& sums) {
  if (const auto* dense = std::get_if<DenseMatrix>(&features)) {
    sums.push_back(checksum_of(dense->values.span()));
    return;
  }
  const auto& csr = std::get<CsrMatrix>(features);
  sums.push_back(checksum_of(csr.offsets.span()));
  sums.push_back(checksum_of(csr.columns.span()));
  sums.push_back(checksum_of(csr.values.span()));
}

}  // namespace

std::uint64_t rows_checksum(const Dataset& data) {
  std::vector<std::uint64_t> sums{checksum_of(data.grades), checksum_of(data.query_offsets.span())};
  add_features(data.features, sums);
  return checksum_of(std::span<const std::uint64_t>(sums));
}

std::uint64_t dataset_checksum(const Dataset& data) {
  std::vector<std::uint64_t> sums{checksum_of(data.grades), checksum_of(data.query_offsets.span()),
                                  checksum_of(data.document_weights.span()),
                                  checksum_of(data.query_weights.span()),
                                  checksum_of(data.query_ids.bytes().span())};
  add_features(data.features, sums);
  // Field by field: the padding of a struct has no value.
  for (const Preference& pair : data.preferences) {
    sums.push_back(static_cast<std::uint64_t>(pair.winner));
    sums.push_back(static_cast<std::uint64_t>(pair.loser));
    const double numbers[] = {pair.weight, pair.magnitude};
    sums.push_back(checksum_of(std::span<const double>(numbers)));
  }
  return checksum_of(std::span<const std::uint64_t>(sums));
}

}  // namespace rankine
