// make_synthetic collects its rows as the reader of text does, so both choose the same storage.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <rankine/read.hpp>
#include <rankine/synth.hpp>

#include "data/collect/feature_collector.hpp"
#include "data/collect/grade_collector.hpp"
#include "synth/synthetic_blocks.hpp"
#include "synth/synthetic_text.hpp"

namespace rankine {
namespace {

/// The rows of one block, before they are joined.
struct RowBlock {
  std::vector<std::size_t> row_ends;
  std::vector<std::uint32_t> columns;
  std::vector<float> values;
  std::vector<double> grades;
  std::vector<double> true_scores;
  std::vector<char> comments;
  std::vector<std::int64_t> comment_lengths;
};

void make_rows(const SyntheticSource& source, const RowRange& range, RowBlock& block) {
  constexpr double kMillion = 1e6;
  block = {};
  for_each_row(source, range,
               [&](std::int64_t query, std::int64_t document, const SyntheticRow& row) {
                 for (const std::uint64_t millionths : row.millionths) {
                   // Six decimals are either halfway between two floats, and then exact as a
                   // double, or too far from it for a double's rounding to matter.
                   const double value = static_cast<double>(millionths) / kMillion;
                   block.values.push_back(static_cast<float>(value));
                 }
                 block.columns.insert(block.columns.end(), row.columns.begin(), row.columns.end());
                 block.row_ends.push_back(block.columns.size());
                 block.grades.push_back(row.grade);
                 block.true_scores.push_back(row.true_score);
                 std::array<char, kLongestDocumentComment> comment{};
                 char* const end = write_document_comment(comment.data(), query, document);
                 block.comments.insert(block.comments.end(), comment.data(), end);
                 block.comment_lengths.push_back(end - comment.data());
               });
}

template <class T>
void append(std::vector<T>& all, const std::vector<T>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// Where the next block starts, in lists of offsets.
void append_length(std::vector<std::int64_t>& offsets, std::int64_t length) {
  offsets.push_back(offsets.back() + length);
}

}  // namespace

SyntheticData make_synthetic(const SynthOptions& options, int threads) {
  validate(options);
  const SyntheticSource source(options);
  SyntheticData result;
  Dataset& data = result.data;
  data.source = "synthetic data";
  FeatureCollector features(data.source, Storage::automatic, options.features);
  GradeCollector grades;
  std::vector<double> true_scores;
  std::vector<char> comments;
  std::vector<std::int64_t> comment_offsets{0};
  stream_blocks<RowBlock>(
      BlockPlan(source), threads,
      [&](const RowRange& range, RowBlock& block) { make_rows(source, range, block); },
      [&](const RowBlock& block) {
        features.add({block.row_ends, block.columns, block.values, options.features});
        grades.add(block.grades);
        append(true_scores, block.true_scores);
        append(comments, block.comments);
        for (const std::int64_t length : block.comment_lengths) {
          append_length(comment_offsets, length);
        }
      });
  data.features = features.finish();
  data.grades = grades.finish();
  data.comments = StringList(std::move(comments), std::move(comment_offsets));
  result.true_scores = std::move(true_scores);

  std::vector<std::int64_t> query_offsets{0};
  std::vector<std::string> query_ids;
  for (std::int64_t query = 0; query < options.queries; ++query) {
    append_length(query_offsets, source.query_length(query));
    query_ids.push_back(std::to_string(query + 1));
  }
  data.query_offsets = std::move(query_offsets);
  data.query_ids = StringList::of(query_ids);
  return result;
}

}  // namespace rankine
