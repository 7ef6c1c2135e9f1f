// From options to a model: the one place that knows every layer below.
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <rankine/error.hpp>
#include <rankine/train.hpp>
#include <rankine/train_parts.hpp>
#include <rankine/version.hpp>

#include "base/interruption.hpp"
#include "base/system/process_memory.hpp"
#include "compute/cpu/query_sweep.hpp"
#include "compute/query_table.hpp"
#include "data/dataset_checksum.hpp"
#include "losses/pair_loss.hpp"
#include "objectives/nonsmooth_ranking_objective.hpp"
#include "objectives/pair_terms.hpp"
#include "objectives/query_terms.hpp"
#include "objectives/ranking_objective.hpp"
#include "solvers/cutting_plane.hpp"
#include "solvers/newton.hpp"
#include "solvers/newton_path.hpp"
#include "solvers/sgd.hpp"
#include "training/kernel_training.hpp"
#include "training/prepared_data.hpp"
#include "training/train_rls.hpp"
#include "training/training_cache.hpp"

namespace rankine {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// What the options of a method share, whichever it is.
struct PairwiseSettings {
  double C = 0;
  Normalisation normalisation = Normalisation::none;
  PairLossOptions pair_loss;
};

PairwiseSettings pairwise(const MethodOptions& method) {
  return std::visit(
      [](const auto& options) {
        if constexpr (requires { options.C; }) {
          return PairwiseSettings{options.C, options.normalisation, options.pair_loss};
        } else {
          return PairwiseSettings{0, options.normalisation, {}};
        }
      },
      method);
}

void validate_all(const TrainOptions& options) {
  for_each_part(options, [](std::string_view, const auto& part) { validate(part); });
}

template <class Options>
void add_option_texts(Options options, std::vector<std::pair<std::string, std::string>>& out) {
  for (const OptionEntry& entry : option_entries(options))
    out.emplace_back(entry.name, entry.text());
}

class Training {
 public:
  Training(const Dataset& data, const TrainOptions& options, const Progress& progress,
           TrainingCache* kept)
      : options_(options), progress_(progress), input_(data), kept_(kept) {
    validate_all(options);
    or_ended_early([&] {
      // Solvers have a model to end with, and look at the limit once an iteration.
      const InterruptionScope scope(
          [this] { return stopped_by_.empty() && (is_interrupted() || is_out_of_time()); });
      prepare();
    });
  }

  TrainResult solve() {
    const auto start = Clock::now();
    SolveResult solved = or_ended_early([&] {
      const InterruptionScope scope = interruptible();
      return minimise(settings_.C, start_weights());
    });
    report_.seconds_solving = seconds_since(start);
    return finish(std::move(solved), settings_.C);
  }

  RlsPath solve_rls() {
    const auto start = Clock::now();
    const auto& rls = std::get<RlsOptions>(options_.method);
    RlsPath path;
    path.alphas = parse_alphas(rls.alpha);
    const RlsProblem problem{data_->rows(), *table_, data_->column_scale(), data_->seen()};
    RlsSolved solved = or_ended_early([&] {
      const InterruptionScope scope = interruptible();
      return data_->has_exact_kernel()
                 ? solve_rls_kernel(kernel_values(*data_, options_.threads), problem, rls,
                                    path.alphas, options_.threads, stop_request())
                 : rankine::solve_rls(problem, rls, path.alphas, options_.threads, stop_request());
    });
    if (solved.outcomes.size() < path.alphas.size()) throw_ended_early();
    report_.seconds_solving = seconds_since(start);
    report_.solver = solved.solver;
    if (data_->has_exact_kernel()) {
      report_.map.components = report_.map.rank = data_->seen().num_documents();
    }
    for (std::size_t k = 0; k < path.alphas.size(); ++k) {
      RlsOutcome& outcome = solved.outcomes[k];
      path.results.push_back(finish(std::move(outcome.solved), path.alphas[k]));
      if (!outcome.warning.empty()) {
        path.results.back().report.warnings.push_back(outcome.warning);
        path.results.back().model.report.warnings.push_back(outcome.warning);
      }
      if (rls.leave_query_out) path.leave_query_out.push_back(std::move(outcome.leave_query_out));
    }
    return path;
  }

  std::vector<TrainResult> solve_path(std::span<const double> values_of_c) {
    const auto start = Clock::now();
    std::vector<SolveResult> solved = or_ended_early([&] { return minimise_path(values_of_c); });
    report_.seconds_solving = seconds_since(start);
    std::vector<TrainResult> results;
    for (std::size_t k = 0; k < solved.size(); ++k) {
      results.push_back(finish(std::move(solved[k]), values_of_c[k]));
    }
    return results;
  }

 private:
  std::vector<SolveResult> minimise_path(std::span<const double> values_of_c) {
    const InterruptionScope scope = interruptible();
    const auto* svm = std::get_if<SvmOptions>(&options_.method);
    if (svm != nullptr && loss_->has_hessian() && kernel_ == nullptr) {
      const RankingPath path(*sweep_, {values_of_c.begin(), values_of_c.end()},
                             data_->column_scale());
      return minimise_newton_path(path, svm->newton, stop_request());
    }
    std::vector<SolveResult> solved;
    std::vector<double> weights = start_weights();
    for (const double C : values_of_c) {
      try {
        solved.push_back(minimise(C, weights));
      } catch (const Interrupted&) {
        if (solved.empty()) throw;
      }
      if (stopped_by_ == "interrupted") break;
      weights = solved.back().weights;
    }
    return solved;
  }

  void prepare() {
    settings_ = pairwise(options_.method);
    const auto* svm = std::get_if<SvmOptions>(&options_.method);
    const auto* rls = std::get_if<RlsOptions>(&options_.method);
    // Without pairs, or with a loss of the user's own, the shift of a scaling may matter: it cannot
    // be folded.
    const bool folds = rls != nullptr ? rls->pairs != Pairs::none : options_.loss == nullptr;
    data_ = std::make_unique<PreparedData>(input_, options_, folds, report_, kept_);
    const auto start = Clock::now();
    const Dataset& seen = data_->seen();
    table_ = std::make_unique<QueryTable>(
        seen, settings_.normalisation, options_.threads,
        rls != nullptr ? pair_graph(*rls) : PairGraph::different_grades);
    if (table_->queries().empty()) throw_no_pairs();
    if (rls != nullptr) {
      warn();
      report_.seconds_preparing = seconds_since(start);
      return;
    }
    if (options_.loss == nullptr) own_loss_ = make_pair_loss(settings_.pair_loss, seen);
    loss_ = options_.loss != nullptr ? options_.loss : own_loss_.get();
    check_combination(svm != nullptr);
    warn();
    if (data_->has_exact_kernel()) {
      kernel_ = std::make_unique<KernelTraining>(*data_, *table_, *loss_, options_, report_);
    } else {
      sweep_ = std::make_unique<QuerySweep>(data_->rows(), seen.num_documents(), *table_, *loss_,
                                            options_.threads);
    }
    report_.seconds_preparing = seconds_since(start);
  }

  /// work(), where an interruption that comes before there is anything to keep becomes an error.
  template <class Work>
  std::invoke_result_t<Work> or_ended_early(const Work& work) const {
    try {
      return work();
    } catch (const Interrupted&) {
      throw_ended_early();
    }
  }
  [[noreturn]] void throw_ended_early() const {
    if (stopped_by_ == "time limit") {
      throw Error(ErrorKind::option, "time_limit = " + real_text(options_.time_limit) +
                                         ": over before there was a model");
    }
    throw Error(ErrorKind::interrupted,
                input_.source + ": training was interrupted before there was a model");
  }

  void check_combination(bool svm) const {
    if (data_->has_exact_kernel() && !(svm && loss_->has_hessian())) {
      throw Error(ErrorKind::option,
                  "an exact kernel is for method svm and a loss with second derivatives: with " +
                      std::string(svm ? "loss = 'hinge'" : "method = 'sgd'") +
                      " choose an approximation");
    }
    if (!svm && !data_->rows_are_kept()) {
      throw Error(ErrorKind::option,
                  "method = 'sgd' needs its mapped features in memory: raise memory_limit, or take "
                  "fewer n_components");
    }
  }

  [[noreturn]] void throw_no_pairs() const {
    const auto* rls = std::get_if<RlsOptions>(&options_.method);
    const std::string why = input_.has_preferences ? "no preference has a positive weight"
                            : rls != nullptr && rls->ties == TiedPairs::include
                                ? "no query has two documents, or the weights are 0"
                                : "in every query all grades are equal, or the weights are 0";
    throw Error(ErrorKind::data, input_.source + ": nothing to learn from: " + why);
  }

  void warn() {
    const auto without = input_.num_queries() - static_cast<std::int64_t>(table_->queries().size());
    if (without > 0) {
      report_.warnings.push_back(std::to_string(without) + " of " +
                                 std::to_string(input_.num_queries()) +
                                 " queries have no pairs and were left out");
    }
    if (input_.num_missing > 0) {
      report_.warnings.push_back(std::to_string(input_.num_missing) +
                                 " missing values were read as 0");
    }
  }

  /// Weights to start from: 0, or those of another model turned to this scaling.
  std::vector<double> start_weights() const {
    const auto width = kernel_ != nullptr ? kernel_->size()
                                          : static_cast<std::size_t>(data_->rows().num_columns());
    if (options_.warm_start == nullptr) return std::vector<double>(width);
    const Model& model = *options_.warm_start;
    if (options_.map.kernel != Kernel::linear ||
        options_.map.approximation != Approximation::none || !model.is_linear()) {
      throw Error(ErrorKind::option, "warm_start is for linear models");
    }
    const FeatureScaling& scaling = data_->scaling();
    if (model.num_features() != static_cast<std::int64_t>(width)) {
      throw Error(ErrorKind::option,
                  "warm_start: the model has " + std::to_string(model.num_features()) +
                      " features and the training data " + std::to_string(width));
    }
    if (model.scaling == scaling) return std::get<LinearFunction>(model.function).weights;
    std::vector<double> weights = model.raw_weights();
    for (std::size_t f = 0; f < scaling.factor.size(); ++f) {
      weights[f] = scaling.factor[f] == 0 ? 0 : weights[f] / scaling.factor[f];
    }
    return weights;
  }

  StopRequest stop_request() {
    return [this](const SolveReport& report) {
      iterations_ = report.iterations;
      return is_interrupted() || is_out_of_time();
    };
  }

  bool is_out_of_time() {
    if (stopped_by_.empty() && seconds_since(started_) > options_.time_limit) {
      stopped_by_ = "time limit";
    }
    return !stopped_by_.empty();
  }

  /// Asks whoever watches.
  bool is_interrupted() {
    const InterruptionScope quiet([] { return false; });  // a callback may train or score, too
    if (!progress_ || progress_({"training", iterations_, 0, "iterations"})) return false;
    stopped_by_ = "interrupted";
    return true;
  }

  /// As long as it lives, loops on this thread may end with Interrupted; once training is stopped,
  /// what is left puts things in order.
  InterruptionScope interruptible() {
    return InterruptionScope([this] { return stopped_by_.empty() && is_interrupted(); });
  }

  SolveResult minimise(double C, std::span<const double> start) {
    const Dataset& seen = data_->seen();
    if (kernel_ != nullptr) {
      return kernel_->minimise(C, start, std::get<SvmOptions>(options_.method).newton,
                               stop_request());
    }
    if (const auto* stochastic = std::get_if<StochasticOptions>(&options_.method)) {
      if (stochastic->sgd.sampling == Sampling::query || options_.loss != nullptr) {
        return minimise_sgd(QueryTerms(seen, *table_, *loss_, *sweep_, C, data_->column_scale()),
                            start, stochastic->sgd, options_.seed, stop_request());
      }
      if (settings_.pair_loss.loss == Loss::squared) {
        throw Error(ErrorKind::option, "sampling = 'pair': not for loss = 'squared'; take query");
      }
      return minimise_sgd(
          PairTerms(seen, *table_, settings_.pair_loss, *sweep_, C, data_->column_scale()), start,
          stochastic->sgd, options_.seed, stop_request());
    }
    const auto& svm = std::get<SvmOptions>(options_.method);
    if (!loss_->has_hessian()) {
      return minimise_cutting_plane(NonsmoothRankingObjective(*sweep_, C, data_->column_scale()),
                                    start, svm.cutting_plane, stop_request());
    }
    return minimise_newton(RankingObjective(*sweep_, C, data_->column_scale()), start, svm.newton,
                           stop_request());
  }

  /// C: the method's hyper-parameter, alpha for rls.
  TrainResult finish(SolveResult solved, double C) {
    TrainReport report = report_;
    const SolveReport& how = solved.report;
    if (!std::isfinite(how.objective)) {
      throw Error(ErrorKind::data,
                  input_.source +
                      ": the objective is not a finite number: features, weights, C, "
                      "gamma or degree are too large for the arithmetic");
    }
    report.termination = how.termination == Termination::stopped
                             ? stopped_by_
                             : std::string(name_of(how.termination));
    report.iterations = how.iterations;
    report.products = how.products;
    report.hessians = how.hessians;
    report.objective = how.objective;
    report.gap = how.gap;
    if (how.termination == Termination::stopped && how.iterations == 0 &&
        options_.warm_start == nullptr) {
      report.warnings.push_back(
          "ended before the first iteration: the model gives every document the same score");
    }
    for (const SolveStep& step : how.steps) {
      report.steps.push_back({step.objective, step.gradient_norm, step.step});
    }
    report.peak_memory = peak_memory_bytes();
    Model model;
    if (data_->has_exact_kernel() && kernel_ == nullptr) {  // rls: every document has a coefficient
      std::vector<std::int64_t> all(solved.weights.size());
      std::iota(all.begin(), all.end(), std::int64_t{0});
      model.function = data_->function(solved.weights, all);
    } else {
      model.function = kernel_ != nullptr ? data_->function(solved.weights, kernel_->rows())
                                          : data_->function(std::move(solved.weights));
    }
    model.scaling = data_->scaling();
    model.columns = data_->selected();
    for (std::size_t f = 0; f < input_.feature_names.size(); ++f) {
      model.feature_names.emplace_back(input_.feature_names[f]);
    }
    model.options = option_texts(C);
    model.trained_on = {input_.source,         input_.num_documents(), input_.num_queries(),
                        input_.num_features(), table_->num_pairs(),    input_checksum()};
    model.report = report;
    model.created_by = std::string("rankine ") + kVersion;
    return {std::move(model), std::move(report)};
  }

  /// Of a whole path the same: it reads all the data.
  std::uint64_t input_checksum() {
    if (!checksum_) checksum_ = rows_checksum(input_);
    return *checksum_;
  }

  std::vector<std::pair<std::string, std::string>> option_texts(double C) const {
    std::vector<std::pair<std::string, std::string>> texts{
        {"method", std::string(method_name(options_.method))}};
    std::visit(
        [&](auto method) {
          if constexpr (requires { method.C; }) {
            method.C = C;
            add_option_texts(method, texts);
            add_option_texts(method.pair_loss, texts);
          } else {
            method.alpha = real_text(C);
            add_option_texts(method, texts);
            texts.emplace_back("loss", "squared");
          }
        },
        options_.method);
    if (const auto* svm = std::get_if<SvmOptions>(&options_.method)) {
      if (loss_->has_hessian()) {
        add_option_texts(svm->newton, texts);
      } else {
        add_option_texts(svm->cutting_plane, texts);
      }
    } else if (const auto* stochastic = std::get_if<StochasticOptions>(&options_.method)) {
      add_option_texts(stochastic->sgd, texts);
    }
    FeatureMapOptions map = options_.map;
    if (report_.map.gamma > 0) map.gamma = report_.map.gamma;
    add_option_texts(map, texts);
    texts.emplace_back("scaling", std::string(name_of(data_->scaling().kind)));
    texts.emplace_back("features", options_.features);
    texts.emplace_back("seed", std::to_string(options_.seed));
    return texts;
  }

  const TrainOptions& options_;
  const Progress& progress_;
  const Dataset& input_;
  TrainingCache* kept_;
  Clock::time_point started_ = Clock::now();
  PairwiseSettings settings_;
  std::unique_ptr<PreparedData> data_;
  std::unique_ptr<QueryTable> table_;
  std::unique_ptr<QueryLoss> own_loss_;
  const QueryLoss* loss_ = nullptr;
  std::unique_ptr<QuerySweep> sweep_;       // of a linear ranker
  std::unique_ptr<KernelTraining> kernel_;  // or an exact kernel
  TrainReport report_;
  std::optional<std::uint64_t> checksum_;
  int iterations_ = 0;
  std::string stopped_by_;
};

}  // namespace

std::string_view method_name(const MethodOptions& method) {
  constexpr std::array<std::string_view, std::variant_size_v<MethodOptions>> kNames{"svm", "sgd",
                                                                                    "rls"};
  return kNames[method.index()];
}

TrainResult train(const Dataset& data, const TrainOptions& options, const Progress& progress,
                  TrainingCache* kept) {
  if (std::holds_alternative<RlsOptions>(options.method)) {
    RlsPath path = train_rls(data, options, progress, kept);
    if (path.alphas.size() > 1) {
      throw Error(ErrorKind::option, "alpha: train() takes one value, train_rls() a grid of them");
    }
    return std::move(path.results.front());
  }
  return Training(data, options, progress, kept).solve();
}

RlsPath train_rls(const Dataset& data, const TrainOptions& options, const Progress& progress,
                  TrainingCache* kept) {
  if (!std::holds_alternative<RlsOptions>(options.method)) {
    throw Error(ErrorKind::option, "train_rls() takes method rls alone");
  }
  if (options.warm_start != nullptr) {
    throw Error(ErrorKind::option, "warm_start: method rls is solved directly, from no start");
  }
  if (options.loss != nullptr) {
    throw Error(ErrorKind::option, "loss: method rls has the squared loss alone");
  }
  parse_alphas(std::get<RlsOptions>(options.method).alpha);  // before any work
  return Training(data, options, progress, kept).solve_rls();
}

std::vector<TrainResult> train_path(const Dataset& data, const TrainOptions& options,
                                    std::span<const double> values, const Progress& progress,
                                    TrainingCache* kept) {
  const bool is_rls = std::holds_alternative<RlsOptions>(options.method);
  for (std::size_t k = 1; k < values.size(); ++k) {
    if (!(values[k - 1] < values[k])) {
      throw Error(ErrorKind::option,
                  std::string(is_rls ? "alpha" : "C") + ": the values of a path must rise");
    }
  }
  if (values.empty()) return {};
  if (!is_rls) {
    return Training(data, options, progress, kept).solve_path(values);
  }
  TrainOptions with_grid = options;
  std::string& alpha = std::get<RlsOptions>(with_grid.method).alpha;
  alpha.clear();
  for (const double value : values) alpha += (alpha.empty() ? "" : ",") + real_text(value);
  return train_rls(data, with_grid, progress, kept).results;
}

}  // namespace rankine
