// The options of training, one plain struct per algorithm, each with its table.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>

#include "rankine/fields.hpp"

namespace rankine {

/// decrement: g' H^-1 g <= tolerance * objective;  gradient: |g| <= tolerance * |g at the start|.
enum class Stopping { decrement, gradient };
template <>
struct EnumNames<Stopping> {
  static constexpr std::array<std::string_view, 2> names{"decrement", "gradient"};
};

struct NewtonOptions {
  double tolerance = 1e-6;
  Stopping stopping = Stopping::decrement;
  int max_iterations = 100;
  int max_cg_iterations = 1000;  // per Newton step
};

constexpr auto fields(const NewtonOptions&) {
  using O = NewtonOptions;
  return std::tuple{
      Field{"tolerance", &O::tolerance, Range<double>{0, 1},
            "stop when the relative Newton decrement (or gradient, see stopping) falls below"},
      Field{
          "stopping", &O::stopping, NoRange{},
          "what tolerance bounds: the Newton decrement over the objective, or the gradient's norm "
          "over its first"},
      Field{"max_iterations", &O::max_iterations, Range<int>{1, 1'000'000}, "most outer iterations",
            "N"},
      Field{"max_cg_iterations", &O::max_cg_iterations, Range<int>{1, 1'000'000},
            "most conjugate gradient iterations a Newton step", "N"}};
}

/// What a pair (winner, loser) costs, as a function of t = score of the winner less the loser's.
enum class Loss {
  squared_hinge,  // max(0, 1 - t)^2
  hinge,          // max(0, 1 - t)
  huber,          // max(0, 1 - t)^2 - max(0, -t)^2
  logistic,       // log(1 + exp(-t))
  squared,        // (d - t)^2, d the difference of grades
};
template <>
struct EnumNames<Loss> {
  static constexpr std::array<std::string_view, 5> names{"squared_hinge", "hinge", "huber",
                                                         "logistic", "squared"};
};

/// What makes one pair matter more than another.
enum class PairWeight {
  none,              // every pair counts the same
  grade_difference,  // grade of the winner less the loser's (explicit preferences: the magnitude)
  dcg,               // what swapping the two costs in DCG at the ideal ranking
};
template <>
struct EnumNames<PairWeight> {
  static constexpr std::array<std::string_view, 3> names{"none", "grade_difference", "dcg"};
};

/// How a pair's weight enters: as the margin in place of 1, or as a factor of the loss.
enum class Rescaling { margin, slack };
template <>
struct EnumNames<Rescaling> {
  static constexpr std::array<std::string_view, 2> names{"margin", "slack"};
};

struct PairLossOptions {
  Loss loss = Loss::squared_hinge;
  PairWeight pair_weight = PairWeight::none;
  Rescaling rescaling = Rescaling::slack;
  bool exact_logistic = false;
};

constexpr auto fields(const PairLossOptions&) {
  using O = PairLossOptions;
  return std::tuple{
      Field{"loss", &O::loss, NoRange{}, "what a pair costs, by its difference of scores"},
      Field{"pair_weight", &O::pair_weight, NoRange{},
            "what makes a pair matter more: its difference of grades, or of DCG at the ideal "
            "ranking"},
      Field{"rescaling", &O::rescaling, NoRange{},
            "how the pair weight enters: as the margin, or as a factor of the loss (slack)"},
      Field{"exact_logistic", &O::exact_logistic, NoRange{},
            "list all pairs for the logistic loss, instead of its piecewise quadratic form (off by "
            "less than 7e-4 per pair)"}};
}

constexpr auto rules(const PairLossOptions&) {
  constexpr std::string_view kSmooth = "squared_hinge,huber,logistic,squared";
  return std::array{OptionRule{"exact_logistic", "loss", "logistic"},
                    OptionRule{"stopping", "loss", kSmooth},
                    OptionRule{"max_cg_iterations", "loss", kSmooth},
                    OptionRule{"rescaling", "pair_weight", "grade_difference,dcg"}};
}

struct CuttingPlaneOptions {
  double tolerance = 1e-3;
  int max_iterations = 10'000;
};

constexpr auto fields(const CuttingPlaneOptions&) {
  using O = CuttingPlaneOptions;
  return std::tuple{Field{"tolerance", &O::tolerance, Range<double>{0, 1},
                          "stop when objective - lower bound <= tolerance * objective"},
                    Field{"max_iterations", &O::max_iterations, Range<int>{1, 1'000'000},
                          "most Newton steps and cutting planes", "N"}};
}

/// What one step of stochastic gradient descent looks at.
enum class Sampling { pair, query };
template <>
struct EnumNames<Sampling> {
  static constexpr std::array<std::string_view, 2> names{"pair", "query"};
};

struct SgdOptions {
  Sampling sampling = Sampling::query;
  double epochs = 20;        // steps over the number of pairs, or of queries
  double learning_rate = 0;  // 0: derived from the data
};

constexpr auto fields(const SgdOptions&) {
  using O = SgdOptions;
  return std::tuple{
      Field{"sampling", &O::sampling, NoRange{}, "what a step looks at: one pair, or one query"},
      Field{"epochs", &O::epochs, Range<double>{0, 1e9, true},
            "steps, over the number of pairs (sampling pair) or of queries (sampling query)"},
      Field{"learning_rate", &O::learning_rate, Range<double>{0, kNoLimit},
            "the first step's length; 0 derives it from the data"}};
}

/// What each query's loss is divided by: nothing, its number of pairs, or that of all queries.
enum class Normalisation { none, query, total };
template <>
struct EnumNames<Normalisation> {
  static constexpr std::array<std::string_view, 3> names{"none", "query", "total"};
};

/// What methods with a pairwise objective 1/2 |w|^2 + C * (sum of pair losses) have in common.
template <class O>
constexpr auto pairwise_fields() {
  return std::tuple{
      Field{"C", &O::C, Range<double>{0, std::numeric_limits<double>::max(), true},
            "weight of the loss against the penalty 1/2 |w|^2"},
      Field{"normalisation", &O::normalisation, NoRange{},
            "what a query's loss is divided by: nothing, its pairs, or the pairs of all queries"}};
}

/// RankSVM: squared hinge, Huber and logistic by Newton's method, hinge by that and cutting planes.
struct SvmOptions {
  static constexpr std::string_view kMethod = "svm";
  static constexpr std::string_view kTitle = "Objective";

  Candidates C = 0.1;
  Normalisation normalisation = Normalisation::query;
  PairLossOptions pair_loss = {};
  NewtonOptions newton = {};
  CuttingPlaneOptions cutting_plane = {};

  template <class Self, class Visit>
  static void for_each_part(Self& self, Visit visit) {
    visit("Loss", self.pair_loss);
    visit("Newton's method", self.newton);
    visit("Cutting planes (hinge)", self.cutting_plane);
  }
};
constexpr auto fields(const SvmOptions&) {
  return pairwise_fields<SvmOptions>();
}

/// The same objective by stochastic gradient descent.
struct StochasticOptions {
  static constexpr std::string_view kMethod = "sgd";
  static constexpr std::string_view kTitle = "Objective";

  double C = 0.1;
  Normalisation normalisation = Normalisation::query;
  PairLossOptions pair_loss = {};
  SgdOptions sgd = {};

  template <class Self, class Visit>
  static void for_each_part(Self& self, Visit visit) {
    visit("Loss", self.pair_loss);
    visit("Stochastic gradients (--method sgd)", self.sgd);
  }
};
constexpr auto fields(const StochasticOptions&) {
  return pairwise_fields<StochasticOptions>();
}

/// Whether pairs of equal grades count (their scores should be equal), and whether pairs count at
/// all (none: regression of the grades, document by document).
enum class TiedPairs { include, exclude };
template <>
struct EnumNames<TiedPairs> {
  static constexpr std::array<std::string_view, 2> names{"include", "exclude"};
};
enum class Pairs { all, none };
template <>
struct EnumNames<Pairs> {
  static constexpr std::array<std::string_view, 2> names{"all", "none"};
};

/// primal: a system by features; dual: by documents; cg: conjugate gradients; automatic: the
/// cheapest.
enum class RlsSolver { automatic, primal, dual, cg };
template <>
struct EnumNames<RlsSolver> {
  static constexpr std::array<std::string_view, 4> names{"auto", "primal", "dual", "cg"};
};

/// RankRLS: the minimum of  sum over pairs of ((y_i - y_j) - (s_i - s_j))^2 + alpha |w|^2.
struct RlsOptions {
  static constexpr std::string_view kMethod = "rls";
  static constexpr std::string_view kTitle = "RankRLS (--method rls)";

  Candidates alpha = 100;
  TiedPairs ties = TiedPairs::include;
  Pairs pairs = Pairs::all;
  Normalisation normalisation = Normalisation::query;
  RlsSolver solver = RlsSolver::automatic;
  double tolerance = 1e-10;     // cg: |gradient| <= tolerance * |gradient at 0|
  int max_iterations = 10'000;  // cg, for each alpha
};
constexpr auto fields(const RlsOptions&) {
  using O = RlsOptions;
  return std::tuple{
      Field{"alpha", &O::alpha, Range<double>{0, std::numeric_limits<double>::max()},
            "weight of the penalty |w|^2; of several values the best on --valid is kept, or by "
            "leave-query-out",
            "X,..."},
      Field{"ties", &O::ties, NoRange{}, "whether pairs of equal grades count"},
      Field{"pairs", &O::pairs, NoRange{},
            "none: regression of the grades, document by document, without pairs"},
      Field{"normalisation", &O::normalisation, NoRange{},
            "what a query's loss is divided by: nothing, its pairs, or the pairs of all queries"},
      Field{"solver", &O::solver, NoRange{},
            "a system by features (primal) or by documents (dual), or conjugate gradients; auto: "
            "the cheapest"},
      Field{"tolerance", &O::tolerance, Range<double>{0, 1},
            "cg: stop when the gradient's norm over its first falls below"},
      Field{"max_iterations", &O::max_iterations, Range<int>{1, 1'000'000},
            "cg: most iterations for each alpha", "N"}};
}

}  // namespace rankine
