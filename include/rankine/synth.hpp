// Synthetic ranking data with a known answer, the same bytes on every machine.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "rankine/dataset.hpp"
#include "rankine/fields.hpp"
#include "rankine/progress.hpp"
#include "rankine/visibility.hpp"

namespace rankine {

enum class Truth { linear, rbf };
template <>
struct EnumNames<Truth> {
  static constexpr std::array<std::string_view, 2> names{"linear", "rbf"};
};

enum class LengthDistribution { fixed, uniform, geometric };
template <>
struct EnumNames<LengthDistribution> {
  static constexpr std::array<std::string_view, 3> names{"fixed", "uniform", "geometric"};
};

struct SynthOptions {
  std::int64_t queries = 1000;
  std::int64_t documents = 40;
  LengthDistribution lengths = LengthDistribution::fixed;
  std::int64_t features = 46;
  double density = 1;
  int grades = 5;
  double noise = 0.5;
  double irrelevant = 0.25;
  double correlation = 0.3;
  double query_effect = 1;
  Truth truth = Truth::linear;
  int centres = 20;
  std::uint64_t seed = 0;
};

constexpr auto fields(const SynthOptions&) {
  using O = SynthOptions;
  constexpr std::int64_t kMany = 1'000'000'000;
  return std::tuple{
      Field{"queries", &O::queries, Range<std::int64_t>{1, kMany}, "number of queries", "N"},
      Field{"documents", &O::documents, Range<std::int64_t>{1, kMany},
            "documents per query, on average", "N"},
      Field{"lengths", &O::lengths, NoRange{},
            "documents per query: all the same, uniform from 1, or geometric from 1"},
      Field{"features", &O::features, Range<std::int64_t>{1, 100'000'000}, "number of features",
            "N"},
      Field{"density", &O::density, Range<double>{0, 1, true},
            "share of features that are not zero; they are drawn anew for each row"},
      Field{"grades", &O::grades, Range<int>{0, 1000},
            "grade levels, each rarer than the one below; 0: the noisy score, a real number", "N"},
      Field{"noise", &O::noise, Range<double>{0, 1e6},
            "standard deviation of the grade's noise, in units of the true score's in a query"},
      Field{"irrelevant", &O::irrelevant, Range<double>{0, 1},
            "share of features without influence on the true score"},
      Field{"correlation", &O::correlation, Range<double>{0, 1},
            "share of a feature's variance in a query that it has in common with other features"},
      Field{"query_effect", &O::query_effect, Range<double>{0, 1e6},
            "how far queries differ, in features and in grades, in units of spread in a query"},
      Field{"truth", &O::truth, NoRange{},
            "the true score: a linear function or an RBF expansion of the features"},
      Field{"centres", &O::centres, Range<int>{1, 100'000}, "centres of the RBF expansion", "N"},
      Field{"seed", &O::seed, NoRange{}, "seed of the generator", "N"}};
}

/// What was written.
struct SynthSummary {
  std::int64_t queries = 0;
  std::int64_t documents = 0;
  std::int64_t features = 0;
  std::int64_t non_zeros = 0;              // feature values written
  std::int64_t bytes = 0;                  // of text, before compression
  std::vector<std::int64_t> grade_counts;  // documents by grade; empty when grades are real
};

/// Writes the data as LETOR text (.gz and .zst compress, "-" is standard output), one block of rows
/// in memory for each thread, and the true score of each row, one per line, to `true_scores_path`
/// when it is not empty. The bytes depend on the options alone. Throws Error{option} and Error{io}.
RANKINE_API SynthSummary write_synthetic(const std::string& path, const SynthOptions& options,
                                         const std::string& true_scores_path = "", int threads = 0,
                                         const Progress& progress = {});

struct SyntheticData {
  Dataset data;
  Array<double> true_scores;  // by document
};
/// The same data in memory: what reading write_synthetic's text gives, with comments kept and
/// num_features = options.features.
RANKINE_API SyntheticData make_synthetic(const SynthOptions& options, int threads = 0);

}  // namespace rankine
