// Numbers of any form go to fast_float (Lemire, Number parsing at a gigabyte per second, 2021). The
// header has the short paths for the plain decimals that data sets are made of.
#include "base/text/decimal.hpp"

#include <cmath>

#include <fast_float/fast_float.h>

namespace rankine {
namespace {

template <class Real>
NumberOutcome parse(std::string_view text, Real& value) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return NumberOutcome::not_a_number;
  }
  const char* const end = text.data() + text.size();
  const auto result = fast_float::from_chars(text.data(), end, value);
  // Versions differ in whether a result out of range is also an error; the value tells.
  if (result.ec == std::errc::invalid_argument || result.ptr != end) {
    return NumberOutcome::not_a_number;
  }
  if (std::isfinite(value)) return NumberOutcome::ok;
  const bool spelled_out = text.find_first_of("nN") != std::string_view::npos;
  return spelled_out ? NumberOutcome::not_finite : NumberOutcome::too_large;
}

}  // namespace

NumberOutcome parse_number(std::string_view text, float& value) {
  return parse(text, value);
}

NumberOutcome parse_number(std::string_view text, double& value) {
  return parse(text, value);
}

}  // namespace rankine
