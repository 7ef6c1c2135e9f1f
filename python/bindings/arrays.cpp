#include "arrays.hpp"

#include <string_view>

namespace rankine::python {
namespace {

/// Bytes that are no UTF-8 come out as surrogates, as Python's own file names do.
nb::object text(std::string_view bytes) {
  return nb::steal(
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "surrogateescape"));
}

}  // namespace

nb::list list_of(const StringList& strings) {
  nb::list out;
  for (std::size_t index = 0; index < strings.size(); ++index) out.append(text(strings[index]));
  return out;
}

nb::list list_of(const std::vector<std::string>& strings) {
  nb::list out;
  for (const std::string& string : strings) out.append(text(string));
  return out;
}

}  // namespace rankine::python
