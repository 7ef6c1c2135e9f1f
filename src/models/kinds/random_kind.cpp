#include "models/kinds/random_kind.hpp"

#include <cstddef>
#include <utility>

#include "features/kernel.hpp"
#include "models/file/matrix_sections.hpp"
#include "models/kinds/number_text.hpp"
#include "models/kinds/weighted_terms.hpp"

namespace rankine {

bool RandomFunction::operator==(const RandomFunction& other) const {
  return kind == other.kind && phases == other.phases && weights == other.weights &&
         is_same_matrix(frequencies, other.frequencies);
}

namespace {

KernelFormula formula_of(const RandomFunction& function) {
  KernelFormula formula;
  formula.kind = function.kind == Approximation::relu ? KernelFormula::Kind::relu
                                                      : KernelFormula::Kind::cosine;
  return formula;
}

Approximation features_named(const std::string& text) {
  for (const Approximation kind : {Approximation::fourier, Approximation::relu}) {
    if (name_of(kind) == text) return kind;
  }
  throw NewerModel{"it has random features '" + text + "'"};
}

}  // namespace

ScoresByFunction RandomKind::scores(ScoringFunctions functions, const ModelRows& rows) const {
  std::vector<const RandomFunction*> all;
  for (const ScoringFunction* function : functions) all.push_back(&as(*function));
  const auto alike = [](const RandomFunction& a, const RandomFunction& b) {
    return a.kind == b.kind && a.phases == b.phases && is_same_matrix(a.frequencies, b.frequencies);
  };
  const FeatureMatrix scaled = rows.scaled();
  return scores_by_group(
      std::span<const RandomFunction* const>(all), alike,
      [&](std::span<const RandomFunction* const> group) {
        const RandomFunction& first = *group.front();
        const PackedColumns columns = packed_terms(first.frequencies, first.phases);
        std::vector<TermShare> shares;
        for (const RandomFunction* function : group) shares.push_back({function->weights, {}});
        return weighted_terms(shares, columns.num_columns(), num_rows(scaled), rows.threads(),
                              [&](std::int64_t row, std::int64_t count, float* out) {
                                kernel_block(scaled, row, count, columns, formula_of(first), out);
                              });
      });
}

void RandomKind::save(const ScoringFunction& function, SectionWriter& writer) const {
  const RandomFunction& random = as(function);
  writer.text("features", name_of(random.kind));
  writer.numbers("weights", random.weights);
  writer.numbers("phases", random.phases);
  save_matrix(random.frequencies, "frequencies", writer);
}

ScoringFunction RandomKind::load(const SectionReader& reader) const {
  const Approximation kind = features_named(reader.text("features"));
  return random_function(kind, load_matrix(reader, "frequencies"), reader.finite_floats("phases"),
                         reader.finite_doubles("weights"));
}

RandomFunction random_function(Approximation kind, FeatureMatrix frequencies,
                               std::vector<float> phases, std::vector<double> weights) {
  auto* dense = std::get_if<DenseMatrix>(&frequencies);
  if (dense == nullptr || dense->num_rows != std::ssize(weights) ||
      phases.size() != weights.size()) {
    throw DamagedModel{"frequencies, phases and weights differ in number"};
  }
  return {kind, std::move(*dense), std::move(phases), std::move(weights)};
}

FunctionDescription RandomKind::describe(const ScoringFunction& function) const {
  const RandomFunction& random = as(function);
  return {.kind = "random",
          .summary = std::string(name_of(random.kind)) + " features, " +
                     count_text(std::ssize(random.weights)),
          .weights_are_of_columns = false,
          .details = {}};
}

DenseMatrix RandomKind::terms(const ScoringFunction& function, const ModelRows& rows) const {
  const RandomFunction& random = as(function);
  return all_terms(packed_terms(random.frequencies, random.phases), formula_of(random),
                   rows.scaled(), rows.threads());
}

std::optional<ScoringFunction> RandomKind::with_terms(const ScoringFunction& function,
                                                      std::span<const std::int64_t> kept) const {
  const RandomFunction& random = as(function);
  return RandomFunction{random.kind, std::get<DenseMatrix>(take_rows(random.frequencies, kept)),
                        taken(std::vector<float>(random.phases), kept),
                        taken(random.weights, kept)};
}

}  // namespace rankine
