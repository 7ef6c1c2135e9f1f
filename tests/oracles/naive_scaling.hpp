// The scalings of docs/scaling.md written as their formulas, on a table of numbers: slow, obvious.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <vector>

#include <rankine/scaling.hpp>

namespace rankine::oracles {

using Table = std::vector<std::vector<double>>;  // rows of values

inline std::vector<double> column_of(const Table& table, std::size_t column) {
  std::vector<double> values;
  for (const auto& row : table) values.push_back(row[column]);
  return values;
}

/// The mid-rank distribution function of `values` at x, between values linear, for few values.
inline double naive_distribution(const std::vector<double>& values, double x) {
  const std::set<double> different(values.begin(), values.end());
  if (x < *different.begin()) return 0;
  if (x > *different.rbegin()) return 1;
  const auto level = [&](double value) {
    double below = 0;
    double equal = 0;
    for (const double other : values) {
      below += other < value ? 1 : 0;
      equal += other == value ? 1 : 0;
    }
    return (below + (equal - 1) / 2) / (static_cast<double>(values.size()) - 1);
  };
  const auto above = different.lower_bound(x);
  if (*above == x) return level(x);
  const double right = *above;
  const double left = *std::prev(above);
  return level(left) + (x - left) / (right - left) * (level(right) - level(left));
}

/// One value of one column scaled by what `fitted`, all values of the column it is fitted on, say.
inline double naive_scaled(Scaling kind, const std::vector<double>& fitted, double x,
                           bool keeps_zeros) {
  const auto [least, most] = std::minmax_element(fitted.begin(), fitted.end());
  if (kind == Scaling::none) return x;
  if (kind == Scaling::log) return x < 0 ? -std::log1p(-x) : std::log1p(x);
  if (*least == *most) return 0;
  if (kind == Scaling::standard) {
    long double mean = 0;
    for (const double value : fitted) mean += value;
    mean /= static_cast<long double>(fitted.size());
    long double squares = 0;
    for (const double value : fitted) squares += (value - mean) * (value - mean);
    const long double deviation = std::sqrt(squares / static_cast<long double>(fitted.size()));
    return static_cast<double>((x - (keeps_zeros ? 0 : mean)) / deviation);
  }
  if (kind == Scaling::quantile) {
    return naive_distribution(fitted, x) - (keeps_zeros ? naive_distribution(fitted, 0) : 0);
  }
  return (x - (keeps_zeros ? 0 : *least)) / (*most - *least);
}

/// `data` scaled as fitted on `train`. Query q of data is rows [offsets[q], offsets[q + 1]).
inline Table naive_scaling(Scaling kind, const Table& train, const Table& data,
                           const std::vector<std::int64_t>& offsets, bool keeps_zeros) {
  Table result = data;
  for (std::size_t query = 0; query + 1 < offsets.size(); ++query) {
    const Table of_query(data.begin() + offsets[query], data.begin() + offsets[query + 1]);
    for (auto row = static_cast<std::size_t>(offsets[query]);
         row < static_cast<std::size_t>(offsets[query + 1]); ++row) {
      for (std::size_t column = 0; column < data[row].size(); ++column) {
        const auto fitted = column_of(kind == Scaling::query_minmax ? of_query : train, column);
        result[row][column] = naive_scaled(kind, fitted, data[row][column], keeps_zeros);
      }
    }
  }
  return result;
}

}  // namespace rankine::oracles
