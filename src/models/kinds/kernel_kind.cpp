// Functions of one kernel, such as those of a path over C, mostly have landmarks in common. The
// union of their landmarks is found by the content of the rows, kernel values with it are computed
// once, and each function takes the columns that are its own.
#include "models/kinds/kernel_kind.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <utility>

#include "features/kernel.hpp"
#include "features/kernel_product_cache.hpp"
#include "features/row_lookup.hpp"
#include "models/file/matrix_sections.hpp"
#include "models/kinds/number_text.hpp"
#include "models/kinds/weighted_terms.hpp"

namespace rankine {

bool KernelFunction::operator==(const KernelFunction& other) const {
  return kernel == other.kernel && weights == other.weights &&
         is_same_matrix(landmarks, other.landmarks);
}

namespace {

constexpr std::int64_t kMostDegree = 100;

/// The landmarks that any of the functions has, and the share of each.
struct SharedLandmarks {
  FeatureMatrix landmarks;
  std::vector<TermShare> shares;
};

SharedLandmarks shared_landmarks(std::span<const KernelFunction* const> functions) {
  SharedLandmarks shared{functions.front()->landmarks, {}};
  const auto is_first = [&](const KernelFunction* function) {
    return is_same_memory(function->landmarks, shared.landmarks);
  };
  if (std::all_of(functions.begin(), functions.end(), is_first)) {
    for (const KernelFunction* function : functions) {
      shared.shares.push_back({function->weights, {}});
    }
    return shared;
  }
  RowLookup lookup;
  std::vector<FeatureMatrix> parts;
  for (const KernelFunction* function : functions) {
    const FeatureMatrix& landmarks = function->landmarks;
    std::vector<std::int64_t> added;
    for (std::int64_t row = 0; row < num_rows(landmarks); ++row) {
      if (!lookup.find(landmarks, row).has_value()) added.push_back(row);
    }
    parts.push_back(take_rows(landmarks, added));
    lookup.add(parts.back());
    TermShare share{function->weights, {}};
    for (std::int64_t row = 0; row < num_rows(landmarks); ++row) {
      share.columns.push_back(*lookup.find(landmarks, row));
    }
    shared.shares.push_back(std::move(share));
  }
  shared.landmarks = stack_rows(parts);
  return shared;
}

ScoresByFunction shared_scores(std::span<const KernelFunction* const> functions,
                               const FeatureMatrix& rows, int threads, KernelProductCache* kept) {
  const SharedLandmarks shared = shared_landmarks(functions);
  const KernelSpec& kernel = functions.front()->kernel;
  const PackedColumns columns = packed_terms(shared.landmarks);
  const KernelFormula formula = kernel_formula(kernel);
  const auto products = kept == nullptr ? nullptr : kept->columns(kernel, shared.landmarks);
  return weighted_terms(shared.shares, columns.num_columns(), num_rows(rows), threads,
                        [&](std::int64_t first, std::int64_t count, float* out) {
                          if (products != nullptr) {
                            products->block(first, count, columns, formula, out);
                          } else {
                            kernel_block(rows, first, count, columns, formula, out);
                          }
                        });
}

Kernel kernel_named(const std::string& text) {
  for (std::size_t k = 0; k < EnumNames<Kernel>::names.size(); ++k) {
    const auto kernel = static_cast<Kernel>(k);
    if (EnumNames<Kernel>::names[k] == text && kernel != Kernel::precomputed) return kernel;
  }
  throw NewerModel{"it has a kernel '" + text + "'"};
}

std::string kernel_text(const KernelSpec& kernel) {
  std::string text(name_of(kernel.kind));
  if (kernel.kind == Kernel::linear) return text;
  text += ", gamma " + number_text(kernel.gamma);
  if (kernel.kind == Kernel::polynomial) {
    text += ", degree " + std::to_string(kernel.degree) + ", coef0 " + number_text(kernel.coef0);
  }
  return text;
}

}  // namespace

ScoresByFunction KernelKind::scores(ScoringFunctions functions, const ModelRows& rows) const {
  std::vector<const KernelFunction*> all;
  for (const ScoringFunction* function : functions) all.push_back(&as(*function));
  const auto alike = [](const KernelFunction& a, const KernelFunction& b) {
    return a.kernel == b.kernel && a.landmarks.index() == b.landmarks.index() &&
           num_columns(a.landmarks) == num_columns(b.landmarks);
  };
  const FeatureMatrix scaled = rows.scaled();
  return scores_by_group(std::span<const KernelFunction* const>(all), alike,
                         [&](std::span<const KernelFunction* const> group) {
                           return shared_scores(group, scaled, rows.threads(), rows.kept());
                         });
}

void KernelKind::save(const ScoringFunction& function, SectionWriter& writer) const {
  const KernelFunction& kernel = as(function);
  writer.text("kernel", name_of(kernel.kernel.kind));
  writer.number("gamma", kernel.kernel.gamma);
  writer.number("coef0", kernel.kernel.coef0);
  writer.number("degree", std::int64_t{kernel.kernel.degree});
  writer.numbers("weights", kernel.weights);
  save_matrix(kernel.landmarks, "landmarks", writer);
}

ScoringFunction KernelKind::load(const SectionReader& reader) const {
  const KernelSpec kernel{kernel_named(reader.text("kernel")), reader.real("gamma"),
                          static_cast<int>(reader.integer("degree", 0, kMostDegree)),
                          reader.real("coef0")};
  return kernel_function(kernel, load_matrix(reader, "landmarks"),
                         reader.finite_doubles("weights"));
}

KernelFunction kernel_function(KernelSpec kernel, FeatureMatrix landmarks,
                               std::vector<double> weights) {
  if (kernel.kind == Kernel::precomputed || !(kernel.gamma >= 0) || !std::isfinite(kernel.gamma) ||
      !std::isfinite(kernel.coef0) || kernel.degree < 0 || kernel.degree > kMostDegree) {
    throw DamagedModel{"its kernel is out of its range"};
  }
  if (num_rows(landmarks) != std::ssize(weights)) {
    throw DamagedModel{"landmarks and weights differ in number"};
  }
  return {kernel, std::move(landmarks), std::move(weights)};
}

FunctionDescription KernelKind::describe(const ScoringFunction& function) const {
  const KernelFunction& kernel = as(function);
  return {.kind = "kernel",
          .summary = "kernel (" + kernel_text(kernel.kernel) + ") with " +
                     count_text(std::ssize(kernel.weights)) + " landmarks",
          .weights_are_of_columns = false,
          .details = {}};
}

DenseMatrix KernelKind::terms(const ScoringFunction& function, const ModelRows& rows) const {
  const KernelFunction& kernel = as(function);
  return all_terms(packed_terms(kernel.landmarks), kernel_formula(kernel.kernel), rows.scaled(),
                   rows.threads());
}

std::optional<ScoringFunction> KernelKind::with_terms(const ScoringFunction& function,
                                                      std::span<const std::int64_t> kept) const {
  const KernelFunction& kernel = as(function);
  return KernelFunction{kernel.kernel, take_rows(kernel.landmarks, kept),
                        taken(kernel.weights, kept)};
}

}  // namespace rankine
