// Synthetic ranking data with a known answer, the same bytes on every machine.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

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
  Truth truth = Truth::linear;
  int centres = 20;
  std::uint64_t seed = 0;
};

constexpr auto fields(const SynthOptions&) {
  using O = SynthOptions;
  constexpr std::int64_t kMany = 1'000'000'000'000;
  return std::tuple{
      Field{"queries", &O::queries, Range<std::int64_t>{1, kMany}, "number of queries", "N"},
      Field{"documents", &O::documents, Range<std::int64_t>{1, kMany},
            "documents a query, on average", "N"},
      Field{"lengths", &O::lengths, NoRange{},
            "how the number of documents varies between queries"},
      Field{"features", &O::features, Range<std::int64_t>{1, 100'000'000}, "number of features",
            "N"},
      Field{"density", &O::density, Range<double>{0, 1, true},
            "share of features that are not zero"},
      Field{"grades", &O::grades, Range<int>{0, 1'000'000},
            "grade levels; 0: the noisy score itself, a real number", "N"},
      Field{"noise", &O::noise, Range<double>{0, kNoLimit},
            "standard deviation of the noise, in units of the true score's"},
      Field{"irrelevant", &O::irrelevant, Range<double>{0, 1},
            "share of features without influence on the grade"},
      Field{"correlation", &O::correlation, Range<double>{0, 1},
            "share of a feature's variance that comes from a factor shared with others"},
      Field{"truth", &O::truth, NoRange{}, "the true score: a linear function or an RBF expansion"},
      Field{"centres", &O::centres, Range<int>{1, 100'000}, "centres of the RBF expansion", "N"},
      Field{"seed", &O::seed, NoRange{}, "seed of the generator", "N"}};
}

/// Writes the data as LETOR text (.gz and .zst compress, "-" is standard output) query by query,
/// holding one block in memory, and the true score of each row to `truth_path` when it is not
/// empty.
RANKINE_API void write_synthetic(const std::string& path, const SynthOptions& options,
                                 const std::string& truth_path = "", int threads = 0,
                                 const Progress& progress = {});

struct SyntheticData {
  Dataset data;
  Array<double> true_scores;
};
/// The same data in memory: equal to reading what write_synthetic writes.
RANKINE_API SyntheticData make_synthetic(const SynthOptions& options);

}  // namespace rankine
