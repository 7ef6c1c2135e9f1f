// score = sum of weights times kernel values with landmarks, in blocks of rows. Functions of one
// kernel share its values with the landmarks that any of them has; each then multiplies its own
// columns, copied side by side as if there were no others, because the order of a sum, and so its
// bits, depends on where the columns are.
#pragma once

#include "models/kinds/model_kind.hpp"

namespace rankine {

class KernelKind final : public KindOf<KernelFunction> {
 public:
  ScoresByFunction scores(ScoringFunctions functions, const ModelRows& rows) const override;
  void save(const ScoringFunction& function, SectionWriter& writer) const override;
  ScoringFunction load(const SectionReader& reader) const override;
  FunctionDescription describe(const ScoringFunction& function) const override;
  DenseMatrix terms(const ScoringFunction& function, const ModelRows& rows) const override;
  std::optional<ScoringFunction> with_terms(const ScoringFunction& function,
                                            std::span<const std::int64_t> kept) const override;
};

/// A function of these parts. Throws DamagedModel unless they make one.
KernelFunction kernel_function(KernelSpec kernel, FeatureMatrix landmarks,
                               std::vector<double> weights);

}  // namespace rankine
