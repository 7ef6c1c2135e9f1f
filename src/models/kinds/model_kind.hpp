// What the library can do with functions of one kind. A kind is one file here and one entry of
// models/kinds/registry; nothing else in the library, the program or the Python package names it.
// To add one: a FunctionStruct (rankine/scoring_function.hpp), a class of KindOf<it>, an entry, and
// examples in tests/conformance.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <rankine/dataset.hpp>
#include <rankine/model.hpp>
#include <rankine/scoring_function.hpp>

#include "models/file/sections.hpp"

namespace rankine {

class KernelProductCache;

/// The documents that functions are to score, as models that agree in columns and scaling see them.
class ModelRows {
 public:
  /// Keeps references. `kept`, where it is given, holds the scaled rows.
  ModelRows(const Model& model, const Dataset& documents, int threads,
            KernelProductCache* kept = nullptr)
      : model_(model), documents_(documents), threads_(threads), kept_(kept) {}

  std::int64_t num_rows() const { return documents_.num_documents(); }
  int threads() const { return threads_; }
  KernelProductCache* kept() const { return kept_; }
  const FeatureScaling& scaling() const { return model_.scaling; }
  /// The columns of the function, unscaled. There may be fewer: the last ones are 0.
  Dataset unscaled() const;
  /// The same, scaled; there may be fewer where nothing is to be scaled.
  FeatureMatrix scaled() const;
  /// The same made anew, whatever is kept.
  FeatureMatrix scaled_anew() const;

 private:
  const Model& model_;
  const Dataset& documents_;
  int threads_;
  KernelProductCache* kept_;
};

using ScoringFunctions = std::span<const ScoringFunction* const>;

/// Scores by document, for each of several functions.
using ScoresByFunction = std::vector<std::vector<double>>;

class ModelKind {
 public:
  virtual ~ModelKind() = default;
  virtual std::string_view name() const = 0;

  /// The scores of functions of this kind and of one number of columns: what they have in common
  /// is computed once, and the bits are those of each alone, however rows are cut into blocks and
  /// for any number of threads.
  virtual ScoresByFunction scores(ScoringFunctions functions, const ModelRows& rows) const = 0;

  /// The sections that make up the function, all that load() needs.
  virtual void save(const ScoringFunction& function, SectionWriter& writer) const = 0;
  /// Throws DamagedModel unless they make a function that is safe to score with; NewerModel for a
  /// value that only a later version knows.
  virtual ScoringFunction load(const SectionReader& reader) const = 0;

  virtual FunctionDescription describe(const ScoringFunction& function) const = 0;

  /// What the weights multiply: one row of terms per document. Throws Error{option} where the score
  /// is no weighted sum.
  virtual DenseMatrix terms(const ScoringFunction& function, const ModelRows& rows) const;
  /// The function of these terms alone; nothing where it cannot do without the others.
  virtual std::optional<ScoringFunction> with_terms(const ScoringFunction& function,
                                                    std::span<const std::int64_t> kept) const;
  /// How far each score may be off, where the function has a posterior: its variance by document.
  /// Nothing where it has none.
  virtual std::optional<std::vector<double>> variances(const ScoringFunction& function,
                                                       const ModelRows& rows) const;
  /// The function in a format of others. Throws Error{option} for one that it has no form in.
  virtual std::string exported(const ScoringFunction& function, std::string_view format) const;
};

/// What all kinds have in common.
template <FunctionStruct F>
class KindOf : public ModelKind {
 public:
  std::string_view name() const final { return F::kKind; }

 protected:
  static const F& as(const ScoringFunction& function) { return function.as<F>(); }
};

/// Whether the scaling is a shift and a factor, or none: it then folds into the weights of a linear
/// function.
bool is_affine(Scaling kind);

}  // namespace rankine
