// The normal equations of unscaled columns are summed as documents come. A scaling x -> D (x -
// shift) only multiplies the sums by D, because pairs do not see the shift; the factor 1 / (number
// of pairs) is known at the end and divides them, too. Then the system is solved as for data in
// memory.
#include "methods/rls_stream.hpp"

#include <string>
#include <utility>

#include <rankine/error.hpp>

#include "methods/rls_solvers.hpp"
#include "objectives/ridge/normal_equations.hpp"
#include "problem/prepared_data.hpp"
#include "solvers/ridge/ridge_path.hpp"

namespace rankine {
namespace {

class RlsStream final : public StreamSolver {
 public:
  RlsStream(const RlsOptions& rls, int threads, std::int64_t num_features)
      : rls_(rls), threads_(threads), equations_(num_features) {}

  void add(const Dataset& queries) override {
    const PairGraph graph = pair_graph(rls_);
    // The number of all pairs is known at the end.
    const bool by_query = rls_.normalisation == Normalisation::query;
    const QueryTable table(queries, by_query ? Normalisation::query : Normalisation::none, threads_,
                           graph);
    const RankingRows rows(FeatureRows(queries.features), table, graph, {});
    equations_.add(rows, queries.num_documents(), threads_);
    num_pairs_ += table.num_pairs();
    num_used_ += static_cast<std::int64_t>(table.queries().size());
  }

  std::int64_t num_used_queries() const override { return num_used_; }
  double num_pairs() const override { return num_pairs_; }

  std::vector<Solution> finish(std::span<const double> values, const ColumnScale& columns,
                               std::span<const std::int64_t> constant) override {
    GramSums sums = equations_.finish();
    if (rls_.normalisation == Normalisation::total) {
      for (double& value : sums.gram) value /= num_pairs_;
      for (double& value : sums.slope) value /= num_pairs_;
      sums.squares /= num_pairs_;
    }
    if (!columns.is_identity()) scale_columns(columns, sums);
    std::vector<Solution> solutions;
    for (RidgeSolution& found : solve_ridge(sums, values)) {
      for (const std::int64_t column : constant) {
        found.weights[static_cast<std::size_t>(column)] = 0;
      }
      Solution solution;
      solution.function = LinearFunction{std::move(found.weights)};
      solution.report.objective = found.objective;
      solution.report.gap = found.gap;
      solution.solver = "primal, in one pass";
      if (found.singular) solution.warnings.emplace_back(minimum_norm_warning());
      solutions.push_back(std::move(solution));
    }
    return solutions;
  }

 private:
  RlsOptions rls_;
  int threads_;
  StreamedEquations equations_;
  double num_pairs_ = 0;
  std::int64_t num_used_ = 0;
};

}  // namespace

std::unique_ptr<StreamSolver> make_rls_stream(const RlsOptions& rls, const TrainOptions& options,
                                              std::int64_t num_features) {
  const auto refuse = [](const std::string& what) {
    throw Error(ErrorKind::option, what + ": not in one pass over a file; read it whole");
  };
  if (rls.solver == RlsSolver::dual || rls.solver == RlsSolver::cg) {
    refuse("solver = '" + std::string(name_of(rls.solver)) + "'");
  }
  if (options.scaling != Scaling::none && rls.pairs == Pairs::none) {
    refuse("scaling = '" + std::string(name_of(options.scaling)) + "' with pairs = 'none'");
  }
  // A sum over pairs of features, its copy of a batch, and the factor.
  constexpr double kMatrices = 3;
  const double num_bytes = kMatrices * sizeof(double) * static_cast<double>(num_features) *
                           static_cast<double>(num_features);
  if (num_bytes > allowed_memory(options)) {
    refuse(std::to_string(num_features) + " features, whose products take " +
           memory_text(num_bytes) + " where " + memory_text(allowed_memory(options)) +
           " are allowed");
  }
  return std::make_unique<RlsStream>(rls, options.threads, num_features);
}

}  // namespace rankine
