#include "models/kinds/model_kind.hpp"

#include <rankine/error.hpp>
#include <rankine/missing.hpp>
#include <rankine/scaling.hpp>

#include "base/checked_size.hpp"
#include "features/kernel_product_cache.hpp"
#include "models/model_columns.hpp"

namespace rankine {

Dataset ModelRows::unscaled() const {
  Dataset seen = visible_columns(documents_, model_);
  const std::vector<double>& fill = model_.scaling.fill;
  return fill.empty() ? seen : fill_missing(seen, fill);
}

FeatureMatrix ModelRows::scaled() const {
  return kept_ != nullptr ? kept_->rows() : scaled_anew();
}

FeatureMatrix ModelRows::scaled_anew() const {
  const Dataset seen = unscaled();
  if (model_.scaling.kind == Scaling::none) return seen.features;
  // Rows become as wide as the model says, whatever the data is.
  if (seen.is_dense() || !model_.scaling.keeps_zeros) {
    const auto width = static_cast<std::size_t>(model_.num_features());
    require_memory(product_or_most(product_or_most(static_cast<std::size_t>(num_rows()), width),
                                   sizeof(float)),
                   documents_.source, "its rows, as wide as the model,");
  }
  return apply_scaling(seen, model_.scaling, threads_).features;
}

DenseMatrix ModelKind::terms(const ScoringFunction& /*function*/, const ModelRows& /*rows*/) const {
  throw Error(ErrorKind::option,
              "the score of a model of kind '" + std::string(name()) + "' is no weighted sum");
}

std::optional<ScoringFunction> ModelKind::with_terms(const ScoringFunction& /*function*/,
                                                     std::span<const std::int64_t> /*kept*/) const {
  return std::nullopt;
}

std::optional<std::vector<double>> ModelKind::variances(const ScoringFunction& /*function*/,
                                                        const ModelRows& /*rows*/) const {
  return std::nullopt;
}

std::string ModelKind::exported(const ScoringFunction& /*function*/,
                                std::string_view format) const {
  throw Error(ErrorKind::option, "a model of kind '" + std::string(name()) +
                                     "' has no form in the format '" + std::string(format) + "'");
}

bool is_affine(Scaling kind) {
  return kind == Scaling::none || kind == Scaling::standard || kind == Scaling::minmax;
}

}  // namespace rankine
