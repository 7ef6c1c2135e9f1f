// Declared in include/rankine/summary.hpp. Counts over queries and moments over columns are
// canonical sums (base/sums/canonical_sum); order statistics come from sorted values.
#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>

#include <rankine/summary.hpp>

#include "base/sums/canonical_sum.hpp"
#include "data/duplicate_rows.hpp"
#include "data/feature_accuracy.hpp"
#include "data/scaling/column_statistics.hpp"
#include "data/size_check.hpp"

namespace rankine {
namespace {

/// Counts pieces of work as threads finish them, and stops the work when the caller asks to.
class WorkCounter {
 public:
  WorkCounter(const Progress& progress, const Dataset& data, std::int64_t total)
      : progress_(progress), stage_("summarising " + data.source), total_(total) {}

  void tick() {
    if (!progress_) return;
    const std::lock_guard lock(mutex_);
    ++done_;
    if (!progress_({stage_, done_, total_, "blocks"})) {
      throw Error(ErrorKind::interrupted, stage_ + ": interrupted");
    }
  }

 private:
  const Progress& progress_;
  std::string stage_;
  std::int64_t total_;
  std::int64_t done_ = 0;
  std::mutex mutex_;
};

/// The value a share `p` of the way through `sorted`.
double quantile(std::span<const double> sorted, double p) {
  const double position = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double share = position - static_cast<double>(below);
  return sorted[below] * (1 - share) + sorted[above] * share;
}

Distribution distribution_of(std::span<const double> sorted) {
  if (sorted.empty()) return {};
  return {sorted.front(),
          quantile(sorted, 0.25),
          quantile(sorted, 0.5),
          quantile(sorted, 0.75),
          sorted.back(),
          std::accumulate(sorted.begin(), sorted.end(), 0.0) / static_cast<double>(sorted.size())};
}

void summarise_grades(const Dataset& data, DatasetSummary& summary) {
  std::vector<double> sorted(data.grades.begin(), data.grades.end());
  std::sort(sorted.begin(), sorted.end());
  summary.grades = distribution_of(sorted);
  for (std::size_t at = 0; at < sorted.size();) {
    const std::size_t start = at;
    while (at < sorted.size() && sorted[at] == sorted[start]) ++at;
    if (++summary.num_distinct_grades <=
        static_cast<std::int64_t>(DatasetSummary::kMostGradesListed)) {
      summary.grade_counts.push_back({sorted[start], static_cast<std::int64_t>(at - start)});
    }
  }
  if (summary.num_distinct_grades > static_cast<std::int64_t>(DatasetSummary::kMostGradesListed)) {
    summary.grade_counts.clear();
  }
}

void summarise_lengths(const Dataset& data, DatasetSummary& summary) {
  std::vector<double> lengths;
  for (std::size_t query = 0; query + 1 < data.query_offsets.size(); ++query) {
    const auto length = data.query_offsets[query + 1] - data.query_offsets[query];
    lengths.push_back(static_cast<double>(length));
    summary.num_single_document_queries += length == 1 ? 1 : 0;
  }
  if (lengths.empty()) return;
  std::sort(lengths.begin(), lengths.end());
  summary.query_lengths = distribution_of(lengths);
  const auto span = static_cast<std::int64_t>(lengths.back() - lengths.front()) + 1;
  const auto most_bins = static_cast<std::int64_t>(DatasetSummary::kLengthBins);
  summary.length_bin_width = (span + most_bins - 1) / most_bins;
  summary.length_histogram.resize(
      static_cast<std::size_t>((span + summary.length_bin_width - 1) / summary.length_bin_width));
  for (const double length : lengths) {
    const auto bin = static_cast<std::int64_t>(length - lengths.front()) / summary.length_bin_width;
    ++summary.length_histogram[static_cast<std::size_t>(bin)];
  }
}

/// What is counted over all queries, in one vector: these, then by column add_ordered_pairs().
enum Count : std::size_t {
  kPairs,  // by grade
  kWithoutPairs,
  kWithoutRelevant,
  kDuplicateDocuments,
  kDuplicatePairs,
  kNumCounts
};
using QueryCounts = VectorSum<std::int64_t>;

/// Adds to the counts of all columns in `ordered`.
void add_query(const Dataset& data, std::int64_t query, const SummaryOptions& options,
               std::span<std::int64_t> counts, std::vector<std::int64_t>& ordered) {
  const auto first = data.grades.begin() + data.query_offsets[static_cast<std::size_t>(query)];
  const auto last = data.grades.begin() + data.query_offsets[static_cast<std::size_t>(query) + 1];
  std::vector<double> grades(first, last);
  const std::int64_t num_pairs = count_pairs(grades);
  counts[kPairs] += num_pairs;
  counts[kWithoutPairs] += num_pairs == 0 ? 1 : 0;
  counts[kWithoutRelevant] += grades.empty() || grades.back() < options.relevant ? 1 : 0;
  const Duplicates duplicates = find_duplicates(data, query);
  counts[kDuplicateDocuments] += duplicates.num_documents;
  counts[kDuplicatePairs] += duplicates.num_pairs;
  if (options.per_feature) add_ordered_pairs(data, query, ordered);
}

Cuts query_cuts(const Dataset& data) {
  return {DocumentRange(data.num_documents()),
          kNumCounts + static_cast<std::size_t>(data.num_features()),
          static_cast<std::size_t>(data.num_queries()),
          [&](std::size_t query) { return data.query_offsets[query]; }};
}

std::vector<std::int64_t> count_over_queries(const Dataset& data, const SummaryOptions& options,
                                             WorkCounter& counter) {
  const auto width = options.per_feature ? static_cast<std::size_t>(data.num_features()) : 0;
  return reduce_queries(query_cuts(data), options.threads, QueryCounts(kNumCounts + width),
                        [&](const Cuts::Leaf& leaf, QueryCounts& sum) {
                          std::vector<std::int64_t> ordered(width);
                          for (std::size_t query = leaf.first; query < leaf.last; ++query) {
                            add_query(data, static_cast<std::int64_t>(query), options, sum.values,
                                      ordered);
                          }
                          std::copy(ordered.begin(), ordered.end(),
                                    sum.values.begin() + std::ptrdiff_t{kNumCounts});
                          counter.tick();
                        })
      .values;
}

/// Explicit preferences replace the pairs that the grades imply.
void count_preferences(const Dataset& data, DatasetSummary& summary) {
  summary.num_pairs = static_cast<std::int64_t>(data.preferences.size());
  std::vector<bool> has_pairs(static_cast<std::size_t>(data.num_queries()), false);
  for (const Preference& preference : data.preferences) {
    const auto above =
        std::upper_bound(data.query_offsets.begin(), data.query_offsets.end(), preference.winner);
    has_pairs[static_cast<std::size_t>(above - data.query_offsets.begin()) - 1] = true;
  }
  summary.num_queries_without_pairs = std::count(has_pairs.begin(), has_pairs.end(), false);
}

std::int64_t bytes_of(const Dataset& data) {
  const auto bytes = [](const auto& array) {
    return static_cast<std::int64_t>(array.size() * sizeof(array[0]));
  };
  const auto string_bytes = [&](const StringList& list) {
    return bytes(list.bytes()) + bytes(list.offsets());
  };
  std::int64_t total = static_cast<std::int64_t>(data.grades.num_bytes()) +
                       bytes(data.query_offsets) + bytes(data.input_rows) +
                       bytes(data.document_weights) + bytes(data.query_weights) +
                       bytes(data.preferences) + string_bytes(data.query_ids) +
                       string_bytes(data.comments) + string_bytes(data.feature_names);
  if (const auto* dense = std::get_if<DenseMatrix>(&data.features)) {
    total += bytes(dense->values);
  } else {
    const auto& sparse = std::get<CsrMatrix>(data.features);
    total += bytes(sparse.offsets) + bytes(sparse.columns) + bytes(sparse.values);
  }
  return total;
}

}  // namespace

double DatasetSummary::density() const {
  const double cells = static_cast<double>(num_documents) * static_cast<double>(num_features);
  return cells > 0 ? static_cast<double>(num_nonzero) / cells : 0;
}

DatasetSummary summarise(const Dataset& data, const SummaryOptions& options,
                         const Progress& progress) {
  validate(options);
  check_columns_fit(data.source, data.num_features());
  DatasetSummary summary;
  summary.num_documents = data.num_documents();
  summary.num_queries = data.num_queries();
  summary.num_features = data.num_features();
  summary.dense = data.is_dense();
  summary.memory_bytes = bytes_of(data);
  summary.num_missing = data.num_missing;
  summary.has_weights = !data.document_weights.empty() || !data.query_weights.empty();
  summary.has_preferences = data.has_preferences;
  summarise_grades(data, summary);
  summarise_lengths(data, summary);

  WorkCounter counter(progress, data,
                      static_cast<std::int64_t>(num_column_leaves(data) + query_cuts(data).size()));
  summary.columns = column_statistics(data, options.threads, [&counter] { counter.tick(); });
  for (std::size_t column = 0; column < summary.columns.size(); ++column) {
    summary.num_nonzero += summary.columns[column].num_nonzero;
    if (summary.columns[column].constant()) {
      summary.constant_columns.push_back(static_cast<std::int64_t>(column));
    }
  }

  const auto counts = count_over_queries(data, options, counter);
  summary.num_pairs = counts[kPairs];
  summary.num_queries_without_pairs = counts[kWithoutPairs];
  summary.num_queries_without_relevant = counts[kWithoutRelevant];
  summary.num_duplicates = counts[kDuplicateDocuments];
  summary.num_undecidable_pairs = counts[kDuplicatePairs];
  for (const std::int64_t ordered : std::span(counts).subspan(kNumCounts)) {
    summary.pair_accuracy.push_back(counts[kPairs] > 0
                                        ? static_cast<double>(ordered) /
                                              (2 * static_cast<double>(counts[kPairs]))
                                        : std::numeric_limits<double>::quiet_NaN());
  }
  if (data.has_preferences) count_preferences(data, summary);
  return summary;
}

}  // namespace rankine
