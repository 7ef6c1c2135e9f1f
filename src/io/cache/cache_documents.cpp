#include "io/cache/cache_documents.hpp"

#include <algorithm>
#include <variant>

#include <rankine/error.hpp>

#include "io/cache/dataset_cache.hpp"

namespace rankine {
namespace {

template <class T>
Array<T> part(const Array<T>& array, std::size_t first, std::size_t count) {
  return Array<T>::borrow(array.span().subspan(first, count), nullptr);
}

DenseMatrix rows_of(const DenseMatrix& matrix, std::size_t first, std::size_t count,
                    std::vector<std::int64_t>& /*offsets*/) {
  const auto width = static_cast<std::size_t>(matrix.num_columns);
  return {static_cast<std::int64_t>(count), matrix.num_columns,
          part(matrix.values, first * width, count * width)};
}

CsrMatrix rows_of(const CsrMatrix& matrix, std::size_t first, std::size_t count,
                  std::vector<std::int64_t>& offsets) {
  const auto bounds = matrix.offsets.span().subspan(first, count + 1);
  const std::int64_t begin = bounds.front();
  offsets.assign(bounds.begin(), bounds.end());
  for (std::int64_t& offset : offsets) offset -= begin;
  const auto at = static_cast<std::size_t>(begin);
  const auto size = static_cast<std::size_t>(offsets.back());
  return {static_cast<std::int64_t>(count), matrix.num_columns,
          Array<std::int64_t>::borrow(offsets, nullptr), part(matrix.columns, at, size),
          part(matrix.values, at, size)};
}

/// With the pages in front of them, which blocks before have used.
template <class T>
void release_items(const MappedFile& file, std::span<const T> items) {
  if (items.empty()) return;
  const auto first =
      static_cast<std::size_t>(reinterpret_cast<const char*>(items.data()) - file.bytes().data());
  file.release(first - std::min(first, MappedFile::kFaultBytes), first + items.size_bytes());
}

}  // namespace

CacheDocuments::CacheDocuments(const std::string& path, int threads, const Progress& progress,
                               bool whole_queries, std::int64_t block_values)
    : file_(std::make_shared<const MappedFile>(path)),
      data_(open_cache_in_parts(file_, path, threads)),
      grades_(data_.grades.values()),
      progress_(progress),
      stage_("scoring " + path),
      whole_queries_(whole_queries),
      block_values_(block_values) {}

/// Past the rows from `first` on that hold about block_values_ values: one row at least.
std::int64_t CacheDocuments::end_of_block(std::int64_t first) const {
  if (const auto* sparse = std::get_if<CsrMatrix>(&data_.features)) {
    const auto begin = sparse->offsets.begin() + first + 1;
    const auto end = std::lower_bound(begin, sparse->offsets.end(), begin[-1] + block_values_);
    return std::min(first + 1 + (end - begin), data_.num_documents());
  }
  const std::int64_t width = std::max<std::int64_t>(1, data_.num_features());
  const std::int64_t rows = std::max<std::int64_t>(1, block_values_ / width);
  return std::min(first + rows, data_.num_documents());
}

bool CacheDocuments::take(Slot& slot) {
  if (next_ == data_.num_documents()) return false;
  slot.first = next_;
  slot.last = end_of_block(next_);
  DocumentBlock& block = slot.block;
  block.query_offsets.clear();
  if (whole_queries_) {
    block.query_offsets.push_back(0);
    do {
      ++next_query_;
      const std::int64_t end = data_.query_offsets[static_cast<std::size_t>(next_query_)];
      block.query_offsets.push_back(end - slot.first);
    } while (block.query_offsets.back() < slot.last - slot.first);
    slot.last = slot.first + block.query_offsets.back();
  }
  next_ = slot.last;
  return true;
}

void CacheDocuments::parse(Slot& slot) const {
  const auto first = static_cast<std::size_t>(slot.first);
  const auto count = static_cast<std::size_t>(slot.last - slot.first);
  Dataset& documents = slot.block.documents;
  documents.source = data_.source;
  documents.feature_names = data_.feature_names;
  documents.features = std::visit(
      [&](const auto& matrix) -> FeatureMatrix {
        return rows_of(matrix, first, count, slot.block.row_offsets);
      },
      data_.features);
  documents.grades = part(grades_, first, count);
  documents.query_offsets = Array<std::int64_t>::borrow(slot.block.query_offsets, nullptr);
}

void CacheDocuments::check(const Slot& slot) {
  if (progress_ && !progress_({stage_, slot.last, data_.num_documents(), "documents"})) {
    throw Error(ErrorKind::interrupted, data_.source + ": scoring was interrupted");
  }
}

void CacheDocuments::release(const Slot& slot) const {
  const auto& features = slot.block.documents.features;
  if (const auto* dense = std::get_if<DenseMatrix>(&features)) {
    release_items(*file_, dense->values.span());
  } else {
    const auto& sparse = std::get<CsrMatrix>(features);
    release_items(*file_, sparse.columns.span());
    release_items(*file_, sparse.values.span());
  }
}

}  // namespace rankine
