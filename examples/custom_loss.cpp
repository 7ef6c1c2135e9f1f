// A loss of your own: the cross entropy of the scores with the grades, over one query's documents,
//   loss(s) = log(sum of exp(s)) - p . s,   p = the grades over their sum,
// convex in the scores, with gradient softmax(s) - p and Hessian diag(q) - q q', q = softmax(s).
// The program checks both derivatives by finite differences.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <span>
#include <string_view>
#include <vector>

#include <rankine/loss.hpp>

namespace {

class ListwiseCrossEntropy final : public rankine::QueryLoss {
 public:
  std::string_view name() const override { return "listwise_cross_entropy"; }

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

}  // namespace

int main() {
  const std::vector<double> grades{0, 2, 1, 0, 1};
  const std::vector<std::uint32_t> ranks{0, 2, 1, 0, 1};
  const std::vector<double> scores{0.3, -0.2, 1.1, 0.4, -2};
  const rankine::QueryDocuments query{grades, ranks, 3, {}};
  const ListwiseCrossEntropy loss;
  std::vector<double> gradient(scores.size());
  std::printf("%.*s: %.6f\n", static_cast<int>(loss.name().size()), loss.name().data(),
              loss.gradient(query, {scores, {}}, gradient));
  const double worst = worst_difference(loss, query, scores);
  std::printf("largest difference between derivatives and differences: %.1e\n", worst);
  return worst < 1e-8 ? 0 : 1;
}
