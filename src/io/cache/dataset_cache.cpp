// Nothing in the file is believed before it is checked: first the header by its checksum, then
// every count against the size of its section (so no allocation exceeds the file), then all blocks
// in parallel, checksums and feature values in one pass, then what the arrays say of each other.
// Only the columns wait for a second round, since they can be checked only by trusted row offsets.
#include "io/cache/dataset_cache.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include <rankine/error.hpp>

#include "base/checked_size.hpp"
#include "base/checksum.hpp"
#include "base/contract.hpp"
#include "base/parallel.hpp"
#include "base/system/output_file.hpp"
#include "data/dataset_check.hpp"
#include "io/cache/cache_layout.hpp"

namespace rankine {
namespace {

template <class T>
std::span<const char> bytes_of(std::span<const T> items) {
  return {reinterpret_cast<const char*>(items.data()), items.size_bytes()};
}
template <class T>
std::span<const char> bytes_of_one(const T& item) {
  return bytes_of(std::span<const T>(&item, 1));
}

std::int64_t num_blocks(std::uint64_t bytes) {
  return static_cast<std::int64_t>((bytes + kBlockBytes - 1) / kBlockBytes);
}

std::span<const char> block_of(std::span<const char> bytes, std::int64_t block) {
  const std::size_t first = static_cast<std::size_t>(block) * kBlockBytes;
  return bytes.subspan(first, std::min<std::size_t>(kBlockBytes, bytes.size() - first));
}

std::uint64_t checksum_of_blocks(std::span<const std::uint64_t> block_checksums) {
  return checksum(bytes_of(block_checksums));
}

class CacheReader {
 public:
  CacheReader(std::span<const char> bytes, std::shared_ptr<const void> owner,
              const std::string& name, int threads, CacheChecks checks,
              const MappedFile* pages = nullptr)
      : bytes_(bytes),
        owner_(std::move(owner)),
        name_(name),
        threads_(threads),
        checks_(checks),
        pages_(pages) {}

  Dataset read() {
    read_header();
    read_table();
    Dataset data = take_arrays();
    const auto* matrix = std::get_if<CsrMatrix>(&data.features);
    verify_sections([](const CacheSection& s) { return s.kind != SectionKind::columns; }, nullptr);
    check_structure(data, name_);
    if (matrix != nullptr) {
      verify_sections([](const CacheSection& s) { return s.kind == SectionKind::columns; }, matrix);
    }
    return data;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::data, name_ + ": " + what);
  }
  [[noreturn]] void fail_damaged(const std::string& what) const {
    fail("the cache is damaged: " + what);
  }

  template <class T>
  T load(std::uint64_t offset) const {
    T item;
    std::memcpy(&item, bytes_.data() + offset, sizeof item);
    return item;
  }

  void read_header() {
    if (!is_cache(bytes_)) fail("not a rankine cache");
    if (bytes_.size() < cache_header_bytes(0)) fail_damaged("it ends within its header");
    header_ = load<CacheHeader>(0);
    if (header_.byte_order == kSwappedByteOrderMark) {
      fail("the cache was written on a machine of the other byte order; make it anew here");
    }
    if (header_.byte_order != kByteOrderMark) fail_damaged("its byte order mark is wrong");
    if (header_.version < kCacheVersion || header_.version > kMissingVersion) {
      fail("the cache has version " + std::to_string(header_.version) +
           ", this program reads up to version " + std::to_string(kMissingVersion) +
           (header_.version > kMissingVersion ? ": use a later one, or make the cache anew" : ""));
    }
    if (header_.file_bytes != bytes_.size()) {
      fail_damaged("it has " + std::to_string(bytes_.size()) + " bytes in place of " +
                   std::to_string(header_.file_bytes));
    }
    if (header_.num_sections > kNumSectionKinds ||
        cache_header_bytes(header_.num_sections) > bytes_.size()) {
      fail_damaged("its table of sections is wrong");
    }
    const std::uint64_t end = cache_header_bytes(header_.num_sections) - sizeof(std::uint64_t);
    if (checks_ == CacheChecks::all && load<std::uint64_t>(end) != checksum(bytes_.first(end))) {
      fail_damaged("the checksum of its header is wrong");
    }
    if (header_.num_documents < 0 || header_.num_queries < 0 || header_.num_features < 0 ||
        header_.num_entries < 0 || header_.num_preferences < 0 || header_.num_missing < 0) {
      fail_damaged("a count is negative");
    }
    if (header_.num_features > kMostColumns) fail_damaged("it has too many columns");
    if ((header_.flags & ~std::uint32_t{kSparseFlag | kPreferencesFlag}) != 0) {
      fail_damaged("it has flags that this version does not know");
    }
  }

  void read_table() {
    std::uint64_t end = cache_header_bytes(header_.num_sections);
    std::uint32_t last_kind = 0;
    for (std::uint32_t index = 0; index < header_.num_sections; ++index) {
      const auto section = load<CacheSection>(sizeof(CacheHeader) + index * sizeof(CacheSection));
      const auto kind = static_cast<std::uint32_t>(section.kind);
      if (kind <= last_kind || kind > kNumSectionKinds)
        fail_damaged("its sections are out of order");
      if (section.offset != align_section(end) || section.offset > bytes_.size() ||
          section.bytes > bytes_.size() - section.offset || section.bytes == 0) {
        fail_damaged("a section lies outside the file");
      }
      for (; end < section.offset; ++end) {
        if (bytes_[end] != 0) fail_damaged("there is something between its sections");
      }
      last_kind = kind;
      end = section.offset + section.bytes;
      sections_.push_back(section);
    }
    if (end != bytes_.size()) fail_damaged("there is something after its last section");
  }

  const CacheSection* find(SectionKind kind) const {
    const auto found = std::find_if(sections_.begin(), sections_.end(),
                                    [&](const CacheSection& s) { return s.kind == kind; });
    return found == sections_.end() ? nullptr : &*found;
  }

  std::span<const char> content(const CacheSection& section) const {
    return bytes_.subspan(section.offset, section.bytes);
  }

  /// The section as an array; empty when the file does not have it.
  template <class T>
  Array<T> take(SectionKind kind) const {
    const CacheSection* section = find(kind);
    if (section == nullptr) return {};
    if (section->item_bytes != sizeof(T) || section->bytes % sizeof(T) != 0) {
      fail_damaged("a section has items of the wrong size");
    }
    const char* first = content(*section).data();
    RANKINE_ASSERT(reinterpret_cast<std::uintptr_t>(first) % alignof(T) == 0);
    return Array<T>::borrow({reinterpret_cast<const T*>(first), section->bytes / sizeof(T)},
                            owner_);
  }

  template <class T>
  Array<T> take(SectionKind kind, std::int64_t wanted) const {
    Array<T> array = take<T>(kind);
    if (static_cast<std::int64_t>(array.size()) != wanted) {
      fail_damaged("a section has " + std::to_string(array.size()) + " items in place of " +
                   std::to_string(wanted));
    }
    return array;
  }

  StringList take_strings(SectionKind bytes, SectionKind offsets) const {
    return {take<char>(bytes), take<std::int64_t>(offsets)};
  }

  Dataset take_arrays() const {
    const CacheHeader& counts = header_;
    Dataset data;
    const auto source = take<char>(SectionKind::source);
    data.source.assign(source.begin(), source.end());
    data.grades = take<double>(SectionKind::grades, counts.num_documents);
    data.query_offsets = take<std::int64_t>(SectionKind::query_offsets);
    if (data.num_queries() != counts.num_queries) fail_damaged("its number of queries is wrong");
    data.query_ids = take_strings(SectionKind::query_id_bytes, SectionKind::query_id_offsets);
    data.input_rows = take<std::int64_t>(SectionKind::input_rows);
    data.document_weights = take<double>(SectionKind::document_weights);
    data.query_weights = take<double>(SectionKind::query_weights);
    data.comments = take_strings(SectionKind::comment_bytes, SectionKind::comment_offsets);
    data.feature_names =
        take_strings(SectionKind::feature_name_bytes, SectionKind::feature_name_offsets);
    const auto preferences = take<Preference>(SectionKind::preferences, counts.num_preferences);
    data.preferences.assign(preferences.begin(), preferences.end());
    data.has_preferences = (counts.flags & kPreferencesFlag) != 0;
    data.num_missing = counts.num_missing;
    data.missing = take<MissingValue>(SectionKind::missing);
    if ((counts.flags & kSparseFlag) == 0) {
      data.features = DenseMatrix{counts.num_documents, counts.num_features,
                                  take<float>(SectionKind::dense_values, counts.num_entries)};
    } else {
      data.features = CsrMatrix{counts.num_documents, counts.num_features,
                                take<std::int64_t>(SectionKind::row_offsets),
                                take<std::uint32_t>(SectionKind::columns, counts.num_entries),
                                take<float>(SectionKind::sparse_values, counts.num_entries)};
    }
    const bool sparse = !data.is_dense();
    if (sparse == (find(SectionKind::dense_values) != nullptr) && counts.num_entries > 0) {
      fail_damaged("it is neither dense nor sparse");
    }
    return data;
  }

  /// Verifies the checksums of the sections that `chosen` picks and, on the way, that feature
  /// values are finite and that the columns of `matrix` rise.
  template <class Chosen>
  void verify_sections(Chosen chosen, const CsrMatrix* matrix) const {
    struct Task {
      const CacheSection* section;
      std::int64_t block;
    };
    std::vector<Task> tasks;
    for (const CacheSection& section : sections_) {
      if (!chosen(section)) continue;
      for (std::int64_t block = 0; block < num_blocks(section.bytes); ++block) {
        tasks.push_back({&section, block});
      }
    }
    std::vector<std::uint64_t> checksums(tasks.size());
    std::atomic<bool> finite{true};
    std::atomic<bool> rising{true};
    parallel_for(static_cast<std::int64_t>(tasks.size()), threads_, [&](std::int64_t index) {
      const Task& task = tasks[static_cast<std::size_t>(index)];
      const auto block = block_of(content(*task.section), task.block);
      if (checks_ == CacheChecks::all) checksums[static_cast<std::size_t>(index)] = checksum(block);
      switch (task.section->kind) {
        case SectionKind::dense_values:
        case SectionKind::sparse_values:
          if (!all_finite(
                  {reinterpret_cast<const float*>(block.data()), block.size() / sizeof(float)})) {
            finite = false;
          }
          break;
        case SectionKind::columns: {
          constexpr auto kEntries = static_cast<std::int64_t>(kBlockBytes / sizeof(std::uint32_t));
          const std::int64_t first = task.block * kEntries;
          const auto last = first + static_cast<std::int64_t>(block.size() / sizeof(std::uint32_t));
          if (!columns_rise(*matrix, first, last)) rising = false;
          break;
        }
        default:
          break;
      }
      if (pages_ != nullptr) {
        const auto first = static_cast<std::size_t>(block.data() - bytes_.data());
        pages_->release(first, first + block.size());
      }
    });
    std::size_t next = 0;
    for (const CacheSection& section : sections_) {
      if (!chosen(section)) continue;
      const auto count = static_cast<std::size_t>(num_blocks(section.bytes));
      const auto found = checksum_of_blocks(std::span(checksums).subspan(next, count));
      if (checks_ == CacheChecks::all && found != section.checksum) {
        fail_damaged("a checksum is wrong");
      }
      next += count;
    }
    if (!finite) throw_not_finite(name_);
    if (!rising) throw_columns_do_not_rise(name_);
  }

  std::span<const char> bytes_;
  std::shared_ptr<const void> owner_;
  const std::string& name_;
  int threads_;
  CacheChecks checks_;
  const MappedFile* pages_;  // to be given back once they are checked; or null
  CacheHeader header_;
  std::vector<CacheSection> sections_;
};

class CacheWriter {
 public:
  CacheWriter(const Dataset& data, int threads) : threads_(threads), grades_(data.grades.values()) {
    header_.num_documents = data.num_documents();
    header_.num_queries = data.num_queries();
    header_.num_features = data.num_features();
    header_.num_preferences = static_cast<std::int64_t>(data.preferences.size());
    header_.num_missing = data.num_missing;
    if (data.has_preferences) header_.flags |= kPreferencesFlag;
    add(SectionKind::source, std::span<const char>(data.source));
    add(SectionKind::grades, grades_.span());
    add(SectionKind::query_offsets, data.query_offsets.span());
    add(SectionKind::query_id_bytes, data.query_ids.bytes().span());
    add(SectionKind::query_id_offsets, data.query_ids.offsets().span());
    add(SectionKind::input_rows, data.input_rows.span());
    add(SectionKind::document_weights, data.document_weights.span());
    add(SectionKind::query_weights, data.query_weights.span());
    add(SectionKind::comment_bytes, data.comments.bytes().span());
    add(SectionKind::comment_offsets, data.comments.offsets().span());
    add(SectionKind::feature_name_bytes, data.feature_names.bytes().span());
    add(SectionKind::feature_name_offsets, data.feature_names.offsets().span());
    add(SectionKind::preferences, std::span<const Preference>(data.preferences));
    if (const auto* dense = std::get_if<DenseMatrix>(&data.features)) {
      add(SectionKind::dense_values, dense->values.span());
      header_.num_entries = static_cast<std::int64_t>(dense->values.size());
    } else {
      const auto& sparse = std::get<CsrMatrix>(data.features);
      header_.flags |= kSparseFlag;
      header_.num_entries = static_cast<std::int64_t>(sparse.values.size());
      add(SectionKind::row_offsets, sparse.offsets.span());
      add(SectionKind::columns, sparse.columns.span());
      add(SectionKind::sparse_values, sparse.values.span());
    }
    if (!data.missing.empty()) header_.version = kMissingVersion;
    add(SectionKind::missing, data.missing.span());
    place_sections();
  }

  void write(OutputFile& file, const Progress& progress) const {
    const std::string stage = "writing " + file.name();
    const std::string head = head_bytes();
    file.write(head);
    std::uint64_t written = head.size();
    for (std::size_t index = 0; index < sections_.size(); ++index) {
      const std::string padding(sections_[index].offset - written, '\0');
      file.write(padding);
      written = sections_[index].offset;
      for (std::int64_t block = 0; block < num_blocks(contents_[index].size()); ++block) {
        const auto bytes = block_of(contents_[index], block);
        file.write({bytes.data(), bytes.size()});
        written += bytes.size();
        report(progress, stage, written);
      }
    }
  }

 private:
  template <class T>
  void add(SectionKind kind, std::span<const T> items) {
    if (items.empty()) return;
    CacheSection section;
    section.kind = kind;
    section.item_bytes = sizeof(T);
    section.bytes = items.size_bytes();
    sections_.push_back(section);
    contents_.push_back(bytes_of(items));
  }

  void place_sections() {
    header_.num_sections = static_cast<std::uint32_t>(sections_.size());
    std::uint64_t end = cache_header_bytes(sections_.size());
    for (std::size_t index = 0; index < sections_.size(); ++index) {
      const auto content = contents_[index];
      std::vector<std::uint64_t> checksums(static_cast<std::size_t>(num_blocks(content.size())));
      parallel_for(num_blocks(content.size()), threads_, [&](std::int64_t block) {
        checksums[static_cast<std::size_t>(block)] = checksum(block_of(content, block));
      });
      sections_[index].checksum = checksum_of_blocks(checksums);
      sections_[index].offset = align_section(end);
      end = sections_[index].offset + content.size();
    }
    header_.file_bytes = end;
  }

  std::string head_bytes() const {
    std::string head;
    const auto append = [&](std::span<const char> bytes) {
      head.append(bytes.data(), bytes.size());
    };
    append(bytes_of_one(header_));
    append(bytes_of(std::span<const CacheSection>(sections_)));
    append(bytes_of_one(checksum(head)));
    return head;
  }

  void report(const Progress& progress, const std::string& stage, std::uint64_t written) const {
    if (!progress) return;
    const ProgressEvent event{stage, static_cast<std::int64_t>(written),
                              static_cast<std::int64_t>(header_.file_bytes), "bytes"};
    if (!progress(event)) throw Error(ErrorKind::interrupted, stage + ": interrupted");
  }

  int threads_;
  Array<double> grades_;  // a section: eight bytes each
  CacheHeader header_;
  std::vector<CacheSection> sections_;
  std::vector<std::span<const char>> contents_;
};

}  // namespace

bool is_cache(std::span<const char> first_bytes) noexcept {
  return first_bytes.size() >= kCacheMagic.size() &&
         std::equal(kCacheMagic.begin(), kCacheMagic.end(), first_bytes.begin());
}

Dataset read_cache(const std::string& path, int threads) {
  const auto file = std::make_shared<const MappedFile>(path);
  return open_cache(file->bytes(), file, path, threads);
}

Dataset open_cache(std::span<const char> bytes, const std::shared_ptr<const void>& owner,
                   const std::string& name, int threads, CacheChecks checks) {
  return CacheReader(bytes, owner, name, threads, checks).read();
}

Dataset open_cache_in_parts(const std::shared_ptr<const MappedFile>& file, const std::string& name,
                            int threads) {
  Dataset data =
      CacheReader(file->bytes(), file, name, threads, CacheChecks::all, file.get()).read();
  file->release(0, file->bytes().size());
  return data;
}

void write_cache(const std::string& path, const Dataset& data, int threads,
                 const Progress& progress) {
  if (path.ends_with(".gz") || path.ends_with(".zst")) {
    throw Error(ErrorKind::option,
                path + ": the cache is mapped into memory, so it cannot be compressed");
  }
  check_dataset(data, data.source.empty() ? path : data.source);
  OutputFile file(path);
  CacheWriter(data, threads).write(file, progress);
  file.commit();
}

}  // namespace rankine
