// A data set: documents gathered by query, their grades and features. A plain value, cheap to copy.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "rankine/array.hpp"
#include "rankine/grades.hpp"
#include "rankine/visibility.hpp"

namespace rankine {

/// Row-major float32.
struct DenseMatrix {
  std::int64_t num_rows = 0;
  std::int64_t num_columns = 0;
  Array<float> values;  // num_rows * num_columns

  std::span<const float> row(std::int64_t index) const {
    const auto width = static_cast<std::size_t>(num_columns);
    return values.span().subspan(static_cast<std::size_t>(index) * width, width);
  }
};

/// Compressed sparse rows, columns rising within a row.
struct CsrMatrix {
  std::int64_t num_rows = 0;
  std::int64_t num_columns = 0;
  Array<std::int64_t> offsets;   // num_rows + 1
  Array<std::uint32_t> columns;  // from 0
  Array<float> values;
};

using FeatureMatrix = std::variant<DenseMatrix, CsrMatrix>;

/// "Document `winner` should be above document `loser`", by document index in the data set.
struct Preference {
  std::int64_t winner = 0;
  std::int64_t loser = 0;
  double weight = 1;
  double magnitude = 1;
};

/// A feature value that the input does not have; the matrix holds 0, or what was put in its place.
struct MissingValue {
  std::int64_t document = 0;
  std::int64_t column = 0;

  bool operator==(const MissingValue&) const = default;
};

/// Documents of one query are contiguous, in the input's order; queries come in the order of their
/// first document in the input.
struct Dataset {
  std::string source;  // where it came from, for messages
  FeatureMatrix features;
  Grades grades;  // by document
  Array<std::int64_t>
      query_offsets;     // documents of query q: [query_offsets[q], query_offsets[q+1])
  StringList query_ids;  // by query
  Array<std::int64_t>
      input_rows;  // by document: its row in the input, from 0; empty: the same order
  Array<double> document_weights;       // by document; empty: all 1
  Array<double> query_weights;          // by query; empty: all 1
  StringList comments;                  // by document, what followed '#'; empty unless asked for
  StringList feature_names;             // by column; empty when they have none
  std::vector<Preference> preferences;  // explicit pairs, in place of those the grades imply
  bool has_preferences = false;
  std::int64_t num_missing = 0;  // feature values that the input does not have
  Array<MissingValue> missing;   // which, by document, then column; empty where only the number
                                 // is known

  std::int64_t num_documents() const { return static_cast<std::int64_t>(grades.size()); }
  std::int64_t num_queries() const {
    return query_offsets.empty() ? 0 : static_cast<std::int64_t>(query_offsets.size()) - 1;
  }
  std::int64_t num_features() const {
    return std::visit([](const auto& matrix) { return matrix.num_columns; }, features);
  }
  bool is_dense() const { return std::holds_alternative<DenseMatrix>(features); }
};

/// Throws Error{data}, "name: what is wrong", unless `data` keeps every promise above: sizes agree,
/// offsets and columns rise, numbers are finite. Readers have checked what they return; call it for
/// data put together elsewhere. One pass.
RANKINE_API void check_dataset(const Dataset& data, const std::string& name);

}  // namespace rankine
