#include "commands/feature_check.hpp"

#include "framework/text_table.hpp"

namespace rankine::cli {

void tell_other_features(const std::string& source, std::int64_t num_features,
                         std::int64_t expected, Console& console) {
  if (num_features == expected) return;
  console.warn(source + " has " + counted_text(num_features, "feature") +
               " and the model's training data had " + count_text(expected) +
               (num_features > expected ? ": the others are left out" : ": the others count as 0"));
}

}  // namespace rankine::cli
