#include "models/file/matrix_sections.hpp"

#include <cstddef>
#include <string>
#include <utility>

#include "base/checked_size.hpp"

namespace rankine {
namespace {

[[noreturn]] void throw_no_matrix(const std::string& name) {
  throw DamagedModel{"the parts of " + name + " do not fit together"};
}

void check_sizes(std::int64_t num_rows, std::int64_t num_columns, const std::string& name) {
  if (num_rows < 0 || num_columns < 0 || num_columns > kMostColumns) throw_no_matrix(name);
}

}  // namespace

void save_matrix(const FeatureMatrix& matrix, const std::string& name, SectionWriter& writer) {
  if (const auto* dense = std::get_if<DenseMatrix>(&matrix)) {
    writer.number(name + ".rows", dense->num_rows);
    writer.number(name + ".columns", dense->num_columns);
    writer.numbers(name + ".values", dense->values.span());
    return;
  }
  const auto& sparse = std::get<CsrMatrix>(matrix);
  writer.number(name + ".rows", sparse.num_rows);
  writer.number(name + ".columns", sparse.num_columns);
  writer.numbers(name + ".values", sparse.values.span());
  writer.numbers(name + ".offsets", sparse.offsets.span());
  writer.numbers(name + ".indices", sparse.columns.span());
}

FeatureMatrix load_matrix(const SectionReader& reader, const std::string& name) {
  const std::int64_t rows = reader.integer(name + ".rows");
  const std::int64_t columns = reader.integer(name + ".columns");
  auto values = reader.finite_floats(name + ".values");
  if (!reader.has(name + ".offsets")) return dense_matrix(rows, columns, std::move(values), name);
  return sparse_matrix(rows, columns, reader.integers(name + ".offsets"),
                       reader.indices(name + ".indices"), std::move(values), name);
}

DenseMatrix dense_matrix(std::int64_t num_rows, std::int64_t num_columns, std::vector<float> values,
                         const std::string& name) {
  check_sizes(num_rows, num_columns, name);
  if (!is_product(std::ssize(values), num_rows, num_columns)) throw_no_matrix(name);
  return {num_rows, num_columns, std::move(values)};
}

CsrMatrix sparse_matrix(std::int64_t num_rows, std::int64_t num_columns,
                        std::vector<std::int64_t> offsets, std::vector<std::uint32_t> columns,
                        std::vector<float> values, const std::string& name) {
  check_sizes(num_rows, num_columns, name);
  const std::int64_t num_entries = std::ssize(values);
  if (offsets.empty() || std::ssize(offsets) - 1 != num_rows ||
      std::ssize(columns) != num_entries || offsets.front() != 0 || offsets.back() != num_entries) {
    throw_no_matrix(name);
  }
  for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
    if (offsets[row] > offsets[row + 1] || offsets[row + 1] > num_entries) throw_no_matrix(name);
    const auto last = static_cast<std::size_t>(offsets[row + 1]);
    for (auto k = static_cast<std::size_t>(offsets[row]); k < last; ++k) {
      const bool rises = k == static_cast<std::size_t>(offsets[row]) || columns[k - 1] < columns[k];
      if (!rises || columns[k] >= num_columns) throw_no_matrix(name);
    }
  }
  return {num_rows, num_columns, std::move(offsets), std::move(columns), std::move(values)};
}

}  // namespace rankine
