// score_file, declared in include/rankine/scores.hpp. Blocks of the input pass through a pipeline:
// taken one after the other, parsed and scored side by side, written in order. Where a block cannot
// be scored alone, because its scaling needs whole queries, it is parsed in the pipeline and scored
// where blocks come together. Scores are kept only where the output's order is not the input's, or
// where the work may have to start over.
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <rankine/error.hpp>
#include <rankine/model.hpp>
#include <rankine/scores.hpp>

#include "base/checked_size.hpp"
#include "base/parallel.hpp"
#include "base/system/input_bytes.hpp"
#include "base/system/output_file.hpp"
#include "data/collect/dataset_builder.hpp"
#include "data/collect/query_numbers.hpp"
#include "data/scaling/feature_scaling.hpp"
#include "io/cache/cache_documents.hpp"
#include "io/csv/csv_documents.hpp"
#include "io/dataset_reader.hpp"
#include "io/letor/letor_documents.hpp"
#include "io/side/score_writer.hpp"
#include "io/whole_queries.hpp"

namespace rankine {
namespace {

constexpr std::size_t kDocumentsTogether = 4096;  // of whole queries, scored at once

/// By position the model looks at this column of the input and at those before it.
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

/// Scores every block of `source`, in order. `kept`: all scores, `on_block` has seen every block.
/// Otherwise they go to `file` as they come.
template <class Source, class OnBlock>
std::int64_t score_blocks(const Task& task, Source& source, bool gather_queries,
                          const OnBlock& on_block, OutputFile* file, std::vector<double>* kept) {
  struct Slot {
    typename Source::Slot input;
    std::vector<double> scores;
    std::string text;
  };
  const int threads = task.options.reading.threads;
  const auto workers = static_cast<std::size_t>(num_worker_threads(threads));
  std::vector<Slot> slots(workers == 1 ? 1 : 2 * workers + 1);
  WholeQueries queries(kDocumentsTogether);
  const auto score_queries = [&](const Dataset& documents) {
    const auto scores = task.model.score(documents, threads);
    kept->insert(kept->end(), scores.begin(), scores.end());
  };
  std::int64_t num_documents = 0;
  parallel_pipeline(
      threads, slots.size(), [&](std::size_t slot) { return source.take(slots[slot].input); },
      [&](std::size_t slot) {
        source.parse(slots[slot].input);
        if (gather_queries) return;
        slots[slot].scores = task.model.score(slots[slot].input.block.documents, 1);
        if (file != nullptr) slots[slot].text = plain_text(slots[slot].scores);
      },
      [&](std::size_t slot) {
        const DocumentBlock& block = slots[slot].input.block;
        source.check(slots[slot].input);
        num_documents += block.documents.num_documents();
        on_block(block);
        if (gather_queries) {
          queries.add(block, score_queries);
        } else if (file != nullptr) {
          file->write(slots[slot].text);
        } else {
          kept->insert(kept->end(), slots[slot].scores.begin(), slots[slot].scores.end());
        }
        source.release(slots[slot].input);
      });
  source.finish();
  if (gather_queries) queries.finish(score_queries);
  return num_documents;
}

/// Every block is scored by what it has, so that only the end tells what the whole lacks. A match
/// by name has seen all there is in the first block.
void check_columns(const Model& model, const std::string& source, std::int64_t num_features,
                   bool by_name) {
  if (by_name || model.columns.empty() || columns_needed(model) <= num_features) return;
  throw Error(ErrorKind::data, source + ": the model uses feature " +
                                   std::to_string(columns_needed(model)) + " and the data has " +
                                   std::to_string(num_features));
}

template <class Source>
ScoredFile score_text(const Task& task, const std::string& name, Source& source,
                      bool by_name = false) {
  OutputFile file(task.output);
  GatheredRun run;
  std::vector<double> kept;
  const bool is_run = task.options.format == ScoreFormat::trec;
  const bool keep = is_run || task.whole_queries;
  const auto on_block = [&](const DocumentBlock& block) {
    if (is_run) run.add(block);
  };
  ScoredFile scored{name, 0, 0};
  scored.num_documents = score_blocks(task, source, task.whole_queries, on_block,
                                      keep ? nullptr : &file, keep ? &kept : nullptr);
  scored.num_features = source.num_features();
  check_columns(task.model, name, scored.num_features, by_name);
  if (is_run) {
    run.write(file, kept, task.options.run_name);
  } else if (keep) {
    write_plain_scores(file, kept);
  }
  file.commit();
  return scored;
}

ScoredFile score_cache(const Task& task) {
  CacheDocuments source(task.input, task.options.reading.threads, task.progress,
                        task.whole_queries);
  const Dataset& data = source.whole();
  const ScoredFile scored{data.source, data.num_documents(), data.num_features()};
  const auto on_block = [](const DocumentBlock&) {};
  if (task.options.format == ScoreFormat::plain && data.input_rows.empty()) {
    OutputFile file(task.output);
    score_blocks(task, source, false, on_block, &file, nullptr);
    file.commit();
  } else {
    std::vector<double> scores;
    score_blocks(task, source, false, on_block, nullptr, &scores);
    write_scores(task.output, data, scores, task.options.format, task.options.run_name);
  }
  return scored;
}

ScoredFile score_whole(const Task& task, const Dataset& data) {
  const auto scores = task.model.score(data, task.options.reading.threads);
  write_scores(task.output, data, scores, task.options.format, task.options.run_name);
  return {data.source, data.num_documents(), data.num_features()};
}

ScoredFile score_whole(const Task& task) {
  return score_whole(task, read_dataset(task.input, task.options.reading, task.progress));
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

ScoredFile score_stream(const Task& task) {
  const ReadOptions& reading = task.options.reading;
  const std::string name = task.input == "-" ? "standard input" : task.input;
  const std::string stage = "reading " + name;
  std::int64_t total = 0;
  InputBytes input(task.input, [&](std::int64_t consumed) {
    if (task.progress && !task.progress({stage, consumed, total, "bytes"})) {
      throw Error(ErrorKind::interrupted, name + ": reading was interrupted");
    }
  });
  total = input.num_bytes();
  const DataFormat format =
      reading.format == DataFormat::automatic ? data_format(task.input, input) : reading.format;
  switch (format) {
    case DataFormat::cache:
      break;
    case DataFormat::csv: {
      const bool by_name = !task.model.feature_names.empty();
      CsvDocuments source(input, reading, task.progress,
                          by_name ? kMostColumns : columns_needed(task.model));
      return score_text(task, name, source, by_name);
    }
    case DataFormat::letor:
    case DataFormat::automatic: {
      LetorDocuments source(input, reading, task.progress, columns_needed(task.model));
      return score_text(task, name, source);
    }
  }
  const bool as_it_is = reading.storage == Storage::automatic && reading.num_features == 0;
  if (input.is_mapped() && as_it_is) return score_cache(task);
  return score_whole(task, read_input(task.input, input, format, reading, task.progress));
}

}  // namespace

ScoredFile score_file(const Model& model, const std::string& input, const std::string& output,
                      const ScoreFileOptions& options, const Progress& progress) {
  validate(options.reading);
  ScoreFileOptions settled = options;
  settled.reading.keep_comments = options.format == ScoreFormat::trec;
  settled.reading.skip_features = false;
  const Task task{model, input, output, settled, progress, !scales_rows_alone(model.scaling)};
  if (has_side_files(task)) return score_whole(task);
  try {
    return score_stream(task);
  } catch (const NonContiguousQuery& query) {
    if (is_regular_file(input)) return score_whole(task);
    throw Error(ErrorKind::data,
                std::string(input == "-" ? "standard input" : input) + ": query " + query.id +
                    " comes back in row " + std::to_string(query.row + 1) +
                    ": query_minmax scaling needs whole queries, and a pipe cannot be read again: "
                    "give a file");
  }
}

}  // namespace rankine
