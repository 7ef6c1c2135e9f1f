#include "training.hpp"

#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <rankine/metrics.hpp>
#include <rankine/train.hpp>
#include <rankine/tune.hpp>

#include "arrays.hpp"
#include "option_texts.hpp"
#include "progress.hpp"

namespace rankine::python {
namespace {

/// The model, and the exception that ended its training early or None.
nb::tuple fit(const Dataset& data, const std::string& method, const OptionTexts& texts,
              const Model* warm_start, nb::object callback) {
  TrainOptions options = train_options(method, texts);
  options.warm_start = warm_start;
  PythonProgress progress(std::move(callback));
  Model model = [&] {
    const nb::gil_scoped_release unlocked;
    return train(data, options, progress.watch()).model;
  }();
  return nb::make_tuple(std::move(model), progress.raised());
}

/// The models, one a value of C, and the exception that ended training early or None.
nb::tuple fit_path(const Dataset& data, const std::string& method, const OptionTexts& texts,
                   const std::vector<double>& values_of_c, nb::object callback) {
  const TrainOptions options = train_options(method, texts);
  PythonProgress progress(std::move(callback));
  std::vector<TrainResult> results = [&] {
    const nb::gil_scoped_release unlocked;
    return train_path(data, options, values_of_c, progress.watch());
  }();
  nb::list models;
  for (TrainResult& result : results) models.append(nb::cast(std::move(result.model)));
  return nb::make_tuple(models, progress.raised());
}

/// Every setting of the grids, tried on folds of `data` or on `valid`; the best one's model.
nb::dict tune_options(const Dataset& data, const Dataset* valid, int num_folds,
                      const std::string& method, const OptionTexts& texts,
                      const std::vector<std::pair<std::string, std::string>>& grids,
                      const std::string& convention, const OptionTexts& tuning_texts,
                      nb::object callback) {
  const TrainOptions options = train_options(method, texts);
  TuneOptions tuning;
  assign_texts(tuning_texts, option_entries(tuning));
  tuning.rules = measure_rules(parse_choice<Convention>("convention", convention));
  for (const auto& [name, values] : grids) {
    tuning.grids.push_back(parse_grid_option(options, name + "=" + values));
  }
  PythonProgress progress(std::move(callback));
  TuneResult result = [&] {
    const nb::gil_scoped_release unlocked;
    return valid != nullptr ? tune(data, *valid, options, tuning, progress.watch())
                            : tune(data, num_folds, options, tuning, progress.watch());
  }();
  nb::list settings;
  for (const TuneSetting& setting : result.settings) {
    nb::dict row;
    for (std::size_t grid = 0; grid < result.names.size(); ++grid) {
      row[result.names[grid].c_str()] = setting.values[grid];
    }
    settings.append(nb::make_tuple(row, setting.mean, setting.deviation, setting.seconds,
                                   numpy_of(setting.validation)));
  }
  nb::dict out;
  out["settings"] = settings;
  out["best"] = result.best;
  out["model"] = nb::cast(std::move(result.models.front()));
  out["warnings"] = list_of(result.warnings);
  return out;
}

}  // namespace

void define_training(nb::module_& module) {
  using namespace nb::literals;
  module.def("train", &fit, "data"_a, "method"_a, "options"_a, "warm_start"_a.none() = nb::none(),
             "callback"_a = nb::none());
  module.def("train_path", &fit_path, "data"_a, "method"_a, "options"_a, "values_of_c"_a,
             "callback"_a = nb::none());
  module.def("tune", &tune_options, "data"_a, "valid"_a.none(), "num_folds"_a, "method"_a,
             "options"_a, "grids"_a, "convention"_a, "tuning"_a, "callback"_a = nb::none());
}

}  // namespace rankine::python
