// One canonical sum over queries: the same bits for any number of threads and of processes.
//
// Documents are numbered over all processes. With N of them, G leaves are chosen from N and the
// number of values that are summed; a query belongs to leaf floor(first document * G / N). One
// thread sums a leaf, query after query. Leaves are then combined in a fixed binary tree over their
// numbers,
//   node (level, i) = node (level - 1, 2 i) + node (level - 1, 2 i + 1),
// where absent ones are skipped. Where a sum is rounded therefore depends on the documents alone.
// (Pairwise summation; Higham, "The accuracy of floating point summation", 1993, has its errors.)
//
// A process owns whole leaves. What it sums up to are the largest nodes that lie wholly within its
// leaves; they travel once, and everyone completes the same tree.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "base/collective.hpp"
#include "base/parallel.hpp"

namespace rankine {

/// Where this process's documents stand among those of all. Keeps a reference to the collective.
class DocumentRange {
 public:
  /// One gather where there are several processes.
  explicit DocumentRange(std::int64_t own, Collective& collective = one_process());

  Collective& collective() const { return *collective_; }
  std::int64_t own() const { return own_; }
  /// Documents of the processes before this one.
  std::int64_t first() const { return first_; }
  /// Documents of all processes.
  std::int64_t total() const { return total_; }

 private:
  Collective* collective_;
  std::int64_t own_;
  std::int64_t first_ = 0;
  std::int64_t total_ = 0;
};

/// How many leaves sums of `width` values over so many documents have: a power of two, so that the
/// leaves of wide sums, which have fewer, are whole nodes of narrower ones.
std::int64_t num_leaves(std::int64_t num_documents, std::size_t width);

/// The leaves that this process owns and that have a query.
class Cuts {
 public:
  struct Leaf {
    std::int64_t number;
    std::size_t first;  // its queries are first ... last - 1
    std::size_t last;
  };

  Cuts() = default;
  /// first_document(q) is the first document, from 0 within this process, of query q; it rises. One
  /// gather where there are several processes. Requires: no other process has queries of our
  /// leaves (see num_queries_of_previous).
  template <class FirstDocument>
  Cuts(const DocumentRange& documents, std::size_t width, std::size_t num_queries,
       const FirstDocument& first_document)
      : collective_(&documents.collective()) {
    const std::int64_t count = num_leaves(documents.total(), width);
    for (std::size_t q = 0; q < num_queries; ++q) {
      add(leaf_of(documents.first() + first_document(q), count, documents.total()), q);
    }
    find_neighbours();
  }
  /// Cuts of `count` items, rows of one query for instance, into so many leaves by the same rule, a
  /// power of two; all of them in this process.
  static Cuts of_items(std::size_t count, std::size_t num_leaves);

  std::size_t size() const { return leaves_.size(); }
  const Leaf& operator[](std::size_t index) const { return leaves_[index]; }
  Collective& collective() const { return *collective_; }
  /// The level of the tree where the leaf of this index and the one before it come together; above
  /// all levels where nothing is before.
  int separation(std::size_t index) const;

  static std::int64_t leaf_of(std::int64_t document, std::int64_t num_leaves, std::int64_t total);
  static int separation(std::int64_t leaf, std::int64_t later) {
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(leaf ^ later)));
  }

 private:
  void add(std::int64_t leaf, std::size_t query);
  /// The leaves next to ours in other processes.
  void find_neighbours();

  static constexpr std::int64_t kNone = -1;
  Collective* collective_ = &one_process();
  std::vector<Leaf> leaves_;
  std::int64_t before_ = kNone;
  std::int64_t after_ = kNone;
};

/// The cuts of the same queries for sums of any width.
class CutsByWidth {
 public:
  CutsByWidth() = default;
  template <class FirstDocument>
  CutsByWidth(const DocumentRange& documents, std::size_t num_queries,
              const FirstDocument& first_document) {
    for (std::size_t k = 0; k < kNumWidths; ++k) {
      cuts_[k] = Cuts(documents, kMostValues[k], num_queries, first_document);
    }
  }
  const Cuts& of(std::size_t width) const {
    return cuts_[width <= kMostValues[0] ? 0 : width <= kMostValues[1] ? 1 : 2];
  }

  static constexpr std::size_t kNumWidths = 3;
  /// Adding matrices takes longer than adding vectors: sums of more values have fewer leaves.
  static constexpr std::size_t kMostValues[kNumWidths] = {
      std::size_t{1} << 16, std::size_t{1} << 20, std::numeric_limits<std::size_t>::max()};

 private:
  std::array<Cuts, kNumWidths> cuts_;
};

/// How many of this process's first queries belong to a leaf that begins in a process before it:
/// loading passes them on to the previous process, again and again until it is 0 everywhere, and
/// then processes own whole leaves. `width` is that of the widest sum to come. One gather.
std::size_t num_queries_of_previous(const DocumentRange& documents, std::size_t width,
                                    std::span<const std::int64_t> first_documents);

/// What can be summed: add(other), and write(bytes), read(bytes) into a sum of the same shape.
template <class T>
struct VectorSum {
  explicit VectorSum(std::size_t size = 0) : values(size) {}

  std::vector<T> values;

  void add(const VectorSum& other) {
    for (std::size_t k = 0; k < values.size(); ++k) values[k] += other.values[k];
  }
  void write(Bytes& out) const { write_values(std::span<const T>(values), out); }
  void read(std::span<const std::byte>& from) { read_values(from, std::span<T>(values)); }
};

/// The tree for nodes that come in order of their leaves, completed as early as can be: of n leaves
/// at most log2(n) + 1 sums are held.
template <class Sum>
class OrderedTree {
 public:
  void push(std::int64_t first_leaf, std::int64_t last_leaf, Sum sum) {
    if (!nodes_.empty()) combine_below(Cuts::separation(nodes_.back().last, first_leaf));
    nodes_.push_back({first_leaf, last_leaf, std::move(sum)});
  }
  /// The sum of all; `zero` where there are none. Leaves nothing behind.
  Sum finish(const Sum& zero) {
    combine_below(kAll);
    Sum total = nodes_.empty() ? zero : std::move(nodes_.front().sum);
    nodes_.clear();
    return total;
  }

 private:
  struct Node {
    std::int64_t first;
    std::int64_t last;
    Sum sum;
  };
  static constexpr int kAll = 65;

  void combine_below(int level) {
    while (nodes_.size() > 1) {
      Node& left = nodes_[nodes_.size() - 2];
      const Node& right = nodes_.back();
      if (!(Cuts::separation(left.last, right.first) < level)) return;
      left.sum.add(right.sum);
      left.last = right.last;
      nodes_.pop_back();
    }
  }

  std::vector<Node> nodes_;
};

/// The tree for leaves that several threads complete in any order. Two nodes that come together are
/// added at once by the thread that completed the second; a loop that hands out leaves in ranges,
/// as parallel_for does, leaves about log2(leaves) sums per thread waiting.
template <class Sum>
class ThreadedTree {
 public:
  /// Keeps references.
  ThreadedTree(const Cuts& cuts, const Sum& zero) : cuts_(cuts), zero_(zero) {}

  /// A sum that is zero, in memory that an earlier one may have left.
  Sum take() {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        Sum sum = std::move(free_.back());
        free_.pop_back();
        sum = zero_;
        return sum;
      }
    }
    return zero_;
  }

  /// The sum of the leaf at this index of the cuts.
  void put(std::size_t index, Sum sum) {
    Node node{index + 1, std::move(sum)};
    std::size_t first = index;
    std::unique_lock lock(mutex_);
    for (;;) {
      const int level_before = cuts_.separation(first);
      const int level_after = cuts_.separation(node.end);
      auto found = nodes_.end();
      if (level_before < level_after) {  // the partner comes before
        found = nodes_.lower_bound(first);
        found = found == nodes_.begin() ? nodes_.end() : std::prev(found);
        if (found != nodes_.end() &&
            (found->second.end != first || cuts_.separation(found->first) < level_before)) {
          found = nodes_.end();
        }
      } else {
        found = nodes_.find(node.end);
        if (found != nodes_.end() && cuts_.separation(found->second.end) < level_after) {
          found = nodes_.end();
        }
      }
      if (found == nodes_.end()) break;
      const bool is_before = found->first < first;
      const std::size_t other_first = found->first;
      Node other = std::move(found->second);
      nodes_.erase(found);
      lock.unlock();
      if (is_before) {
        first = other_first;
        std::swap(node.sum, other.sum);
      } else {
        node.end = other.end;
      }
      node.sum.add(other.sum);
      lock.lock();
      free_.push_back(std::move(other.sum));
    }
    nodes_.emplace(first, std::move(node));
  }

  /// The sum over all processes; one gather where there are several.
  Sum finish() {
    free_.clear();
    OrderedTree<Sum> tree;
    if (cuts_.collective().size() == 1) {
      for (auto& [first, node] : nodes_) {
        tree.push(cuts_[first].number, cuts_[node.end - 1].number, std::move(node.sum));
      }
      nodes_.clear();
      return tree.finish(zero_);
    }
    Bytes bytes;
    for (const auto& [first, node] : nodes_) {
      const std::int64_t ends[2] = {cuts_[first].number, cuts_[node.end - 1].number};
      write_values(std::span<const std::int64_t>(ends), bytes);
      node.sum.write(bytes);
    }
    nodes_.clear();
    for (const Bytes& each : cuts_.collective().gather(bytes)) {
      std::span<const std::byte> from(each);
      while (!from.empty()) {
        std::int64_t ends[2];
        read_values(from, std::span<std::int64_t>(ends));
        Sum sum = zero_;
        sum.read(from);
        tree.push(ends[0], ends[1], std::move(sum));
      }
    }
    return tree.finish(zero_);
  }

 private:
  struct Node {
    std::size_t end;  // of its leaves, by index
    Sum sum;
  };

  const Cuts& cuts_;
  const Sum& zero_;
  std::mutex mutex_;
  std::map<std::size_t, Node> nodes_;  // by the index of the first leaf
  std::vector<Sum> free_;
};

/// The canonical sum: body(leaf, sum) adds the queries leaf.first ... leaf.last - 1 to a sum that
/// starts as a copy of `zero`. Every process calls it; all get the same bits.
template <class Sum, class Body>
Sum reduce_queries(const Cuts& cuts, int threads, const Sum& zero, const Body& body) {
  ThreadedTree<Sum> tree(cuts, zero);
  parallel_for(static_cast<std::int64_t>(cuts.size()), threads, [&](std::int64_t index) {
    const auto leaf = static_cast<std::size_t>(index);
    Sum sum = tree.take();
    body(cuts[leaf], sum);
    tree.put(leaf, std::move(sum));
  });
  return tree.finish();
}

/// The canonical sum of one number per query of this process.
double sum_over_queries(const Cuts& cuts, std::span<const double> by_query);

}  // namespace rankine
