// Declared in include/rankine/summary.hpp. Queries are cut into blocks whose number depends on the
// data alone; every sum over them is of whole numbers, so the order of the blocks does not matter.
#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>

#include <rankine/summary.hpp>

#include "base/parallel.hpp"
#include "data/duplicate_rows.hpp"
#include "data/feature_accuracy.hpp"
#include "data/scaling/column_statistics.hpp"
#include "data/size_check.hpp"

namespace rankine {
namespace {

/// Counts pieces of work that end on any thread, and passes on the caller's wish to stop.
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

struct QueryTally {
  std::int64_t num_pairs = 0;  // by grade
  std::int64_t without_pairs = 0;
  std::int64_t without_relevant = 0;
  Duplicates duplicates;
  std::vector<std::int64_t> ordered;  // by column: add_ordered_pairs
};

void add_query(const Dataset& data, std::int64_t query, const SummaryOptions& options,
               QueryTally& tally) {
  const auto first = data.grades.begin() + data.query_offsets[static_cast<std::size_t>(query)];
  const auto last = data.grades.begin() + data.query_offsets[static_cast<std::size_t>(query) + 1];
  std::vector<double> grades(first, last);
  const std::int64_t num_pairs = count_pairs(grades);
  tally.num_pairs += num_pairs;
  tally.without_pairs += num_pairs == 0 ? 1 : 0;
  tally.without_relevant += grades.empty() || grades.back() < options.relevant ? 1 : 0;
  const Duplicates duplicates = find_duplicates(data, query);
  tally.duplicates.num_documents += duplicates.num_documents;
  tally.duplicates.num_pairs += duplicates.num_pairs;
  if (options.per_feature) add_ordered_pairs(data, query, tally.ordered);
}

std::int64_t num_query_blocks(const Dataset& data) {
  constexpr std::int64_t kMostBlocks = 64;
  constexpr std::int64_t kMostSums = std::int64_t{1} << 25;
  const std::int64_t by_memory = kMostSums / std::max<std::int64_t>(1, data.num_features());
  return std::clamp(std::min(by_memory, data.num_queries()), std::int64_t{1}, kMostBlocks);
}

QueryTally tally_queries(const Dataset& data, const SummaryOptions& options, WorkCounter& counter) {
  const std::int64_t num_blocks = num_query_blocks(data);
  std::vector<QueryTally> blocks(static_cast<std::size_t>(num_blocks));
  parallel_for(num_blocks, options.threads, [&](std::int64_t block) {
    QueryTally& tally = blocks[static_cast<std::size_t>(block)];
    if (options.per_feature) tally.ordered.resize(static_cast<std::size_t>(data.num_features()));
    const std::int64_t last = data.num_queries() * (block + 1) / num_blocks;
    for (std::int64_t query = data.num_queries() * block / num_blocks; query < last; ++query) {
      add_query(data, query, options, tally);
    }
    counter.tick();
  });
  QueryTally total = std::move(blocks.front());
  for (std::size_t block = 1; block < blocks.size(); ++block) {
    const QueryTally& tally = blocks[block];
    total.num_pairs += tally.num_pairs;
    total.without_pairs += tally.without_pairs;
    total.without_relevant += tally.without_relevant;
    total.duplicates.num_documents += tally.duplicates.num_documents;
    total.duplicates.num_pairs += tally.duplicates.num_pairs;
    for (std::size_t column = 0; column < total.ordered.size(); ++column) {
      total.ordered[column] += tally.ordered[column];
    }
  }
  return total;
}

/// Explicit preferences stand in place of the pairs the grades imply.
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

  WorkCounter counter(progress, data, num_column_blocks(data.features) + num_query_blocks(data));
  summary.columns =
      column_statistics(data.features, options.threads, [&counter] { counter.tick(); });
  for (std::size_t column = 0; column < summary.columns.size(); ++column) {
    summary.num_nonzero += summary.columns[column].num_nonzero;
    if (summary.columns[column].constant()) {
      summary.constant_columns.push_back(static_cast<std::int64_t>(column));
    }
  }

  const QueryTally tally = tally_queries(data, options, counter);
  summary.num_pairs = tally.num_pairs;
  summary.num_queries_without_pairs = tally.without_pairs;
  summary.num_queries_without_relevant = tally.without_relevant;
  summary.num_duplicates = tally.duplicates.num_documents;
  summary.num_undecidable_pairs = tally.duplicates.num_pairs;
  for (const std::int64_t ordered : tally.ordered) {
    summary.pair_accuracy.push_back(tally.num_pairs > 0
                                        ? static_cast<double>(ordered) /
                                              (2 * static_cast<double>(tally.num_pairs))
                                        : std::numeric_limits<double>::quiet_NaN());
  }
  if (data.has_preferences) count_preferences(data, summary);
  return summary;
}

}  // namespace rankine
