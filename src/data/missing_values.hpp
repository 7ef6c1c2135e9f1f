// Means of the values that are there, over documents that come in parts.
#pragma once

#include <cstdint>
#include <vector>

#include <rankine/dataset.hpp>

namespace rankine {

class PresentMeans {
 public:
  explicit PresentMeans(std::int64_t num_columns)
      : sums_(static_cast<std::size_t>(num_columns)), counts_(sums_.size()) {}

  /// The next documents, of so many columns or fewer; the rest of them is 0. Throws Error{data}
  /// when values are missing and it is not known which.
  void add(const Dataset& documents, int threads);

  /// By column; 0 where no document has a value.
  std::vector<double> means() const;

 private:
  std::vector<double> sums_;
  std::vector<double> counts_;
};

}  // namespace rankine
