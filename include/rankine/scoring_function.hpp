// What a model scores with. A kind of function is a plain struct with a name; ScoringFunction holds
// any of them as a value, so that a kind that is new needs no change to what trains, saves, scores
// or shows models. What a kind can do is said in src/models, one file each.
//
//   struct LinearFunction {
//     static constexpr std::string_view kKind = "linear";
//     std::vector<double> weights;
//     std::int64_t num_features() const;
//     bool operator==(const LinearFunction&) const = default;
//   };
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "rankine/dataset.hpp"
#include "rankine/error.hpp"
#include "rankine/feature_map.hpp"
#include "rankine/visibility.hpp"

namespace rankine {

/// score = sum over columns of weights[f] * (scaled feature f).
struct LinearFunction {
  static constexpr std::string_view kKind = "linear";

  std::vector<double> weights;

  std::int64_t num_features() const { return static_cast<std::int64_t>(weights.size()); }
  bool operator==(const LinearFunction&) const = default;
};

/// score = sum over landmarks of weights[j] * kernel(scaled features, landmark j).
struct RANKINE_API KernelFunction {
  static constexpr std::string_view kKind = "kernel";

  KernelSpec kernel;
  FeatureMatrix landmarks;  // scaled rows
  std::vector<double> weights;

  std::int64_t num_features() const {
    return std::visit([](const auto& matrix) { return matrix.num_columns; }, landmarks);
  }
  bool operator==(const KernelFunction& other) const;
};

/// score = sum over j of weights[j] * g(frequency j . (scaled features) + phases[j]), g the cosine
/// or max(0, .).
struct RANKINE_API RandomFunction {
  static constexpr std::string_view kKind = "random";

  Approximation kind = Approximation::fourier;  // or relu
  DenseMatrix frequencies;
  std::vector<float> phases;
  std::vector<double> weights;

  std::int64_t num_features() const { return frequencies.num_columns; }
  bool operator==(const RandomFunction& other) const;
};

template <class F>
concept FunctionStruct = requires(const F& function) {
  { F::kKind } -> std::convertible_to<std::string_view>;
  { function.num_features() } -> std::convertible_to<std::int64_t>;
  { function == function } -> std::convertible_to<bool>;
  requires std::copyable<F>;
};

/// A value: copies are independent, and equal when their kinds and functions are.
class RANKINE_API ScoringFunction {
 public:
  /// Linear, of no column.
  ScoringFunction() : ScoringFunction(LinearFunction{}) {}
  template <FunctionStruct F>
  ScoringFunction(F function)  // NOLINT: a function of any kind is a scoring function
      : held_(std::make_unique<Of<F>>(std::move(function))) {}

  ScoringFunction(const ScoringFunction& other) : held_(other.held_->copy()) {}
  ScoringFunction& operator=(const ScoringFunction& other) {
    held_ = other.held_->copy();
    return *this;
  }
  ScoringFunction(ScoringFunction&&) noexcept = default;
  ScoringFunction& operator=(ScoringFunction&&) noexcept = default;
  ~ScoringFunction() = default;

  bool operator==(const ScoringFunction& other) const {
    return kind() == other.kind() && held_->equals(*other.held_);
  }

  /// As files and every surface spell it: "linear".
  std::string_view kind() const { return held_->kind(); }
  /// Number of columns it sees.
  std::int64_t num_features() const { return held_->num_features(); }

  template <FunctionStruct F>
  bool is() const {
    return kind() == F::kKind;
  }
  /// The function, where it is of F's kind; else null.
  template <FunctionStruct F>
  F* get_if() {
    return is<F>() ? &static_cast<Of<F>&>(*held_).function : nullptr;
  }
  template <FunctionStruct F>
  const F* get_if() const {
    return is<F>() ? &static_cast<const Of<F>&>(*held_).function : nullptr;
  }
  /// The same where it is known. Throws Error{option} for another kind.
  template <FunctionStruct F>
  F& as() {
    check(F::kKind);
    return *get_if<F>();
  }
  template <FunctionStruct F>
  const F& as() const {
    check(F::kKind);
    return *get_if<F>();
  }

  /// What the terms of the score are multiplied by; null where the score is no weighted sum.
  std::vector<double>* weights() { return held_->weights(); }
  const std::vector<double>* weights() const { return held_->weights(); }

 private:
  struct Held {
    virtual ~Held() = default;
    virtual std::unique_ptr<Held> copy() const = 0;
    virtual std::string_view kind() const = 0;
    virtual std::int64_t num_features() const = 0;
    virtual bool equals(const Held& other) const = 0;
    virtual std::vector<double>* weights() = 0;
  };

  template <class F>
  struct Of final : Held {
    explicit Of(F given) : function(std::move(given)) {}
    std::unique_ptr<Held> copy() const override { return std::make_unique<Of>(function); }
    std::string_view kind() const override { return F::kKind; }
    std::int64_t num_features() const override { return function.num_features(); }
    bool equals(const Held& other) const override {
      return function == static_cast<const Of&>(other).function;
    }
    std::vector<double>* weights() override {
      if constexpr (requires {
                      { function.weights } -> std::same_as<std::vector<double>&>;
                    }) {
        return &function.weights;
      } else {
        return nullptr;
      }
    }

    F function;
  };

  void check(std::string_view wanted) const {
    if (kind() == wanted) return;
    throw Error(ErrorKind::option, "the model's function is '" + std::string(kind()) + "', not '" +
                                       std::string(wanted) + "'");
  }

  std::unique_ptr<Held> held_;
};

/// A function in words and numbers.
struct FunctionDescription {
  std::string kind;                     // "kernel"
  std::string summary;                  // "kernel (rbf, gamma 0.5) with 20 landmarks"
  bool weights_are_of_columns = false;  // weights() has one for each scaled feature
  std::vector<std::pair<std::string, std::string>> details;  // more that is worth a line
};

}  // namespace rankine
