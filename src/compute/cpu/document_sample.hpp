// Some documents of a long query to stand for all of it, where a sum over its pairs need only be
// about right. Each stands for as many as its weight says; those of weight 0 are left out. Where
// grades are few, rare ones are taken whole, because every pair has two grades; documents of one
// grade are chosen one from each of many even stretches, so that the order of the documents does
// not matter, and always the same ones. Cost: two passes over the grades of all documents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <rankine/loss.hpp>

#include "compute/cpu/query_share.hpp"

namespace rankine {

class DocumentSample {
 public:
  /// All documents of the query, or those that `chosen` says; which of them, its first document's
  /// number among those of all processes tells.
  DocumentSample(const QueryDocuments& query, const QueryShare::Chosen& chosen,
                 std::int64_t first_document);
  DocumentSample(const DocumentSample&) = delete;
  DocumentSample& operator=(const DocumentSample&) = delete;

  /// Lives as long as the sample and the query.
  const QueryDocuments& documents() const { return documents_; }
  /// Their numbers in the query; empty: all of them.
  std::span<const std::uint32_t> numbers() const { return numbers_; }

 private:
  void choose(const QueryDocuments& query, const QueryShare::Chosen& chosen, std::uint64_t seed);

  std::vector<std::uint32_t> numbers_;
  std::vector<double> grades_;
  std::vector<std::uint32_t> ranks_;
  std::vector<double> weights_;
  QueryDocuments documents_;
};

/// Their dense feature rows.
class SampledRows {
 public:
  /// `rows` are those of the query, `numbers` as in DocumentSample.
  SampledRows(const float* rows, std::size_t width, std::span<const std::uint32_t> numbers = {})
      : rows_(rows), width_(width), numbers_(numbers) {}

  std::size_t width() const { return width_; }
  const float* operator[](std::size_t document) const {
    return rows_ + (numbers_.empty() ? document : numbers_[document]) * width_;
  }
  /// out[k] = row k . vector.
  void products(std::span<const double> vector, std::span<double> out) const;
  /// out += sum over k of factors[k] * row k.
  void add_weighted(std::span<const double> factors, std::span<double> out) const;

 private:
  const float* rows_;
  std::size_t width_;
  std::span<const std::uint32_t> numbers_;
};

}  // namespace rankine
