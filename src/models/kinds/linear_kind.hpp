// score = weights . scaled features. A scaling that is a shift and a factor folds into the weights,
// so rows are read as they are; otherwise a scaled copy is made.
#pragma once

#include "models/kinds/model_kind.hpp"

namespace rankine {

class LinearKind final : public KindOf<LinearFunction> {
 public:
  ScoresByFunction scores(ScoringFunctions functions, const ModelRows& rows) const override;
  void save(const ScoringFunction& function, SectionWriter& writer) const override;
  ScoringFunction load(const SectionReader& reader) const override;
  FunctionDescription describe(const ScoringFunction& function) const override;
  DenseMatrix terms(const ScoringFunction& function, const ModelRows& rows) const override;
};

}  // namespace rankine
