// A hash table of the data's names finds each column of the model. A name that occurs twice
// identifies nothing and is refused, unless all columns are where they were in training.
#include "models/model_columns.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include <rankine/error.hpp>
#include <rankine/feature_selection.hpp>

namespace rankine {
namespace {

constexpr std::size_t kMostNamed = 5;
constexpr std::int64_t kTwice = -1;

std::size_t input_column(const Model& model, std::size_t column) {
  return model.columns.empty() ? column : static_cast<std::size_t>(model.columns[column]);
}

/// Do the function's first columns stand where the model has them, and are there no others?
bool is_as_it_is(const std::vector<std::int64_t>& columns, std::int64_t num_features) {
  if (std::ssize(columns) != num_features) return false;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (columns[k] != static_cast<std::int64_t>(k)) return false;
  }
  return true;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), kMostNamed); ++k) {
    text += (k > 0 ? ", '" : "'") + names[k] + "'";
  }
  if (names.size() > kMostNamed) {
    text += " and " + std::to_string(names.size() - kMostNamed) + " more";
  }
  return text;
}

/// Whether every column of the function stands in the data where it stood in training.
bool stand_as_in_training(const Model& model, const StringList& names) {
  for (std::size_t k = 0; k < static_cast<std::size_t>(model.num_features()); ++k) {
    const std::size_t column = input_column(model, k);
    if (column >= names.size() || names[column] != model.feature_names[column]) return false;
  }
  return true;
}

}  // namespace

bool matches_by_name(const Model& model, const StringList& feature_names) {
  return !model.feature_names.empty() && !feature_names.empty();
}

std::vector<std::int64_t> columns_by_name(const Model& model, const StringList& feature_names,
                                          const std::string& source) {
  const auto width = static_cast<std::size_t>(model.num_features());
  std::vector<std::int64_t> columns(width);
  std::unordered_map<std::string_view, std::int64_t> column_of;
  column_of.reserve(feature_names.size());
  for (std::size_t k = 0; k < feature_names.size(); ++k) {
    const auto [found, is_new] = column_of.emplace(feature_names[k], static_cast<std::int64_t>(k));
    if (!is_new) found->second = kTwice;
  }
  // Names that come twice tell nothing apart, unless all stand where they stood.
  const bool as_in_training = stand_as_in_training(model, feature_names);
  std::vector<std::string> missing;
  std::vector<std::string> ambiguous;
  std::vector<std::size_t> times_taken(feature_names.size());
  for (std::size_t k = 0; k < width; ++k) {
    const std::size_t input = input_column(model, k);
    const std::string& name = model.feature_names[input];
    const auto found = column_of.find(name);
    if (as_in_training) {
      columns[k] = static_cast<std::int64_t>(input);
    } else if (found == column_of.end()) {
      missing.push_back(name.empty() ? "feature " + std::to_string(input + 1) : name);
    } else if (found->second == kTwice ||
               times_taken[static_cast<std::size_t>(found->second)]++ > 0) {
      ambiguous.push_back(name.empty() ? "feature " + std::to_string(input + 1) : name);
    } else {
      columns[k] = found->second;
    }
  }
  if (!missing.empty()) {
    throw Error(ErrorKind::data, source + ": the model needs " + listed(missing) +
                                     ", and the data has no feature of that name");
  }
  if (!ambiguous.empty()) {
    throw Error(ErrorKind::data, source + ": the model needs " + listed(ambiguous) +
                                     ", and more than one feature has that name");
  }
  return columns;
}

Dataset visible_columns(const Dataset& data, const Model& model) {
  if (matches_by_name(model, data.feature_names)) {
    const auto columns = columns_by_name(model, data.feature_names, data.source);
    return is_as_it_is(columns, data.num_features()) ? data : select_features(data, columns);
  }
  if (!model.columns.empty()) {
    const auto most = *std::max_element(model.columns.begin(), model.columns.end());
    if (most < data.num_features()) return select_features(data, model.columns);
    throw Error(ErrorKind::data, data.source + ": the model uses feature " +
                                     std::to_string(most + 1) + " and the data has " +
                                     std::to_string(data.num_features()));
  }
  if (data.num_features() <= model.num_features()) return data;
  std::vector<std::int64_t> columns(static_cast<std::size_t>(model.num_features()));
  std::iota(columns.begin(), columns.end(), std::int64_t{0});
  return select_features(data, columns);
}

std::vector<std::string> seen_feature_names(const Model& model) {
  std::vector<std::string> names;
  if (model.feature_names.empty()) return names;
  for (std::size_t k = 0; k < static_cast<std::size_t>(model.num_features()); ++k) {
    names.push_back(model.feature_names[input_column(model, k)]);
  }
  return names;
}

}  // namespace rankine
