// A loss over one query: any function of its documents' scores that has a gradient and, for Newton
// methods, a Hessian product. Derive from QueryLoss to train with a loss of your own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "rankine/grades.hpp"
#include "rankine/visibility.hpp"

namespace rankine {

/// "Document `winner` should be above document `loser`", by document within the query.
struct ListedPair {
  std::uint32_t winner = 0;
  std::uint32_t loser = 0;
  double weight = 1;
  double magnitude = 1;  // by how much: stands in for the difference of grades
};

/// The grades of a query numbered 0 .. num_grades - 1 in rising order: one number per document, of
/// one byte or of four. A view.
class GradeRanks {
 public:
  GradeRanks() = default;
  GradeRanks(std::span<const std::uint8_t> bytes) : size_(bytes.size()), bytes_(bytes.data()) {}
  GradeRanks(std::span<const std::uint32_t> words) : size_(words.size()), words_(words.data()) {}
  GradeRanks(const std::vector<std::uint32_t>& words) : GradeRanks(std::span(words)) {}

  std::uint32_t operator[](std::size_t document) const {
    return bytes_ != nullptr ? bytes_[document] : words_[document];
  }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

 private:
  std::size_t size_ = 0;
  const std::uint8_t* bytes_ = nullptr;
  const std::uint32_t* words_ = nullptr;
};

/// What a loss may know of a query. Pairs are those listed; where none are, all (winner, loser)
/// with grade_ranks[winner] > grade_ranks[loser]. A pair's weight is the product of its documents'
/// weights and, where it is listed, its own.
struct QueryDocuments {
  GradeView grades;
  GradeRanks grade_ranks;
  std::uint32_t num_grades = 0;
  std::span<const double> weights;  // by document; empty: all 1
  std::span<const ListedPair> pairs = {};

  std::size_t size() const { return grades.size(); }
};

/// The point at which a loss is evaluated.
struct QueryPoint {
  std::span<const double> scores;
  std::span<const std::uint32_t> order;  // documents by rising score (or score less grade); empty
                                         // unless needs_order()
};

/// What a loss asks of the data. It is asked before training leaves any query out.
struct LossNeeds {
  enum class Queries {
    with_pairs,  // those with documents of different grades, or with listed pairs
    all,         // every query; what a query's loss is divided by is then its documents, not pairs
  };
  Queries queries = Queries::with_pairs;
  /// Whether the loss stays the same when all scores of a query move alike: scaling then needs no
  /// copy of the rows.
  bool ignores_shifts = false;
  /// Whether QueryDocuments::pairs are looked at. Data with explicit preferences is refused where
  /// they are not. Requires: queries is with_pairs.
  bool takes_preferences = true;
};

/// A convex function of one query's scores. Stateless: calls may come from several threads.
class RANKINE_API QueryLoss {
 public:
  virtual ~QueryLoss() = default;
  /// What models and reports call it.
  virtual std::string_view name() const = 0;

  virtual LossNeeds needs() const { return {}; }

  /// Whether QueryPoint::order is used; it is sorted once per point.
  virtual bool needs_order() const { return false; }

  /// Whether that order is by score - grade, for losses of s[i] - s[j] - (grade[i] - grade[j]).
  virtual bool order_less_grade() const { return false; }

  /// Writes d loss / d scores and returns the loss.
  virtual double gradient(const QueryDocuments& query, const QueryPoint& point,
                          std::span<double> out) const = 0;

  virtual bool has_hessian() const { return true; }

  /// Writes H * direction, H the (generalised) Hessian in the scores. Requires: has_hessian().
  virtual void hessian_times(const QueryDocuments& query, const QueryPoint& point,
                             std::span<const double> direction, std::span<double> out) const = 0;
};

}  // namespace rankine
