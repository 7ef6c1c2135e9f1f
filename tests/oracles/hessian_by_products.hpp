// The Hessian of a sweep's loss at a point, one product with a unit vector per column.
#pragma once

#include <cstddef>
#include <vector>

#include "compute/cpu/query_sweep.hpp"

namespace rankine::oracles {

inline std::vector<double> hessian_by_products(const QuerySweep& sweep,
                                               const QuerySweep::Point& point) {
  const auto width = static_cast<std::size_t>(sweep.num_features());
  std::vector<double> hessian(width * width);
  for (std::size_t column = 0; column < width; ++column) {
    std::vector<double> unit(width);
    unit[column] = 1;
    std::vector<double> product(width);
    sweep.hessian_times(point, unit, product);
    for (std::size_t row = 0; row < width; ++row) hessian[row * width + column] = product[row];
  }
  return hessian;
}

}  // namespace rankine::oracles
