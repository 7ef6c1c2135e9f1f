// Training: a data set and options to a model and a report.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "rankine/dataset.hpp"
#include "rankine/feature_map.hpp"
#include "rankine/fields.hpp"
#include "rankine/loss.hpp"
#include "rankine/method.hpp"
#include "rankine/metrics.hpp"
#include "rankine/model.hpp"
#include "rankine/options.hpp"
#include "rankine/progress.hpp"
#include "rankine/read.hpp"
#include "rankine/scaling.hpp"
#include "rankine/visibility.hpp"

namespace rankine {

/// What every method takes.
struct TrainOptions {
  MethodOptions method = {};
  Scaling scaling = Scaling::standard;
  FeatureMapOptions map = {};
  std::string features = "";
  Missing missing = Missing::zero;
  double time_limit = kNoLimit;
  double memory_limit = 0;
  std::uint64_t seed = 1;
  int threads = 0;
  const Model* warm_start = nullptr;  // start from its weights
  const QueryLoss* loss = nullptr;    // a loss of your own, in place of the method's
  bool leave_query_out = false;       // whether train_path gives these scores (method rls)
  std::string device = "cpu";         // where the work is done
};

constexpr auto fields(const TrainOptions&) {
  using O = TrainOptions;
  return std::tuple{
      Field{"scaling", &O::scaling, NoRange{},
            "of features, fitted on the training data and kept with the model"},
      Field{"features", &O::features, NoRange{},
            "features to use: names, numbers from 1, ranges; all when empty", "1-10,15"},
      Field{"missing", &O::missing, NoRange{},
            "what stands for NULL, an empty cell or NaN: 0, the mean of the column's other values "
            "in the training data, or nothing: it is an error; kept with the model"},
      Field{"time_limit", &O::time_limit, Range<double>{0, kNoLimit, true},
            "seconds after which training ends with the best model so far", "SECONDS"},
      Field{
          "memory_limit", &O::memory_limit, Range<double>{0, 1e9},
          "gigabytes that mapped features or a kernel matrix may take; beyond, they are made anew "
          "for each pass; 0: three quarters of what is free",
          "GB"},
      Field{"seed", &O::seed, NoRange{}, "of the random draws", "N"},
      Field{"threads", &O::threads, Range<int>{0, 1024}, "worker threads; 0: one per core", "N"}};
}

struct TrainResult {
  Model model;
  TrainReport report;  // the model's own, for convenience
};

/// Fits a model. Throws Error{data} when the data has no pairs, Error{option} for options that do
/// not fit it. `progress` returning false, and the time limit, end with the best model so far, as
/// the report says, or with Error{interrupted} before there is one. The same data, options and seed
/// give the same bits for any number of threads.
RANKINE_API TrainResult train(const Dataset& data, const TrainOptions& options = {},
                              const Progress& progress = {});

/// What training finds along the values of its hyper-parameter.
struct TrainPath {
  std::string option;                // "C", "alpha"
  std::vector<double> values;        // rising
  std::vector<TrainResult> results;  // one for each value; fewer when interrupted
  /// With TrainOptions::leave_query_out: for each value the score of every document, in the data's
  /// order, by the model of all queries but its own. No refitting: a downdate of the solved system.
  std::vector<std::vector<double>> leave_query_out;
};

/// One model for each value that the options have of the method's hyper-parameter (C, or alpha by
/// method rls), for little more than the price of one where the method shares its work (svm with
/// losses that have a Hessian, rls). Interrupted: those so far; Error{interrupted} where there is
/// none. Throws Error{option} for a method that has no path.
RANKINE_API TrainPath train_path(const Dataset& data, const TrainOptions& options,
                                 const Progress& progress = {});
/// The same for these values, which must rise.
RANKINE_API std::vector<TrainResult> train_path(const Dataset& data, const TrainOptions& options,
                                                std::span<const double> values,
                                                const Progress& progress = {});

/// A path in one pass over a text (LETOR or CSV, plain or compressed, "-": standard input), keeping
/// no documents: memory does not grow with the data. For methods that can (rls). The documents of a
/// query must follow each other, reading.num_features must be given, and scaling be none, standard
/// or minmax; what needs the documents again (dual, leave-query-out, kernels, side files) is
/// refused by name. The model's checksum of its data is 0.
RANKINE_API TrainPath train_file(const std::string& path, const ReadOptions& reading,
                                 const TrainOptions& options, const Progress& progress = {});

}  // namespace rankine
