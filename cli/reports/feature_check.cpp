#include "reports/feature_check.hpp"

#include <rankine/error.hpp>

#include "framework/text_table.hpp"

namespace rankine::cli {

void tell_other_features(const std::string& source, std::int64_t num_features,
                         std::int64_t expected, Console& console) {
  if (num_features == expected) return;
  console.warn(source + " has " + counted_text(num_features, "feature") +
               " and the model's training data had " + count_text(expected) +
               (num_features > expected ? ": the others are left out" : ": the others count as 0"));
}

void tell_missing(const std::string& source, std::int64_t num_missing, Missing missing,
                  Console& console) {
  const std::string warning = missing_warning(source, num_missing, missing);
  if (!warning.empty()) console.warn(warning);
}

Missing missing_of(const Model& model, Missing wanted) {
  const Missing of_model = model.scaling.missing();
  if (wanted != Missing::mean || of_model == Missing::mean) return of_model;
  throw Error(ErrorKind::option,
              "missing = 'mean': the model was trained with missing = 'zero' and scores as it was "
              "trained");
}

}  // namespace rankine::cli
