#include "problem/prepared_data.hpp"

#include <chrono>
#include <cmath>
#include <string>
#include <utility>

#include <rankine/error.hpp>
#include <rankine/feature_selection.hpp>
#include <rankine/fields.hpp>
#include <rankine/missing.hpp>

#include "base/system/process_memory.hpp"
#include "data/scaling/constant_columns.hpp"
#include "data/size_check.hpp"
#include "features/kernel.hpp"
#include "features/precomputed.hpp"

namespace rankine {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double kGigabyte = 1e9;
constexpr double kBytesPerSelectedColumn = 16;  // of those to choose from

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void check_components(const FeatureMapOptions& options, std::int64_t documents, double memory) {
  if (options.approximation == Approximation::none) return;
  const auto m = static_cast<double>(options.approximation == Approximation::nystroem
                                         ? std::min(options.n_components, documents)
                                         : options.n_components);
  if (m * m * kBytesOfSystems <= memory) return;
  throw Error(ErrorKind::option,
              "n_components = " + std::to_string(options.n_components) + " needs about " +
                  memory_text(m * m * kBytesOfSystems) + " and there are " + memory_text(memory) +
                  ": at most " +
                  std::to_string(static_cast<std::int64_t>(std::sqrt(memory / kBytesOfSystems))) +
                  " would fit");
}

/// Frequencies are dense, however sparse the rows: drawn in double, kept in single precision, and
/// packed once more.
void check_frequencies(const FeatureMapOptions& options, std::int64_t num_features, double memory) {
  if (options.approximation != Approximation::fourier &&
      options.approximation != Approximation::relu) {
    return;
  }
  const double each = (sizeof(double) + 2 * sizeof(float)) * static_cast<double>(num_features);
  const double bytes = each * static_cast<double>(options.n_components);
  if (bytes <= memory) return;
  throw Error(ErrorKind::option,
              "n_components = " + std::to_string(options.n_components) + " of " +
                  std::to_string(num_features) + " features need about " + memory_text(bytes) +
                  " and there are " + memory_text(memory) + ": at most " +
                  std::to_string(static_cast<std::int64_t>(memory / each)) + " would fit");
}

/// Squares of entries, and sums of them, are in single precision.
constexpr double kLargestOfKernels = 1e18;

void check_magnitudes(const Dataset& seen, std::span<const std::int64_t> selected,
                      const Dataset& input) {
  const auto refuse = [&](std::size_t column, double value) {
    const auto original = selected.empty() ? column : static_cast<std::size_t>(selected[column]);
    const bool named = original < input.feature_names.size();
    throw Error(ErrorKind::data,
                input.source + ": feature " + std::to_string(original + 1) +
                    (named ? " (" + std::string(input.feature_names[original]) + ")" : "") +
                    " has the value " + real_text(value) +
                    ", and kernels and feature maps take at most 1e18 in size: scale it (scaling = "
                    "standard), or leave it out");
  };
  if (const auto* dense = std::get_if<DenseMatrix>(&seen.features)) {
    const auto width = static_cast<std::size_t>(dense->num_columns);
    for (std::size_t k = 0; k < dense->values.size(); ++k) {
      if (!(std::abs(dense->values[k]) <= kLargestOfKernels)) refuse(k % width, dense->values[k]);
    }
    return;
  }
  const auto& sparse = std::get<CsrMatrix>(seen.features);
  for (std::size_t k = 0; k < sparse.values.size(); ++k) {
    if (!(std::abs(sparse.values[k]) <= kLargestOfKernels)) {
      refuse(sparse.columns[k], sparse.values[k]);
    }
  }
}

}  // namespace

bool is_exact_kernel(const FeatureMapOptions& map) {
  return map.approximation == Approximation::none && map.kernel != Kernel::linear;
}

std::string memory_text(double bytes) {
  constexpr double kMegabyte = 1e6;
  return bytes < kGigabyte ? real_text(std::round(10 * bytes / kMegabyte) / 10) + " MB"
                           : real_text(std::round(10 * bytes / kGigabyte) / 10) + " GB";
}

double allowed_memory(const TrainOptions& options) {
  if (options.memory_limit > 0) return kGigabyte * options.memory_limit;
  const auto available = static_cast<double>(available_memory_bytes());
  return available > 0 ? 0.75 * available : kNoLimit;
}

PreparedData::PreparedData(const Dataset& input, const TrainOptions& options, bool folds_scale,
                           TrainReport& report, TrainingCache* kept)
    : input_(input),
      ignores_shifts_(folds_scale),
      memory_(allowed_memory(options)),
      kept_(shares_rows(options) ? kept : nullptr) {
  if (options.missing == Missing::error && input.num_missing > 0) {
    throw Error(ErrorKind::data, input.source + ": " + std::to_string(input.num_missing) +
                                     " values are missing, and missing = 'error'");
  }
  const bool selects = !options.features.empty();
  check_columns_fit(input.source, input.num_features(), memory_,
                    selects ? kBytesPerSelectedColumn : kBytesPerColumn);
  const FeatureMapOptions& wanted = options.map;
  check_feature_map(wanted);
  check_components(wanted, input.num_documents(), memory_);
  precomputed_ = wanted.kernel == Kernel::precomputed;
  exact_ = is_exact_kernel(wanted);
  const auto start = Clock::now();
  select_and_scale(options, folds_scale && wanted.approximation == Approximation::none && !exact_);
  report.seconds_scaling = seconds_since(start);
  for (const std::size_t column : constant_) {
    report.constant_columns.push_back(selected_.empty() ? static_cast<std::int64_t>(column)
                                                        : selected_[column]);
  }
  report.constant_columns.insert(report.constant_columns.end(), left_out_.begin(), left_out_.end());
  check_frequencies(wanted, seen_.num_features(), memory_);
  if (!precomputed_ && (exact_ || wanted.approximation != Approximation::none)) {
    check_magnitudes(seen_, selected_, input_);
  }
  if (precomputed_) seen_.features = checked_precomputed(seen_, options.threads);
  if (exact_) {
    kernel_ = kernel_of(wanted, seen_.features, options.seed);
    report.map.gamma = has_gamma(kernel_.kind) ? kernel_.gamma : 0;
  }
  if (wanted.approximation != Approximation::none) map(options, report);
}

void PreparedData::select_and_scale(const TrainOptions& options, bool folds_scale) {
  const auto make = [&] {
    select(options);
    scale(options, folds_scale);
    // Of regression a constant column is the intercept.
    if (!precomputed_ && ignores_shifts_) find_constant_columns();
  };
  if (kept_ == nullptr) {
    make();
    return;
  }
  shared_ = kept_->scaled(options, [&](TrainingCache::Scaled& scaled) {
    make();
    scaled.seen = seen_;
    scaled.scaling = scaling_;
    scaled.selected = selected_;
    scaled.constant = constant_;
  });
  seen_ = shared_->seen;
  scaling_ = shared_->scaling;
  selected_ = shared_->selected;
  constant_ = shared_->constant;
}

void PreparedData::select(const TrainOptions& options) {
  seen_ = input_;
  if (!options.features.empty()) select_named(options);
  // A kernel of differences does not depend on them, and every frequency would have an entry for
  // each.
  if (options.map.approximation == Approximation::fourier) leave_out_constant_columns();
}

void PreparedData::select_named(const TrainOptions& options) {
  if (precomputed_) {
    throw Error(ErrorKind::option,
                "features = '" + options.features + "' cannot go with kernel = 'precomputed'");
  }
  selected_ = parse_feature_list(options.features, input_.num_features(), input_.feature_names);
  seen_ = select_features(input_, selected_);
}

void PreparedData::leave_out_constant_columns() {
  const std::vector<std::int64_t> constants = constant_columns(seen_.features);
  const std::int64_t width = seen_.num_features();
  if (constants.empty() || static_cast<std::int64_t>(constants.size()) == width) return;
  std::vector<std::int64_t> kept;
  std::size_t next = 0;
  for (std::int64_t column = 0; column < width; ++column) {
    const std::int64_t original =
        selected_.empty() ? column : selected_[static_cast<std::size_t>(column)];
    if (next < constants.size() && constants[next] == column) {
      left_out_.push_back(original);
      ++next;
    } else {
      kept.push_back(original);
    }
  }
  selected_ = std::move(kept);
  seen_ = select_features(input_, selected_);
}

void PreparedData::scale(const TrainOptions& options, bool folds_scale) {
  // A scaled kernel matrix is no kernel any more.
  const Scaling kind = precomputed_ ? Scaling::none : options.scaling;
  std::vector<double> fill;
  if (options.missing == Missing::mean && !precomputed_) {
    fill = means_of_present(seen_, options.threads);
    seen_ = fill_missing(seen_, fill);
  }
  scaling_ = fit_scaling(seen_, kind, options.threads);
  scaling_.fill = std::move(fill);
  const bool affine = kind == Scaling::standard || kind == Scaling::minmax;
  if (affine && folds_scale) {
    columns_ = ColumnScale(scaling_.factor);
  } else if (kind != Scaling::none) {
    seen_ = apply_scaling(seen_, scaling_, options.threads);
  }
}

void PreparedData::find_constant_columns() {
  for (const std::int64_t column : constant_columns(seen_.features)) {
    constant_.push_back(static_cast<std::size_t>(column));
  }
}

void PreparedData::map(const TrainOptions& options, TrainReport& report) {
  const auto start = Clock::now();
  unmapped_ = seen_.features;
  map_ = fit_feature_map(options.map, unmapped_, options.seed, options.threads, report.map,
                         kernel_product_cache());
  const std::int64_t documents = seen_.num_documents();
  if (options.map.approximation == Approximation::nystroem &&
      options.map.n_components > documents) {
    report.warnings.push_back("n_components = " + std::to_string(options.map.n_components) +
                              " is more than the " + std::to_string(documents) +
                              " documents: every document is a landmark");
  }
  if (map_->num_components() == 0) {
    throw Error(ErrorKind::data, input_.source + ": the kernel of the landmarks is 0");
  }
  const double bytes =
      sizeof(float) * static_cast<double>(documents) * static_cast<double>(map_->num_components());
  report.map.kept = bytes <= memory_;
  if (report.map.kept) {
    seen_.features = map_rows(*map_, unmapped_, options.threads);
  } else {
    maker_ = std::make_unique<MappedRows>(*map_, unmapped_);
  }
  report.map.seconds = seconds_since(start);
}

LinearFunction PreparedData::in_input_order(std::vector<double> weights) const {
  if (input_.input_rows.empty()) return {std::move(weights)};
  LinearFunction linear{std::vector<double>(weights.size())};
  for (std::size_t k = 0; k < weights.size(); ++k) {
    linear.weights[static_cast<std::size_t>(input_.input_rows[k])] = weights[k];
  }
  return linear;
}

ScoringFunction PreparedData::function(std::vector<double> weights) const {
  if (map_ == nullptr) {
    for (const std::size_t column : constant_) weights[column] = 0;
    return LinearFunction{std::move(weights)};
  }
  ScoringFunction folded = map_->fold(weights);
  if (precomputed_) return in_input_order(std::move(folded.as<LinearFunction>().weights));
  return folded;
}

ScoringFunction PreparedData::function(std::span<const double> coefficients,
                                       std::span<const std::int64_t> rows) const {
  if (precomputed_) {
    std::vector<double> weights(static_cast<std::size_t>(seen_.num_documents()));
    for (std::size_t k = 0; k < rows.size(); ++k) {
      weights[static_cast<std::size_t>(rows[k])] = coefficients[k];
    }
    return in_input_order(std::move(weights));
  }
  KernelFunction function{kernel_, {}, {}};
  std::vector<std::int64_t> used;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (coefficients[k] == 0) continue;
    used.push_back(rows[k]);
    function.weights.push_back(coefficients[k]);
  }
  function.landmarks = take_rows(seen_.features, used);
  return function;
}

}  // namespace rankine
