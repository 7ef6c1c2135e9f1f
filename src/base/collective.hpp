// All that crosses between the processes of one run. Every process calls the same functions in the
// same order, from one thread at a time; what a call returns depends on the bytes alone, so that
// all processes go on alike. One process, the default, needs none of it.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "base/contract.hpp"

namespace rankine {

using Bytes = std::vector<std::byte>;

class Collective {
 public:
  virtual ~Collective() = default;

  /// This process's number, 0 ... size() - 1. Documents are numbered over all processes in order of
  /// rank.
  virtual int rank() const = 0;
  virtual int size() const = 0;

  /// Everyone gets everyone's bytes, in order of rank. Cost: the bytes of all, once per process.
  virtual std::vector<Bytes> gather(std::span<const std::byte> mine) = 0;

  /// Sends bytes to the process before this one and returns what the one after it sent; the first
  /// sends to nobody, the last gets nothing. It is what moves queries to the process that sums
  /// their leaf. By gather() unless an implementation has something better.
  virtual Bytes pass_to_previous(std::span<const std::byte> mine);
};

/// The collective of a run of one process; shared by all, and nothing in it changes.
Collective& one_process();

/// Appends the bytes of values.
template <class T>
void write_values(std::span<const T> values, Bytes& out) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto bytes = std::as_bytes(values);
  out.insert(out.end(), bytes.begin(), bytes.end());
}

/// Takes as many values as `out` has from the front of `from`. Requires: so many are there.
template <class T>
void read_values(std::span<const std::byte>& from, std::span<T> out) {
  static_assert(std::is_trivially_copyable_v<T>);
  RANKINE_ASSERT(from.size() >= out.size_bytes());
  if (!out.empty()) std::memcpy(out.data(), from.data(), out.size_bytes());
  from = from.subspan(out.size_bytes());
}

/// Everyone's values, those of the first process first.
template <class T>
std::vector<T> gather_values(Collective& collective, std::span<const T> mine) {
  if (collective.size() == 1) return {mine.begin(), mine.end()};
  std::vector<T> all;
  for (const Bytes& bytes : collective.gather(std::as_bytes(mine))) {
    std::span<const std::byte> from(bytes);
    const std::size_t first = all.size();
    all.resize(first + bytes.size() / sizeof(T));
    read_values(from, std::span(all).subspan(first));
  }
  return all;
}

}  // namespace rankine
