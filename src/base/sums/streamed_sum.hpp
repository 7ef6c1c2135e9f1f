// The canonical sum of a stream, whose length nobody knows before its end: leaves have a fixed
// number of documents instead of a fixed number of leaves, and the tree grows. The stream comes in
// blocks of whole queries, whose borders do not matter: a leaf that one block leaves open goes on
// in the next. Memory: one sum per leaf of a block, and log2 of the leaves so far.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "base/sums/canonical_sum.hpp"

namespace rankine {

/// State is a leaf's sum under way, a Sum what becomes of it: State::close() && returns it.
template <class State, class Sum>
class StreamedSum {
 public:
  StreamedSum(std::int64_t leaf_documents, State start, Sum zero)
      : leaf_documents_(leaf_documents), start_(std::move(start)), zero_(std::move(zero)) {}

  /// The next block: body(leaf, state) adds queries leaf.first ... leaf.last - 1 of it to a state.
  /// first_document(q) is that of query q within the block; it rises.
  template <class FirstDocument, class Body>
  void add(std::int64_t num_documents, std::size_t num_queries, const FirstDocument& first_document,
           int threads, const Body& body) {
    std::vector<Cuts::Leaf> leaves;
    for (std::size_t q = 0; q < num_queries; ++q) {
      const std::int64_t number = (position_ + first_document(q)) / leaf_documents_;
      if (leaves.empty() || leaves.back().number != number) leaves.push_back({number, q, q});
      leaves.back().last = q + 1;
    }
    position_ += num_documents;
    if (leaves.empty()) return;
    std::vector<State> states(leaves.size(), start_);
    if (open_ && open_number_ == leaves.front().number) {
      states.front() = std::move(*open_);
      open_.reset();
    }
    close_open();
    parallel_for(static_cast<std::int64_t>(leaves.size()), threads, [&](std::int64_t index) {
      const auto leaf = static_cast<std::size_t>(index);
      body(leaves[leaf], states[leaf]);
    });
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
      close_open();
      open_ = std::move(states[leaf]);
      open_number_ = leaves[leaf].number;
    }
  }

  /// The sum of all blocks. Nothing may follow.
  Sum finish() {
    close_open();
    return tree_.finish(zero_);
  }

 private:
  void close_open() {
    if (!open_) return;
    tree_.push(open_number_, open_number_, std::move(*open_).close());
    open_.reset();
  }

  std::int64_t leaf_documents_;
  State start_;
  Sum zero_;
  std::int64_t position_ = 0;
  std::optional<State> open_;
  std::int64_t open_number_ = 0;
  OrderedTree<Sum> tree_;
};

}  // namespace rankine
