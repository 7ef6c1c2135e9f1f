// A data set in numbers: what to know before training on it.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "rankine/dataset.hpp"
#include "rankine/fields.hpp"
#include "rankine/progress.hpp"
#include "rankine/visibility.hpp"

namespace rankine {

struct SummaryOptions {
  bool per_feature = false;
  double relevant = 1;
  int threads = 0;
};

constexpr auto fields(const SummaryOptions&) {
  using O = SummaryOptions;
  return std::tuple{
      Field{"per_feature", &O::per_feature, NoRange{},
            "a table of the features: range, mean, deviation, and how well each ranks alone"},
      Field{"relevant", &O::relevant, NoRange{}, "the smallest grade that counts as relevant",
            "GRADE"},
      Field{"threads", &O::threads, Range<int>{0, 1024}, "worker threads; 0: one per core", "N"}};
}

/// Quartiles interpolate linearly between the two nearest values. All 0 for no values.
struct Distribution {
  double least = 0;
  double lower_quartile = 0;
  double median = 0;
  double upper_quartile = 0;
  double most = 0;
  double mean = 0;
};

struct GradeCount {
  double grade = 0;
  std::int64_t count = 0;
};

struct ColumnStatistics {
  float least = 0;
  float most = 0;
  double mean = 0;
  double deviation = 0;  // square root of the mean squared distance from the mean
  std::int64_t num_nonzero = 0;

  bool constant() const { return least == most; }
};

struct DatasetSummary {
  static constexpr std::size_t kMostGradesListed = 64;
  static constexpr std::size_t kLengthBins = 24;

  std::int64_t num_documents = 0;
  std::int64_t num_queries = 0;
  std::int64_t num_features = 0;
  bool dense = true;
  std::int64_t memory_bytes = 0;
  std::int64_t num_nonzero = 0;
  std::int64_t num_missing = 0;
  bool has_weights = false;
  bool has_preferences = false;

  Distribution grades;
  std::int64_t num_distinct_grades = 0;
  std::vector<GradeCount> grade_counts;  // rising; empty when there are more than kMostGradesListed

  Distribution query_lengths;
  /// Queries by length: bin b counts the lengths in [least + b * width, least + (b + 1) * width).
  std::vector<std::int64_t> length_histogram;
  std::int64_t length_bin_width = 1;

  /// Pairs of one query with different grades; the explicit preferences where there are any.
  std::int64_t num_pairs = 0;
  std::int64_t num_queries_without_pairs = 0;
  std::int64_t num_queries_without_relevant = 0;
  std::int64_t num_single_document_queries = 0;

  /// Documents whose features equal those of an earlier document of their query.
  std::int64_t num_duplicates = 0;
  /// Pairs of different grades but equal features: no function of the features can order them.
  std::int64_t num_undecidable_pairs = 0;

  std::vector<ColumnStatistics> columns;
  std::vector<std::int64_t> constant_columns;  // from 0
  /// By column, with `per_feature`: the share of the pairs (by grade) that sorting by this feature
  /// alone, largest first, puts in order; a tie counts half. NaN when there are no pairs.
  std::vector<double> pair_accuracy;

  RANKINE_API double density() const;
};

/// Costs O(n log n) for n documents in one query and one pass over the features; `per_feature` adds
/// a sort of each column within each query. The same for any number of threads.
RANKINE_API DatasetSummary summarise(const Dataset& data, const SummaryOptions& options = {},
                                     const Progress& progress = {});

}  // namespace rankine
