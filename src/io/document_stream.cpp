// Text is parsed in blocks of lines, side by side; queries are put together where blocks come
// together, in order (io/query_gatherer). A cache gives views of whole queries, and nothing is
// copied. A second pass opens the file again.
#include "io/document_stream.hpp"

#include <filesystem>
#include <numeric>
#include <system_error>
#include <utility>
#include <vector>

#include <rankine/error.hpp>

#include "base/parallel.hpp"
#include "io/cache/cache_source.hpp"
#include "io/csv/csv_source.hpp"
#include "io/dataset_reader.hpp"
#include "io/letor/letor_source.hpp"

namespace rankine {

std::size_t num_block_slots(int threads) {
  const auto workers = static_cast<std::size_t>(num_worker_threads(threads));
  return workers == 1 ? 1 : 2 * workers + 1;
}

void for_each_block(DocumentSource& source, int threads, const BlockWork& work,
                    const BlockWork& use) {
  std::vector<std::unique_ptr<DocumentBlock>> slots(num_block_slots(threads));
  for (auto& slot : slots) slot = source.new_block();
  parallel_pipeline(
      threads, slots.size(), [&](std::size_t slot) { return source.take(*slots[slot]); },
      [&](std::size_t slot) {
        source.parse(*slots[slot]);
        if (work) work(*slots[slot], slot);
      },
      [&](std::size_t slot) {
        source.check(*slots[slot]);
        use(*slots[slot], slot);
        source.release(*slots[slot]);
      });
  source.finish();
}

DocumentStream::DocumentStream(std::string path, const ReadOptions& reading,
                               const Progress& progress, std::string_view stage)
    : path_(std::move(path)), reading_(reading), progress_(progress), stage_(stage) {
  open();
}

DocumentStream::~DocumentStream() = default;

void DocumentStream::open() {
  // A stream may be slow, so its reads are watched; of a mapped file the source tells.
  const std::string name = path_ == "-" ? "standard input" : path_;
  input_ = std::make_unique<InputBytes>(path_, [this, name](std::int64_t consumed) {
    const std::int64_t total = input_ != nullptr ? input_->num_bytes() : 0;
    if (progress_ && !progress_({stage_ + " " + name, consumed, total, "bytes"})) {
      throw Error(ErrorKind::interrupted, name + ": " + stage_ + " was interrupted");
    }
  });
  format_ =
      reading_.format == DataFormat::automatic ? data_format(path_, *input_) : reading_.format;
  switch (format_) {
    case DataFormat::cache:
      source_ = std::make_unique<CacheSource>(path_, *input_, reading_.threads, progress_);
      break;
    case DataFormat::csv:
      source_ = std::make_unique<CsvSource>(*input_, reading_, progress_);
      break;
    case DataFormat::letor:
    case DataFormat::automatic:
      source_ = std::make_unique<LetorSource>(*input_, reading_, progress_);
      break;
  }
}

bool DocumentStream::is_rewindable() const {
  std::error_code ignored;
  return path_ != "-" && std::filesystem::is_regular_file(path_, ignored);
}

void DocumentStream::rewind() {
  if (!is_rewindable()) {
    throw Error(ErrorKind::option,
                name() + ": a pipe cannot be read again, as several passes need: give a file");
  }
  source_.reset();
  input_.reset();
  open();
}

void DocumentStream::start_pass(const BlockOptions& options) {
  if (is_used_) rewind();
  is_used_ = true;
  source_->set_blocks(options);
}

void DocumentStream::for_each_block(std::int64_t num_columns, const BlockWork& work,
                                    const BlockWork& use) {
  start_pass({.num_columns = num_columns});
  rankine::for_each_block(*source_, reading_.threads, work, use);
}

void DocumentStream::for_each_batch(std::int64_t num_columns, std::size_t num_documents,
                                    const BatchWork& work, const BlockWork& use) {
  start_pass({.num_columns = num_columns, .whole_queries = true});
  QueryGatherer gatherer(num_documents);
  const bool are_whole = source_->gives_whole_queries();
  std::int64_t first = 0;
  rankine::for_each_block(*source_, reading_.threads, {},
                          [&](const DocumentBlock& block, std::size_t slot) {
                            if (use) use(block, slot);
                            if (are_whole) {
                              hand_out(block, first, work);
                            } else {
                              gatherer.add(block, work);
                            }
                            first += block.documents.num_documents();
                          });
  gatherer.finish(work);
}

void DocumentStream::hand_out(const DocumentBlock& block, std::int64_t first,
                              const BatchWork& work) {
  std::vector<std::int64_t> places(static_cast<std::size_t>(block.documents.num_documents()));
  std::iota(places.begin(), places.end(), first);
  work({block.documents, places});
}

void throw_non_contiguous(const std::string& name, const NonContiguousQuery& query,
                          const std::string& reason) {
  throw Error(ErrorKind::data, name + ": query " + query.id + " comes back in row " +
                                   std::to_string(query.row + 1) + ": " + reason);
}

}  // namespace rankine
