// What training leaves behind: a plain value that scores documents, and saves to a file that every
// later version reads.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rankine/dataset.hpp"
#include "rankine/progress.hpp"
#include "rankine/scaling.hpp"
#include "rankine/scoring_function.hpp"
#include "rankine/termination.hpp"
#include "rankine/visibility.hpp"

namespace rankine {

/// What a model was trained on.
struct TrainingData {
  std::string source;
  std::int64_t num_documents = 0;
  std::int64_t num_queries = 0;
  std::int64_t num_features = 0;  // of the input, before any selection
  double num_pairs = 0;
  std::uint64_t checksum = 0;  // of features, grades and queries

  bool operator==(const TrainingData&) const = default;
};

/// One iteration of the solver, at its start.
struct TrainStep {
  double objective = 0;
  double gradient_norm = 0;
  double step = 0;

  bool operator==(const TrainStep&) const = default;
};

/// One value of a path over a hyper-parameter, and how good it was found.
struct PathStep {
  double value = 0;
  double objective = 0;
  double measure = 0;

  bool operator==(const PathStep&) const = default;
};

/// What a feature map or an exact kernel turned out to be.
struct MapReport {
  double gamma = 0;             // as used
  std::int64_t components = 0;  // landmarks or random features drawn; 0: there was no map
  std::int64_t rank = 0;        // features that training saw
  double unexplained = 0;       // nystroem: share of the landmarks' kernel (its trace) left out
  bool kept = true;             // whether the mapped rows were kept, or made anew for each pass
  double seconds = 0;

  bool operator==(const MapReport&) const = default;
};

/// How training went.
struct TrainReport {
  Termination termination = Termination::converged;
  int iterations = 0;
  std::int64_t products = 0;  // Hessian products
  int hessians = 0;           // whole Hessians formed
  double objective = 0;       // NaN where it is not known: see drop_negligible
  double gap = 0;  // certified: objective - minimum <= gap; infinite where there is no certificate
  double seconds_scaling = 0;
  double seconds_preparing = 0;
  double seconds_solving = 0;
  std::int64_t peak_memory = 0;                // bytes, of the process
  std::vector<std::int64_t> constant_columns;  // of the input, from 0: their weight is 0
  std::vector<std::string> warnings;
  MapReport map;
  std::vector<TrainStep> steps;
  std::string validation_measure;  // empty: none was asked for
  double validation = 0;
  std::string solver;        // where the method chooses between several: which
  std::string path_measure;  // "ndcg@10 by leave-query-out": what the path's values were judged by
  std::vector<PathStep> path;  // the values that this model was chosen from

  bool operator==(const TrainReport&) const = default;
};

/// Numbers beside the function that a method keeps with its model, such as the state of a solver
/// that a later training goes on from. `name` is the method's own: "sgd.averages".
struct ModelExtra {
  std::string name;
  std::vector<double> numbers;

  bool operator==(const ModelExtra&) const = default;
};

struct RANKINE_API Model {
  ScoringFunction function;
  FeatureScaling scaling;             // by column of the function
  std::vector<std::int64_t> columns;  // of the input, from 0, that the function sees; empty: all
  std::vector<std::string> feature_names;  // of the input; empty when they have none
  std::vector<std::pair<std::string, std::string>> options;  // as the command line spells them
  TrainingData trained_on;
  TrainReport report;
  std::string created_by;  // "rankine 0.1.0"
  std::vector<ModelExtra> extras;

  bool operator==(const Model&) const = default;

  /// Number of columns the function sees.
  std::int64_t num_features() const { return function.num_features(); }
  /// The score of each document, in the data's order. The same bits for any number of threads.
  /// Where model and data both name their features, columns are found by name wherever they stand,
  /// and Error{data} names those that the data lacks. Otherwise they are found by position, and
  /// those that the data lacks at its end count as 0. Columns the model never saw are left out.
  /// `progress` returning false ends it with Error{interrupted}.
  std::vector<double> score(const Dataset& documents, int threads = 0,
                            const Progress& progress = {}) const;
  bool is_linear() const { return function.is<LinearFunction>(); }
  /// The weight of each unscaled feature, where the function is linear and the scaling a shift and
  /// a factor (none, standard, minmax); otherwise throws Error{option}.
  std::vector<double> raw_weights() const;
  /// The function in words, whatever its kind.
  FunctionDescription describe() const;

  /// Throws Error{io} when it cannot be written; a file already there is then untouched.
  void save(const std::string& path) const;
  /// Throws Error{data} for a file that is no model, damaged, or written by a later version; and,
  /// before any memory is asked for, for one that the memory left on this machine cannot hold.
  static Model load(const std::string& path);
  /// The bytes that save writes, and the model that load reads from them; `name` is for messages.
  std::vector<char> bytes() const;
  static Model from_bytes(std::span<const char> bytes, const std::string& name);
};

/// The model without landmarks or random features whose weight is below `share` of the largest: it
/// scores faster, and not quite the same. Its report has the rank that is left, and no objective
/// nor gap unless all that was left out weighed 0. Throws Error{option} for other kinds.
RANKINE_API Model drop_negligible(const Model& model, double share);

/// Whether these bytes, the first 8 or more of a file, begin a model of any version.
RANKINE_API bool is_model(std::span<const char> first_bytes);

}  // namespace rankine
