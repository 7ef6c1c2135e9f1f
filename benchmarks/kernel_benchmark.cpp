// How fast kernels are: mapped features beside a matrix product of the same size, kernel values
// from the features and from kept products, training at the settings of Chen et al. 2017, a path
// over C, and the exact kernel.
//   kernel_benchmark [FOLD] [exact]     FOLD: a folder with train.txt and test.txt
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <rankine/evaluate.hpp>
#include <rankine/read.hpp>
#include <rankine/train.hpp>

#include "features/feature_map.hpp"
#include "features/kernel.hpp"
#include "features/kernel_product_cache.hpp"
#include "linalg/blas_access.hpp"

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

/// Floating-point operations per second of the product alone: rows x width times width x columns.
double product_rate(std::int64_t rows, std::int64_t width, std::int64_t columns) {
  const std::vector<float> left(static_cast<std::size_t>(rows * width), 0.5F);
  const std::vector<float> right(static_cast<std::size_t>(width * columns), 0.5F);
  std::vector<float> out(static_cast<std::size_t>(rows * columns));
  const double seconds = best_seconds(5, [&] {
    const BlasAccess access;
    access->sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, static_cast<int>(rows),
                  static_cast<int>(columns), static_cast<int>(width), 1.0F, left.data(),
                  static_cast<int>(width), right.data(), static_cast<int>(columns), 0.0F,
                  out.data(), static_cast<int>(columns));
  });
  return 2.0 * static_cast<double>(rows * width * columns) / seconds;
}

TrainOptions paper_options(Approximation how) {
  TrainOptions options;
  SvmOptions svm;
  svm.C = 0.25;
  svm.normalisation = Normalisation::none;
  options.method = svm;
  options.scaling = Scaling::none;
  options.map.kernel = Kernel::rbf;
  options.map.gamma = 1.0 / 32;
  options.map.approximation = how;
  options.map.n_components = 2000;
  return options;
}

void maps(const Dataset& data) {
  constexpr std::int64_t kRows = 8192;
  const std::int64_t width = data.num_features();
  const std::int64_t rows = std::min(kRows, data.num_documents());
  const double small = product_rate(rows, width, 2000);
  const double large = product_rate(2048, 2048, 2048);
  std::printf("matrix products, one core: %.1f GFLOP/s at %lld columns, %.1f at 2048\n",
              small / 1e9, static_cast<long long>(width), large / 1e9);
  const auto& dense = std::get<DenseMatrix>(data.features);
  const FeatureMatrix part =
      DenseMatrix{rows, width,
                  Array<float>::borrow(
                      dense.values.span().first(static_cast<std::size_t>(rows * width)), nullptr)};
  for (const Approximation how : {Approximation::nystroem, Approximation::fourier}) {
    FeatureMapOptions options = paper_options(how).map;
    options.rank_tolerance = 0;
    MapReport report;
    const auto map = fit_feature_map(options, part, 1, 1, report);
    std::vector<float> out(static_cast<std::size_t>(rows * map->num_components()));
    const double seconds = best_seconds(3, [&] { map->map(part, 0, rows, out.data()); });
    const auto components = static_cast<double>(map->num_components());
    const auto documents = static_cast<double>(rows);
    const double whitening = how == Approximation::nystroem ? components * components : 0;
    const double arithmetic = documents * (2 * static_cast<double>(width) * components + whitening);
    const double ideal =
        documents * (2 * static_cast<double>(width) * components / small + whitening / large);
    std::printf("  %-8s map of %.0f features: %.1f GFLOP/s, %.0f %% of matrix products' speed\n",
                std::string(name_of(how)).c_str(), components, arithmetic / seconds / 1e9,
                100 * ideal / seconds);
  }
}

/// A kernel value from the features, from products that are kept, and the first time, when they are
/// made and written.
void kept_products() {
  constexpr std::int64_t kRows = 9600;
  constexpr std::int64_t kLandmarks = 2000;
  std::printf("a kernel value with one of %lld landmarks, one core\n",
              static_cast<long long>(kLandmarks));
  constexpr std::int64_t kBlock = 96;
  std::vector<float> out(static_cast<std::size_t>(kBlock * kLandmarks));
  for (const Kernel kind : {Kernel::rbf, Kernel::laplacian}) {
    for (const std::int64_t width : {64, 136, 500}) {
      std::vector<float> values(static_cast<std::size_t>(kRows * width));
      for (std::size_t k = 0; k < values.size(); ++k) {
        values[k] = std::sin(static_cast<float>(k));
      }
      const KernelSpec kernel{.kind = kind, .gamma = 0.01};
      const KernelFormula function = kernel_formula(kernel);
      KernelProductCache kept(DenseMatrix{kRows, width, std::move(values)},
                              std::make_shared<MemoryBudget>(1e12), 1000, 1);
      std::vector<std::int64_t> chosen;  // in no order, as pivots are
      for (std::int64_t k = 0; k < kLandmarks; ++k) chosen.push_back(k * 7919 % kRows);
      const FeatureMatrix landmarks = take_rows(kept.rows(), chosen);
      const PackedColumns packed(landmarks);
      const auto columns = kept.columns(kernel, landmarks);
      const auto read = [&] {
        for (std::int64_t row = 0; row < kRows; row += kBlock) {
          columns->block(row, kBlock, packed, function, out.data());
        }
      };
      const auto compute = [&] {
        for (std::int64_t row = 0; row < kRows; row += kBlock) {
          kernel_block(kept.rows(), row, kBlock, packed, function, out.data());
        }
      };
      const double first = best_seconds(1, read);
      const double again = best_seconds(3, read);
      const double computed = best_seconds(3, compute);
      const double unit = 1e9 / static_cast<double>(kRows * kLandmarks);
      std::printf(
          "  %-9s %3lld features: %.1f ns computed, %.1f ns from its product, %.1f ns first\n",
          std::string(name_of(kind)).c_str(), static_cast<long long>(width), computed * unit,
          again * unit, first * unit);
    }
  }
}

double mean_ndcg(const Model& model, const Dataset& test) {
  const auto measures = parse_measures("mean_ndcg");
  return evaluate(test, model.score(test), measures, measure_rules(Convention::letor), {})
      .means[0]
      .mean;
}

void training(const Dataset& data, const Dataset& test, bool exact) {
  std::printf("training, C = 2^-2, gamma = 2^-5, from data in memory, all cores\n");
  for (const Approximation how : {Approximation::nystroem, Approximation::fourier}) {
    const TrainOptions options = paper_options(how);
    TrainResult result;
    const double seconds = best_seconds(2, [&] { result = train(data, options); });
    std::printf("  %-8s %.2f s (map %.2f, solving %.2f), rank %lld, %lld products, MeanNDCG %.4f\n",
                std::string(name_of(how)).c_str(), seconds, result.report.map.seconds,
                result.report.seconds_solving, static_cast<long long>(result.report.map.rank),
                static_cast<long long>(result.report.products), mean_ndcg(result.model, test));
  }
  std::vector<double> values;
  for (int power = -12; power <= 6; ++power) values.push_back(std::pow(2.0, power));
  for (const double gamma : {std::pow(2.0, -8), std::pow(2.0, -5), std::pow(2.0, -2)}) {
    for (const Approximation how : {Approximation::nystroem, Approximation::fourier}) {
      TrainOptions options = paper_options(how);
      options.map.gamma = gamma;
      std::vector<TrainResult> results;
      const double seconds = best_seconds(1, [&] { results = train_path(data, options, values); });
      std::printf("  %-8s gamma = %.4g: path over 19 values of C %.2f s (map %.2f)\n",
                  std::string(name_of(how)).c_str(), gamma, seconds, results[0].report.map.seconds);
    }
  }
  if (!exact) return;
  TrainResult result;
  const double seconds =
      best_seconds(1, [&] { result = train(data, paper_options(Approximation::none)); });
  std::printf(
      "  exact    %.1f s (matrix %.1f, solving %.1f), %lld products, %.2f GB at most, "
      "MeanNDCG %.4f\n",
      seconds, result.report.map.seconds, result.report.seconds_solving,
      static_cast<long long>(result.report.products),
      static_cast<double>(result.report.peak_memory) / 1e9, mean_ndcg(result.model, test));
}

}  // namespace
}  // namespace rankine

int main(int argc, char** argv) {
  using namespace rankine;
  const std::string folder = argc > 1 ? argv[1] : "build/letor/mq2007/Fold1";
  const Dataset data = read_letor(folder + "/train.txt");
  const Dataset test = read_letor(folder + "/test.txt");
  maps(data);
  kept_products();
  training(data, test, argc > 2 && std::string(argv[2]) == "exact");
  return 0;
}
