// A model kind that lives in the tests alone: it shows that one can be added without a line changed
// in src/. Its score is no weighted sum, and it has a variance.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "models/kinds/model_kind.hpp"
#include "models/kinds/registry.hpp"

namespace rankine::conformance {

/// The score is 1 where feature `column` lies above `threshold`, and 0 elsewhere.
struct StumpFunction {
  static constexpr std::string_view kKind = "dummy_stump";

  std::int64_t width = 1;
  std::int64_t column = 0;
  double threshold = 0;

  std::int64_t num_features() const { return width; }
  bool operator==(const StumpFunction&) const = default;
};

class StumpKind final : public KindOf<StumpFunction> {
 public:
  ScoresByFunction scores(ScoringFunctions functions, const ModelRows& rows) const override {
    const FeatureMatrix scaled = rows.scaled();
    ScoresByFunction scores;
    for (const ScoringFunction* function : functions) {
      const StumpFunction& stump = as(*function);
      auto& own = scores.emplace_back();
      for (std::int64_t row = 0; row < rows.num_rows(); ++row) {
        own.push_back(value_at(scaled, row, stump.column) > stump.threshold ? 1 : 0);
      }
    }
    return scores;
  }
  void save(const ScoringFunction& function, SectionWriter& writer) const override {
    const StumpFunction& stump = as(function);
    writer.number("width", stump.width);
    writer.number("column", stump.column);
    writer.number("threshold", stump.threshold);
  }
  ScoringFunction load(const SectionReader& reader) const override {
    StumpFunction stump;
    stump.width = reader.integer("width", 1, 1'000'000);
    stump.column = reader.integer("column", 0, stump.width - 1);
    const auto threshold = reader.finite_doubles("threshold");
    if (threshold.size() != 1) throw DamagedModel{"a stump has one threshold"};
    stump.threshold = threshold[0];
    return stump;
  }
  FunctionDescription describe(const ScoringFunction& function) const override {
    return {.kind = "dummy_stump",
            .summary = "a stump",
            .weights_are_of_columns = false,
            .details = {{"column", std::to_string(as(function).column + 1)}}};
  }
  std::optional<std::vector<double>> variances(const ScoringFunction& function,
                                               const ModelRows& rows) const override {
    const FeatureMatrix scaled = rows.scaled();
    std::vector<double> variances;
    for (std::int64_t row = 0; row < rows.num_rows(); ++row) {
      const double value = value_at(scaled, row, as(function).column);
      variances.push_back(value * value);
    }
    return variances;
  }

 private:
  /// 0 where the row has no such column.
  static double value_at(const FeatureMatrix& rows, std::int64_t row, std::int64_t column) {
    if (const auto* dense = std::get_if<DenseMatrix>(&rows)) {
      const auto values = dense->row(row);
      const auto at = static_cast<std::size_t>(column);
      return at < values.size() ? static_cast<double>(values[at]) : 0;
    }
    const auto& sparse = std::get<CsrMatrix>(rows);
    const auto begin = sparse.columns.begin() + sparse.offsets[static_cast<std::size_t>(row)];
    const auto end = sparse.columns.begin() + sparse.offsets[static_cast<std::size_t>(row) + 1];
    const auto found = std::lower_bound(begin, end, static_cast<std::uint32_t>(column));
    if (found == end || *found != column) return 0;
    return static_cast<double>(
        sparse.values[static_cast<std::size_t>(found - sparse.columns.begin())]);
  }
};

/// Registers it once in this program.
inline bool register_dummy_kind() {
  static const bool once = [] {
    register_model_kind(std::make_unique<StumpKind>());
    return true;
  }();
  return once;
}

}  // namespace rankine::conformance
