// Immutable arrays that are cheap to copy, whoever owns the memory: a vector, a mapped file, NumPy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rankine {

/// A read-only view together with whatever keeps its memory alive. Copies share the memory.
template <class T>
class Array {
 public:
  Array() = default;
  Array(std::vector<T> values) {  // NOLINT: a vector is an array
    auto owner = std::make_shared<const std::vector<T>>(std::move(values));
    view_ = *owner;
    owner_ = std::move(owner);
  }
  /// `owner` keeps `view` alive; null when the caller promises to.
  static Array borrow(std::span<const T> view, std::shared_ptr<const void> owner) {
    Array array;
    array.view_ = view;
    array.owner_ = std::move(owner);
    return array;
  }

  const T* data() const { return view_.data(); }
  std::size_t size() const { return view_.size(); }
  bool empty() const { return view_.empty(); }
  const T& operator[](std::size_t index) const { return view_[index]; }
  const T& front() const { return view_.front(); }
  const T& back() const { return view_.back(); }
  auto begin() const { return view_.begin(); }
  auto end() const { return view_.end(); }
  operator std::span<const T>() const { return view_; }  // NOLINT: an array is a span
  std::span<const T> span() const { return view_; }

 private:
  std::span<const T> view_;
  std::shared_ptr<const void> owner_;
};

/// Many short strings in one buffer: string i is bytes [offsets[i], offsets[i+1]).
class StringList {
 public:
  StringList() = default;
  /// Requires: offsets rise from 0 to bytes.size(), and there is one more of them than strings.
  StringList(Array<char> bytes, Array<std::int64_t> offsets)
      : bytes_(std::move(bytes)), offsets_(std::move(offsets)) {}
  static StringList of(const std::vector<std::string>& strings) {
    std::vector<char> bytes;
    std::vector<std::int64_t> offsets{0};
    for (const std::string& s : strings) {
      bytes.insert(bytes.end(), s.begin(), s.end());
      offsets.push_back(static_cast<std::int64_t>(bytes.size()));
    }
    return {std::move(bytes), std::move(offsets)};
  }

  std::size_t size() const { return offsets_.empty() ? 0 : offsets_.size() - 1; }
  bool empty() const { return size() == 0; }
  std::string_view operator[](std::size_t index) const {
    const auto first = static_cast<std::size_t>(offsets_[index]);
    const auto last = static_cast<std::size_t>(offsets_[index + 1]);
    return {bytes_.data() + first, last - first};
  }
  const Array<char>& bytes() const { return bytes_; }
  const Array<std::int64_t>& offsets() const { return offsets_; }

 private:
  Array<char> bytes_;
  Array<std::int64_t> offsets_;
};

}  // namespace rankine
