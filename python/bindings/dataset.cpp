// Python puts rows in order and types; here arrays become a Dataset that shares their memory, and
// every promise of a Dataset is checked, so that nothing Python passes can lead out of bounds.
#include "dataset.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <rankine/dataset.hpp>
#include <rankine/error.hpp>
#include <rankine/folds.hpp>
#include <rankine/read.hpp>
#include <rankine/synth.hpp>
#include <rankine/write.hpp>

#include "arrays.hpp"
#include "finite_values.hpp"
#include "option_texts.hpp"
#include "progress.hpp"

namespace rankine::python {
namespace {

using DenseInput = Input<float, 2>;
/// offsets, columns, values, number of columns
using CsrInput = std::tuple<Input<std::int64_t>, Input<std::int32_t>, Input<float>, std::int64_t>;
using QueryIds = std::variant<Input<std::int64_t>, std::vector<std::string>>;

FeatureMatrix matrix_of(const std::variant<DenseInput, CsrInput>& input) {
  if (const auto* dense = std::get_if<DenseInput>(&input)) {
    return DenseMatrix{static_cast<std::int64_t>(dense->shape(0)),
                       static_cast<std::int64_t>(dense->shape(1)), borrow(*dense)};
  }
  const auto& [offsets, columns, values, num_columns] = std::get<CsrInput>(input);
  // A negative column becomes one that does not exist, which check_dataset finds.
  const Array<std::int32_t> kept = borrow(columns);
  const std::span<const std::uint32_t> unsigned_columns{
      reinterpret_cast<const std::uint32_t*>(kept.data()), kept.size()};
  return CsrMatrix{
      static_cast<std::int64_t>(offsets.size()) - 1, num_columns, borrow(offsets),
      Array<std::uint32_t>::borrow(unsigned_columns, std::make_shared<Array<std::int32_t>>(kept)),
      borrow(values)};
}

StringList ids_of(const QueryIds& ids) {
  if (const auto* texts = std::get_if<std::vector<std::string>>(&ids))
    return StringList::of(*texts);
  std::vector<char> bytes;
  std::vector<std::int64_t> offsets{0};
  const auto& numbers = std::get<Input<std::int64_t>>(ids);
  for (std::size_t query = 0; query < numbers.size(); ++query) {
    const std::string text = std::to_string(numbers.data()[query]);
    bytes.insert(bytes.end(), text.begin(), text.end());
    offsets.push_back(static_cast<std::int64_t>(bytes.size()));
  }
  return {std::move(bytes), std::move(offsets)};
}

std::vector<Preference> preferences_of(const Input<double, 2>& rows) {
  if (rows.shape(1) != 4) throw Error(ErrorKind::data, "preferences: four columns are needed");
  std::vector<Preference> preferences(rows.shape(0));
  for (std::size_t row = 0; row < preferences.size(); ++row) {
    const double* values = rows.data() + 4 * row;
    for (const double index : {values[0], values[1]}) {
      if (!(std::abs(index) < 9e15) || index != std::floor(index)) {
        throw Error(ErrorKind::data, "preferences: row " + std::to_string(row) +
                                         " names a document that does not exist");
      }
    }
    preferences[row] = {static_cast<std::int64_t>(values[0]), static_cast<std::int64_t>(values[1]),
                        values[2], values[3]};
  }
  return preferences;
}

/// check_dataset, but with dense features looked at once only, by the check that says where, or not
/// at all.
void check_all(const Dataset& data, bool check_values) {
  const auto* dense = std::get_if<DenseMatrix>(&data.features);
  if (dense == nullptr) return check_dataset(data, data.source);
  if (dense->num_columns >= std::int64_t{1} << 32) {
    throw Error(ErrorKind::data, data.source + ": " + std::to_string(dense->num_columns) +
                                     " features must be in [0, 2^32)");
  }
  if (check_values) check_finite(dense->values, dense->num_columns, data.source, data.input_rows);
  Dataset rest = data;
  rest.features = DenseMatrix{dense->num_rows, 0, {}};
  rest.feature_names = {};
  rest.missing = {};  // found in the array itself
  rest.num_missing = 0;
  check_dataset(rest, data.source);
  const auto num_names = static_cast<std::int64_t>(data.feature_names.size());
  if (num_names != 0 && num_names != dense->num_columns) {
    throw Error(ErrorKind::data, data.source + ": " + std::to_string(num_names) +
                                     " feature names where there should be " +
                                     std::to_string(dense->num_columns));
  }
}

Dataset make_dataset(const std::string& source, const std::variant<DenseInput, CsrInput>& features,
                     const Input<double>& grades, const Input<std::int64_t>& query_offsets,
                     const QueryIds& query_ids,
                     const std::optional<Input<std::int64_t>>& input_rows,
                     const std::optional<Input<double>>& document_weights,
                     const std::optional<Input<double>>& query_weights,
                     const std::optional<Input<double, 2>>& preferences,
                     const std::vector<std::string>& feature_names,
                     const std::vector<std::string>& document_ids, bool check_values,
                     bool nan_is_missing) {
  Dataset data;
  data.source = source;
  data.features = matrix_of(features);
  data.grades = borrow(grades);
  data.query_offsets = borrow(query_offsets);
  data.query_ids = ids_of(query_ids);
  data.input_rows = borrow_if(input_rows);
  data.document_weights = borrow_if(document_weights);
  data.query_weights = borrow_if(query_weights);
  if (preferences) {
    data.preferences = preferences_of(*preferences);
    data.has_preferences = true;
  }
  if (!feature_names.empty()) data.feature_names = StringList::of(feature_names);
  if (!document_ids.empty()) data.comments = StringList::of(document_ids);
  const nb::gil_scoped_release unlocked;
  if (nan_is_missing) take_missing(data);
  check_all(data, check_values);
  return data;
}

/// The runs of equal keys that make up the queries, or how to gather them.
/// Returns offsets by query, the order of rows (None: as they are) and each query's first row.
nb::tuple group_rows(const Input<std::int64_t>& keys) {
  const std::int64_t* key = keys.data();
  const auto count = static_cast<std::int64_t>(keys.size());
  std::vector<std::int64_t> first_rows;
  bool rising = true;  // then no key can come back
  for (std::int64_t row = 0; row < count; ++row) {
    if (row > 0 && key[row] == key[row - 1]) continue;
    rising = rising && (row == 0 || key[row] > key[row - 1]);
    first_rows.push_back(row);
  }
  std::vector<std::int64_t> offsets = first_rows;
  std::unordered_map<std::int64_t, std::int64_t> number_of;
  if (!rising) {
    first_rows.clear();
    for (const std::int64_t row : offsets) {
      if (number_of.emplace(key[row], std::ssize(first_rows)).second) first_rows.push_back(row);
    }
  }
  const bool gathered = first_rows.size() == offsets.size();
  offsets.push_back(count);
  if (gathered) {
    return nb::make_tuple(numpy_of(std::move(offsets)), nb::none(),
                          numpy_of(std::move(first_rows)));
  }
  std::vector<std::int64_t> query(static_cast<std::size_t>(count));
  offsets.assign(first_rows.size() + 1, 0);
  for (std::int64_t row = 0; row < count; ++row) {
    const bool same = row > 0 && key[row] == key[row - 1];
    const auto index = static_cast<std::size_t>(row);
    query[index] = same ? query[index - 1] : number_of.at(key[row]);
    ++offsets[static_cast<std::size_t>(query[index]) + 1];
  }
  for (std::size_t part = 1; part < offsets.size(); ++part) offsets[part] += offsets[part - 1];
  std::vector<std::int64_t> next(offsets.begin(), offsets.end() - 1);
  std::vector<std::int64_t> order(query.size());
  for (std::int64_t row = 0; row < count; ++row) {
    auto& place = next[static_cast<std::size_t>(query[static_cast<std::size_t>(row)])];
    order[static_cast<std::size_t>(place++)] = row;
  }
  return nb::make_tuple(numpy_of(std::move(offsets)), numpy_of(std::move(order)),
                        numpy_of(std::move(first_rows)));
}

/// What a Dataset holds of features: an array, or (offsets, columns, values, number of columns).
nb::object features_of(const Dataset& data) {
  if (const auto* dense = std::get_if<DenseMatrix>(&data.features)) {
    return numpy_view(dense->values, {static_cast<std::size_t>(dense->num_rows),
                                      static_cast<std::size_t>(dense->num_columns)});
  }
  const auto& csr = std::get<CsrMatrix>(data.features);
  return nb::make_tuple(numpy_view(csr.offsets), numpy_view(csr.columns), numpy_view(csr.values),
                        csr.num_columns);
}

Dataset read(const std::string& path, const OptionTexts& options, bool keep_comments,
             nb::object callback) {
  ReadOptions reading;
  assign_texts(options, option_entries(reading));
  reading.keep_comments = keep_comments;
  PythonProgress progress(std::move(callback));
  return progress.run([&](const Progress& watch) { return read_dataset(path, reading, watch); });
}

nb::tuple synthesise(const OptionTexts& texts, int threads) {
  SynthOptions options;
  assign_texts(texts, option_entries(options));
  SyntheticData made = [&] {
    const nb::gil_scoped_release unlocked;
    return make_synthetic(options, threads);
  }();
  const Array<double> scores = made.true_scores;
  return nb::make_tuple(std::move(made.data), numpy_view(scores));
}

/// By row of `query_ids`, the part the query belongs to.
std::vector<std::int64_t> fold_of_queries(const std::vector<std::string>& query_ids,
                                          const OptionTexts& texts) {
  FoldOptions options;
  assign_texts(texts, option_entries(options));
  Dataset data;
  std::vector<std::int64_t> offsets(query_ids.size() + 1);
  for (std::size_t query = 0; query < offsets.size(); ++query) {
    offsets[query] = static_cast<std::int64_t>(query);
  }
  data.query_offsets = std::move(offsets);
  data.query_ids = StringList::of(query_ids);
  std::vector<std::int64_t> fold_of(query_ids.size());
  const auto folds = query_folds(data, options);
  for (std::size_t fold = 0; fold < folds.size(); ++fold) {
    for (const std::int64_t query : folds[fold]) {
      fold_of[static_cast<std::size_t>(query)] = static_cast<std::int64_t>(fold);
    }
  }
  return fold_of;
}

}  // namespace

void define_dataset(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<Dataset>(module, "Dataset", "Documents gathered by query, their grades and features.")
      .def_prop_ro("source", [](const Dataset& data) { return data.source; })
      .def_prop_ro("num_documents", &Dataset::num_documents)
      .def_prop_ro("num_queries", &Dataset::num_queries)
      .def_prop_ro("num_features", &Dataset::num_features)
      .def_prop_ro("num_missing", [](const Dataset& data) { return data.num_missing; })
      .def_prop_ro("features", &features_of)
      .def_prop_ro("grades", [](const Dataset& data) { return numpy_view(data.grades.values()); })
      .def_prop_ro("query_offsets",
                   [](const Dataset& data) { return numpy_view(data.query_offsets); })
      .def_prop_ro("query_ids", [](const Dataset& data) { return list_of(data.query_ids); })
      .def_prop_ro("input_rows", [](const Dataset& data) { return numpy_view(data.input_rows); })
      .def_prop_ro("document_weights",
                   [](const Dataset& data) { return numpy_view(data.document_weights); })
      .def_prop_ro("query_weights",
                   [](const Dataset& data) { return numpy_view(data.query_weights); })
      .def_prop_ro("comments", [](const Dataset& data) { return list_of(data.comments); })
      .def_prop_ro("feature_names", [](const Dataset& data) { return list_of(data.feature_names); })
      .def(
          "write",
          [](const Dataset& data, const std::string& path, const std::string& format) {
            const auto chosen = parse_choice<DataFormat>("format", format);
            const nb::gil_scoped_release unlocked;
            write_dataset(path, data, chosen);
          },
          "path"_a, "format"_a = "auto");
  module.def("make_dataset", &make_dataset, "source"_a, "features"_a.noconvert(),
             "grades"_a.noconvert(), "query_offsets"_a.noconvert(), "query_ids"_a.noconvert(),
             "input_rows"_a.noconvert() = nb::none(), "document_weights"_a.noconvert() = nb::none(),
             "query_weights"_a.noconvert() = nb::none(), "preferences"_a.noconvert() = nb::none(),
             "feature_names"_a = std::vector<std::string>(),
             "document_ids"_a = std::vector<std::string>(), "check_values"_a = true,
             "nan_is_missing"_a = false);
  module.def("group_rows", &group_rows, "keys"_a.noconvert());
  module.def("read_dataset", &read, "path"_a, "options"_a, "keep_comments"_a = false,
             "callback"_a = nb::none());
  module.def("make_synthetic", &synthesise, "options"_a, "threads"_a = 0);
  module.def("fold_of_queries", &fold_of_queries, "query_ids"_a, "options"_a);
}

}  // namespace rankine::python
