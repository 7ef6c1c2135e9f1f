// The work is a list of trainings, each a batch of settings on one fold and one share of its
// queries; a training's outcome depends on nothing else, so trainings may run in any order, side by
// side, or be taken from an earlier run. Small trainings run side by side with a thread each, large
// ones one after the other with all threads inside: both give the same bits.
//
// Trainings on the same documents share what does not depend on their settings
// (problem/training_cache) from the first of them to the last, in whatever order they come: with
// kernels, everything that gamma does not change. It may take the memory that trainings leave free.
//
// Successive halving (Jamieson and Talwalkar 2016) takes the training queries as its resource: the
// first 1/9, then 1/3, then all of them in the order of a hash, so that shares contain each other.
// What is dropped is a group of settings, all values of C together, by the best value among them: a
// path costs little more than one value of C, and the best C itself depends on the share.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include <rankine/error.hpp>
#include <rankine/folds.hpp>
#include <rankine/train_parts.hpp>
#include <rankine/tune.hpp>
#include <rankine/version.hpp>

#include "data/dataset_checksum.hpp"
#include "problem/training_cache.hpp"
#include "training/train.hpp"
#include "tuning/fold_source.hpp"
#include "tuning/run_log.hpp"
#include "tuning/setting_grid.hpp"
#include "tuning/setting_trainer.hpp"
#include "tuning/standings.hpp"
#include "tuning/training_queue.hpp"

namespace rankine {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kHalvingFactor = 3;
constexpr std::size_t kFewestQueries = 20;  // that halving still trains on
// Documents times columns: folds of at most so many in all are kept in memory together.
constexpr double kSmallFolds = 1 << 26;

std::string interruption(const TuneOptions& tuning) {
  return tuning.run.empty() ? "interrupted; with --run DIR a tuning can go on where it ended"
                            : "interrupted; what is done is kept in " + tuning.run +
                                  ", and the same command goes on from there";
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Training {
  std::size_t fold = 0;
  std::size_t divisor = 1;  // trained on one part in so many of the queries
  const SettingBatch* batch = nullptr;
};

class Tuning {
 public:
  Tuning(const FoldSource& source, const TrainOptions& options, const TuneOptions& tuning,
         const Progress& progress)
      : source_(source),
        options_(options),
        tuning_(tuning),
        progress_(progress),
        grid_(options, tuning.grids),
        select_(parse_measures(tuning.select)),
        measures_(parse_measures(tuning.measures)),
        num_folds_(static_cast<std::size_t>(source.num_folds())),
        folds_(num_folds_),
        alive_(num_folds_, std::vector<std::size_t>(grid_.groups().size())),
        queue_(options.threads, progress, interruption(tuning)),
        trainer_(grid_, tuning.rules, queue_) {
    for (auto& groups : alive_) std::iota(groups.begin(), groups.end(), std::size_t{0});
    validate(tuning);
    if (select_.size() != 1) {
      throw Error(ErrorKind::option, "select = '" + tuning.select + "' must be one measure");
    }
    if (!tuning.run.empty()) {
      log_ = std::make_unique<RunLog>(tuning.run, description());
    } else {
      log_ = std::make_unique<RunLog>();
    }
  }

  TuneResult run() {
    const auto start = Clock::now();
    begin_result();
    load(0);
    const auto divisors = rounds();
    const auto batches = fold_batches();
    if (source_.whole() == nullptr) {
      for (const auto& folds : batches) {
        for (const std::size_t divisor : divisors) {
          train_round(folds, divisor);
          for (const std::size_t fold : folds) drop_groups({fold}, divisor);
        }
        finish_folds(folds);
        release(folds, batches.size());
      }
    } else {
      for (const std::size_t divisor : divisors) {
        for (const auto& folds : batches) {
          train_round(folds, divisor);
          release(folds, batches.size());
        }
        drop_groups(all_folds(), divisor);
      }
    }
    summarise();
    result_.seconds = seconds_since(start);
    return std::move(result_);
  }

 private:
  Json description() const {
    Json options;
    for (const auto& [name, text] : train_option_texts(options_)) {
      if (name != "threads") options[name] = text;
    }
    Json grids;
    for (const Grid& grid : grid_.grids()) grids[grid.name] = grid.values;
    Json rules;
    MeasureRules copy = tuning_.rules;
    for (const OptionEntry& entry : option_entries(copy)) rules[entry.name] = entry.text();
    return {{"version", std::string("rankine ") + kVersion},
            {"folds", source_.description()},
            {"select", select_.at(0).text()},
            {"grids", grids},
            {"options", options},
            {"rules", rules},
            {"halving", tuning_.halving}};
  }

  void begin_result() {
    for (const Grid& grid : grid_.grids()) result_.names.push_back(grid.name);
    for (std::size_t setting = 0; setting < grid_.size(); ++setting) {
      TuneSetting entry;
      entry.values = grid_.values(setting);
      entry.validation.assign(num_folds_, kNone);
      entry.share.assign(num_folds_, 0);
      result_.settings.push_back(std::move(entry));
    }
    result_.folds.resize(num_folds_);
    result_.measures = measures_;
  }

  std::vector<std::size_t> all_folds() const {
    std::vector<std::size_t> folds(num_folds_);
    std::iota(folds.begin(), folds.end(), std::size_t{0});
    return folds;
  }

  /// Of files that the caller has not seen; once each.
  void warn_of_missing(const FoldData& data) {
    for (const Dataset* part : {&data.train, &data.vali, &data.test}) {
      auto warning = missing_warning(part->source, part->num_missing, options_.missing);
      auto& warnings = result_.warnings;
      const bool is_new = std::find(warnings.begin(), warnings.end(), warning) == warnings.end();
      if (!warning.empty() && is_new) warnings.push_back(std::move(warning));
    }
  }

  void load(std::size_t fold) {
    if (folds_[fold].has_value()) return;
    folds_[fold] = source_.load(static_cast<int>(fold), progress_);
    const FoldData& data = *folds_[fold];
    result_.folds[fold].source = data.train.source;
    if (source_.whole() == nullptr) warn_of_missing(data);
    log_->agree("data of fold " + std::to_string(fold + 1),
                {{"checksum of train", dataset_checksum(data.train)},
                 {"checksum of vali", dataset_checksum(data.vali)},
                 {"checksum of test", dataset_checksum(data.test)}});
  }

  void release(const std::vector<std::size_t>& folds, std::size_t num_batches) {
    if (num_batches == 1) return;
    for (const std::size_t fold : folds) folds_[fold].reset();
  }

  /// All folds at once where they are small, otherwise one after the other.
  std::vector<std::vector<std::size_t>> fold_batches() const {
    const Dataset& train = folds_[0]->train;
    const double values = static_cast<double>(train.num_documents()) *
                          static_cast<double>(train.num_features() * source_.num_folds());
    if (values <= kSmallFolds) return {all_folds()};
    std::vector<std::vector<std::size_t>> batches;
    for (const std::size_t fold : all_folds()) batches.push_back({fold});
    return batches;
  }

  /// The divisors of the rounds: 1, or with halving for instance 9, 3, 1.
  std::vector<std::size_t> rounds() {
    std::vector<std::size_t> divisors{1};
    if (!tuning_.halving) return divisors;
    const auto queries = static_cast<std::size_t>(folds_[0]->train.num_queries());
    std::size_t divisor = kHalvingFactor;
    while (divisor <= grid_.groups().size() && queries / divisor >= kFewestQueries) {
      divisors.insert(divisors.begin(), divisor);
      divisor *= kHalvingFactor;
    }
    if (divisors.size() == 1) {
      result_.warnings.emplace_back(
          "halving has nothing to halve: it needs 3 settings that differ in more than C, and 60 "
          "training queries");
    }
    return divisors;
  }

  static std::string key_of(const Training& training) {
    return "fold " + std::to_string(training.fold + 1) + ", 1/" + std::to_string(training.divisor) +
           " of the queries, setting " + std::to_string(training.batch->settings.front() + 1);
  }

  void train_round(const std::vector<std::size_t>& folds, std::size_t divisor) {
    std::vector<Training> pending;
    std::vector<Dataset> samples(num_folds_);
    double largest = 0;
    for (const std::size_t fold : folds) {
      load(fold);
      samples[fold] = sample(folds_[fold]->train, divisor);
      for (const std::size_t group : alive_[fold]) {
        for (const SettingBatch& batch : grid_.groups()[group]) {
          const Training training{fold, divisor, &batch};
          ++result_.num_trainings;
          if (const Json* record = log_->find(key_of(training)); record != nullptr) {
            ++result_.num_kept;
            take(training, *record);
            continue;
          }
          largest = std::max(largest, trainer_.size(samples[fold], batch.settings.front()));
          pending.push_back(training);
        }
      }
    }
    SharedData shared(num_folds_);
    share(pending, samples, queue_.num_side_by_side(pending.size(), largest), shared);
    queue_.run(pending.size(), largest, "tuning", [&](std::size_t index, int threads) {
      const Training& training = pending[index];
      SharedFold& fold = shared[training.fold];
      Json record = measure(training, samples[training.fold], threads, fold.kept.get());
      log_->add(key_of(training), record);
      const std::lock_guard lock(mutex_);
      if (--fold.num_left == 0) fold.kept.reset();
      take(training, record);
    });
  }

  /// What the trainings of one fold share, as long as some are left.
  struct SharedFold {
    std::unique_ptr<TrainingCache> kept;
    std::size_t num_left = 0;
  };
  using SharedData = std::vector<SharedFold>;

  /// Folds where several trainings can share something get room for it: all of them together what
  /// the most demanding of the trainings leave of the memory they may take.
  void share(const std::vector<Training>& pending, const std::vector<Dataset>& samples, int at_once,
             SharedData& shared) const {
    double spare = std::numeric_limits<double>::max();
    std::vector<std::size_t> sharing(num_folds_);
    for (const Training& training : pending) {
      ++shared[training.fold].num_left;
      const TrainOptions options = grid_.options(training.batch->settings.front());
      if (!shares_rows(options)) continue;
      ++sharing[training.fold];
      spare = std::min(spare, spare_memory(samples[training.fold], options, at_once));
    }
    const auto budget = std::make_shared<MemoryBudget>(spare);
    for (std::size_t fold = 0; fold < num_folds_; ++fold) {
      if (spare > 0 && sharing[fold] > 1) {
        shared[fold].kept = std::make_unique<TrainingCache>(budget, sharing[fold]);
      }
    }
  }

  Dataset sample(const Dataset& train, std::size_t divisor) const {
    if (divisor == 1) return train;
    const auto parts =
        query_folds(train, {.folds = static_cast<int>(divisor), .seed = options_.seed});
    Dataset part = select_queries(train, parts[0]);
    part.source = train.source;
    return part;
  }

  Json measure(const Training& training, const Dataset& data, int threads, TrainingCache* kept) {
    const auto start = Clock::now();
    Json record{{"fold", training.fold + 1},
                {"share", 1.0 / static_cast<double>(training.divisor)},
                {"settings", Json::array()},
                {"validation", Json::array()},
                {"terminations", Json::array()}};
    const auto results = trainer_.fit(data, *training.batch, threads, kept);
    const auto validation = trainer_.measure(results, *training.batch, folds_[training.fold]->vali,
                                             select_[0], threads, kept);
    for (std::size_t k = 0; k < results.size(); ++k) {
      Json setting;
      const auto values = grid_.values(training.batch->settings[k]);
      for (std::size_t g = 0; g < values.size(); ++g) setting[result_.names[g]] = values[g];
      record["settings"].push_back(setting);
      record["validation"].push_back(validation[k]);
      record["terminations"].push_back(name_of(results[k].report.termination));
    }
    record["seconds"] = seconds_since(start);
    return record;
  }

  void take(const Training& training, const Json& record) {
    const auto& settings = training.batch->settings;
    try {
      for (std::size_t k = 0; k < settings.size(); ++k) {
        TuneSetting& setting = result_.settings[settings[k]];
        setting.validation[training.fold] = record.at("validation").at(k).get<double>();
        setting.share[training.fold] = 1.0 / static_cast<double>(training.divisor);
        setting.seconds +=
            record.at("seconds").get<double>() / static_cast<double>(settings.size());
        num_cut_short_ += is_cut_short(record.at("terminations").at(k)) ? 1 : 0;
      }
    } catch (const nlohmann::json::exception&) {
      throw Error(ErrorKind::data, tuning_.run + ": the record of " + key_of(training) +
                                       " is damaged; remove the folder to begin anew");
    }
    queue_.tell_measure(best_so_far());
  }

  /// The largest mean over the folds that a setting was tried on; NaN before the first.
  double best_so_far() const {
    double best = std::numeric_limits<double>::quiet_NaN();
    for (const TuneSetting& setting : result_.settings) {
      double sum = 0;
      int tried = 0;
      for (const double value : setting.validation) {
        if (std::isnan(value)) continue;
        sum += value;
        ++tried;
      }
      if (tried > 0 && !(sum / tried <= best)) best = sum / tried;
    }
    return best;
  }

  static bool is_cut_short(const std::string& termination) {
    return termination == name_of(Termination::time_limit) ||
           termination == name_of(Termination::iteration_limit);
  }

  /// Keeps the better third of the groups that are left, by their mean over `folds`.
  void drop_groups(const std::vector<std::size_t>& folds, std::size_t divisor) {
    if (divisor == 1) return;
    const auto kept =
        better_groups(grid_, result_.settings, alive_[folds.front()], folds, kHalvingFactor);
    for (const std::size_t fold : folds) alive_[fold] = kept;
  }

  /// The best of the settings that were trained on all queries of `folds`.
  std::size_t choose(const std::vector<std::size_t>& folds) const {
    return best_setting(grid_, result_.settings, complete_settings(result_.settings, folds), folds);
  }

  /// The model of `setting` as train() alone makes it: what the same options give anyone.
  Model refit(const Dataset& data, const Dataset& vali, std::size_t setting, int threads) {
    Model model = trainer_.fit(data, setting, threads);
    model.report.validation_measure = select_[0].text();
    model.report.validation = trainer_.measure(model, vali, select_, threads)[0];
    return model;
  }

  /// Chooses, fits and tests the setting of each fold on its own.
  void finish_folds(const std::vector<std::size_t>& folds) {
    std::vector<std::size_t> pending;
    double largest = 0;
    if (tuning_.refit) result_.models.resize(num_folds_);
    for (const std::size_t fold : folds) {
      TuneFold& outcome = result_.folds[fold];
      outcome.best = choose({fold});
      outcome.validation = result_.settings[outcome.best].validation[fold];
      const Json* record = tuning_.refit ? nullptr : log_->find(test_key(fold));
      if (record != nullptr && record->is_array() && record->size() == measures_.size()) {
        outcome.test = record->get<std::vector<double>>();
        continue;
      }
      largest = std::max(largest, trainer_.size(folds_[fold]->train, outcome.best));
      pending.push_back(fold);
    }
    queue_.run(pending.size(), largest, "testing", [&](std::size_t index, int threads) {
      const std::size_t fold = pending[index];
      const FoldData& data = *folds_[fold];
      Model model = refit(data.train, data.vali, result_.folds[fold].best, threads);
      result_.folds[fold].test = trainer_.measure(model, data.test, measures_, threads);
      log_->add(test_key(fold), result_.folds[fold].test);
      if (tuning_.refit) result_.models[fold] = std::move(model);
    });
  }

  std::string test_key(std::size_t fold) const {
    std::string key = "test of fold " + std::to_string(fold + 1) + ", setting " +
                      std::to_string(result_.folds[fold].best + 1) + ":";
    for (const Measure& measure : measures_) key += " " + measure.text();
    return key;
  }

  /// The best value of a hyper-parameter at the edge of its grid may not be the best there is. Of
  /// two values both are at the edge.
  void warn_of_edges() {
    TrainOptions best_options = grid_.options(result_.best);
    const std::vector<std::string> best = grid_.values(result_.best);
    for (const OptionEntry& entry : train_option_entries(best_options)) {
      const bool is_number = entry.type == OptionType::candidates ||
                             entry.type == OptionType::real || entry.type == OptionType::integer;
      for (std::size_t g = 0; g < best.size() && is_number; ++g) {
        const Grid& grid = grid_.grids()[g];
        if (grid.name != entry.name || grid.values.size() < 3) continue;
        std::vector<double> values;
        for (const std::string& text : grid.values) values.push_back(parse_real(grid.name, text));
        const auto [least, most] = std::minmax_element(values.begin(), values.end());
        const double value = parse_real(grid.name, best[g]);
        if (value != *least && value != *most) continue;
        result_.warnings.push_back(grid.name + " = " + best[g] + " is the " +
                                   (value == *least ? "least" : "largest") +
                                   " of its grid: a better value may lie beyond");
      }
    }
  }

  void summarise() {
    const auto folds = all_folds();
    for (TuneSetting& setting : result_.settings) setting.mean = setting.deviation = kNone;
    auto complete = complete_settings(result_.settings, folds);
    for (const std::size_t setting : complete) {
      TuneSetting& entry = result_.settings[setting];
      entry.mean = mean_of(entry.validation);
      entry.deviation = deviation_of(entry.validation);
    }
    if (complete.empty())
      complete.push_back(result_.folds[0].best);  // no setting left in all folds
    result_.best = best_setting(grid_, result_.settings, complete, folds);
    result_.options = grid_.options(result_.best);
    if (num_cut_short_ > 0) {
      result_.warnings.push_back(
          std::to_string(num_cut_short_) +
          " times a setting met a limit (max_iterations, time_limit) before it converged");
    }
    warn_of_edges();
    if (source_.whole() == nullptr) {
      for (std::size_t m = 0; m < measures_.size(); ++m) {
        std::vector<double> values;
        for (const TuneFold& fold : result_.folds) values.push_back(fold.test[m]);
        result_.test_mean.push_back(mean_of(values));
        result_.test_deviation.push_back(deviation_of(values));
      }
      return;
    }
    for (const std::size_t fold : folds) {
      TuneFold& outcome = result_.folds[fold];
      outcome.best = choose({fold});
      outcome.validation = result_.settings[outcome.best].validation[fold];
    }
    if (tuning_.refit) refit_whole();
  }

  void refit_whole() {
    queue_.run(1, std::numeric_limits<double>::max(), "fitting the best",
               [&](std::size_t, int threads) {
                 Model model = trainer_.fit(*source_.whole(), result_.best, threads);
                 model.report.validation_measure = select_[0].text();
                 model.report.validation = result_.settings[result_.best].mean;
                 result_.models.push_back(std::move(model));
               });
  }

  const FoldSource& source_;
  const TrainOptions& options_;
  const TuneOptions& tuning_;
  const Progress& progress_;
  SettingGrid grid_;
  std::vector<Measure> select_;
  std::vector<Measure> measures_;
  std::size_t num_folds_;
  std::vector<std::optional<FoldData>> folds_;
  std::vector<std::vector<std::size_t>> alive_;  // by fold: groups that halving did not drop
  TrainingQueue queue_;
  SettingTrainer trainer_;
  std::unique_ptr<RunLog> log_;
  TuneResult result_;
  std::int64_t num_cut_short_ = 0;
  std::mutex mutex_;  // of result_
};

}  // namespace

TrainOptions setting_options(const TrainOptions& options, const TuneResult& result,
                             std::size_t setting) {
  TrainOptions chosen = options;
  for (std::size_t k = 0; k < result.names.size(); ++k) {
    assign_train_option(chosen, result.names[k], result.settings.at(setting).values[k]);
  }
  return chosen;
}

TuneResult tune(const Dataset& data, int num_folds, const TrainOptions& options,
                const TuneOptions& tuning, const Progress& progress) {
  const auto source = query_fold_source(data, num_folds, options.seed);
  return Tuning(*source, options, tuning, progress).run();
}

TuneResult tune(const Dataset& data, const Dataset& valid, const TrainOptions& options,
                const TuneOptions& tuning, const Progress& progress) {
  const auto source = validation_source(data, valid);
  return Tuning(*source, options, tuning, progress).run();
}

TuneResult tune_letor_folds(const std::string& directory, const TrainOptions& options,
                            const TuneOptions& tuning, const ReadOptions& reading,
                            const Progress& progress) {
  const auto source = letor_fold_source(directory, reading);
  return Tuning(*source, options, tuning, progress).run();
}

}  // namespace rankine
