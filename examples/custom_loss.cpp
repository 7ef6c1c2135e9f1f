// A loss of your own: the cross entropy of the scores with the grades, over one query's documents,
//   loss(s) = log(sum of exp(s)) - p . s,   p = the grades over their sum,
// convex in the scores, with gradient softmax(s) - p and Hessian diag(q) - q q', q = softmax(s).
// The program checks both derivatives by finite differences, trains a model with the loss and one
// with the usual pairwise loss, and measures both on queries that neither has seen.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <rankine/evaluate.hpp>
#include <rankine/folds.hpp>
#include <rankine/loss.hpp>
#include <rankine/scores.hpp>
#include <rankine/synth.hpp>
#include <rankine/train.hpp>

namespace {

class ListwiseCrossEntropy final : public rankine::QueryLoss {
 public:
  std::string_view name() const override { return "listwise_cross_entropy"; }

  rankine::LossNeeds needs() const override {
    rankine::LossNeeds needs;
    needs.queries = rankine::LossNeeds::Queries::all;  // also where all are of one grade
    needs.ignores_shifts = true;
    return needs;
  }

  double gradient(const rankine::QueryDocuments& query, const rankine::QueryPoint& point,
                  std::span<double> out) const override {
    const double total = std::accumulate(query.grades.begin(), query.grades.end(), 0.0);
    std::fill(out.begin(), out.end(), 0.0);
    if (!(total > 0)) return 0;  // no document is relevant: nothing to learn
    const double log_sum = softmax(point.scores, out);
    double loss = log_sum;
    for (std::size_t doc = 0; doc < out.size(); ++doc) {
      const double target = query.grades[doc] / total;
      loss -= target * point.scores[doc];
      out[doc] -= target;
    }
    return loss;
  }

  void hessian_times(const rankine::QueryDocuments& query, const rankine::QueryPoint& point,
                     std::span<const double> direction, std::span<double> out) const override {
    const double total = std::accumulate(query.grades.begin(), query.grades.end(), 0.0);
    std::fill(out.begin(), out.end(), 0.0);
    if (!(total > 0)) return;
    softmax(point.scores, out);
    const double mean = std::inner_product(out.begin(), out.end(), direction.begin(), 0.0);
    for (std::size_t doc = 0; doc < out.size(); ++doc) out[doc] *= direction[doc] - mean;
  }

 private:
  /// Writes softmax(scores) and returns log(sum of exp(scores)).
  static double softmax(std::span<const double> scores, std::span<double> out) {
    const double most = *std::max_element(scores.begin(), scores.end());
    double sum = 0;
    for (std::size_t doc = 0; doc < out.size(); ++doc) {
      out[doc] = std::exp(scores[doc] - most);
      sum += out[doc];
    }
    for (double& share : out) share /= sum;
    return most + std::log(sum);
  }
};

/// The largest difference between a derivative and the quotient of differences that it stands for.
double worst_difference(const rankine::QueryLoss& loss, const rankine::QueryDocuments& query,
                        const std::vector<double>& scores) {
  constexpr double kStep = 1e-5;
  const std::size_t size = scores.size();
  std::vector<double> gradient(size);
  loss.gradient(query, {scores, {}}, gradient);
  double worst = 0;
  for (std::size_t doc = 0; doc < size; ++doc) {
    std::vector<double> up(scores);
    std::vector<double> down(scores);
    up[doc] += kStep;
    down[doc] -= kStep;
    std::vector<double> at_up(size);
    std::vector<double> at_down(size);
    const double slope =
        (loss.gradient(query, {up, {}}, at_up) - loss.gradient(query, {down, {}}, at_down)) /
        (2 * kStep);
    worst = std::max(worst, std::abs(gradient[doc] - slope));
    std::vector<double> unit(size);
    unit[doc] = 1;
    std::vector<double> column(size);
    loss.hessian_times(query, {scores, {}}, unit, column);
    for (std::size_t row = 0; row < size; ++row) {
      const double bend = (at_up[row] - at_down[row]) / (2 * kStep);
      worst = std::max(worst, std::abs(column[row] - bend));
    }
  }
  return worst;
}

/// Whether both derivatives are right at some point.
bool check_derivatives(const rankine::QueryLoss& loss) {
  const std::vector<double> grades{0, 2, 1, 0, 1};
  const std::vector<std::uint32_t> ranks{0, 2, 1, 0, 1};
  const double worst = worst_difference(loss, {grades, ranks, 3, {}}, {0.3, -0.2, 1.1, 0.4, -2});
  std::printf("derivatives differ from quotients of differences by less than 1e-8: %s\n",
              worst < 1e-8 ? "yes" : "no");
  return worst < 1e-8;
}

double ndcg(const rankine::Dataset& data, const std::vector<double>& scores) {
  const auto measures = rankine::parse_measures("ndcg@10");
  return rankine::evaluate(data, scores, measures).means.front().mean;
}

/// NDCG@10 of the feature that ranks best alone.
double best_feature_ndcg(const rankine::Dataset& data) {
  double best = 0;
  for (std::int64_t feature = 0; feature < data.num_features(); ++feature) {
    best = std::max(best, ndcg(data, rankine::feature_scores(data, feature)));
  }
  return best;
}

}  // namespace

int main() {
  const ListwiseCrossEntropy loss;
  if (!check_derivatives(loss)) return 1;

  const rankine::Dataset all = rankine::make_synthetic({.queries = 500, .features = 20}).data;
  const auto folds = rankine::fold_splits(rankine::query_folds(all, {.folds = 5}));
  const rankine::Dataset train = rankine::select_queries(all, folds[0].train);
  const rankine::Dataset test = rankine::select_queries(all, folds[0].test);

  rankine::TrainOptions options;
  options.method = rankine::SvmOptions{.C = 1, .normalisation = rankine::Normalisation::none};
  options.loss = &loss;  // in place of the method's own
  const rankine::TrainResult listwise = rankine::train(train, options);
  const rankine::TrainResult pairwise = rankine::train(train);

  const double with_listwise = ndcg(test, listwise.model.score(test));
  const double with_feature = best_feature_ndcg(test);
  std::printf("%s: %s after %d iterations\n", std::string(loss.name()).c_str(),
              std::string(rankine::name_of(listwise.report.termination)).c_str(),
              listwise.report.iterations);
  std::printf(
      "ndcg@10 on queries not seen: %.3f with this loss, %.3f with the squared hinge, "
      "%.3f by the best feature alone\n",
      with_listwise, ndcg(test, pairwise.model.score(test)), with_feature);
  return listwise.report.termination == rankine::Termination::converged &&
                 with_listwise > with_feature
             ? 0
             : 1;
}
