// train_file, declared in include/rankine/train.hpp: passes over an input that is never held. The
// method takes whole queries as they come, and the columns are summed for the scaling on the way.
// Means that stand for missing values take a pass of their own.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <string>
#include <system_error>
#include <utility>

#include <rankine/error.hpp>
#include <rankine/missing.hpp>
#include <rankine/train.hpp>
#include <rankine/train_parts.hpp>

#include "data/missing_values.hpp"
#include "data/scaling/column_sums.hpp"
#include "data/size_check.hpp"
#include "io/document_stream.hpp"
#include "methods/registry.hpp"
#include "training/assemble.hpp"

namespace rankine {
namespace {

constexpr std::size_t kDocumentsTogether = 16'384;

/// A method and the sums of the columns, fed with the same queries.
class StreamTraining {
 public:
  StreamTraining(const DocumentStream& stream, const TrainOptions& options,
                 std::unique_ptr<StreamSolver> solver, std::int64_t num_features)
      : options_(options), solver_(std::move(solver)), columns_(num_features) {
    trained_on_.source = stream.name();
    trained_on_.num_features = num_features;
    const StringList names = stream.feature_names();
    for (std::size_t f = 0; f < names.size(); ++f) feature_names_.emplace_back(names[f]);
  }

  /// One pass, and as many more as the method asks for.
  void pass(DocumentStream& stream, const BlockWork& check) {
    const std::int64_t width = trained_on_.num_features;
    if (options_.missing == Missing::mean) find_means(stream, width);
    bool is_first = true;
    do {
      stream.for_each_batch(
          width, kDocumentsTogether,
          [&](const QueryBatch& batch) {
            const Dataset queries = fill_missing(batch.documents, means_);
            solver_->add(queries);
            if (is_first) count(queries);
          },
          check);
      is_first = false;
    } while (solver_->end_pass());
  }

  TrainPath finish(double seconds_reading, const SolveContext& context) {
    const std::int64_t num_used = solver_->num_used_queries();
    if (num_used == 0) {
      throw Error(ErrorKind::data,
                  trained_on_.source + ": nothing to learn from: no query has pairs");
    }
    const auto start = std::chrono::steady_clock::now();
    ModelFrame frame;
    columns_.finish();
    frame.scaling = columns_.scaling(options_.scaling, is_dense_);
    frame.scaling.fill = means_;
    frame.feature_names = feature_names_;
    TrainPath path{std::string(options_.method.path_option()), {0}, {}, {}};
    if (const Candidates* values = options_.method.path()) path.values = values->values();
    frame.report.constant_columns = columns_.constant();
    auto solutions = solver_->finish(path.values, ColumnScale(frame.scaling.factor),
                                     frame.report.constant_columns);
    const std::chrono::duration<double> solving = std::chrono::steady_clock::now() - start;
    frame.trained_on = trained_on_;
    frame.trained_on.num_pairs = solver_->num_pairs();
    frame.report.seconds_preparing = seconds_reading;
    frame.report.seconds_solving = solving.count();
    add_data_warnings(frame.trained_on, num_used, num_missing_, options_.missing, frame.report);
    for (std::size_t k = 0; k < solutions.size(); ++k) {
      solutions[k].solver += " over " + trained_on_.source;
      path.results.push_back(
          assemble(std::move(solutions[k]), path.values[k], frame, options_, context));
    }
    return path;
  }

 private:
  void find_means(DocumentStream& stream, std::int64_t width) {
    if (!stream.is_rewindable()) {
      throw Error(ErrorKind::option, "missing = 'mean': the means take a pass of their own, and " +
                                         stream.name() +
                                         " cannot be read again: give a file, or missing = 'zero'");
    }
    PresentMeans means(width);
    stream.for_each_block(width, {}, [&](const DocumentBlock& block, std::size_t) {
      means.add(block.documents, options_.threads);
    });
    means_ = means.means();
  }

  void count(const Dataset& queries) {
    columns_.add(queries, options_.threads);
    trained_on_.num_documents += queries.num_documents();
    trained_on_.num_queries += queries.num_queries();
    num_missing_ += queries.num_missing;
    is_dense_ = queries.is_dense();
  }

  const TrainOptions& options_;
  std::unique_ptr<StreamSolver> solver_;
  ColumnSums columns_;
  TrainingData trained_on_;
  std::vector<std::string> feature_names_;
  std::vector<double> means_;  // for missing values; empty: 0
  std::int64_t num_missing_ = 0;
  bool is_dense_ = true;
};

/// The columns that the method is to see: as the options or the input's head say.
std::int64_t width_of(const DocumentStream& stream, std::int64_t num_features) {
  if (!stream.is_width_known()) {
    if (num_features > 0) return num_features;
    throw Error(ErrorKind::option, "num_features = 0: a pass over a text needs to know it before");
  }
  const bool is_narrower =
      stream.format() == DataFormat::cache && num_features > stream.num_features();
  if (is_narrower) {
    throw Error(ErrorKind::option,
                "num_features = " + std::to_string(num_features) + ": " + stream.name() + " has " +
                    std::to_string(stream.num_features()) + " features; leave the option out");
  }
  return num_features > 0 ? num_features : stream.num_features();
}

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

/// Side files count rows of the whole input: none is passed over without a word.
void check_side_files(const std::string& path, DataFormat format) {
  if (path == "-" || format == DataFormat::cache || !exists(path + ".weight")) return;
  throw Error(
      ErrorKind::option,
      path + ".weight: weights beside the data, not in one pass over a file; read it whole");
}

/// For every block: what the method cannot be given.
BlockWork block_check(const std::string& path, DocumentStream& stream, std::int64_t width) {
  const bool has_sizes =
      path != "-" && stream.format() != DataFormat::cache && exists(path + ".query");
  return [&stream, path, width, has_sizes](const DocumentBlock& block, std::size_t) {
    if (stream.num_features() > width) {
      throw Error(ErrorKind::data, stream.name() + ": feature " +
                                       std::to_string(stream.num_features()) +
                                       " is beyond num_features = " + std::to_string(width));
    }
    if (has_sizes && !block.query_ids.empty() && block.query_ids.front().empty()) {
      throw Error(ErrorKind::option, path +
                                         ".query: sizes of queries beside the data, not in one "
                                         "pass over a file; read it whole");
    }
  };
}

void check_options(const TrainOptions& options, const ReadOptions& reading) {
  const auto refuse = [](const std::string& what) {
    throw Error(ErrorKind::option, what + ": not in one pass over a file; read it whole");
  };
  if (options.leave_query_out) refuse("leave_query_out");
  if (options.scaling != Scaling::none && options.scaling != Scaling::standard &&
      options.scaling != Scaling::minmax) {
    refuse("scaling = '" + std::string(name_of(options.scaling)) + "'");
  }
  if (options.map.kernel != Kernel::linear || options.map.approximation != Approximation::none) {
    refuse("kernel");
  }
  if (!options.features.empty()) refuse("features");
  if (!reading.weight_file.empty()) refuse("weight_file");
  if (!reading.query_file.empty()) refuse("query_file");
  if (!reading.preferences.empty()) refuse("preferences");
}

}  // namespace

TrainPath train_file(const std::string& path, const ReadOptions& reading,
                     const TrainOptions& options, const Progress& progress) {
  validate_all(options);
  validate(reading);
  const auto method = make_method(options.method);
  method->check(options);
  check_options(options, reading);
  const SolveContext context(options.time_limit, progress);
  const auto start = std::chrono::steady_clock::now();
  ReadOptions settled = reading;
  settled.missing = options.missing == Missing::error ? Missing::error : Missing::zero;
  DocumentStream stream(path, settled, progress, "training on");
  const std::int64_t width = width_of(stream, reading.num_features);
  check_columns_fit(stream.name(), width, allowed_memory(options));
  auto solver = method->stream(options, width);
  if (solver == nullptr) {
    throw Error(ErrorKind::option, "method = '" + std::string(options.method.name()) +
                                       "' needs its documents again: not in one pass over a file");
  }
  check_side_files(path, stream.format());
  StreamTraining training(stream, options, std::move(solver), width);
  try {
    training.pass(stream, block_check(path, stream, width));
  } catch (const NonContiguousQuery& query) {
    throw_non_contiguous(stream.name(), query, "one pass needs the documents of a query together");
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  return training.finish(took.count(), context);
}

}  // namespace rankine
