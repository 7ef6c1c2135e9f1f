// Data of every shape that a backend may meet: dense and sparse, few and many grades, weights,
// ties, queries without documents, wide rows, and one query so long that threads share its rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <rankine/dataset.hpp>

#include "oracles/random_dataset.hpp"

namespace rankine::conformance {

struct NamedData {
  std::string name;
  Dataset data;
};

inline Dataset with_features(Dataset data, const std::function<float(std::size_t)>& value) {
  std::vector<float> values(std::get<DenseMatrix>(data.features).values.size());
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = value(k);
  data.features = DenseMatrix{data.num_documents(), data.num_features(), std::move(values)};
  return data;
}

/// Every third query loses its documents.
inline Dataset with_empty_queries(Dataset data) {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::string> ids;
  for (std::size_t q = 0; q + 1 < data.query_offsets.size(); ++q) {
    if (q % 3 == 0) {
      offsets.push_back(offsets.back());
      ids.push_back("empty" + std::to_string(q));
    }
    offsets.push_back(data.query_offsets[q + 1]);
    ids.push_back("q" + std::to_string(q));
  }
  data.query_offsets = std::move(offsets);
  data.query_ids = StringList::of(ids);
  return data;
}

/// Queries of some documents, and one so long that threads share its rows.
inline Dataset with_a_long_query() {
  std::mt19937_64 random(8);
  std::normal_distribution<float> normal;
  constexpr std::size_t kWidth = 3;
  const std::vector<std::size_t> sizes{40, 40'000, 25};
  std::vector<float> values;
  std::vector<double> grades;
  std::vector<std::int64_t> offsets{0};
  for (const std::size_t size : sizes) {
    for (std::size_t doc = 0; doc < size; ++doc) {
      for (std::size_t f = 0; f < kWidth; ++f) values.push_back(normal(random));
      grades.push_back(static_cast<double>(random() % 3));
    }
    offsets.push_back(static_cast<std::int64_t>(grades.size()));
  }
  Dataset data;
  data.source = "long";
  data.features = DenseMatrix{static_cast<std::int64_t>(grades.size()), kWidth, std::move(values)};
  data.grades = std::move(grades);
  data.query_offsets = std::move(offsets);
  data.query_ids = StringList::of(std::vector<std::string>{"a", "b", "c"});
  return data;
}

inline std::vector<NamedData> data_sets() {
  std::mt19937_64 random(21);
  std::vector<NamedData> sets;
  const auto add = [&](const std::string& name, Dataset data) {
    sets.push_back({name + "_dense", data});
    sets.push_back({name + "_sparse", oracles::as_sparse(data)});
  };
  add("few_grades", oracles::random_dataset(random, {.queries = 60}));
  add("many_grades", oracles::random_dataset(random, {.queries = 30, .levels = 0}));
  add("weighted", oracles::random_dataset(random, {.queries = 30, .weighted = true}));
  add("empty_queries", with_empty_queries(oracles::random_dataset(random, {.queries = 20})));
  // Rows of few different values have equal scores.
  add("ties", with_features(oracles::random_dataset(random, {.queries = 30, .features = 4}),
                            [&](std::size_t) { return static_cast<float>(random() % 2); }));
  sets.push_back({"wide", oracles::random_dataset(random, {.queries = 15, .features = 70})});
  sets.push_back({"long_query", with_a_long_query()});
  return sets;
}

}  // namespace rankine::conformance
