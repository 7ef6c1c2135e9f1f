#include "model.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <rankine/dataset.hpp>
#include <rankine/error.hpp>
#include <rankine/feature_selection.hpp>
#include <rankine/model.hpp>
#include <rankine/scaling.hpp>

#include "arrays.hpp"
#include "finite_values.hpp"

namespace rankine::python {
namespace {

nb::object scores_of(const Model& model, const Dataset& data, int threads) {
  std::vector<double> scores = [&] {
    const nb::gil_scoped_release unlocked;
    return model.score(data, threads);
  }();
  return numpy_of(std::move(scores));
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

/// The features as the function sees them: selected and scaled.
Dataset seen_by(const Model& model, const Dataset& data, int threads) {
  const nb::gil_scoped_release unlocked;
  const Dataset selected = model.columns.empty() ? data : select_features(data, model.columns);
  return model.scaling.kind == Scaling::none ? selected
                                             : apply_scaling(selected, model.scaling, threads);
}

/// Landmark `index` of the function alone, with its weight.
KernelFunction part_of(const KernelFunction& function, std::int64_t index) {
  const auto at = static_cast<std::size_t>(index);
  KernelFunction part{function.kernel, {}, {function.weights[at]}};
  if (const auto* dense = std::get_if<DenseMatrix>(&function.landmarks)) {
    const auto row = dense->row(index);
    part.landmarks = DenseMatrix{1, dense->num_columns, std::vector<float>(row.begin(), row.end())};
    return part;
  }
  const auto& csr = std::get<CsrMatrix>(function.landmarks);
  const auto first = csr.offsets[at];
  const auto last = csr.offsets[at + 1];
  part.landmarks =
      CsrMatrix{1, csr.num_columns, std::vector<std::int64_t>{0, last - first},
                std::vector<std::uint32_t>(csr.columns.begin() + first, csr.columns.begin() + last),
                std::vector<float>(csr.values.begin() + first, csr.values.begin() + last)};
  return part;
}

/// What each landmark adds to each score, by document. O(documents * landmarks * features).
nb::object landmark_contributions(const Model& model, const Dataset& data, int threads) {
  const auto* function = std::get_if<KernelFunction>(&model.function);
  if (function == nullptr) {
    throw Error(ErrorKind::option, "the model has no landmarks");
  }
  const Dataset seen = seen_by(model, data, threads);
  const std::size_t num_landmarks = function->weights.size();
  const auto num_documents = static_cast<std::size_t>(data.num_documents());
  std::vector<double> contributions(num_documents * num_landmarks);
  {
    const nb::gil_scoped_release unlocked;
    for (std::size_t landmark = 0; landmark < num_landmarks; ++landmark) {
      Model part;
      part.function = part_of(*function, static_cast<std::int64_t>(landmark));
      part.scaling.num_features = seen.num_features();
      const std::vector<double> scores = part.score(seen, threads);
      for (std::size_t doc = 0; doc < num_documents; ++doc) {
        contributions[doc * num_landmarks + landmark] = scores[doc];
      }
    }
  }
  return numpy_of(std::move(contributions), {num_documents, num_landmarks});
}

std::string kind_of(const Model& model) {
  if (std::holds_alternative<LinearFunction>(model.function)) return "linear";
  return std::holds_alternative<KernelFunction>(model.function) ? "kernel" : "random";
}

nb::dict report_of(const TrainReport& report) {
  nb::dict out;
  out["gamma"] = report.map.gamma;
  out["components"] = report.map.components;
  out["rank"] = report.map.rank;
  out["unexplained"] = report.map.unexplained;
  out["seconds_mapping"] = report.map.seconds;
  out["termination"] = report.termination;
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
      .def("scaled_features", &seen_by, "data"_a, "threads"_a = 0)
      .def("landmark_contributions", &landmark_contributions, "data"_a, "threads"_a = 0)
      .def_prop_ro("kind", &kind_of)
      .def_prop_ro("weights",
                   [](const Model& model) {
                     return std::visit(
                         [](const auto& function) { return numpy_of(function.weights); },
                         model.function);
                   })
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
