// How fast RankRLS is: training against one symmetric rank-k update over the same rows, what a path
// over alpha and leave-query-out add, and end to end from a file. With `--weights`, prints the
// weights of one training, for comparison with another program's.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <rankine/read.hpp>
#include <rankine/train.hpp>

#include "base/process_memory.hpp"
#include "compute/gram_sums.hpp"

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

constexpr int kRepeats = 40;

TrainOptions options_with(const std::string& alpha, bool leave_query_out, int threads) {
  TrainOptions options;
  options.scaling = Scaling::none;
  options.threads = threads;
  options.method = RlsOptions{.alpha = alpha,
                              .normalisation = Normalisation::none,
                              .solver = RlsSolver::primal,
                              .leave_query_out = leave_query_out};
  return options;
}

/// Solving and preparing: what is done beside scaling and describing the data.
double training_seconds(const Dataset& data, const TrainOptions& options, int repeats = kRepeats) {
  double best = 1e300;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const TrainReport report = train_rls(data, options).results.front().report;
    best = std::min(best, report.seconds_preparing + report.seconds_solving);
  }
  return best;
}

void compare(const std::string& path) {
  const Dataset data = read_letor(path);
  const auto& matrix = std::get<DenseMatrix>(data.features);
  const std::vector<double> rows(matrix.values.begin(), matrix.values.end());
  const std::vector<double> targets(data.grades.begin(), data.grades.end());
  const double update = best_seconds(kRepeats, [&] {
    GramSums sums(matrix.num_columns);
    sums.add(rows.data(), targets);
  });
  const double one = training_seconds(data, options_with("1", false, 1));
  std::string grid = "2^-15..2^14";
  const double many = training_seconds(data, options_with(grid, false, 1));
  const double left_out = training_seconds(data, options_with("1", true, 1));
  const double left_out_path = training_seconds(data, options_with(grid, true, 1), 5);
  const double two = training_seconds(data, options_with("1", false, 2));
  const double all = best_seconds(5, [&] { train(read_letor(path), options_with("1", false, 2)); });
  std::printf("%s: %lld documents x %lld\n", path.c_str(),
              static_cast<long long>(data.num_documents()),
              static_cast<long long>(data.num_features()));
  std::printf("one symmetric rank-k update, one core  %7.2f ms\n", 1e3 * update);
  std::printf("training, one core                     %7.2f ms  %.2f times the update\n", 1e3 * one,
              one / update);
  std::printf("a path of 30 alphas                    %7.2f ms  %.1f %% more\n", 1e3 * many,
              100 * (many / one - 1));
  std::printf("leave-query-out, one alpha             %7.2f ms  %.2f times training\n",
              1e3 * left_out, left_out / one);
  std::printf("leave-query-out, 30 alphas             %7.2f ms  %.2f times training\n",
              1e3 * left_out_path, left_out_path / one);
  std::printf("training, two threads                  %7.2f ms\n", 1e3 * two);
  std::printf("reading and training, two threads      %7.2f ms, memory %.0f MB at most\n",
              1e3 * all, static_cast<double>(peak_memory_bytes()) / 1e6);
}

void print_weights(const std::string& path) {
  const TrainResult result = train(read_letor(path), options_with("1", false, 2));
  std::fprintf(stderr, "%.6f s training, %.1f MB\n",
               result.report.seconds_preparing + result.report.seconds_solving,
               static_cast<double>(peak_memory_bytes()) / 1e6);
  for (const double weight : std::get<LinearFunction>(result.model.function).weights) {
    std::printf("%.17g\n", weight);
  }
}

}  // namespace
}  // namespace rankine

/// rls_benchmark [[--weights] LETOR-FILE]; without a file, MQ2007's first fold where it is there.
int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 2 && words[0] == "--weights") {
    rankine::print_weights(words[1]);
    return 0;
  }
  const char* folder = std::getenv("RANKINE_LETOR_DIR");
  const std::string file = words.empty() ? std::string(folder != nullptr ? folder : "build/letor") +
                                               "/mq2007/Fold1/train.txt"
                                         : words[0];
  if (!std::filesystem::exists(file)) {
    std::printf("%s is not there: left out\n", file.c_str());
    return 0;
  }
  rankine::compare(file);
  return 0;
}
