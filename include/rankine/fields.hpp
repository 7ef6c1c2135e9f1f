// One table per options struct, for every surface: the command line's flags and help, config files,
// JSON, Python's keywords and the options page of the docs are all made from it. Defaults are read
// from a default-constructed struct, so they are written once.
//
//   struct SynthOptions { double noise = 0.1; };
//   constexpr auto fields(const SynthOptions&) {
//     return std::tuple{Field{"noise", &SynthOptions::noise, Range<double>{0, kNoLimit}, "..."}};
//   }
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "rankine/error.hpp"
#include "rankine/visibility.hpp"

namespace rankine {

inline constexpr double kNoLimit = std::numeric_limits<double>::infinity();

/// Specialise with `static constexpr std::array<std::string_view, N> names` for an enum whose
/// values count from 0: the names are its spelling everywhere.
template <class E>
struct EnumNames;

template <class E>
concept NamedEnum = std::is_enum_v<E> && requires {
  EnumNames<E>::names.size();
};

template <NamedEnum E>
constexpr std::string_view name_of(E value) {
  return EnumNames<E>::names[static_cast<std::size_t>(value)];
}

/// The legal values of a number: [least, most], or with `open_least` (least, most].
template <class T>
struct Range {
  T least = std::numeric_limits<T>::lowest();
  T most = std::numeric_limits<T>::max();
  bool open_least = false;
};
struct NoRange {};

/// One option: its name on every surface (snake_case; the flag has dashes), its member, its range
/// and one line of help. `unit` names the value in help: FILE, N, NAME.
template <class Options, class T, class R = NoRange>
struct Field {
  std::string_view name;
  T Options::*member;
  R range;
  std::string_view help;
  std::string_view unit = "";
};
template <class O, class T, class R>
Field(std::string_view, T O::*, R, std::string_view) -> Field<O, T, R>;
template <class O, class T, class R>
Field(std::string_view, T O::*, R, std::string_view, std::string_view) -> Field<O, T, R>;

/// The value of a hyper-parameter, or several to choose from: a path is trained for all of them.
/// Converts from a number and from a list of numbers; the values are kept rising, each once.
class RANKINE_API Candidates {
 public:
  Candidates(double value) : values_{value} {}
  Candidates(std::initializer_list<double> values) : Candidates(std::vector<double>(values)) {}
  Candidates(std::vector<double> values);

  const std::vector<double>& values() const { return values_; }
  bool is_single() const { return values_.size() == 1; }
  bool operator==(const Candidates&) const = default;

 private:
  std::vector<double> values_;
};

enum class OptionType { flag, integer, real, text, choice, text_list, candidates };

/// One option of one options object, its type erased: what every surface works with.
struct OptionEntry {
  std::string name;
  std::string help;
  std::string unit;
  OptionType type = OptionType::text;
  std::vector<std::string> choices;  // for `choice`
  std::string range;                 // "in [0, 1]", or empty
  std::string default_text;
  std::function<void(std::string_view)> assign;  // parses, checks the range, throws Error{option}
  std::function<std::string()> text;             // the present value, as `assign` reads it
};

/// A number as users write it: 0.25, 1e-3, 2^-5, inf. Throws Error{option} naming `option`.
RANKINE_API double parse_real(std::string_view option, std::string_view text);
RANKINE_API std::int64_t parse_integer(std::string_view option, std::string_view text);
RANKINE_API bool parse_flag(std::string_view option, std::string_view text);
/// "a,b,c" to its parts; an empty text has none.
RANKINE_API std::vector<std::string> parse_list(std::string_view text);
/// The values of a grid, in their order, each once: numbers, 2^-12..2^6 (the exponent by ones) and
/// 0.01..10:20 (20 values, logarithmic), separated by commas. Throws Error{option} naming `option`.
RANKINE_API std::vector<double> parse_grid(std::string_view option, std::string_view text);
/// The values of a grid over any option, as the option writes them: "squared_hinge,huber" for a
/// choice. Throws Error{option} for a value that the option does not take.
RANKINE_API std::vector<std::string> parse_grid(const OptionEntry& entry, std::string_view text);
/// The shortest text that reads back as the same number.
RANKINE_API std::string real_text(double value);
/// Throws Error{option}: "noise = -1 must be at least 0".
[[noreturn]] RANKINE_API void throw_out_of_range(std::string_view option, std::string_view value,
                                                 std::string_view range);
/// Throws Error{option}: "storage = 'denze' is none of auto, dense, sparse (did you mean dense?)".
[[noreturn]] RANKINE_API void throw_unknown_choice(std::string_view option, std::string_view value,
                                                   std::span<const std::string_view> choices);

/// The candidate that `text` is probably a misspelling of; empty when there is none.
RANKINE_API std::string_view nearest_spelling(std::string_view text,
                                              std::span<const std::string_view> candidates);

/// The enum value spelled `text`; throws Error{option} naming `option` and the choices.
template <NamedEnum E>
E parse_choice(std::string_view option, std::string_view text) {
  const auto& names = EnumNames<E>::names;
  for (std::size_t index = 0; index < names.size(); ++index) {
    if (names[index] == text) return static_cast<E>(index);
  }
  throw_unknown_choice(option, text, names);
}

namespace fields_detail {

template <class T>
std::string number_text(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    return real_text(value);
  } else {
    return std::to_string(value);
  }
}

template <class T>
std::string range_text(const Range<T>& range) {
  if (range.most >= std::numeric_limits<T>::max()) {  // no bound that a user would meet
    return (range.open_least ? "above " : "at least ") + number_text(range.least);
  }
  return std::string("in ") + (range.open_least ? "(" : "[") + number_text(range.least) + ", " +
         number_text(range.most) + "]";
}

template <class T>
void check_range(std::string_view name, T value, const Range<T>& range) {
  const bool above = range.open_least ? value > range.least : value >= range.least;
  if (above && value > range.most && range.most == std::numeric_limits<T>::max()) {
    throw_out_of_range(name, number_text(value), "finite");
  }
  if (!above || !(value <= range.most)) {
    throw_out_of_range(name, number_text(value), range_text(range));
  }
}
template <class T>
void check_range(std::string_view, const T&, const NoRange&) {}
inline void check_range(std::string_view name, const Candidates& candidates,
                        const Range<double>& range) {
  if (candidates.values().empty()) {
    throw Error(ErrorKind::option, std::string(name) + " has no value");
  }
  for (const double value : candidates.values()) check_range(name, value, range);
}

template <class T>
constexpr OptionType type_of() {
  if constexpr (std::is_same_v<T, bool>)
    return OptionType::flag;
  else if constexpr (std::is_enum_v<T>)
    return OptionType::choice;
  else if constexpr (std::is_integral_v<T>)
    return OptionType::integer;
  else if constexpr (std::is_floating_point_v<T>)
    return OptionType::real;
  else if constexpr (std::is_same_v<T, std::vector<std::string>>)
    return OptionType::text_list;
  else if constexpr (std::is_same_v<T, Candidates>)
    return OptionType::candidates;
  else
    return OptionType::text;
}

template <class T>
std::string value_text(const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_enum_v<T>) {
    return std::string(name_of(value));
  } else if constexpr (std::is_arithmetic_v<T>) {
    return number_text(value);
  } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
    std::string joined;
    for (const std::string& part : value) joined += (joined.empty() ? "" : ",") + part;
    return joined;
  } else if constexpr (std::is_same_v<T, Candidates>) {
    std::string joined;
    for (const double each : value.values())
      joined += (joined.empty() ? "" : ",") + real_text(each);
    return joined;
  } else {
    return value;
  }
}

template <class T>
T parse_value(std::string_view name, std::string_view text) {
  if constexpr (std::is_same_v<T, bool>) {
    return parse_flag(name, text);
  } else if constexpr (std::is_enum_v<T>) {
    return parse_choice<T>(name, text);
  } else if constexpr (std::is_integral_v<T>) {
    const std::int64_t value = parse_integer(name, text);
    if (!std::in_range<T>(value)) {
      throw_out_of_range(name, text, range_text(Range<T>{}));
    }
    return static_cast<T>(value);
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(parse_real(name, text));
  } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
    return parse_list(text);
  } else if constexpr (std::is_same_v<T, Candidates>) {
    return Candidates(parse_grid(name, text));
  } else {
    return std::string(text);
  }
}

}  // namespace fields_detail

template <class Options, class Visit>
void for_each_field(Visit visit) {
  std::apply([&](const auto&... field) { (visit(field), ...); }, fields(Options{}));
}

/// Throws Error{option} with the option, its value and its range when any field is out of range.
template <class Options>
void validate(const Options& options) {
  for_each_field<Options>([&](const auto& field) {
    fields_detail::check_range(field.name, options.*field.member, field.range);
  });
}

/// The options of `options`, bound to it: it must outlive them.
template <class Options>
std::vector<OptionEntry> option_entries(Options& options) {
  std::vector<OptionEntry> entries;
  const Options defaults{};
  for_each_field<Options>([&](const auto& field) {
    using T = std::remove_cvref_t<decltype(options.*field.member)>;
    OptionEntry entry;
    entry.name = field.name;
    entry.help = field.help;
    entry.unit = field.unit;
    entry.type = fields_detail::type_of<T>();
    if constexpr (NamedEnum<T>) {
      entry.choices.assign(EnumNames<T>::names.begin(), EnumNames<T>::names.end());
    }
    if constexpr (requires { field.range.least; }) {
      entry.range = fields_detail::range_text(field.range);
    }
    entry.default_text = fields_detail::value_text(defaults.*field.member);
    entry.assign = [&options, field](std::string_view text) {
      const T value = fields_detail::parse_value<T>(field.name, text);
      fields_detail::check_range(field.name, value, field.range);
      options.*field.member = value;
    };
    entry.text = [&options, field] { return fields_detail::value_text(options.*field.member); };
    entries.push_back(std::move(entry));
  });
  return entries;
}

/// "gamma matters where kernel is rbf, laplacian or polynomial": an option, the option that governs
/// it, and the values of that one, separated by commas, with which the first has an effect.
struct OptionRule {
  std::string_view option;
  std::string_view governor;
  std::string_view values;
};

/// Whether the rule's option has an effect beside this value of its governor.
RANKINE_API bool has_effect(const OptionRule& rule, std::string_view governor_value);

/// "approximation = fourier is for kernel = rbf or laplacian": a value that goes with some values
/// of another option only.
struct OptionRequirement {
  std::string_view option;
  std::string_view value;
  std::string_view governor;
  std::string_view values;  // separated by commas
};

/// One options struct with its types erased: what surfaces list under one title.
struct OptionGroup {
  std::string title;
  std::vector<OptionEntry> entries;
  std::vector<OptionRule> rules;                // of the struct's rules() table, where it has one
  std::vector<OptionRequirement> requirements;  // likewise
};

/// Throws Error{option} for the first requirement of the group that its values do not meet. Options
/// that have no effect are not asked.
RANKINE_API void check_requirements(const OptionGroup& group);

/// `options` as a group, bound to it: it must outlive the group.
template <class Options>
OptionGroup option_group(std::string title, Options& options) {
  OptionGroup group{std::move(title), option_entries(options), {}, {}};
  if constexpr (requires { rules(options); }) {
    const auto table = rules(options);
    group.rules.assign(table.begin(), table.end());
  }
  if constexpr (requires { requirements(options); }) {
    const auto table = requirements(options);
    group.requirements.assign(table.begin(), table.end());
  }
  return group;
}

}  // namespace rankine
