#include "io/whole_queries.hpp"

#include <variant>

namespace rankine {
namespace {

template <class T>
Array<T> view(const std::vector<T>& values) {
  return Array<T>::borrow(values, nullptr);
}

}  // namespace

void WholeQueries::add(const DocumentBlock& block, const Take& take) {
  pending_.documents.source = block.documents.source;
  pending_.documents.feature_names = block.documents.feature_names;
  for (std::size_t query = 0; query < block.query_ids.size(); ++query) {
    start_query(block.query_ids[query], take);
    append(block, static_cast<std::size_t>(block.query_offsets[query]),
           static_cast<std::size_t>(block.query_offsets[query + 1]));
  }
}

void WholeQueries::start_query(std::string_view id, const Take& take) {
  const std::size_t known = numbers_.size();
  const std::uint32_t query = numbers_.number(id);
  if (known > 0 && query == query_) return;
  if (query < known) throw NonContiguousQuery{std::string(id), num_rows_};
  query_ = query;
  if (pending_.grades.size() >= num_documents_) finish(take);
  pending_.query_offsets.push_back(std::ssize(pending_.grades));
}

void WholeQueries::append(const DocumentBlock& block, std::size_t first, std::size_t last) {
  const auto& grades = block.documents.grades;
  pending_.grades.insert(pending_.grades.end(), grades.begin() + static_cast<std::ptrdiff_t>(first),
                         grades.begin() + static_cast<std::ptrdiff_t>(last));
  num_rows_ += static_cast<std::int64_t>(last - first);
  const auto copy = [](auto& to, const auto& from, std::size_t begin, std::size_t end) {
    to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(begin),
              from.begin() + static_cast<std::ptrdiff_t>(end));
  };
  // What will be handed out has the form of the blocks; its arrays are set when it is.
  if (const auto* dense = std::get_if<DenseMatrix>(&block.documents.features)) {
    const auto width = static_cast<std::size_t>(dense->num_columns);
    copy(pending_.values, dense->values, first * width, last * width);
    pending_.documents.features = DenseMatrix{0, dense->num_columns, {}};
    return;
  }
  const auto& sparse = std::get<CsrMatrix>(block.documents.features);
  if (pending_.row_offsets.empty()) pending_.row_offsets.push_back(0);
  const auto begin = static_cast<std::size_t>(sparse.offsets[first]);
  const auto end = static_cast<std::size_t>(sparse.offsets[last]);
  const std::int64_t shift = pending_.row_offsets.back() - sparse.offsets[first];
  for (std::size_t row = first; row < last; ++row) {
    pending_.row_offsets.push_back(sparse.offsets[row + 1] + shift);
  }
  copy(pending_.columns, sparse.columns, begin, end);
  copy(pending_.values, sparse.values, begin, end);
  pending_.documents.features = CsrMatrix{0, sparse.num_columns, {}, {}, {}};
}

void WholeQueries::finish(const Take& take) {
  if (pending_.grades.empty()) return;
  pending_.query_offsets.push_back(std::ssize(pending_.grades));
  set_documents(pending_);
  if (auto* dense = std::get_if<DenseMatrix>(&pending_.documents.features)) {
    dense->num_rows = std::ssize(pending_.grades);
    dense->values = view(pending_.values);
  } else {
    auto& sparse = std::get<CsrMatrix>(pending_.documents.features);
    sparse.num_rows = std::ssize(pending_.grades);
    sparse.offsets = view(pending_.row_offsets);
    sparse.columns = view(pending_.columns);
    sparse.values = view(pending_.values);
  }
  take(pending_.documents);
  pending_.grades.clear();
  pending_.query_offsets.clear();
  pending_.values.clear();
  pending_.columns.clear();
  pending_.row_offsets.clear();
}

}  // namespace rankine
