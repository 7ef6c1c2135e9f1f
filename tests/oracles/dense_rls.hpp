// RankRLS as it is printed: the whole Laplacian over all documents, and Gaussian elimination.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include <rankine/dataset.hpp>

#include "compute/query_table.hpp"
#include "oracles/pair_laplacian.hpp"

namespace rankine::oracles {

/// Solves matrix x = b by elimination with row pivots.
inline std::vector<double> eliminate(std::vector<double> matrix, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i) {
      if (std::abs(matrix[i * n + k]) > std::abs(matrix[pivot * n + k])) pivot = i;
    }
    for (std::size_t j = 0; j < n; ++j) std::swap(matrix[k * n + j], matrix[pivot * n + j]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = matrix[i * n + k] / matrix[k * n + k];
      for (std::size_t j = k; j < n; ++j) matrix[i * n + j] -= factor * matrix[k * n + j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= matrix[k * n + j] * b[j];
    b[k] /= matrix[k * n + k];
  }
  return b;
}

struct DenseRls {
  std::vector<double> laplacian;  // n x n, factors of the queries included
  std::vector<double> slope;      // L y, or what listed pairs ask for
  std::vector<double> features;   // n x d
  std::size_t documents = 0;
  std::size_t width = 0;

  DenseRls(const Dataset& data, const QueryTable& table, PairGraph graph,
           std::span<const double> column_factors = {})
      : documents(static_cast<std::size_t>(data.num_documents())),
        width(static_cast<std::size_t>(data.num_features())) {
    laplacian.resize(documents * documents);
    slope.resize(documents);
    for (const QueryTable::Query& query : table.queries()) {
      const QueryDocuments part = table.documents(query);
      const auto first = static_cast<std::size_t>(query.first);
      const auto local = pair_laplacian(part, graph);
      for (std::size_t i = 0; i < part.size(); ++i) {
        for (std::size_t j = 0; j < part.size(); ++j) {
          const double value = query.factor * local[i * part.size() + j];
          laplacian[(first + i) * documents + first + j] = value;
          if (graph == PairGraph::none || part.pairs.empty()) {
            slope[first + i] += value * part.grades[j];
          }
        }
      }
      if (graph == PairGraph::none || part.pairs.empty()) continue;
      for_each_pair(part, graph, [&](std::size_t i, std::size_t j, double weight, double asked) {
        slope[first + i] += query.factor * weight * asked;
        slope[first + j] -= query.factor * weight * asked;
      });
    }
    const auto& dense = std::get<DenseMatrix>(data.features);
    for (std::size_t k = 0; k < dense.values.size(); ++k) {
      features.push_back(static_cast<double>(dense.values[k]) *
                         (column_factors.empty() ? 1.0 : column_factors[k % width]));
    }
  }

  /// (X^T L X + alpha I)^-1 X^T L y.
  std::vector<double> primal(double alpha) const {
    std::vector<double> matrix(width * width);
    std::vector<double> b(width);
    for (std::size_t i = 0; i < documents; ++i) {
      for (std::size_t f = 0; f < width; ++f) b[f] += features[i * width + f] * slope[i];
      for (std::size_t j = 0; j < documents; ++j) {
        if (laplacian[i * documents + j] == 0) continue;
        for (std::size_t f = 0; f < width; ++f) {
          for (std::size_t g = 0; g < width; ++g) {
            matrix[f * width + g] +=
                features[i * width + f] * laplacian[i * documents + j] * features[j * width + g];
          }
        }
      }
    }
    for (std::size_t f = 0; f < width; ++f) matrix[f * width + f] += alpha;
    return eliminate(std::move(matrix), std::move(b));
  }

  /// (L K + alpha I)^-1 L y.
  std::vector<double> dual(std::span<const double> kernel, double alpha) const {
    std::vector<double> matrix(documents * documents);
    for (std::size_t i = 0; i < documents; ++i) {
      for (std::size_t k = 0; k < documents; ++k) {
        if (laplacian[i * documents + k] == 0) continue;
        for (std::size_t j = 0; j < documents; ++j) {
          matrix[i * documents + j] += laplacian[i * documents + k] * kernel[k * documents + j];
        }
      }
      matrix[i * documents + i] += alpha;
    }
    return eliminate(std::move(matrix), slope);
  }
};

/// Some preferences within queries of at least two documents.
inline void add_preferences(std::mt19937_64& random, Dataset& data, std::size_t per_query) {
  data.has_preferences = true;
  for (std::size_t q = 0; q + 1 < data.query_offsets.size(); ++q) {
    const std::int64_t first = data.query_offsets[q];
    const std::int64_t size = data.query_offsets[q + 1] - first;
    if (size < 2) continue;
    for (std::size_t k = 0; k < per_query; ++k) {
      const auto winner = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(size));
      const auto step =
          static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(size - 1)) + 1;
      data.preferences.push_back({first + winner, first + (winner + step) % size,
                                  0.5 * static_cast<double>(1 + random() % 3),
                                  0.5 * static_cast<double>(random() % 4)});
    }
  }
}

/// The data without query `left_out`; its preferences too.
inline Dataset without_query(const Dataset& data, std::size_t left_out) {
  const auto begin = data.query_offsets[left_out];
  const auto end = data.query_offsets[left_out + 1];
  const auto keep = [&](std::int64_t doc) { return doc < begin || doc >= end; };
  const auto& dense = std::get<DenseMatrix>(data.features);
  Dataset rest;
  rest.source = data.source;
  std::vector<float> values;
  std::vector<double> grades;
  std::vector<double> weights;
  std::vector<double> query_weights;
  std::vector<std::int64_t> offsets{0};
  std::vector<std::string> ids;
  for (std::int64_t doc = 0; doc < data.num_documents(); ++doc) {
    if (!keep(doc)) continue;
    const auto row = dense.row(doc);
    values.insert(values.end(), row.begin(), row.end());
    grades.push_back(data.grades[static_cast<std::size_t>(doc)]);
    if (!data.document_weights.empty()) {
      weights.push_back(data.document_weights[static_cast<std::size_t>(doc)]);
    }
  }
  for (std::size_t q = 0; q + 1 < data.query_offsets.size(); ++q) {
    if (q == left_out) continue;
    offsets.push_back(offsets.back() + data.query_offsets[q + 1] - data.query_offsets[q]);
    ids.emplace_back(data.query_ids[q]);
    if (!data.query_weights.empty()) query_weights.push_back(data.query_weights[q]);
  }
  rest.features =
      DenseMatrix{static_cast<std::int64_t>(grades.size()), dense.num_columns, std::move(values)};
  rest.grades = std::move(grades);
  rest.document_weights = std::move(weights);
  rest.query_weights = std::move(query_weights);
  rest.query_offsets = std::move(offsets);
  rest.query_ids = StringList::of(ids);
  rest.has_preferences = data.has_preferences;
  for (const Preference& pair : data.preferences) {
    if (!keep(pair.winner)) continue;
    const auto moved = [&](std::int64_t doc) { return doc < begin ? doc : doc - (end - begin); };
    rest.preferences.push_back(
        {moved(pair.winner), moved(pair.loser), pair.weight, pair.magnitude});
  }
  return rest;
}

}  // namespace rankine::oracles
