#include "training.hpp"

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <rankine/metrics.hpp>
#include <rankine/select.hpp>
#include <rankine/train.hpp>
#include <rankine/tune.hpp>

#include "arrays.hpp"
#include "finite_values.hpp"
#include "option_texts.hpp"
#include "progress.hpp"
#include "python_loss.hpp"

namespace rankine::python {
namespace {

/// work(). Values may come unchecked where training notices what is not finite: where it fails,
/// such a value is named by row and column.
template <class Work>
auto naming_bad_values(const Dataset& data, const Work& work) {
  try {
    return work();
  } catch (const Error&) {
    if (const auto* dense = std::get_if<DenseMatrix>(&data.features)) {
      check_finite(dense->values, dense->num_columns, data.source, data.input_rows);
    }
    throw;
  }
}

/// The user's own loss, where there is one.
std::optional<PythonLoss> loss_of(const nb::object& description, PythonProgress& progress) {
  std::optional<PythonLoss> loss;
  if (!description.is_none()) loss.emplace(description, progress);
  return loss;
}

/// The model, and the exception that ended its training early or None.
nb::tuple fit(const Dataset& data, const std::string& method, const OptionTexts& texts,
              const Model* warm_start, const nb::object& loss, nb::object callback) {
  TrainOptions options = train_options(method, texts);
  options.warm_start = warm_start;
  PythonProgress progress(std::move(callback));
  const std::optional<PythonLoss> own_loss = loss_of(loss, progress);
  options.loss = own_loss ? &*own_loss : nullptr;
  Model model = naming_bad_values(data, [&] {
    return progress.run([&](const Progress& watch) { return train(data, options, watch).model; });
  });
  return nb::make_tuple(std::move(model), progress.raised());
}

/// The models, one a value of C or alpha, and the exception that ended training early or None.
nb::tuple fit_path(const Dataset& data, const std::string& method, const OptionTexts& texts,
                   const std::vector<double>& values, const nb::object& loss, nb::object callback) {
  TrainOptions options = train_options(method, texts);
  PythonProgress progress(std::move(callback));
  const std::optional<PythonLoss> own_loss = loss_of(loss, progress);
  options.loss = own_loss ? &*own_loss : nullptr;
  std::vector<TrainResult> results =
      progress.run([&](const Progress& watch) { return train_path(data, options, values, watch); });
  nb::list models;
  for (TrainResult& result : results) models.append(nb::cast(std::move(result.model)));
  return nb::make_tuple(models, progress.raised());
}

/// Every value of the hyper-parameter, the best chosen by the scores that leave each query out.
nb::dict fit_and_select(const Dataset& data, const std::string& method, const OptionTexts& texts,
                        const std::string& select, nb::object callback) {
  TrainOptions options = train_options(method, texts);
  options.leave_query_out = true;
  const SelectOptions judged{parse_measures(select).front(), {}, nullptr};
  PythonProgress progress(std::move(callback));
  Selection chosen = naming_bad_values(data, [&] {
    return progress.run(
        [&](const Progress& watch) { return train_and_select(data, options, judged, watch); });
  });
  nb::dict out;
  out["model"] = nb::cast(std::move(chosen.result.model));
  out["best"] = chosen.best;
  out["values"] = numpy_of(std::move(chosen.values));
  out["means"] = numpy_of(std::move(chosen.means));
  out["leave_query_out"] = numpy_of(std::move(chosen.leave_query_out));
  return out;
}

/// Every setting of the grids, tried on folds of `data` or on `valid`; the best one's model.
nb::dict tune_options(const Dataset& data, const Dataset* valid, int num_folds,
                      const std::string& method, const OptionTexts& texts,
                      const std::vector<std::pair<std::string, std::string>>& grids,
                      const std::string& convention, const OptionTexts& tuning_texts,
                      const nb::object& loss, nb::object callback) {
  TrainOptions options = train_options(method, texts);
  TuneOptions tuning;
  assign_texts(tuning_texts, option_entries(tuning));
  tuning.rules = measure_rules(parse_choice<Convention>("convention", convention));
  for (const auto& [name, values] : grids) {
    tuning.grids.push_back(parse_grid_option(options, name + "=" + values));
  }
  PythonProgress progress(std::move(callback));
  const std::optional<PythonLoss> own_loss = loss_of(loss, progress);
  options.loss = own_loss ? &*own_loss : nullptr;
  TuneResult result = progress.run([&](const Progress& watch) {
    return valid != nullptr ? tune(data, *valid, options, tuning, watch)
                            : tune(data, num_folds, options, tuning, watch);
  });
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
             "loss"_a = nb::none(), "callback"_a = nb::none());
  module.def("train_path", &fit_path, "data"_a, "method"_a, "options"_a, "values"_a,
             "loss"_a = nb::none(), "callback"_a = nb::none());
  module.def("train_and_select", &fit_and_select, "data"_a, "method"_a, "options"_a, "select"_a,
             "callback"_a = nb::none());
  module.def("tune", &tune_options, "data"_a, "valid"_a.none(), "num_folds"_a, "method"_a,
             "options"_a, "grids"_a, "convention"_a, "tuning"_a, "loss"_a = nb::none(),
             "callback"_a = nb::none());
}

}  // namespace rankine::python
