// Tuning: every setting of a grid of options is trained and measured on validation data, and the
// best is kept. All values of C of a setting come from one call of train_path, the data is read
// once and shared by all trainings, and finished trainings are kept on disk as they come.
//
// The best setting has the largest mean of the measure over the folds. Among equals the most
// strongly regularised one wins (the smallest C, the largest alpha), then the first of the grid.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "rankine/dataset.hpp"
#include "rankine/fields.hpp"
#include "rankine/metrics.hpp"
#include "rankine/model.hpp"
#include "rankine/progress.hpp"
#include "rankine/read.hpp"
#include "rankine/train.hpp"
#include "rankine/visibility.hpp"

namespace rankine {

/// The values of one option, as the option writes them.
struct Grid {
  std::string name;
  std::vector<std::string> values;

  bool operator==(const Grid&) const = default;
};

/// "C=2^-12..2^6" to a grid over an option of `options`, or over `method`. Throws Error{option}.
RANKINE_API Grid parse_grid_option(const TrainOptions& options, std::string_view text);

struct TuneOptions {
  std::vector<Grid> grids;
  std::string select = "ndcg@10";
  std::vector<std::string> measures = {"ndcg@1", "ndcg@3", "ndcg@10", "mean_ndcg",
                                       "p@1",    "p@3",    "map"};
  MeasureRules rules = {};
  bool halving = false;
  std::string run;
  bool refit = true;  // whether the result holds models
};

constexpr auto fields(const TuneOptions&) {
  using O = TuneOptions;
  return std::tuple{
      Field{"select", &O::select, NoRange{}, "the measure on validation data that decides",
            "MEASURE"},
      Field{"measures", &O::measures, NoRange{},
            "what is measured on the test parts of LETOR folds, separated by commas", "NAME,..."},
      Field{"halving", &O::halving, NoRange{},
            "successive halving: try all settings on a small share of the training queries, keep "
            "the better third, and so on with three times the queries up to all"},
      Field{"run", &O::run, NoRange{},
            "keep finished trainings in this folder; the same command goes on from there", "DIR"}};
}

/// One point of the grid.
struct TuneSetting {
  std::vector<std::string> values;  // one for each grid
  std::vector<double> validation;   // by fold
  std::vector<double> share;        // by fold: of the training queries; below 1: dropped by halving
  double mean = 0;                  // over folds; NaN when halving dropped it in one of them
  double deviation = 0;             // standard deviation over folds (n - 1); 0 for one fold
  double seconds = 0;               // training and measuring, its part of a path
};

/// The result of one fold.
struct TuneFold {
  std::string source;        // of its training data
  std::size_t best = 0;      // setting, chosen on this fold alone
  double validation = 0;     // of that setting
  std::vector<double> test;  // LETOR folds: one value per measure, of that setting
};

struct TuneResult {
  std::vector<std::string> names;     // of the grids
  std::vector<TuneSetting> settings;  // in the grid's order: the last grid varies fastest
  std::size_t best = 0;               // by the mean over folds
  TrainOptions options;               // the training options of the best
  std::vector<TuneFold> folds;
  std::vector<Measure> measures;       // of the test values
  std::vector<double> test_mean;       // LETOR folds: over folds, by measure
  std::vector<double> test_deviation;  // standard deviation over folds (n - 1)
  std::vector<Model> models;       // with refit: one per fold for LETOR folds, otherwise the best
  std::int64_t num_trainings = 0;  // a whole path is one
  std::int64_t num_kept = 0;       // of them, those that an earlier run had done
  double seconds = 0;
  std::vector<std::string> warnings;
};

/// The training options of one setting of a result.
RANKINE_API TrainOptions setting_options(const TrainOptions& options, const TuneResult& result,
                                         std::size_t setting);

/// On K folds of the queries of `data`, drawn by `options.seed`: a setting is fitted on all parts
/// but one and measured on that one. The model is fitted on all of `data`.
/// Throws Error{option} for grids that do not fit the options and for a run folder of another
/// tuning, Error{interrupted} when `progress` returned false. The result does not depend on the
/// number of threads.
RANKINE_API TuneResult tune(const Dataset& data, int num_folds, const TrainOptions& options,
                            const TuneOptions& tuning, const Progress& progress = {});

/// Fitted on `data`, measured on `valid`; the model is that of the best setting.
RANKINE_API TuneResult tune(const Dataset& data, const Dataset& valid, const TrainOptions& options,
                            const TuneOptions& tuning, const Progress& progress = {});

/// On LETOR folds, DIRECTORY/Fold1, Fold2, ... each with train, vali and test: in each fold the
/// setting is chosen on its own vali, fitted on its train alone, and measured on its test.
RANKINE_API TuneResult tune_letor_folds(const std::string& directory, const TrainOptions& options,
                                        const TuneOptions& tuning, const ReadOptions& reading = {},
                                        const Progress& progress = {});

}  // namespace rankine
