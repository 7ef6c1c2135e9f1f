// Between NumPy's arrays and ours, without a copy in either direction: each side keeps the other's
// owner alive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <rankine/array.hpp>

namespace rankine::python {

namespace nb = nanobind;

/// A contiguous array that Python gives us; we never write to it.
template <class T, std::size_t Dimensions = 1>
using Input = nb::ndarray<const T, nb::ndim<Dimensions>, nb::c_contig, nb::device::cpu>;

/// Shares the memory of `input`, whose last owner may go from any thread.
template <class T, class... Shape>
Array<T> borrow(const nb::ndarray<const T, Shape...>& input) {
  return Array<T>::borrow({input.data(), input.size()},
                          std::make_shared<nb::ndarray<const T, Shape...>>(input));
}

template <class T>
Array<T> borrow_if(const std::optional<Input<T>>& input) {
  return input ? borrow(*input) : Array<T>();
}

/// A NumPy array that reads the memory of `values`, of this shape.
template <class T>
nb::object numpy_view(const Array<T>& values, std::initializer_list<std::size_t> shape) {
  auto* kept = new Array<T>(values);
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Array<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, const T>(kept->data(), shape, owner));
}
/// A NumPy array that owns what nobody else has, and may be written to.
template <class T>
nb::object numpy_of(Array<T> values, std::initializer_list<std::size_t> shape) {
  auto* kept = new Array<T>(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Array<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T>(const_cast<T*>(kept->data()), shape, owner));
}
template <class T>
nb::object numpy_view(const Array<T>& values) {
  return numpy_view(values, {values.size()});
}

/// A NumPy array that owns what was a vector, and may be written to.
template <class T>
nb::object numpy_of(std::vector<T> values, std::initializer_list<std::size_t> shape) {
  auto* kept = new std::vector<T>(std::move(values));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T>(kept->data(), shape, owner));
}
template <class T>
nb::object numpy_of(std::vector<T> values) {
  const std::size_t size = values.size();
  return numpy_of(std::move(values), {size});
}

/// A list of str.
nb::list list_of(const StringList& strings);
nb::list list_of(const std::vector<std::string>& strings);

}  // namespace rankine::python
