// Rows of synthetic data as LETOR text.
#pragma once

#include <cstddef>
#include <cstdint>

#include "synth/synthetic_source.hpp"

namespace rankine {

/// The most bytes that write_synthetic_row writes for a row of `num_values` values.
std::size_t longest_synthetic_row(std::size_t num_values);

/// Writes "grade qid:N 1:0.123456 ... #docid = N-D" and a newline, queries and documents counted
/// from 1 in the text; returns the end. Levels are written without decimals, real grades in the
/// shortest text that reads back as the same number.
char* write_synthetic_row(char* out, std::int64_t query, std::int64_t document,
                          const SyntheticRow& row, bool real_grades);

inline constexpr std::size_t kLongestReal = 32;
/// The shortest text that reads back as the same number.
char* write_real(char* out, double value);

inline constexpr std::size_t kLongestDocumentComment = 64;
/// What follows '#': "docid = N-D".
char* write_document_comment(char* out, std::int64_t query, std::int64_t document);

}  // namespace rankine
