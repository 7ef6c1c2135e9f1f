// The bytes of the binary cache, versions 1 and 2 (docs/formats/cache.md): a header, a table of
// sections, a checksum of both, and the sections, each an array of Dataset as it lies in memory.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <rankine/dataset.hpp>

namespace rankine {

// A first byte above 127 and both line ends show that a transfer took the file for text.
inline constexpr std::array<char, 8> kCacheMagic{'\x89', 'R', 'K', 'D', '\r', '\n', '\x1a', '\n'};
// Data without missing values is written as version 1, which earlier programs read.
inline constexpr std::uint32_t kCacheVersion = 1;
inline constexpr std::uint32_t kMissingVersion = 2;
inline constexpr std::uint32_t kByteOrderMark = 0x01020304;
inline constexpr std::uint32_t kSwappedByteOrderMark = 0x04030201;
inline constexpr std::uint64_t kSectionAlignment = 64;
// Checksums are of blocks, and of their checksums: so one large array is verified by many threads,
// and checked for other things while its block is in the processor's cache.
inline constexpr std::uint64_t kBlockBytes = std::uint64_t{1} << 18;

enum CacheFlag : std::uint32_t { kSparseFlag = 1, kPreferencesFlag = 2 };

enum class SectionKind : std::uint32_t {
  source = 1,
  grades,
  query_offsets,
  query_id_bytes,
  query_id_offsets,
  input_rows,
  document_weights,
  query_weights,
  comment_bytes,
  comment_offsets,
  feature_name_bytes,
  feature_name_offsets,
  preferences,
  dense_values,
  row_offsets,
  columns,
  sparse_values,
  missing,  // since version 2
};
inline constexpr std::uint32_t kNumSectionKinds = 18;

struct CacheHeader {
  std::array<char, 8> magic = kCacheMagic;
  std::uint32_t version = kCacheVersion;
  std::uint32_t byte_order = kByteOrderMark;
  std::uint64_t file_bytes = 0;
  std::uint32_t num_sections = 0;
  std::uint32_t flags = 0;
  std::int64_t num_documents = 0;
  std::int64_t num_queries = 0;
  std::int64_t num_features = 0;
  std::int64_t num_entries = 0;  // stored feature values
  std::int64_t num_preferences = 0;
  std::int64_t num_missing = 0;
};

struct CacheSection {
  SectionKind kind{};
  std::uint32_t item_bytes = 0;
  std::uint64_t offset = 0;  // from the start of the file
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;
};

static_assert(sizeof(CacheHeader) == 80 && std::is_trivially_copyable_v<CacheHeader>);
static_assert(sizeof(CacheSection) == 32 && std::is_trivially_copyable_v<CacheSection>);
static_assert(sizeof(MissingValue) == 16 && std::is_trivially_copyable_v<MissingValue>);
static_assert(sizeof(Preference) == 32 && std::is_trivially_copyable_v<Preference>);

/// Where the sections may start: after the header, its table and their checksum.
constexpr std::uint64_t cache_header_bytes(std::uint64_t num_sections) {
  return sizeof(CacheHeader) + num_sections * sizeof(CacheSection) + sizeof(std::uint64_t);
}

constexpr std::uint64_t align_section(std::uint64_t offset) {
  return (offset + kSectionAlignment - 1) / kSectionAlignment * kSectionAlignment;
}

}  // namespace rankine
