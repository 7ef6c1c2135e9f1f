#include "feature_map.hpp"

#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <rankine/map_features.hpp>

#include "arrays.hpp"
#include "option_texts.hpp"

namespace rankine::python {
namespace {

FittedMap fit(const Dataset& data, const OptionTexts& texts, std::uint64_t seed, int threads) {
  FeatureMapOptions options;
  assign_texts(texts, option_entries(options));
  const nb::gil_scoped_release unlocked;
  return fit_map(data, options, seed, threads);
}

nb::object map_documents(const FittedMap& map, const Dataset& data, int threads) {
  DenseMatrix mapped = [&] {
    const nb::gil_scoped_release unlocked;
    return map_features(map, data, threads);
  }();
  return numpy_of(std::move(mapped.values), {static_cast<std::size_t>(mapped.num_rows),
                                             static_cast<std::size_t>(mapped.num_columns)});
}

nb::dict report_of(const FittedMap& map) {
  const MapReport& report = map.terms.report.map;
  nb::dict out;
  out["gamma"] = report.gamma;
  out["components"] = report.components;
  out["rank"] = report.rank;
  out["unexplained"] = report.unexplained;
  return out;
}

using State = std::tuple<nb::bytes, std::int64_t, nb::object>;

State state_of(const FittedMap& map) {
  const std::vector<char> bytes = map.terms.bytes();
  return {nb::bytes(bytes.data(), bytes.size()), map.num_components, numpy_of(map.mixing)};
}

FittedMap map_from(const State& state) {
  const auto& [bytes, num_components, mixing] = state;
  const auto numbers = nb::cast<Input<double>>(mixing);
  FittedMap map;
  map.terms = Model::from_bytes(std::span<const char>(bytes.c_str(), bytes.size()), "pickled map");
  map.num_components = num_components;
  map.mixing.assign(numbers.data(), numbers.data() + numbers.size());
  check_map(map, "pickled map");
  return map;
}

}  // namespace

void define_feature_map(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<FittedMap>(module, "FeatureMap", "A fitted feature map.")
      .def("map", &map_documents, "data"_a, "threads"_a = 0)
      .def_prop_ro("num_components", [](const FittedMap& map) { return map.num_components; })
      .def_prop_ro("report", &report_of)
      .def("__getstate__", &state_of)
      .def("__setstate__",
           [](FittedMap& map, const State& state) { new (&map) FittedMap(map_from(state)); })
      .def("__eq__", [](const FittedMap& map, const FittedMap& other) { return map == other; });
  module.def("fit_map", &fit, "data"_a, "options"_a, "seed"_a, "threads"_a = 0);
}

}  // namespace rankine::python
