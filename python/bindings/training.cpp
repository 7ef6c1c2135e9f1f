#include "training.hpp"

#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <rankine/train.hpp>

#include "arrays.hpp"
#include "option_texts.hpp"
#include "progress.hpp"

namespace rankine::python {
namespace {

TrainOptions options_of(const std::string& method, const OptionTexts& texts,
                        const Model* warm_start) {
  TrainOptions options;
  options.method = method_named(method);
  assign_texts(texts, training_entries(options));
  options.warm_start = warm_start;
  return options;
}

/// The model, and the exception that ended its training early or None.
nb::tuple fit(const Dataset& data, const std::string& method, const OptionTexts& texts,
              const Model* warm_start, nb::object callback) {
  const TrainOptions options = options_of(method, texts, warm_start);
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
  const TrainOptions options = options_of(method, texts, nullptr);
  PythonProgress progress(std::move(callback));
  std::vector<TrainResult> results = [&] {
    const nb::gil_scoped_release unlocked;
    return train_path(data, options, values_of_c, progress.watch());
  }();
  nb::list models;
  for (TrainResult& result : results) models.append(nb::cast(std::move(result.model)));
  return nb::make_tuple(models, progress.raised());
}

}  // namespace

void define_training(nb::module_& module) {
  using namespace nb::literals;
  module.def("train", &fit, "data"_a, "method"_a, "options"_a, "warm_start"_a.none() = nb::none(),
             "callback"_a = nb::none());
  module.def("train_path", &fit_path, "data"_a, "method"_a, "options"_a, "values_of_c"_a,
             "callback"_a = nb::none());
}

}  // namespace rankine::python
