// Measures over many queries: means, values by query, and how many queries were left out.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "rankine/array.hpp"
#include "rankine/dataset.hpp"
#include "rankine/fields.hpp"
#include "rankine/metrics.hpp"
#include "rankine/progress.hpp"
#include "rankine/trec.hpp"
#include "rankine/visibility.hpp"

namespace rankine {

/// A measure over all queries that count for it.
struct MeasureMean {
  Measure measure;
  double mean = 0;  // by the queries' weights; NaN when every query was left out
  std::int64_t num_queries = 0;
  std::int64_t num_left_out = 0;
};

/// Takes queries one by one and keeps only sums: any number of queries in constant memory.
class RANKINE_API Evaluation {
 public:
  /// Throws Error{option} for a measure that does not exist, and for err@k without
  /// `rules.max_grade`, the largest grade of all queries to come.
  Evaluation(std::vector<Measure> measures, const MeasureRules& rules);

  /// Returns the query's values, in the order of the measures; NaN where it is left out.
  std::vector<double> add(const QueryRanking& query, double weight = 1);
  /// The same for values that were computed elsewhere. Requires: weight >= 0, and finite.
  void add_values(std::span<const double> values, double weight = 1);
  std::vector<MeasureMean> means() const;

  const std::vector<Measure>& measures() const { return measures_; }
  const MeasureRules& rules() const { return rules_; }

 private:
  struct Sum {
    double values = 0;
    double weights = 0;
    std::int64_t num_queries = 0;
    std::int64_t num_left_out = 0;
  };
  std::vector<Measure> measures_;
  MeasureRules rules_;
  std::vector<Sum> sums_;
};

struct EvaluateOptions {
  bool complete = false;
  int threads = 0;
  bool keep_per_query = false;  // whether the result holds every query's values
};

constexpr auto fields(const EvaluateOptions&) {
  using O = EvaluateOptions;
  return std::tuple{
      Field{"complete", &O::complete, NoRange{},
            "runs: queries that are judged but not in the run count too, with no document found"},
      Field{"threads", &O::threads, Range<int>{0, 1024}, "worker threads; 0: one per core", "N"}};
}

struct EvaluationResult {
  std::vector<MeasureMean> means;
  MeasureRules rules;  // as used: max_grade found where it was 0
  std::int64_t num_queries = 0;
  std::int64_t num_documents = 0;
  std::int64_t num_not_judged = 0;  // runs: queries of the run without judgements, not counted
  std::int64_t num_not_in_run = 0;  // runs: judged queries that the run does not hold
  StringList query_ids;             // with keep_per_query, else empty
  std::vector<double> per_query;    // query by query, one value per measure; NaN: left out
};

/// Evaluates scores, one for each document of `data` in its order. Query weights of the data weigh
/// the means. The result does not depend on the number of threads.
RANKINE_API EvaluationResult evaluate(const Dataset& data, std::span<const double> scores,
                                      const std::vector<Measure>& measures,
                                      const MeasureRules& rules = {},
                                      const EvaluateOptions& options = {},
                                      const Progress& progress = {});

/// Evaluates a run against judgements. Documents that are not judged have grade 0; judged documents
/// that the run does not hold count in ideals and recalls. Queries come in the order of the qrels.
RANKINE_API EvaluationResult evaluate(const TrecTable& qrels, const TrecTable& run,
                                      const std::vector<Measure>& measures,
                                      const MeasureRules& rules = {},
                                      const EvaluateOptions& options = {},
                                      const Progress& progress = {});

/// Writes a table with one row per query and one column per measure, separated by tabs, or by
/// commas when `path` ends in .csv (before .gz, .zst). "-": standard output. Requires:
/// keep_per_query.
RANKINE_API void write_per_query(const std::string& path, const EvaluationResult& result);

/// The ids of queries that occur in both, in the order of `data`.
RANKINE_API std::vector<std::string> shared_queries(const StringList& data,
                                                    const StringList& other);

}  // namespace rankine
