// Kernel values one by one, in double, and the default gamma: 1 / the median comparison of 1,000
// pairs of rows drawn at random (the "median heuristic"), or 1 / the mean |x|^2 for polynomials, so
// that typical kernel values are neither all 0 nor all 1.
// Caputo, Sim, Furesjo and Smola, "Appearance-based object recognition using SVMs: which kernel
// should I use?", 2002.
#include "features/kernel.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>
#include <variant>

#include "base/contract.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/sums/canonical_sum.hpp"

namespace rankine {
namespace {

constexpr std::uint64_t kGammaStream = 0x67616D6D61;  // of the pairs drawn for gamma

/// x . z, |x - z|_2^2 or |x - z|_1.
enum class Comparison { product, squares, absolutes };

double term(Comparison comparison, double x, double z) {
  switch (comparison) {
    case Comparison::product:
      return x * z;
    case Comparison::squares:
      return (x - z) * (x - z);
    case Comparison::absolutes:
      return std::abs(x - z);
  }
  return 0;
}

double compare(Comparison comparison, const DenseMatrix& matrix, std::int64_t a, std::int64_t b) {
  const auto x = matrix.row(a);
  const auto z = matrix.row(b);
  double sum = 0;
  for (std::size_t f = 0; f < x.size(); ++f) {
    sum += term(comparison, static_cast<double>(x[f]), static_cast<double>(z[f]));
  }
  return sum;
}

double compare(Comparison comparison, const CsrMatrix& matrix, std::int64_t a, std::int64_t b) {
  auto x = static_cast<std::size_t>(matrix.offsets[static_cast<std::size_t>(a)]);
  auto z = static_cast<std::size_t>(matrix.offsets[static_cast<std::size_t>(b)]);
  const auto x_end = static_cast<std::size_t>(matrix.offsets[static_cast<std::size_t>(a) + 1]);
  const auto z_end = static_cast<std::size_t>(matrix.offsets[static_cast<std::size_t>(b) + 1]);
  double sum = 0;
  while (x < x_end || z < z_end) {
    const bool takes_x = z == z_end || (x < x_end && matrix.columns[x] <= matrix.columns[z]);
    const bool takes_z = x == x_end || (z < z_end && matrix.columns[z] <= matrix.columns[x]);
    sum += term(comparison, takes_x ? static_cast<double>(matrix.values[x]) : 0.0,
                takes_z ? static_cast<double>(matrix.values[z]) : 0.0);
    x += takes_x ? 1 : 0;
    z += takes_z ? 1 : 0;
  }
  return sum;
}

double compare(Comparison comparison, const FeatureMatrix& matrix, std::int64_t a, std::int64_t b) {
  return std::visit([&](const auto& m) { return compare(comparison, m, a, b); }, matrix);
}

double power(double base, int exponent) {
  double result = 1;
  for (int k = 0; k < exponent; ++k) result *= base;
  return result;
}

Comparison comparison_of(Kernel kind) {
  if (kind == Kernel::rbf) return Comparison::squares;
  return kind == Kernel::laplacian ? Comparison::absolutes : Comparison::product;
}

/// The kernel of two rows that compare as t.
double value_at(const KernelSpec& kernel, double t) {
  switch (kernel.kind) {
    case Kernel::linear:
      return t;
    case Kernel::rbf:
    case Kernel::laplacian:
      return std::exp(-kernel.gamma * t);
    case Kernel::polynomial:
      return power(kernel.gamma * t + kernel.coef0, kernel.degree);
    case Kernel::precomputed:
      RANKINE_ASSERT(false);
  }
  return 0;
}

/// The symmetric matrix of value(a, b) for b <= a.
template <class Value>
std::vector<double> symmetric(std::int64_t size, int threads, const Value& value) {
  const auto width = static_cast<std::size_t>(size);
  std::vector<double> matrix(width * width);
  parallel_for(size, threads, [&](std::int64_t a) {
    for (std::int64_t b = 0; b <= a; ++b) {
      matrix[static_cast<std::size_t>(a) * width + static_cast<std::size_t>(b)] = value(a, b);
    }
  });
  for (std::size_t a = 0; a < width; ++a) {
    for (std::size_t b = 0; b < a; ++b) matrix[b * width + a] = matrix[a * width + b];
  }
  return matrix;
}

std::size_t place_of(std::int64_t a, std::int64_t b) {
  return static_cast<std::size_t>(a * (a + 1) / 2 + b);
}

}  // namespace

std::int64_t num_rows(const FeatureMatrix& matrix) {
  return std::visit([](const auto& m) { return m.num_rows; }, matrix);
}

std::int64_t num_columns(const FeatureMatrix& matrix) {
  return std::visit([](const auto& m) { return m.num_columns; }, matrix);
}

FeatureMatrix take_rows(const FeatureMatrix& matrix, std::span<const std::int64_t> indices) {
  const auto count = static_cast<std::int64_t>(indices.size());
  if (const auto* dense = std::get_if<DenseMatrix>(&matrix)) {
    std::vector<float> values;
    values.reserve(indices.size() * static_cast<std::size_t>(dense->num_columns));
    for (const std::int64_t index : indices) {
      const auto row = dense->row(index);
      values.insert(values.end(), row.begin(), row.end());
    }
    return DenseMatrix{count, dense->num_columns, std::move(values)};
  }
  const auto& sparse = std::get<CsrMatrix>(matrix);
  std::vector<std::int64_t> offsets{0};
  std::vector<std::uint32_t> columns;
  std::vector<float> values;
  for (const std::int64_t index : indices) {
    const auto begin = sparse.offsets[static_cast<std::size_t>(index)];
    const auto end = sparse.offsets[static_cast<std::size_t>(index) + 1];
    columns.insert(columns.end(), sparse.columns.begin() + begin, sparse.columns.begin() + end);
    values.insert(values.end(), sparse.values.begin() + begin, sparse.values.begin() + end);
    offsets.push_back(static_cast<std::int64_t>(values.size()));
  }
  return CsrMatrix{count, sparse.num_columns, std::move(offsets), std::move(columns),
                   std::move(values)};
}

FeatureMatrix gather_rows(const FeatureMatrix& matrix, std::span<const std::int64_t> indices,
                          Collective& collective) {
  if (collective.size() == 1) return take_rows(matrix, indices);
  const DocumentRange documents(num_rows(matrix), collective);
  const auto has = [&](std::int64_t index) {
    return index >= documents.first() && index < documents.first() + documents.own();
  };
  std::vector<std::int64_t> own;        // rows here
  std::vector<std::int64_t> positions;  // of them among the indices
  for (std::size_t k = 0; k < indices.size(); ++k) {
    if (!has(indices[k])) continue;
    own.push_back(indices[k] - documents.first());
    positions.push_back(static_cast<std::int64_t>(k));
  }
  const FeatureMatrix taken = take_rows(matrix, own);
  // Those of all in the order of the processes, and where each belongs.
  const auto gather = [&](const auto& values) {
    return gather_values(collective, std::span(values.data(), values.size()));
  };
  std::vector<std::int64_t> order(indices.size());
  const std::vector<std::int64_t> all_positions = gather(positions);
  for (std::size_t k = 0; k < all_positions.size(); ++k) {
    order[static_cast<std::size_t>(all_positions[k])] = static_cast<std::int64_t>(k);
  }
  const auto count = static_cast<std::int64_t>(indices.size());
  if (const auto* dense = std::get_if<DenseMatrix>(&taken)) {
    return take_rows(DenseMatrix{count, dense->num_columns, gather(dense->values)}, order);
  }
  const auto& sparse = std::get<CsrMatrix>(taken);
  std::vector<std::int64_t> lengths;
  for (std::size_t k = 1; k < sparse.offsets.size(); ++k) {
    lengths.push_back(sparse.offsets[k] - sparse.offsets[k - 1]);
  }
  std::vector<std::int64_t> offsets{0};
  for (const std::int64_t length : gather(lengths)) offsets.push_back(offsets.back() + length);
  return take_rows(CsrMatrix{count, sparse.num_columns, std::move(offsets), gather(sparse.columns),
                             gather(sparse.values)},
                   order);
}

FeatureMatrix stack_rows(std::span<const FeatureMatrix> parts) {
  std::int64_t count = 0;
  std::vector<float> values;
  std::vector<std::int64_t> offsets{0};
  std::vector<std::uint32_t> columns;
  for (const FeatureMatrix& part : parts) {
    count += num_rows(part);
    if (const auto* dense = std::get_if<DenseMatrix>(&part)) {
      values.insert(values.end(), dense->values.begin(), dense->values.end());
      continue;
    }
    const auto& sparse = std::get<CsrMatrix>(part);
    for (std::size_t row = 1; row < sparse.offsets.size(); ++row) {
      offsets.push_back(static_cast<std::int64_t>(values.size()) + sparse.offsets[row]);
    }
    columns.insert(columns.end(), sparse.columns.begin(), sparse.columns.end());
    values.insert(values.end(), sparse.values.begin(), sparse.values.end());
  }
  const std::int64_t width = num_columns(parts.front());
  if (std::holds_alternative<DenseMatrix>(parts.front())) {
    return DenseMatrix{count, width, std::move(values)};
  }
  return CsrMatrix{count, width, std::move(offsets), std::move(columns), std::move(values)};
}

KernelFormula kernel_formula(const KernelSpec& kernel) {
  KernelFormula function;
  function.gamma = static_cast<float>(kernel.gamma);
  function.coef0 = static_cast<float>(kernel.coef0);
  function.degree = kernel.degree;
  switch (kernel.kind) {
    case Kernel::linear:
      function.kind = KernelFormula::Kind::product;
      break;
    case Kernel::rbf:
      function.kind = KernelFormula::Kind::rbf;
      break;
    case Kernel::laplacian:
      function.kind = KernelFormula::Kind::laplacian;
      break;
    case Kernel::polynomial:
      function.kind = KernelFormula::Kind::polynomial;
      break;
    case Kernel::precomputed:
      RANKINE_ASSERT(false);
  }
  return function;
}

double kernel_value(const KernelSpec& kernel, const FeatureMatrix& matrix, std::int64_t a,
                    std::int64_t b) {
  return value_at(kernel, compare(comparison_of(kernel.kind), matrix, a, b));
}

std::vector<double> kernel_gram(const KernelSpec& kernel, const FeatureMatrix& rows, int threads) {
  return symmetric(num_rows(rows), threads, [&](std::int64_t a, std::int64_t b) {
    return kernel_value(kernel, rows, a, b);
  });
}

std::vector<double> row_comparisons(Kernel kind, const FeatureMatrix& rows, int threads) {
  const std::int64_t size = num_rows(rows);
  std::vector<double> comparisons(place_of(size, 0));
  parallel_for(size, threads, [&](std::int64_t a) {
    for (std::int64_t b = 0; b <= a; ++b) {
      comparisons[place_of(a, b)] = compare(comparison_of(kind), rows, a, b);
    }
  });
  return comparisons;
}

std::vector<double> kernel_gram(const KernelSpec& kernel, std::span<const double> comparisons,
                                std::int64_t num_rows, int threads) {
  RANKINE_ASSERT(comparisons.size() == place_of(num_rows, 0));
  return symmetric(num_rows, threads, [&](std::int64_t a, std::int64_t b) {
    return value_at(kernel, comparisons[place_of(a, b)]);
  });
}

double data_gamma(Kernel kernel, const FeatureMatrix& rows, std::uint64_t seed,
                  Collective& collective) {
  const auto count = static_cast<std::uint64_t>(DocumentRange(num_rows(rows), collective).total());
  if (count < 2 || kernel == Kernel::linear || kernel == Kernel::precomputed) return 1;
  constexpr std::uint64_t kPairs = 1000;
  const Random random(seed, kGammaStream);
  std::vector<std::int64_t> drawn;  // pair after pair
  for (std::uint64_t k = 0; k < kPairs; ++k) {
    const std::uint64_t a = random.below(2 * k, count);
    drawn.push_back(static_cast<std::int64_t>(a));
    drawn.push_back(
        static_cast<std::int64_t>((a + 1 + random.below(2 * k + 1, count - 1)) % count));
  }
  FeatureMatrix gathered;
  if (collective.size() > 1) {
    gathered = gather_rows(rows, drawn, collective);
    std::iota(drawn.begin(), drawn.end(), std::int64_t{0});
  }
  const FeatureMatrix& here = collective.size() > 1 ? gathered : rows;
  std::vector<double> sizes;
  for (std::size_t k = 0; k < drawn.size(); k += 2) {
    if (kernel == Kernel::polynomial) {
      sizes.push_back(compare(Comparison::product, here, drawn[k], drawn[k]));
    } else {
      sizes.push_back(compare(comparison_of(kernel), here, drawn[k], drawn[k + 1]));
    }
  }
  double sum = 0;
  for (const double size : sizes) sum += size;
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  const double mean = sum / static_cast<double>(sizes.size());
  const double typical = kernel == Kernel::polynomial || *middle == 0 ? mean : *middle;
  return typical > 0 ? 1 / typical : 1;
}

}  // namespace rankine
