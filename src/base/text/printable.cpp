// One pass over the text as UTF-8. Most text has nothing to escape, and is copied.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>

#include <rankine/printable.hpp>

namespace rankine {
namespace {

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t length = 1;  // bytes
  bool is_valid = false;
};

/// The first code point of `text`, which is not empty; one invalid byte where it is not UTF-8.
CodePoint first_code_point(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {};
  std::uint32_t value = lead & (0x7fu >> length);
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xc0u) != 0x80u) return {};
    value = value << 6 | (byte(k) & 0x3fu);
  }
  constexpr std::array<std::uint32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = value >= 0xd800 && value <= 0xdfff;
  if (value < kLeast[length] || value > 0x10ffff || is_surrogate) return {};
  return {value, length, true};
}

/// Control characters, line ends beyond ASCII, and marks that turn the direction of writing.
bool has_power(std::uint32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x061c || (c >= 0x200e && c <= 0x200f) ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

std::string hexadecimal(const char* prefix, int digits, std::uint32_t value) {
  std::array<char, 16> buffer{};
  const int length = std::snprintf(buffer.data(), buffer.size(), "%s%0*x", prefix, digits, value);
  return {buffer.data(), static_cast<std::size_t>(length)};
}

std::string escaped(const CodePoint& c, char byte) {
  if (!c.is_valid) return hexadecimal("\\x", 2, static_cast<unsigned char>(byte));
  if (c.value == '\n') return "\\n";
  if (c.value == '\r') return "\\r";
  if (c.value == '\t') return "\\t";
  return c.value < 0x80 ? hexadecimal("\\x", 2, c.value) : hexadecimal("\\u", 4, c.value);
}

template <class Escape>
std::string with_escapes(std::string_view text, Escape escape) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    if (c.is_valid && !has_power(c.value)) {
      out.append(text.substr(0, c.length));
    } else {
      out += escape(c, text.front());
    }
    text.remove_prefix(c.length);
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text) {
  return with_escapes(text, escaped);
}

std::string printable_json(std::string_view json) {
  return with_escapes(json, [](const CodePoint& c, char byte) {
    // Inside of strings JSON has escaped what is below a space; outside only line ends occur.
    if (!c.is_valid || c.value < 0x20) return std::string(1, byte);
    return hexadecimal("\\u", 4, c.value);
  });
}

}  // namespace rankine
