// An exact kernel is prepared in three steps: the kernel matrix of the documents that have pairs,
// kept if memory allows; the features of a Nystroem map of up to 2,000 landmarks; and the Gram
// matrix of the loss over them. The last two make the preconditioner of
// objectives/kernel_objective. Kernel values are in single precision, and what their rounding does
// to the objective is part of the gap.
// Chapelle and Keerthi, "Efficient algorithms for ranking with SVMs", 2010, section 6.3.
#include "methods/kernel_svm.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include <rankine/error.hpp>

#include "features/feature_map.hpp"
#include "features/kernel.hpp"
#include "linalg/inner_product.hpp"
#include "solvers/kernel_newton.hpp"

namespace rankine {
namespace {

constexpr std::int64_t kLandmarks = 2000;

/// Some rows and columns of a kernel matrix.
DenseMatrix square_part(const DenseMatrix& matrix, std::span<const std::int64_t> chosen) {
  std::vector<float> values;
  values.reserve(chosen.size() * chosen.size());
  for (const std::int64_t row : chosen) {
    for (const std::int64_t column : chosen) {
      values.push_back(matrix.row(row)[static_cast<std::size_t>(column)]);
    }
  }
  const auto size = static_cast<std::int64_t>(chosen.size());
  return {size, size, std::move(values)};
}

/// The features of the preconditioner come by document of the objective, and the gram of them by
/// row of the data: this gives out the first in the order of the second.
class ScatteredRows final : public RowMaker {
 public:
  ScatteredRows(const DenseMatrix& features, std::span<const std::int64_t> rows)
      : features_(features) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const auto row = static_cast<std::size_t>(rows[k]);
      if (places_.size() <= row) places_.resize(row + 1);
      places_[row] = static_cast<std::int64_t>(k);
    }
  }
  std::int64_t num_columns() const override { return features_.num_columns; }
  void make(std::int64_t first, std::int64_t count, float* out) const override {
    // Documents of a query are contiguous in both orders.
    const float* from = features_.row(places_[static_cast<std::size_t>(first)]).data();
    std::copy(from, from + count * features_.num_columns, out);
  }

 private:
  const DenseMatrix& features_;
  std::vector<std::int64_t> places_;
};

}  // namespace

KernelSvm::KernelSvm(const Problem& problem, const QueryLoss& loss)
    : loss_(problem.backend().score_evaluator(problem.table(), loss, problem.threads())) {
  const PreparedData& data = problem.data();
  const TrainOptions& options = problem.options();
  TrainReport& report = problem.report();
  if (options.warm_start != nullptr) {
    throw Error(ErrorKind::option, "warm_start is for linear models");
  }
  const auto start = std::chrono::steady_clock::now();
  const bool precomputed = data.kernel().kind == Kernel::precomputed;
  const auto size = static_cast<std::int64_t>(loss_->num_documents());
  const Backend& backend = problem.backend();
  const double bytes = backend.kernel_bytes(size);
  report.map.kept = precomputed || bytes <= data.memory();
  report.map.components = size;
  report.map.rank = size;
  if (precomputed) {
    documents_ = square_part(std::get<DenseMatrix>(data.seen().features), loss_->rows());
    kernel_ = backend.kernel_operator(std::get<DenseMatrix>(documents_), options.threads);
  } else {
    const auto documents = [&] { return take_rows(data.seen().features, loss_->rows()); };
    if (data.kept() != nullptr) kept_ = data.kept()->part(options, loss_->rows(), documents);
    documents_ = kept_ != nullptr ? kept_->rows() : documents();
    if (kept_ != nullptr && report.map.kept) {
      kernel_ = kept_->matrix(data.kernel(), backend, options.threads);
    }
    if (kernel_ == nullptr) {
      kernel_ = backend.kernel_operator(documents_, kernel_formula(data.kernel()), report.map.kept,
                                        options.threads);
    }
    for (std::int64_t row = 0; row < size; ++row) {
      rounding_ = std::max(rounding_, 0x1p-22 * kernel_value(data.kernel(), documents_, row, row));
    }
  }
  make_features(problem, loss);
  objective_ =
      std::make_unique<KernelObjective>(*kernel_, *loss_, features_.get(), options.threads);
  report.map.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void KernelSvm::make_features(const Problem& problem, const QueryLoss& loss) {
  const PreparedData& data = problem.data();
  const TrainOptions& options = problem.options();
  FeatureMapOptions wanted;
  wanted.kernel = data.kernel().kind;
  wanted.gamma = data.kernel().gamma;
  wanted.degree = data.kernel().degree;
  wanted.coef0 = data.kernel().coef0;
  wanted.approximation = Approximation::nystroem;
  wanted.n_components = std::min<std::int64_t>(kLandmarks, num_rows(documents_));
  MapReport unused;
  const auto map =
      fit_feature_map(wanted, documents_, options.seed, options.threads, unused, kept_.get());
  if (map->num_components() == 0) {
    throw Error(ErrorKind::data, data.seen().source + ": the kernel is 0 on all documents");
  }
  auto features = std::make_unique<KernelFeatures>();
  features->rows = map_rows(*map, documents_, options.threads);
  const ScatteredRows by_row(features->rows, loss_->rows());
  features->gram = problem.backend()
                       .loss_evaluator(FeatureRows(by_row), data.seen().num_documents(),
                                       problem.table(), loss, options.threads)
                       ->gram(1);
  features_ = std::move(features);
}

SolveResult KernelSvm::minimise(double C, std::span<const double> start,
                                const NewtonOptions& options, const StopRequest& stop) const {
  SolveResult solved = minimise_kernel_newton(*objective_, C, start, options, stop);
  // The solver's bound is of the kernel as it is stored.
  solved.report.gap += rounding_ * dot(solved.weights, solved.weights);
  return solved;
}

}  // namespace rankine
