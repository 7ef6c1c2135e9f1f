// train_file, declared in include/rankine/train.hpp: one pass over a text that is never held.
// Blocks are parsed side by side; the method takes whole queries where blocks come together, and
// the columns are summed for the scaling on the way.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <utility>

#include <rankine/error.hpp>
#include <rankine/train.hpp>
#include <rankine/train_parts.hpp>

#include "base/parallel.hpp"
#include "base/system/input_bytes.hpp"
#include "data/scaling/column_sums.hpp"
#include "io/csv/csv_documents.hpp"
#include "io/dataset_reader.hpp"
#include "io/letor/letor_documents.hpp"
#include "io/whole_queries.hpp"
#include "methods/registry.hpp"
#include "training/assemble.hpp"

namespace rankine {
namespace {

constexpr std::size_t kDocumentsTogether = 16'384;

/// A method and the sums of the columns, fed with the same queries.
class StreamTraining {
 public:
  StreamTraining(std::string source, const TrainOptions& options,
                 std::unique_ptr<StreamSolver> solver, std::int64_t num_features)
      : options_(options), solver_(std::move(solver)), columns_(num_features) {
    trained_on_.source = std::move(source);
    trained_on_.num_features = num_features;
  }

  void add(const Dataset& queries) {
    solver_->add(queries);
    columns_.add(queries, options_.threads);
    trained_on_.num_documents += queries.num_documents();
    trained_on_.num_queries += queries.num_queries();
    num_missing_ += queries.num_missing;
    is_dense_ = queries.is_dense();
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
    for (std::string warning :
         {left_out_warning(trained_on_.num_queries - num_used, trained_on_.num_queries),
          missing_warning(num_missing_)}) {
      if (!warning.empty()) frame.report.warnings.push_back(std::move(warning));
    }
    for (std::size_t k = 0; k < solutions.size(); ++k) {
      solutions[k].solver += " over " + trained_on_.source;
      path.results.push_back(
          assemble(std::move(solutions[k]), path.values[k], frame, options_, context));
    }
    return path;
  }

 private:
  const TrainOptions& options_;
  std::unique_ptr<StreamSolver> solver_;
  ColumnSums columns_;
  TrainingData trained_on_;
  std::int64_t num_missing_ = 0;
  bool is_dense_ = true;
};

template <class Source>
void add_blocks(Source& source, std::int64_t width, const std::string& name, int threads,
                StreamTraining& training) {
  struct Slot {
    typename Source::Slot input;
  };
  const auto workers = static_cast<std::size_t>(num_worker_threads(threads));
  std::vector<Slot> slots(workers == 1 ? 1 : 2 * workers + 1);
  WholeQueries queries(kDocumentsTogether);
  const auto take = [&](const Dataset& documents) { training.add(documents); };
  parallel_pipeline(
      threads, slots.size(), [&](std::size_t slot) { return source.take(slots[slot].input); },
      [&](std::size_t slot) { source.parse(slots[slot].input); },
      [&](std::size_t slot) {
        source.check(slots[slot].input);
        if (source.num_features() > width) {
          throw Error(ErrorKind::data, name + ": feature " + std::to_string(source.num_features()) +
                                           " is beyond num_features = " + std::to_string(width));
        }
        queries.add(slots[slot].input.block, take);
        source.release(slots[slot].input);
      });
  source.finish();
  queries.finish(take);
}

void check_options(const TrainOptions& options, const ReadOptions& reading) {
  const auto refuse = [](const std::string& what) {
    throw Error(ErrorKind::option, what + ": not in one pass over a file; read it whole");
  };
  if (reading.num_features <= 0) {
    throw Error(ErrorKind::option, "num_features = 0: a pass over a file needs to know it before");
  }
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
  auto solver = method->stream(options, reading.num_features);
  if (solver == nullptr) {
    throw Error(ErrorKind::option, "method = '" + std::string(options.method.name()) +
                                       "' needs its documents again: not in one pass over a file");
  }
  const SolveContext context(options.time_limit, progress);
  const auto start = std::chrono::steady_clock::now();
  const std::string stage = "training on " + path;
  std::int64_t total = 0;
  InputBytes input(path, [&](std::int64_t consumed) {
    if (progress && !progress({stage, consumed, total, "bytes"})) {
      throw Error(ErrorKind::interrupted, path + ": training was interrupted");
    }
  });
  total = input.num_bytes();
  const DataFormat format =
      reading.format == DataFormat::automatic ? data_format(path, input) : reading.format;
  StreamTraining training(input.name(), options, std::move(solver), reading.num_features);
  try {
    if (format == DataFormat::cache) {
      throw Error(ErrorKind::option, path +
                                         ": a cache is mapped already, not read: train on it as "
                                         "on any data");
    }
    if (format == DataFormat::csv) {
      CsvDocuments source(input, reading, progress, reading.num_features);
      add_blocks(source, reading.num_features, input.name(), options.threads, training);
    } else {
      LetorDocuments source(input, reading, progress, reading.num_features);
      add_blocks(source, reading.num_features, input.name(), options.threads, training);
    }
  } catch (const NonContiguousQuery& query) {
    throw Error(ErrorKind::data, input.name() + ": query " + query.id + " comes back in row " +
                                     std::to_string(query.row + 1) +
                                     ": one pass needs the documents of a query together");
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  return training.finish(took.count(), context);
}

}  // namespace rankine
