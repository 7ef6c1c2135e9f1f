#include "io/cache/cache_source.hpp"

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

constexpr std::int64_t kBlockValues = std::int64_t{1} << 18;

}  // namespace

CacheSource::CacheSource(const std::string& path, InputBytes& input, int threads,
                         const Progress& progress)
    : name_(input.name()), progress_(progress) {
  if (input.is_mapped()) {
    file_ = std::make_shared<const MappedFile>(path);
    data_ = open_cache_in_parts(file_, path, threads);
  } else {
    const auto bytes = std::make_shared<const std::string>(input.read_all());
    data_ = open_cache(*bytes, bytes, input.name(), threads);
  }
  grades_ = data_.grades.values();
  const auto query_of = [&](const Preference& pair) {
    const auto& offsets = data_.query_offsets;
    return std::upper_bound(offsets.begin(), offsets.end(), pair.winner) - offsets.begin();
  };
  std::stable_sort(
      data_.preferences.begin(), data_.preferences.end(),
      [&](const Preference& a, const Preference& b) { return query_of(a) < query_of(b); });
}

void CacheSource::set_blocks(const BlockOptions& options) {
  blocks_ = options;
  block_values_ = options.num_bytes == 0
                      ? kBlockValues
                      : static_cast<std::int64_t>((options.num_bytes + 3) / sizeof(float));
}

/// Past the rows from `first` on that hold about block_values_ values: one row at least.
std::int64_t CacheSource::end_of_block(std::int64_t first) const {
  std::int64_t end = 0;
  if (const auto* sparse = std::get_if<CsrMatrix>(&data_.features)) {
    const auto begin = sparse->offsets.begin() + first + 1;
    end = first + 1 +
          (std::lower_bound(begin, sparse->offsets.end(), begin[-1] + block_values_) - begin);
  } else {
    const std::int64_t width = std::max<std::int64_t>(1, data_.num_features());
    end = first + std::max<std::int64_t>(1, block_values_ / width);
  }
  end = std::min(end, data_.num_documents());
  const auto& offsets = data_.query_offsets;
  return blocks_.whole_queries ? *std::lower_bound(offsets.begin(), offsets.end(), end) : end;
}

bool CacheSource::take(DocumentBlock& taken) {
  if (next_ == data_.num_documents()) return false;
  auto& block = static_cast<CacheBlock&>(taken);
  block.first = next_;
  block.last = next_ = end_of_block(next_);
  block.missing.clear();
  for (; next_missing_ < data_.missing.size() && data_.missing[next_missing_].document < block.last;
       ++next_missing_) {
    const MissingValue& cell = data_.missing[next_missing_];
    block.missing.push_back({cell.document - block.first, cell.column});
  }
  return true;
}

/// The queries that the block has documents of, and what belongs to them.
void CacheSource::set_queries(CacheBlock& block) const {
  const auto& offsets = data_.query_offsets;
  const auto first_query = static_cast<std::size_t>(
      std::upper_bound(offsets.begin(), offsets.end(), block.first) - offsets.begin() - 1);
  block.query_ids.clear();
  block.query_offsets.assign(1, 0);
  std::size_t query = first_query;
  for (; block.query_offsets.back() < block.last - block.first; ++query) {
    block.query_ids.push_back(data_.query_ids[query]);
    block.query_offsets.push_back(std::min(offsets[query + 1], block.last) - block.first);
  }
  Dataset& documents = block.documents;
  documents.query_offsets = Array<std::int64_t>::borrow(block.query_offsets, nullptr);
  if (!data_.query_weights.empty()) {
    documents.query_weights = part(data_.query_weights, first_query, query - first_query);
  }
  documents.has_preferences = data_.has_preferences;
  documents.preferences.clear();
  const auto begins_before = [](const Preference& pair, std::int64_t document) {
    return pair.winner < document;
  };
  if (!blocks_.whole_queries) return;
  // They come by query, so whole queries have theirs in one piece.
  auto pair = std::lower_bound(data_.preferences.begin(), data_.preferences.end(), block.first,
                               begins_before);
  for (; pair != data_.preferences.end() && pair->winner < block.last; ++pair) {
    documents.preferences.push_back(*pair);
    documents.preferences.back().winner -= block.first;
    documents.preferences.back().loser -= block.first;
  }
}

void CacheSource::parse(DocumentBlock& parsed) const {
  auto& block = static_cast<CacheBlock&>(parsed);
  const auto first = static_cast<std::size_t>(block.first);
  const auto count = static_cast<std::size_t>(block.last - block.first);
  Dataset& documents = block.documents;
  documents.source = data_.source;
  documents.feature_names = data_.feature_names;
  documents.features = std::visit(
      [&](const auto& matrix) -> FeatureMatrix {
        return rows_of(matrix, first, count, block.row_offsets);
      },
      data_.features);
  documents.grades = part(grades_, first, count);
  if (!data_.document_weights.empty()) {
    documents.document_weights = part(data_.document_weights, first, count);
  }
  documents.missing = Array<MissingValue>::borrow(block.missing, nullptr);
  documents.num_missing = std::ssize(block.missing);
  block.comments.clear();
  for (std::size_t row = first; !data_.comments.empty() && row < first + count; ++row) {
    block.comments.push_back(data_.comments[row]);
  }
  set_queries(block);
}

void CacheSource::check(const DocumentBlock& parsed) {
  const auto& block = static_cast<const CacheBlock&>(parsed);
  const std::string stage = "reading " + name_;
  if (progress_ && !progress_({stage, block.last, data_.num_documents(), "documents"})) {
    throw Error(ErrorKind::interrupted, name_ + ": reading was interrupted");
  }
}

void CacheSource::release(const DocumentBlock& used) {
  if (file_ == nullptr) return;
  const auto& features = used.documents.features;
  if (const auto* dense = std::get_if<DenseMatrix>(&features)) {
    release_items(*file_, dense->values.span());
  } else {
    const auto& sparse = std::get<CsrMatrix>(features);
    release_items(*file_, sparse.columns.span());
    release_items(*file_, sparse.values.span());
  }
}

void CacheSource::finish() {
  if (data_.num_documents() == 0) throw Error(ErrorKind::data, name_ + ": no documents");
}

}  // namespace rankine
