// A run of several processes played by threads of one test: each has its own collective, and they
// meet in every call.
#pragma once

#include <algorithm>
#include <barrier>
#include <cstddef>
#include <exception>
#include <functional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <rankine/dataset.hpp>
#include <rankine/folds.hpp>

#include "base/collective.hpp"
#include "base/sums/canonical_sum.hpp"

namespace rankine::oracles {

/// What the processes share.
struct MeetingPlace {
  explicit MeetingPlace(std::size_t size)
      : bytes(size), all_here(static_cast<std::ptrdiff_t>(size)) {}
  std::vector<Bytes> bytes;
  std::barrier<> all_here;
};

class ThreadCollective final : public Collective {
 public:
  ThreadCollective(MeetingPlace& place, int rank) : place_(place), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(place_.bytes.size()); }
  std::vector<Bytes> gather(std::span<const std::byte> mine) override {
    ++num_gathers_;
    place_.bytes[static_cast<std::size_t>(rank_)].assign(mine.begin(), mine.end());
    place_.all_here.arrive_and_wait();
    std::vector<Bytes> all = place_.bytes;
    place_.all_here.arrive_and_wait();
    return all;
  }
  int num_gathers() const { return num_gathers_; }

 private:
  MeetingPlace& place_;
  int rank_;
  int num_gathers_ = 0;
};

/// Runs body(collective) as so many processes. Requires: no body throws.
inline void as_processes(std::size_t size, const std::function<void(ThreadCollective&)>& body) {
  MeetingPlace place(size);
  std::vector<std::jthread> processes;
  for (std::size_t rank = 0; rank < size; ++rank) {
    processes.emplace_back([&, rank] {
      ThreadCollective collective(place, static_cast<int>(rank));
      body(collective);
    });
  }
}

/// This process's part of `data`: queries first ... last - 1 of it, cut at `ends` (by rank)
/// anywhere between queries, then passed on as loading does until every process has whole leaves.
inline Dataset shard_of(const Dataset& data, std::span<const std::size_t> ends, std::size_t width,
                        Collective& collective) {
  const auto rank = static_cast<std::size_t>(collective.rank());
  std::vector<std::int64_t> own;
  for (std::size_t q = rank == 0 ? 0 : ends[rank - 1]; q < ends[rank]; ++q) {
    own.push_back(static_cast<std::int64_t>(q));
  }
  for (;;) {
    std::vector<std::int64_t> firsts;
    std::int64_t documents = 0;
    for (const std::int64_t q : own) {
      firsts.push_back(documents);
      documents += data.query_offsets[static_cast<std::size_t>(q) + 1] -
                   data.query_offsets[static_cast<std::size_t>(q)];
    }
    const DocumentRange range(documents, collective);
    const std::size_t shared = num_queries_of_previous(range, width, firsts);
    const auto counts = gather_values(collective, std::span<const std::size_t>(&shared, 1));
    if (std::all_of(counts.begin(), counts.end(), [](std::size_t n) { return n == 0; })) break;
    const auto gone = std::span<const std::int64_t>(own).first(shared);
    const Bytes come = collective.pass_to_previous(std::as_bytes(gone));
    own.erase(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(shared));
    const std::size_t before = own.size();
    own.resize(before + come.size() / sizeof(std::int64_t));
    std::span<const std::byte> from(come);
    read_values(from, std::span(own).subspan(before));
  }
  return select_queries(data, own);
}

/// Cuts of `num_queries` queries for so many processes, at uneven places; some have none.
inline std::vector<std::size_t> uneven_ends(std::size_t num_queries, std::size_t size,
                                            unsigned seed) {
  std::vector<std::size_t> ends(size, num_queries);
  for (std::size_t k = 0; k + 1 < size; ++k) {
    ends[k] = (num_queries * (k + 1) / size + (seed + k) * 7919 % (num_queries / 3 + 1)) %
              (num_queries + 1);
  }
  std::sort(ends.begin(), ends.end());
  return ends;
}

}  // namespace rankine::oracles
