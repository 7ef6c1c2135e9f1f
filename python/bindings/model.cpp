#include "model.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <rankine/dataset.hpp>
#include <rankine/error.hpp>
#include <rankine/map_features.hpp>
#include <rankine/model.hpp>
#include <rankine/scaling.hpp>

#include "arrays.hpp"
#include "finite_values.hpp"
#include "progress.hpp"

namespace rankine::python {
namespace {

nb::object scores_of(const Model& model, const Dataset& data, int threads) {
  PythonProgress progress{nb::none()};
  return numpy_of(
      progress.run([&](const Progress& watch) { return model.score(data, threads, watch); }));
}

/// The scores of rows of one query: what a small predict costs, so no ids and no copy.
nb::object scores_of_rows(const Model& model, const Input<float, 2>& rows, int threads) {
  check_finite({rows.data(), rows.size()}, static_cast<std::int64_t>(rows.shape(1)), "X");
  Dataset data;
  data.source = "X";
  data.features = DenseMatrix{static_cast<std::int64_t>(rows.shape(0)),
                              static_cast<std::int64_t>(rows.shape(1)),
                              Array<float>::borrow({rows.data(), rows.size()}, nullptr)};
  data.grades = std::vector<double>(rows.shape(0));
  data.query_offsets = std::vector<std::int64_t>{0, static_cast<std::int64_t>(rows.shape(0))};
  return scores_of(model, data, threads);
}

/// What the weights multiply, by document.
nb::object terms_of(const Model& model, const Dataset& data, int threads) {
  const DenseMatrix terms = [&] {
    const nb::gil_scoped_release unlocked;
    return scoring_terms(model, data, threads);
  }();
  return numpy_view(terms.values, {static_cast<std::size_t>(terms.num_rows),
                                   static_cast<std::size_t>(terms.num_columns)});
}

std::string kind_of(const Model& model) {
  return std::string(model.function.kind());
}

/// Empty where the score is no weighted sum.
nb::object weights_of(const Model& model) {
  const std::vector<double>* const weights = model.function.weights();
  return numpy_of(weights == nullptr ? std::vector<double>() : *weights);
}

nb::dict report_of(const TrainReport& report) {
  nb::dict out;
  out["gamma"] = report.map.gamma;
  out["components"] = report.map.components;
  out["rank"] = report.map.rank;
  out["unexplained"] = report.map.unexplained;
  out["seconds_mapping"] = report.map.seconds;
  out["termination"] = std::string(name_of(report.termination));
  out["solver"] = report.solver;
  out["iterations"] = report.iterations;
  out["products"] = report.products;
  out["hessians"] = report.hessians;
  out["objective"] = report.objective;
  out["gap"] = report.gap;
  out["seconds_scaling"] = report.seconds_scaling;
  out["seconds_preparing"] = report.seconds_preparing;
  out["seconds_solving"] = report.seconds_solving;
  out["peak_memory"] = report.peak_memory;
  out["constant_columns"] = report.constant_columns;
  out["warnings"] = list_of(report.warnings);
  std::vector<double> objectives;
  std::vector<double> gradient_norms;
  std::vector<double> steps;
  for (const TrainStep& step : report.steps) {
    objectives.push_back(step.objective);
    gradient_norms.push_back(step.gradient_norm);
    steps.push_back(step.step);
  }
  out["objectives"] = numpy_of(std::move(objectives));
  out["gradient_norms"] = numpy_of(std::move(gradient_norms));
  out["steps"] = numpy_of(std::move(steps));
  return out;
}

nb::dict trained_on(const Model& model) {
  const TrainingData& data = model.trained_on;
  nb::dict out;
  out["source"] = data.source;
  out["documents"] = data.num_documents;
  out["queries"] = data.num_queries;
  out["features"] = data.num_features;
  out["pairs"] = data.num_pairs;
  out["checksum"] = data.checksum;
  return out;
}

nb::dict options_of(const Model& model) {
  nb::dict out;
  for (const auto& [name, text] : model.options) out[name.c_str()] = text;
  return out;
}

nb::bytes bytes_of(const Model& model) {
  const std::vector<char> bytes = model.bytes();
  return nb::bytes(bytes.data(), bytes.size());
}

Model model_from(const nb::bytes& bytes) {
  return Model::from_bytes(std::span<const char>(bytes.c_str(), bytes.size()), "pickled model");
}

}  // namespace

void define_model(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<Model>(module, "Model", "What training leaves behind.")
      .def("score", &scores_of, "data"_a, "threads"_a = 0)
      .def("score_rows", &scores_of_rows, "rows"_a.noconvert(), "threads"_a = 0)
      .def("terms", &terms_of, "data"_a, "threads"_a = 0)
      .def_prop_ro("kind", &kind_of)
      .def_prop_ro("weights", &weights_of)
      .def("raw_weights", [](const Model& model) { return numpy_of(model.raw_weights()); })
      .def_prop_ro("num_features", &Model::num_features)
      .def_prop_ro("scaling",
                   [](const Model& model) { return std::string(name_of(model.scaling.kind)); })
      .def_prop_ro("columns", [](const Model& model) { return numpy_of(model.columns); })
      .def_prop_ro("feature_names", [](const Model& model) { return list_of(model.feature_names); })
      .def_prop_ro("options", &options_of)
      .def_prop_ro("trained_on", &trained_on)
      .def_prop_ro("report", [](const Model& model) { return report_of(model.report); })
      .def_prop_ro("created_by", [](const Model& model) { return model.created_by; })
      .def("save", &Model::save, "path"_a)
      .def_static("load", &Model::load, "path"_a)
      .def("to_bytes", &bytes_of)
      .def_static("from_bytes", &model_from, "bytes"_a)
      .def("__getstate__", &bytes_of)
      .def("__setstate__",
           [](Model& model, const nb::bytes& bytes) { new (&model) Model(model_from(bytes)); })
      .def("__eq__", [](const Model& model, const Model& other) { return model == other; });
}

}  // namespace rankine::python
