// The options of training, one plain struct per algorithm, each with its table.
#pragma once

#include <array>
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

}  // namespace rankine
