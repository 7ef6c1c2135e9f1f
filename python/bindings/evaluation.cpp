#include "evaluation.hpp"

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <rankine/error.hpp>
#include <rankine/evaluate.hpp>
#include <rankine/metrics.hpp>

#include "arrays.hpp"
#include "option_texts.hpp"

namespace rankine::python {
namespace {

/// The measures' means, counts and values by query under the rules of `convention`, with those of
/// `rules` changed.
nb::dict evaluate_scores(const Dataset& data, const Input<double>& scores,
                         const std::vector<std::string>& measures, const std::string& convention,
                         const OptionTexts& texts, int threads) {
  MeasureRules rules = measure_rules(parse_choice<Convention>("convention", convention));
  assign_texts(texts, option_entries(rules));
  const std::vector<Measure> parsed = parse_measures(measures);
  for (std::size_t row = 0; row < scores.size(); ++row) {
    if (std::isnan(scores.data()[row])) {
      throw Error(ErrorKind::data, "y_score: NaN in row " + std::to_string(row));
    }
  }
  const EvaluateOptions options{.complete = false, .threads = threads, .keep_per_query = true};
  EvaluationResult result = [&] {
    const nb::gil_scoped_release unlocked;
    return evaluate(data, {scores.data(), scores.size()}, parsed, rules, options);
  }();
  nb::list names;
  std::vector<double> means;
  std::vector<std::int64_t> left_out;
  for (const MeasureMean& mean : result.means) {
    names.append(mean.measure.text());
    means.push_back(mean.mean);
    left_out.push_back(mean.num_left_out);
  }
  nb::dict out;
  out["measures"] = names;
  const std::size_t num_measures = means.size();
  out["means"] = numpy_of(std::move(means));
  out["left_out"] = numpy_of(std::move(left_out));
  out["per_query"] = numpy_of(std::move(result.per_query),
                              {static_cast<std::size_t>(result.num_queries), num_measures});
  return out;
}

nb::list measure_list() {
  nb::list out;
  for (const MeasureInfo& info : all_measures()) {
    const char* cut = info.cut_off == CutOff::none       ? "none"
                      : info.cut_off == CutOff::optional ? "optional"
                                                         : "required";
    out.append(nb::make_tuple(std::string(info.name), cut, std::string(info.help)));
  }
  return out;
}

nb::list convention_list() {
  nb::list out;
  for (const std::string_view name : EnumNames<Convention>::names) out.append(std::string(name));
  return out;
}

}  // namespace

void define_evaluation(nb::module_& module) {
  using namespace nb::literals;
  module.def("evaluate", &evaluate_scores, "data"_a, "scores"_a.noconvert(), "measures"_a,
             "convention"_a, "rules"_a, "threads"_a = 0);
  module.def("all_measures", &measure_list, "Name, cut-off (none, optional, required) and help.");
  module.def("all_conventions", &convention_list);
}

}  // namespace rankine::python
