// score_file, declared in include/rankine/scores.hpp. Blocks of the input pass through a stream:
// taken one after the other, parsed and scored side by side, written in order. Where a block cannot
// be scored alone, because its scaling needs whole queries, the stream puts them together first.
// Scores are kept only where the output's order is not the input's, or where the work may have to
// start over.
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <rankine/error.hpp>
#include <rankine/model.hpp>
#include <rankine/scores.hpp>

#include "base/system/output_file.hpp"
#include "data/collect/dataset_builder.hpp"
#include "data/collect/query_numbers.hpp"
#include "data/scaling/feature_scaling.hpp"
#include "io/document_stream.hpp"
#include "io/side/score_writer.hpp"
#include "models/model_columns.hpp"

namespace rankine {
namespace {

constexpr std::size_t kDocumentsTogether = 4096;  // of whole queries, scored at once

/// How many columns of the input must be read: the model uses none after them.
std::int64_t columns_needed(const Model& model) {
  if (model.columns.empty()) return model.num_features();
  return *std::max_element(model.columns.begin(), model.columns.end()) + 1;
}

/// What a run is made from, by row of the input. Its query may come back, so it waits for the end.
class GatheredRun {
 public:
  void add(const DocumentBlock& block) {
    if (block.comments.empty() && !block.grades.empty()) {
      throw_no_document_ids(block.documents.source);
    }
    for (std::size_t run = 0; run < block.query_ids.size(); ++run) {
      const std::uint32_t query = queries_.number(block.query_ids[run]);
      const auto last = static_cast<std::size_t>(block.query_offsets[run + 1]);
      for (auto row = static_cast<std::size_t>(block.query_offsets[run]); row < last; ++row) {
        const auto id =
            run_document_id(block.documents.source, block.query_ids[run], block.comments[row]);
        id_bytes_.insert(id_bytes_.end(), id.begin(), id.end());
        id_offsets_.push_back(static_cast<std::int64_t>(id_bytes_.size()));
        query_of_row_.push_back(query);
      }
    }
  }

  void write(OutputFile& file, std::span<const double> scores, const std::string& run_name) {
    const std::size_t num_queries = queries_.size();
    const StringList query_ids = queries_.finish();
    const StringList ids(std::move(id_bytes_), std::move(id_offsets_));
    const auto order = gathering_order(query_of_row_, num_queries);  // empty: as it is
    const auto row_at = [&](std::size_t k) {
      return order.empty() ? k : static_cast<std::size_t>(order[k]);
    };
    std::vector<double> of_query;
    for (std::size_t first = 0; first < query_of_row_.size();) {
      const std::uint32_t query = query_of_row_[row_at(first)];
      of_query.clear();
      std::size_t last = first;
      for (; last < query_of_row_.size() && query_of_row_[row_at(last)] == query; ++last) {
        of_query.push_back(scores[row_at(last)]);
      }
      write_run_query(
          file, query_ids[query], of_query,
          [&](std::size_t doc) { return ids[row_at(first + doc)]; }, run_name);
      first = last;
    }
  }

 private:
  QueryNumbers queries_;
  std::vector<std::uint32_t> query_of_row_;
  std::vector<char> id_bytes_;
  std::vector<std::int64_t> id_offsets_{0};
};

struct Task {
  const Model& model;
  const std::string& input;
  const std::string& output;
  const ScoreFileOptions& options;
  const Progress& progress;
  bool whole_queries;  // the scaling needs them
};

/// Every block is scored by what it has, so that only the end tells what the whole lacks. A match
/// by name has seen all there is in the first block.
void check_columns(const Model& model, const DocumentStream& stream) {
  if (matches_by_name(model, stream.feature_names())) return;
  if (model.columns.empty() || columns_needed(model) <= stream.num_features()) return;
  throw Error(ErrorKind::data, stream.name() + ": the model uses feature " +
                                   std::to_string(columns_needed(model)) + " and the data has " +
                                   std::to_string(stream.num_features()));
}

/// All scores by document of the stream; `on_block` has seen every block, in order.
std::vector<double> kept_scores(const Task& task, DocumentStream& stream, std::int64_t num_columns,
                                const BlockWork& on_block) {
  const int threads = task.options.reading.threads;
  std::vector<double> kept;
  if (task.whole_queries) {
    const auto score = [&](const QueryBatch& batch) {
      const auto scores = task.model.score(batch.documents, threads);
      for (std::size_t doc = 0; doc < scores.size(); ++doc) {
        const auto place = static_cast<std::size_t>(batch.places[doc]);
        if (place >= kept.size()) kept.resize(place + 1);
        kept[place] = scores[doc];
      }
    };
    stream.for_each_batch(num_columns, kDocumentsTogether, score, on_block);
    return kept;
  }
  std::vector<std::vector<double>> scores(num_block_slots(threads));
  stream.for_each_block(
      num_columns,
      [&](const DocumentBlock& block, std::size_t slot) {
        scores[slot] = task.model.score(block.documents, 1);
      },
      [&](const DocumentBlock& block, std::size_t slot) {
        on_block(block, slot);
        kept.insert(kept.end(), scores[slot].begin(), scores[slot].end());
      });
  return kept;
}

/// Scores go to `file` as they come.
void write_blocks(const Task& task, DocumentStream& stream, std::int64_t num_columns,
                  const BlockWork& on_block, OutputFile& file) {
  std::vector<std::string> texts(num_block_slots(task.options.reading.threads));
  stream.for_each_block(
      num_columns,
      [&](const DocumentBlock& block, std::size_t slot) {
        texts[slot] = plain_text(task.model.score(block.documents, 1));
      },
      [&](const DocumentBlock& block, std::size_t slot) {
        on_block(block, slot);
        file.write(texts[slot]);
      });
}

std::vector<double> in_input_order(std::vector<double> scores, const Array<std::int64_t>& rows) {
  if (rows.empty()) return scores;
  std::vector<double> by_row(scores.size());
  for (std::size_t doc = 0; doc < scores.size(); ++doc) {
    by_row[static_cast<std::size_t>(rows[doc])] = scores[doc];
  }
  return by_row;
}

ScoredFile score_stream(const Task& task, DocumentStream& stream) {
  const bool is_run = task.options.format == ScoreFormat::trec;
  // Columns with names may be anywhere.
  const std::int64_t num_columns = stream.is_width_known()
                                       ? std::numeric_limits<std::int64_t>::max()
                                       : columns_needed(task.model);
  OutputFile file(task.output);
  GatheredRun run;
  ScoredFile scored;
  const auto on_block = [&](const DocumentBlock& block, std::size_t) {
    scored.num_documents += block.documents.num_documents();
    scored.num_missing += block.documents.num_missing;
    if (is_run) run.add(block);
  };
  if (is_run || task.whole_queries || !stream.input_rows().empty()) {
    auto scores = kept_scores(task, stream, num_columns, on_block);
    check_columns(task.model, stream);
    if (is_run) {
      run.write(file, scores, task.options.run_name);
    } else {
      write_plain_scores(file, in_input_order(std::move(scores), stream.input_rows()));
    }
  } else {
    write_blocks(task, stream, num_columns, on_block, file);
    check_columns(task.model, stream);
  }
  file.commit();
  scored.source = stream.name();
  scored.num_features = stream.num_features();
  return scored;
}

ScoredFile score_whole(const Task& task) {
  const Dataset data = read_dataset(task.input, task.options.reading, task.progress);
  const auto scores = task.model.score(data, task.options.reading.threads);
  write_scores(task.output, data, scores, task.options.format, task.options.run_name);
  return {data.source, data.num_documents(), data.num_features(), data.num_missing};
}

bool is_regular_file(const std::string& path) {
  std::error_code ignored;
  return path != "-" && std::filesystem::is_regular_file(path, ignored);
}

/// Side files count rows, or cut them into queries: they need all of them. Weights beside the data
/// that nobody named do not change scores.
bool has_side_files(const Task& task) {
  const ReadOptions& reading = task.options.reading;
  if (!reading.query_file.empty() || !reading.weight_file.empty() || !reading.preferences.empty() ||
      !reading.feature_names.empty()) {
    return true;
  }
  const bool queries_matter = task.whole_queries || task.options.format == ScoreFormat::trec;
  return queries_matter && is_regular_file(task.input + ".query");
}

/// A cache has its form; another one is made of the whole.
bool is_to_be_stored_otherwise(const Task& task, DataFormat format) {
  const ReadOptions& reading = task.options.reading;
  return format == DataFormat::cache &&
         (reading.storage != Storage::automatic || reading.num_features != 0);
}

/// The model says what stands for a missing value; the options may only refuse one.
void check_missing(const Model& model, Missing missing) {
  const Missing of_model = model.scaling.missing();
  if (missing != Missing::mean || of_model == Missing::mean) return;
  throw Error(ErrorKind::option, "missing = 'mean': the model was trained with missing = '" +
                                     std::string(name_of(of_model)) +
                                     "' and scores as it was trained");
}

}  // namespace

ScoredFile score_file(const Model& model, const std::string& input, const std::string& output,
                      const ScoreFileOptions& options, const Progress& progress) {
  validate(options.reading);
  check_missing(model, options.reading.missing);
  ScoreFileOptions settled = options;
  settled.reading.keep_comments = options.format == ScoreFormat::trec;
  settled.reading.skip_features = false;
  settled.reading.skip_grades = true;
  if (options.reading.missing == Missing::mean) settled.reading.missing = Missing::zero;
  const Task task{model, input, output, settled, progress, !scales_rows_alone(model.scaling)};
  if (has_side_files(task)) return score_whole(task);
  DocumentStream stream(input, settled.reading, progress);
  if (is_to_be_stored_otherwise(task, stream.format())) return score_whole(task);
  try {
    return score_stream(task, stream);
  } catch (const NonContiguousQuery& query) {
    if (stream.is_rewindable()) return score_whole(task);
    throw_non_contiguous(stream.name(), query,
                         "query_minmax scaling needs whole queries, and a pipe cannot be read "
                         "again: give a file");
  }
}

}  // namespace rankine
