// The options of a training method, whichever it is. A method's options are a plain struct that
// names its method and has a fields() table; MethodOptions holds any of them as a value, so that a
// method that is new needs no change to what trains, tunes, saves or shows it.
//
//   struct SvmOptions {
//     static constexpr std::string_view kMethod = "svm";
//     Candidates C = 0.1;
//     NewtonOptions newton = {};
//     template <class Self, class Visit>
//     static void for_each_part(Self& self, Visit visit) { visit("Newton's method", self.newton); }
//   };
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "rankine/error.hpp"
#include "rankine/fields.hpp"
#include "rankine/visibility.hpp"

namespace rankine {

template <class O>
concept MethodStruct = requires(O options) {
  { O::kMethod } -> std::convertible_to<std::string_view>;
  { O::kTitle } -> std::convertible_to<std::string_view>;
  fields(options);
  requires std::copyable<O>;
};

/// A value: copies are independent. Throws nothing by itself.
class RANKINE_API MethodOptions {
 public:
  /// The default method with its defaults.
  MethodOptions();
  template <MethodStruct O>
  MethodOptions(O options) : held_(std::make_unique<Of<O>>(std::move(options))) {}
  /// A method by its name, with its defaults. Throws Error{option} that lists the names.
  static MethodOptions named(std::string_view name);

  MethodOptions(const MethodOptions& other) : held_(other.held_->copy()) {}
  MethodOptions& operator=(const MethodOptions& other) {
    held_ = other.held_->copy();
    return *this;
  }
  MethodOptions(MethodOptions&&) noexcept = default;
  MethodOptions& operator=(MethodOptions&&) noexcept = default;
  ~MethodOptions() = default;

  /// As every surface spells it: "svm".
  std::string_view name() const { return held_->name(); }

  template <MethodStruct O>
  bool is() const {
    return name() == O::kMethod;
  }
  /// The options, where they are those of O's method; else null.
  template <MethodStruct O>
  O* get_if() {
    return is<O>() ? &static_cast<Of<O>&>(*held_).options : nullptr;
  }
  template <MethodStruct O>
  const O* get_if() const {
    return is<O>() ? &static_cast<const Of<O>&>(*held_).options : nullptr;
  }
  /// The same where it is known. Throws Error{option} for another method.
  template <MethodStruct O>
  O& as() {
    check(O::kMethod);
    return *get_if<O>();
  }
  template <MethodStruct O>
  const O& as() const {
    check(O::kMethod);
    return *get_if<O>();
  }

  /// The tables of the method's structs, bound to this object: it must outlive them and keep its
  /// method.
  std::vector<OptionGroup> groups() { return held_->groups(); }
  /// Throws Error{option} when a value is out of its range.
  void validate() const { held_->validate(); }

  /// The option whose values train_path takes: "C"; empty where the method has no path.
  std::string_view path_option() const { return held_->path_option(); }
  /// Its values; null where there is no path.
  Candidates* path() { return held_->path(); }
  const Candidates* path() const { return held_->path(); }

 private:
  struct Held {
    virtual ~Held() = default;
    virtual std::unique_ptr<Held> copy() const = 0;
    virtual std::string_view name() const = 0;
    virtual std::vector<OptionGroup> groups() = 0;
    virtual void validate() const = 0;
    virtual std::string_view path_option() const = 0;
    virtual Candidates* path() = 0;
  };

  template <class O>
  struct Of final : Held {
    explicit Of(O given) : options(std::move(given)) {}
    std::unique_ptr<Held> copy() const override { return std::make_unique<Of>(options); }
    std::string_view name() const override { return O::kMethod; }
    std::vector<OptionGroup> groups() override {
      std::vector<OptionGroup> all{option_group(std::string(O::kTitle), options)};
      if constexpr (requires { O::for_each_part(options, [](std::string_view, auto&) {}); }) {
        O::for_each_part(options, [&](std::string_view title, auto& part) {
          all.push_back(option_group(std::string(title), part));
        });
      }
      return all;
    }
    void validate() const override {
      rankine::validate(options);
      if constexpr (requires { O::for_each_part(options, [](std::string_view, auto&) {}); }) {
        O::for_each_part(options,
                         [](std::string_view, const auto& part) { rankine::validate(part); });
      }
    }
    std::string_view path_option() const override {
      std::string_view found;
      for_each_field<O>([&](const auto& field) {
        if constexpr (std::is_same_v<decltype(field.member), Candidates O::*>) {
          if (found.empty()) found = field.name;
        }
      });
      return found;
    }
    Candidates* path() override {
      Candidates* found = nullptr;
      for_each_field<O>([&](const auto& field) {
        if constexpr (std::is_same_v<decltype(field.member), Candidates O::*>) {
          if (found == nullptr) found = &(options.*field.member);
        }
      });
      return found;
    }

    O options;
  };

  void check(std::string_view wanted) const {
    if (name() == wanted) return;
    throw Error(ErrorKind::option,
                "method is '" + std::string(name()) + "', not '" + std::string(wanted) + "'");
  }

  std::unique_ptr<Held> held_;
};

/// The names of all methods, the default first.
RANKINE_API std::vector<std::string_view> method_names();
/// What a method is, in a line.
RANKINE_API std::string_view method_help(std::string_view name);

}  // namespace rankine
