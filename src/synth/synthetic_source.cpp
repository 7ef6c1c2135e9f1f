// Every random variable has a stream of its own (base/random), numbered by its kind and its query;
// the index within the stream is made of document and feature. Nothing is drawn in sequence, so
// rows can be made in any order. The columns of a sparse row come from the gaps between them, which
// are geometric.
//
// The RBF expansion looks at the features through a few random projections: in as many dimensions
// as there are features all documents would be equally far from all centres and the expansion close
// to constant. Heavy-tailed features enter it as x / (1 + x).
#include "synth/synthetic_source.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/contract.hpp"
#include "base/portable_math.hpp"
#include "base/random.hpp"

namespace rankine {
namespace {

enum class Purpose : std::uint64_t {
  length,
  query,
  factor,
  value,
  sparse_value,
  noise,
  column,
  irrelevance,
  weight,
  centre,
  amplitude,
};

/// Number of the first query of the sample that the truth is scaled by; no data has so many.
constexpr std::int64_t kFirstSampleQuery = std::int64_t{1} << 48;

Random stream(const SynthOptions& options, Purpose purpose, std::int64_t query = 0) {
  return Random(options.seed,
                static_cast<std::uint64_t>(purpose) << 56 | static_cast<std::uint64_t>(query));
}

constexpr std::uint32_t kMostGroups = 16;
constexpr std::uint32_t kMostProjections = 4;
constexpr std::uint8_t kHeavyTail = 0x80;
constexpr std::uint8_t kGroupMask = 0x7f;
// Standard deviations of the features, so that a weight means as much for one kind as the other.
constexpr double kBoundedSpread = 0.293;
constexpr double kHeavyTailSpread = 2.161;
constexpr double kMillion = 1e6;

double value_of(std::uint64_t millionths) {
  return static_cast<double>(millionths) / kMillion;
}

/// A share of `total`, as a whole number.
std::int64_t share_of(double share, std::int64_t total) {
  return static_cast<std::int64_t>(share * static_cast<double>(total) + 0.5);
}

/// Geometric on 0, 1, 2, ...: failures before the first success, log_failure = log P(failure).
double geometric(double uniform, double log_failure) {
  return std::floor(portable_log(uniform) / log_failure);
}

struct MeanAndVariance {
  double mean = 0;
  double variance = 0;
};

/// Mean and variance of every `step`-th of `values`, from `first` on, by Welford's update (1962).
MeanAndVariance moments(std::span<const double> values, std::size_t first, std::size_t step) {
  MeanAndVariance result;
  double count = 0;
  for (std::size_t k = first; k < values.size(); k += step) {
    count += 1;
    const double difference = values[k] - result.mean;
    result.mean += difference / count;
    result.variance += difference * (values[k] - result.mean);
  }
  result.variance /= count;
  return result;
}

/// 1 / sqrt(variance), or 1 for what does not vary beyond rounding.
double inverse_spread(double variance) {
  constexpr double kRounding = 1e-20;
  return variance > kRounding ? 1 / std::sqrt(variance) : 1;
}

}  // namespace

SyntheticSource::SyntheticSource(const SynthOptions& options) : options_(options) {
  constexpr std::int64_t kFeaturesPerGroup = 6;
  num_groups_ = static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(options.features / kFeaturesPerGroup, 1, kMostGroups));
  const double spread = std::sqrt(1 + options.query_effect * options.query_effect);
  query_part_ = options.query_effect / spread;
  shared_part_ = std::sqrt(options.correlation) / spread;
  own_part_ = std::sqrt(1 - options.correlation) / spread;
  constexpr double kTiny = 1e-9;  // 1 - density is as good as 1
  log_absent_ = options.density < kTiny ? -options.density : portable_log(1 - options.density);
  draw_columns();
  if (options.truth == Truth::rbf) draw_centres();
  calibrate();
}

void SyntheticSource::draw_columns() {
  const auto num_columns = static_cast<std::size_t>(options_.features);
  std::int64_t irrelevant_left = share_of(options_.irrelevant, options_.features);
  const std::int64_t num_relevant = options_.features - irrelevant_left;
  if (options_.truth == Truth::rbf) {
    num_projections_ =
        static_cast<std::uint32_t>(std::clamp<std::int64_t>(num_relevant, 1, kMostProjections));
  }
  column_kinds_.resize(num_columns);
  weights_.assign(num_columns * num_projections_, 0);
  const Random kinds = stream(options_, Purpose::column);
  const Random irrelevance = stream(options_, Purpose::irrelevance);
  const Random weights = stream(options_, Purpose::weight);
  for (std::size_t column = 0; column < num_columns; ++column) {
    const std::uint64_t group = kinds.below(2 * column, num_groups_);
    const bool heavy_tail = kinds.below(2 * column + 1, 4) == 0;
    column_kinds_[column] = static_cast<std::uint8_t>(group | (heavy_tail ? kHeavyTail : 0));
    // Selection sampling: of the columns left, each is as likely as any other to be irrelevant.
    if (irrelevance.below(column, num_columns - column) <
        static_cast<std::uint64_t>(irrelevant_left)) {
      --irrelevant_left;
      continue;
    }
    const bool squashed = !heavy_tail || options_.truth == Truth::rbf;
    const double scale = 1 / (squashed ? kBoundedSpread : kHeavyTailSpread);
    for (std::size_t k = column * num_projections_; k < (column + 1) * num_projections_; ++k) {
      weights_[k] = scale * weights.normal(k);
    }
  }
}

void SyntheticSource::draw_centres() {
  const auto num_centres = static_cast<std::size_t>(options_.centres);
  const Random centres = stream(options_, Purpose::centre);
  const Random amplitudes = stream(options_, Purpose::amplitude);
  centres_.resize(num_centres * num_projections_);
  for (std::size_t k = 0; k < centres_.size(); ++k) centres_[k] = centres.normal(k);
  amplitudes_.resize(num_centres);
  for (std::size_t k = 0; k < num_centres; ++k) amplitudes_[k] = amplitudes.normal(k);
}

/// Estimates the spread over all documents, and within a query, from two documents of each of many
/// queries.
void SyntheticSource::calibrate() {
  constexpr double kSampleValues = 1 << 20;
  const auto num_queries = static_cast<std::int64_t>(
      std::clamp(kSampleValues / std::max(1.0, row_size()), 256.0, 4096.0));
  std::vector<double> projections;
  projections.reserve(static_cast<std::size_t>(2 * num_queries) * num_projections_);
  std::array<double, kMostProjections> projection{};
  const std::span<double> projected = std::span(projection).first(num_projections_);
  SyntheticRow row;
  for (std::int64_t number = 0; number < num_queries; ++number) {
    const SyntheticQuery sample = query(kFirstSampleQuery + number);
    for (std::int64_t document = 0; document < 2; ++document) {
      draw_features(sample, document, row);
      project(row, projected);
      projections.insert(projections.end(), projected.begin(), projected.end());
    }
  }
  for (std::size_t k = 0; k < num_projections_; ++k) {
    const MeanAndVariance found = moments(projections, k, num_projections_);
    projection_means_.push_back(found.mean);
    projection_scales_.push_back(inverse_spread(found.variance));
  }
  std::vector<double> scores;
  double variance_within = 0;
  for (std::size_t k = 0; k < projections.size(); k += num_projections_) {
    scores.push_back(raw_score(std::span(projections).subspan(k, num_projections_)));
    if (scores.size() % 2 == 0) {
      const double difference = scores.back() - scores[scores.size() - 2];
      variance_within += 0.5 * difference * difference / static_cast<double>(num_queries);
    }
  }
  score_mean_ = moments(scores, 0, 1).mean;
  score_scale_ = inverse_spread(variance_within);
  if (options_.grades == 0) return;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    const SyntheticQuery sample = query(kFirstSampleQuery + static_cast<std::int64_t>(k / 2));
    scores[k] = noisy_score(sample, static_cast<std::int64_t>(k % 2),
                            (scores[k] - score_mean_) * score_scale_);
  }
  cut_grades(std::move(scores));
}

/// Shares of the grades fall by a constant factor from each grade to the next: 0.4 for few grades,
/// and closer to 1 for many, so that the highest still occurs.
void SyntheticSource::cut_grades(std::vector<double> sample) {
  std::sort(sample.begin(), sample.end());
  constexpr double kLogFactor = -0.9162907318741551;  // log 0.4
  constexpr double kLogSmallest = -5;
  const int steps = options_.grades - 1;
  const double factor = portable_exp(std::max(kLogFactor, kLogSmallest / std::max(1, steps)));
  double total = 1;
  for (int step = 0; step < steps; ++step) total = total * factor + 1;
  double below = 0;
  double share = 1 / total;
  for (int step = 0; step < steps; ++step) {
    below += share;
    share *= factor;
    const double position =
        std::min(below, 1.0) * static_cast<double>(sample.size() - 1);  // among order statistics
    const auto index = std::min(static_cast<std::size_t>(position), sample.size() - 2);
    const double fraction = position - static_cast<double>(index);
    thresholds_.push_back(sample[index] + fraction * (sample[index + 1] - sample[index]));
  }
}

std::int64_t SyntheticSource::query_length(std::int64_t query) const {
  const Random random = stream(options_, Purpose::length);
  const auto index = static_cast<std::uint64_t>(query);
  const std::int64_t mean = options_.documents;
  switch (options_.lengths) {
    case LengthDistribution::fixed:
      return mean;
    case LengthDistribution::uniform:
      return 1 + static_cast<std::int64_t>(
                     random.below(index, static_cast<std::uint64_t>(2 * mean - 1)));
    case LengthDistribution::geometric:
      if (mean == 1) return 1;
      return 1 + static_cast<std::int64_t>(geometric(
                     random.uniform(index), portable_log(1 - 1 / static_cast<double>(mean))));
  }
  return mean;
}

std::int64_t SyntheticSource::num_rows() const {
  if (options_.lengths == LengthDistribution::fixed) return options_.queries * options_.documents;
  std::int64_t total = 0;
  for (std::int64_t query = 0; query < options_.queries; ++query) total += query_length(query);
  return total;
}

SyntheticQuery SyntheticSource::query(std::int64_t number) const {
  const Random random = stream(options_, Purpose::query, number);
  SyntheticQuery query;
  query.number = number;
  query.offset = options_.query_effect * random.normal(0);
  query.shift.resize(num_groups_);
  for (std::uint32_t group = 0; group < num_groups_; ++group) {
    query.shift[group] = query_part_ * random.normal(1 + group);
  }
  return query;
}

void SyntheticSource::make_row(const SyntheticQuery& query, std::int64_t document,
                               SyntheticRow& row) const {
  draw_features(query, document, row);
  std::array<double, kMostProjections> projection{};
  const std::span<double> projected = std::span(projection).first(num_projections_);
  project(row, projected);
  row.true_score = (raw_score(projected) - score_mean_) * score_scale_;
  row.grade = noisy_score(query, document, row.true_score);
  if (options_.grades > 0) {
    const auto above = std::upper_bound(thresholds_.begin(), thresholds_.end(), row.grade);
    row.grade = static_cast<double>(above - thresholds_.begin());
  }
}

void SyntheticSource::draw_features(const SyntheticQuery& query, std::int64_t document,
                                    SyntheticRow& row) const {
  const auto doc = static_cast<std::uint64_t>(document);
  const Random factors = stream(options_, Purpose::factor, query.number);
  std::array<double, kMostGroups> parts{};
  for (std::uint32_t group = 0; group < num_groups_; ++group) {
    parts[group] = query.shift[group];
    if (shared_part_ > 0) {
      parts[group] += shared_part_ * factors.normal(doc * num_groups_ + group);
    }
  }
  if (!is_dense()) {
    draw_sparse_features(query, document, parts, row);
    return;
  }
  const auto num_columns = static_cast<std::uint32_t>(options_.features);
  if (row.columns.size() != num_columns) {
    row.columns.resize(num_columns);
    row.millionths.resize(num_columns);
    for (std::uint32_t column = 0; column < num_columns; ++column) row.columns[column] = column;
  }
  const Random values = stream(options_, Purpose::value, query.number);
  std::uint64_t block = doc * ((num_columns + 3) / 4);
  for (std::uint32_t first = 0; first < num_columns; first += 4) {
    const RandomBlock words = values.block(block++);
    const std::uint32_t last = std::min(first + 4, num_columns);
    for (std::uint32_t column = first; column < last; ++column) {
      row.millionths[column] = feature_value(column, words[column - first], parts);
    }
  }
}

void SyntheticSource::draw_sparse_features(const SyntheticQuery& query, std::int64_t document,
                                           std::span<const double> group_parts,
                                           SyntheticRow& row) const {
  row.columns.clear();
  row.millionths.clear();
  const Random random = stream(options_, Purpose::sparse_value, query.number);
  const auto num_columns = static_cast<std::uint64_t>(options_.features);
  std::uint64_t block = static_cast<std::uint64_t>(document) * (num_columns + 1);
  std::uint64_t column = 0;
  for (;;) {
    const RandomBlock words = random.block(block++);
    const double uniform = uniform_from_bits(std::uint64_t{words[1]} << 32 | words[0]);
    const double gap = geometric(uniform, log_absent_);
    if (!(gap < static_cast<double>(num_columns - column))) return;
    column += static_cast<std::uint64_t>(gap);
    const auto index = static_cast<std::uint32_t>(column);
    row.columns.push_back(index);
    row.millionths.push_back(
        std::max<std::uint64_t>(1, feature_value(index, words[2], group_parts)));
    if (++column == num_columns) return;
  }
}

std::uint64_t SyntheticSource::feature_value(std::uint32_t column, std::uint32_t bits,
                                             std::span<const double> group_parts) const {
  const std::uint8_t kind = column_kinds_[column];
  const double z =
      group_parts[kind & kGroupMask] + own_part_ * normal_quantile(uniform_from_bits(bits));
  const double value =
      (kind & kHeavyTail) != 0 ? portable_exp(z) : 0.5 + 0.5 * z / std::sqrt(1 + z * z);
  return static_cast<std::uint64_t>(value * kMillion + 0.5);
}

void SyntheticSource::project(const SyntheticRow& row, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  const bool squash = options_.truth == Truth::rbf;
  for (std::size_t k = 0; k < row.columns.size(); ++k) {
    const std::uint32_t column = row.columns[k];
    double value = value_of(row.millionths[k]);
    if (squash && (column_kinds_[column] & kHeavyTail) != 0) value = value / (1 + value);
    const double* weights = &weights_[column * std::size_t{num_projections_}];
    for (std::size_t p = 0; p < out.size(); ++p) out[p] += weights[p] * value;
  }
}

double SyntheticSource::raw_score(std::span<const double> projections) const {
  if (options_.truth == Truth::linear) return projections[0];
  std::array<double, kMostProjections> point{};
  for (std::size_t k = 0; k < projections.size(); ++k) {
    point[k] = (projections[k] - projection_means_[k]) * projection_scales_[k];
  }
  double score = 0;
  for (std::size_t c = 0; c < amplitudes_.size(); ++c) {
    double squared_distance = 0;
    for (std::size_t k = 0; k < projections.size(); ++k) {
      const double difference = point[k] - centres_[c * num_projections_ + k];
      squared_distance += difference * difference;
    }
    score += amplitudes_[c] * portable_exp(-0.25 * squared_distance);
  }
  return score;
}

double SyntheticSource::noisy_score(const SyntheticQuery& query, std::int64_t document,
                                    double true_score) const {
  const Random random = stream(options_, Purpose::noise, query.number);
  return true_score + query.offset +
         options_.noise * random.normal(static_cast<std::uint64_t>(document));
}

}  // namespace rankine
