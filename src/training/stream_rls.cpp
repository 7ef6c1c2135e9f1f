// train_rls_file, declared in include/rankine/train.hpp. The normal equations are sums over
// queries, and a scaling that is a shift and a factor can be applied to the sums: so one pass over
// the text gives both, and nothing of size n is kept. Blocks are parsed side by side; whole queries
// are added where blocks come together.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include <rankine/error.hpp>
#include <rankine/train.hpp>
#include <rankine/version.hpp>

#include "base/parallel.hpp"
#include "base/system/input_bytes.hpp"
#include "base/system/process_memory.hpp"
#include "data/scaling/column_statistics.hpp"
#include "io/csv/csv_documents.hpp"
#include "io/dataset_reader.hpp"
#include "io/letor/letor_documents.hpp"
#include "io/whole_queries.hpp"
#include "objectives/normal_equations.hpp"
#include "solvers/ridge_path.hpp"
#include "training/train_rls.hpp"

namespace rankine {
namespace {

constexpr std::size_t kDocumentsTogether = 16'384;

/// Range, mean and squared distances of a column over all that came so far.
struct ColumnSum {
  double count = 0;
  double mean = 0;
  double squares = 0;
  double least = 0;
  double most = 0;

  void add(double rows, const ColumnStatistics& other) {
    if (count == 0) {
      *this = {rows, other.mean, rows * other.deviation * other.deviation, double{other.least},
               double{other.most}};
      return;
    }
    const double gap = other.mean - mean;
    const double all = count + rows;
    squares += rows * other.deviation * other.deviation + gap * gap * count * rows / all;
    mean += gap * rows / all;
    count = all;
    least = std::min(least, double{other.least});
    most = std::max(most, double{other.most});
  }
  bool is_constant() const { return least == most; }
};

class StreamedRls {
 public:
  StreamedRls(std::string source, const TrainOptions& options, std::int64_t width)
      : source_(std::move(source)),
        options_(options),
        rls_(std::get<RlsOptions>(options.method)),
        sums_(width),
        columns_(static_cast<std::size_t>(width)) {}

  void add(const Dataset& queries) {
    const PairGraph graph = pair_graph(rls_);
    const bool by_query = rls_.normalisation == Normalisation::query;
    const QueryTable table(queries, by_query ? Normalisation::query : Normalisation::none,
                           options_.threads, graph);
    const RankingRows rows(FeatureRows(queries.features), table, graph, {});
    add_normal_equations(rows, options_.threads, {}, sums_);
    const auto statistics = column_statistics(queries.features, options_.threads, [] {});
    const auto count = static_cast<double>(queries.num_documents());
    for (std::size_t f = 0; f < columns_.size(); ++f) columns_[f].add(count, statistics[f]);
    trained_on_.num_documents += queries.num_documents();
    trained_on_.num_queries += queries.num_queries();
    trained_on_.num_pairs += table.num_pairs();
    num_used_ += static_cast<std::int64_t>(table.queries().size());
    num_missing_ += queries.num_missing;
    is_dense_ = queries.is_dense();
  }

  RlsPath finish(double seconds_reading) {
    if (num_used_ == 0) {
      throw Error(ErrorKind::data, source_ + ": nothing to learn from: no query has pairs");
    }
    const auto start = std::chrono::steady_clock::now();
    if (rls_.normalisation == Normalisation::total) {
      for (double& value : sums_.gram) value /= trained_on_.num_pairs;
      for (double& value : sums_.slope) value /= trained_on_.num_pairs;
      sums_.squares /= trained_on_.num_pairs;
    }
    const FeatureScaling scaling = fitted_scaling();
    if (!scaling.factor.empty()) scale_columns(ColumnScale(scaling.factor), sums_);
    RlsPath path;
    path.alphas = parse_alphas(rls_.alpha);
    const auto solutions = solve_ridge(sums_, path.alphas);
    const std::chrono::duration<double> solving = std::chrono::steady_clock::now() - start;
    for (const RidgeSolution& solution : solutions) {
      path.results.push_back(result_of(solution, scaling, seconds_reading, solving.count()));
    }
    return path;
  }

 private:
  FeatureScaling fitted_scaling() const {
    FeatureScaling scaling;
    scaling.kind = options_.scaling;
    scaling.num_features = sums_.width;
    scaling.keeps_zeros = options_.scaling == Scaling::none || !is_dense_;
    if (options_.scaling == Scaling::none) return scaling;
    const bool standard = options_.scaling == Scaling::standard;
    for (const ColumnSum& column : columns_) {
      const double deviation = std::sqrt(column.squares / column.count);
      const double spread = standard ? deviation : column.most - column.least;
      const double shift = standard ? column.mean : column.least;
      scaling.shift.push_back(scaling.keeps_zeros ? 0.0 : shift);
      scaling.factor.push_back(!column.is_constant() && spread > 0 ? 1 / spread : 0.0);
    }
    return scaling;
  }

  TrainResult result_of(const RidgeSolution& solution, const FeatureScaling& scaling,
                        double reading, double solving) const {
    TrainReport report;
    report.termination = "converged";
    report.objective = solution.objective;
    report.solver = "primal, in one pass over " + source_;
    report.seconds_preparing = reading;
    report.seconds_solving = solving;
    report.peak_memory = peak_memory_bytes();
    LinearFunction linear{solution.weights};
    for (std::size_t f = 0; f < columns_.size(); ++f) {
      if (!columns_[f].is_constant()) continue;
      report.constant_columns.push_back(static_cast<std::int64_t>(f));
      linear.weights[f] = 0;
    }
    if (num_used_ < trained_on_.num_queries) {
      report.warnings.push_back(std::to_string(trained_on_.num_queries - num_used_) + " of " +
                                std::to_string(trained_on_.num_queries) +
                                " queries have no pairs and were left out");
    }
    if (num_missing_ > 0) {
      report.warnings.push_back(std::to_string(num_missing_) + " missing values were read as 0");
    }
    if (solution.singular) report.warnings.emplace_back(minimum_norm_warning());
    Model model;
    model.function = std::move(linear);
    model.scaling = scaling;
    model.options = {{"method", "rls"}};
    RlsOptions own = rls_;
    own.alpha = real_text(solution.alpha);
    for (const OptionEntry& entry : option_entries(own)) {
      model.options.emplace_back(entry.name, entry.text());
    }
    model.options.emplace_back("loss", "squared");
    model.options.emplace_back("scaling", std::string(name_of(options_.scaling)));
    model.trained_on = trained_on_;
    model.trained_on.source = source_;
    model.trained_on.num_features = sums_.width;
    model.report = report;
    model.created_by = std::string("rankine ") + kVersion;
    return {std::move(model), std::move(report)};
  }

  std::string source_;
  const TrainOptions& options_;
  const RlsOptions& rls_;
  GramSums sums_;
  std::vector<ColumnSum> columns_;
  TrainingData trained_on_;
  std::int64_t num_used_ = 0;
  std::int64_t num_missing_ = 0;
  bool is_dense_ = true;
};

template <class Source>
void add_blocks(Source& source, std::int64_t width, const std::string& name, int threads,
                StreamedRls& training) {
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
  const auto* rls = std::get_if<RlsOptions>(&options.method);
  if (rls == nullptr) throw Error(ErrorKind::option, "train_rls_file() takes method rls alone");
  parse_alphas(rls->alpha);
  const auto refuse = [](const std::string& what) {
    throw Error(ErrorKind::option, what + ": not in one pass over a file; read it whole");
  };
  if (reading.num_features <= 0) {
    throw Error(ErrorKind::option, "num_features = 0: a pass over a file needs to know it before");
  }
  if (rls->leave_query_out) refuse("leave_query_out");
  if (rls->solver == RlsSolver::dual || rls->solver == RlsSolver::cg) {
    refuse("solver = '" + std::string(name_of(rls->solver)) + "'");
  }
  const bool affine = options.scaling == Scaling::standard || options.scaling == Scaling::minmax;
  if (options.scaling != Scaling::none && !(affine && rls->pairs == Pairs::all)) {
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

RlsPath train_rls_file(const std::string& path, const ReadOptions& reading,
                       const TrainOptions& options, const Progress& progress) {
  validate(options);
  validate(reading);
  check_options(options, reading);
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
  StreamedRls training(input.name(), options, reading.num_features);
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
  return training.finish(took.count());
}

}  // namespace rankine
