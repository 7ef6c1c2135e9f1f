// score = sum of weights times random waves or half-spaces, in blocks of rows. Functions of the
// same frequencies share them.
#pragma once

#include "models/kinds/model_kind.hpp"

namespace rankine {

class RandomKind final : public KindOf<RandomFunction> {
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
RandomFunction random_function(Approximation kind, FeatureMatrix frequencies,
                               std::vector<float> phases, std::vector<double> weights);

}  // namespace rankine
