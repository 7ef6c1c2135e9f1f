// How fast training is: one gradient of a long list, a Hessian product against the speed of memory,
// one fit, a path over C, and how the cost grows with the number of documents.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <rankine/read.hpp>
#include <rankine/train.hpp>

#include "base/parallel.hpp"
#include "base/system/growing_array.hpp"
#include "compute/cpu/query_sweep.hpp"
#include "compute/query_table.hpp"
#include "losses/pairs/piecewise_quadratic_pairs.hpp"

namespace rankine {
namespace {

double best_seconds(int repeats, const std::function<void()>& work) {
  double best = 1e300;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  return best;
}

/// Normal features, grades from a linear score with noise: three levels, or the score itself. The
/// features lie in memory as those of a file do.
Dataset made(std::int64_t documents, std::int64_t per_query, std::int64_t features,
             bool real_grades) {
  std::mt19937_64 random(1);
  std::normal_distribution<float> normal;
  GrowingArray<float> values;
  values.resize(static_cast<std::size_t>(documents * features));
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = 0.3F * normal(random);
  std::vector<double> grades(static_cast<std::size_t>(documents));
  for (std::size_t doc = 0; doc < grades.size(); ++doc) {
    double score = static_cast<double>(normal(random));
    for (std::size_t f = 0; f < static_cast<std::size_t>(std::min<std::int64_t>(features, 10));
         ++f) {
      score += static_cast<double>(values[doc * static_cast<std::size_t>(features) + f]);
    }
    grades[doc] = real_grades ? score : score > 1.8 ? 2 : score > 0.9 ? 1 : 0;
  }
  std::vector<std::int64_t> offsets;
  for (std::int64_t doc = 0; doc < documents; doc += per_query) offsets.push_back(doc);
  offsets.push_back(documents);
  std::vector<std::string> ids;
  for (std::size_t q = 0; q + 1 < offsets.size(); ++q) ids.push_back(std::to_string(q));
  Dataset data;
  data.source = "made";
  data.features = DenseMatrix{documents, features, values.finish()};
  data.grades = std::move(grades);
  data.query_offsets = std::move(offsets);
  data.query_ids = StringList::of(ids);
  return data;
}

const PiecewiseQuadraticPairs kLoss("squared_hinge", squared_hinge_pieces());

void long_list() {
  const Dataset data = made(1'000'000, 1'000'000, 10, true);
  const QueryTable table(data, Normalisation::total, 1);
  const QuerySweep sweep(data, table, kLoss, 1);
  std::vector<double> gradient(10);
  QuerySweep::Point point;
  const std::vector<double> weights(10, 0.5);
  const double seconds = best_seconds(3, [&] { sweep.gradient(weights, point, gradient); });
  std::printf("one query of 1,000,000 documents, real grades, one core: gradient %.3f s\n",
              seconds);
}

/// Adds up all values, on the same threads and in as many pieces as the sweep has.
void add_up(std::span<const float> values, int threads) {
  constexpr std::int64_t kPieces = 64;
  static std::vector<float> sums(kPieces);
  parallel_for(kPieces, threads, [&](std::int64_t piece) {
    constexpr std::size_t kLanes = 64;
    const std::size_t size = values.size() / kPieces / kLanes * kLanes;
    const float* from = values.data() + static_cast<std::size_t>(piece) * size;
    float lanes[kLanes] = {};
    for (std::size_t k = 0; k < size; k += kLanes) {
      for (std::size_t lane = 0; lane < kLanes; ++lane) lanes[lane] += from[k + lane];
    }
    float sum = 0;
    for (const float lane : lanes) sum += lane;
    sums[static_cast<std::size_t>(piece)] = sum;
  });
}

/// The median.
double median(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers[numbers.size() / 2];
}

/// The speed of both, and the share of one in the other. The two take turns and the share is that
/// of a turn, because other users of the memory come and go.
void bandwidth(std::int64_t features) {
  constexpr int kTurns = 25;
  const Dataset data = made(100'000'000 / features, 50, features, false);
  const auto& matrix = std::get<DenseMatrix>(data.features);
  const double plain_bytes = static_cast<double>(matrix.values.size()) * sizeof(float);
  // A product reads the rows, and for each document its position within its query.
  const double bytes =
      plain_bytes + static_cast<double>(data.num_documents()) * sizeof(ActiveRange);
  const auto width = static_cast<std::size_t>(features);
  const QueryTable table(data, Normalisation::none, 1);
  for (const int threads : {1, 2}) {
    const QuerySweep sweep(data, table, kLoss, threads);
    QuerySweep::Point point;
    std::vector<double> out(width);
    sweep.gradient(std::vector<double>(width, 0.1), point, out);
    const std::vector<double> direction(width, 1.0);
    sweep.hessian_times(point, direction, out);
    std::vector<double> reads;
    std::vector<double> products;
    std::vector<double> shares;
    for (int turn = 0; turn < kTurns; ++turn) {
      reads.push_back(plain_bytes /
                      best_seconds(1, [&] { add_up(matrix.values.span(), threads); }));
      products.push_back(bytes /
                         best_seconds(1, [&] { sweep.hessian_times(point, direction, out); }));
      shares.push_back(products.back() / reads.back());
    }
    std::printf(
        "Hessian product, %3ld columns, %.0f MB, %d thread(s): %.1f GB/s, plain reading %.1f GB/s; "
        "median share %.0f %%\n",
        static_cast<long>(features), bytes / 1e6, threads, median(products) / 1e9,
        median(reads) / 1e9, 100 * median(shares));
  }
}

void path(const std::string& name, const Dataset& data) {
  std::vector<double> values;
  for (int exponent = -12; exponent <= 6; ++exponent) values.push_back(std::ldexp(1.0, exponent));
  TrainOptions options;
  options.scaling = Scaling::none;
  for (const int threads : {1, 2}) {
    options.threads = threads;
    // Fits and paths take turns, because other users of the machine come and go.
    std::vector<double> alone(values.size(), 1e300);
    double together = 1e300;
    for (int round = 0; round < 5; ++round) {
      for (std::size_t k = 0; k < values.size(); ++k) {
        options.method = SvmOptions{.C = values[k], .normalisation = Normalisation::none};
        alone[k] = std::min(alone[k], train(data, options).report.seconds_solving);
      }
      together = std::min(together, train_path(data, options, values)[0].report.seconds_solving);
    }
    const double dearest = *std::max_element(alone.begin(), alone.end());
    std::printf("%s, %d thread(s): dearest of 19 fits %.1f ms, path over all 19 %.1f ms: %.1f\n",
                name.c_str(), threads, 1e3 * dearest, 1e3 * together, together / dearest);
  }
}

/// From 100,000 to 10,000,000 documents, in lists of 100 with three grades or in one list with real
/// ones.
void growth(bool one_list) {
  std::vector<double> logs;
  std::vector<double> times;
  for (const std::int64_t documents : {100'000, 1'000'000, 10'000'000}) {
    const Dataset data = made(documents, one_list ? documents : 100, 10, one_list);
    TrainOptions options;
    options.scaling = Scaling::none;
    options.method = SvmOptions{.C = one_list ? 1000.0 : SvmOptions().C};
    const TrainReport report = train(data, options).report;
    std::printf("%9ld documents x 10, %s: solved in %.3f s, %ld iterations\n",
                static_cast<long>(documents),
                one_list ? "one list with real grades" : "lists of 100 with three grades",
                report.seconds_solving, static_cast<long>(report.iterations));
    logs.push_back(std::log(static_cast<double>(documents)));
    times.push_back(std::log(report.seconds_solving));
  }
  std::printf("cost grows with exponent %.2f\n", (times[2] - times[0]) / (logs[2] - logs[0]));
}

}  // namespace
}  // namespace rankine

/// training_benchmark [LETOR FILE]
int main(int argc, char** argv) {
  using namespace rankine;
  long_list();
  for (const std::int64_t features : {46, 136, 500}) bandwidth(features);
  path("42,000 documents x 46", made(42'000, 42, 46, false));
  path("20,000 documents x 500", made(20'000, 40, 500, false));
  if (argc > 1) path(argv[1], read_letor(argv[1]));
  growth(false);
  growth(true);
  return 0;
}
