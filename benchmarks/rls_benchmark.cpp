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

#include "base/system/process_memory.hpp"
#include "linalg/gram_sums.hpp"

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

TrainOptions options_with(const std::string& alpha, bool leave_query_out, int threads) {
  TrainOptions options;
  options.scaling = Scaling::none;
  options.threads = threads;
  options.method = RlsOptions{.alpha = parse_grid("alpha", alpha),
                              .normalisation = Normalisation::none,
                              .solver = RlsSolver::primal};
  options.leave_query_out = leave_query_out;
  return options;
}

/// Solving and preparing: what is done beside scaling and describing the data.
double training_seconds(const Dataset& data, const TrainOptions& options) {
  const TrainReport report = train_path(data, options).results.front().report;
  return report.seconds_preparing + report.seconds_solving;
}

/// The best of many runs, taken in turns, because the machine may be busy.
std::vector<double> best_in_turn(int repeats, const std::vector<std::function<double()>>& seconds) {
  std::vector<double> best(seconds.size(), 1e300);
  for (int repeat = 0; repeat < repeats; ++repeat) {
    for (std::size_t k = 0; k < seconds.size(); ++k) best[k] = std::min(best[k], seconds[k]());
  }
  return best;
}

void compare(const std::string& path) {
  const Dataset data = read_letor(path);
  const auto& matrix = std::get<DenseMatrix>(data.features);
  const std::vector<double> rows(matrix.values.begin(), matrix.values.end());
  const std::vector<double> targets(data.grades.begin(), data.grades.end());
  const std::string grid = "2^-15..2^14";
  const auto training = [&](const std::string& alpha, bool leave_query_out, int threads) {
    return [=, &data] {
      return training_seconds(data, options_with(alpha, leave_query_out, threads));
    };
  };
  const auto best = best_in_turn(100, {[&] {
                                         return best_seconds(1, [&] {
                                           GramSums sums(matrix.num_columns);
                                           sums.add(rows.data(), targets);
                                         });
                                       },
                                       training("1", false, 1), training(grid, false, 1),
                                       training("1", true, 1), training("1", false, 2)});
  const double update = best[0];
  const double one = best[1];
  const double many = best[2];
  const double left_out = best[3];
  const double two = best[4];
  const double left_out_path = best_in_turn(3, {training(grid, true, 1)}).front();
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
  for (const double weight : result.model.function.as<LinearFunction>().weights) {
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
