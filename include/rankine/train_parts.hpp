// The options of training as one list: TrainOptions is made of several structs, each with its
// table, and command lines, tuning and Python see them all through here. A struct that is new
// inside TrainOptions or inside a method needs one line in for_each_part.
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "rankine/fields.hpp"
#include "rankine/train.hpp"
#include "rankine/visibility.hpp"

namespace rankine {

/// Calls visit(title, part) for every struct with a table inside `options`, the method's first.
template <class Options, class Visit>
void for_each_part(Options& options, Visit visit) {
  static_assert(std::is_same_v<std::remove_cv_t<Options>, TrainOptions>);
  std::visit(
      [&]<class Method>(Method& method) {
        visit("Objective", method);
        if constexpr (requires { method.pair_loss; }) visit("Loss", method.pair_loss);
      },
      options.method);
  visit("Features and limits", options);
  visit("Kernels and their approximations", options.map);
  std::visit(
      [&]<class Method>(Method& method) {
        if constexpr (requires { method.newton; }) visit("Newton's method", method.newton);
        if constexpr (requires { method.cutting_plane; }) {
          visit("Cutting planes (hinge)", method.cutting_plane);
        }
        if constexpr (requires { method.sgd; }) {
          visit("Stochastic gradients (--method sgd)", method.sgd);
        }
      },
      options.method);
}

/// Every option of every part, bound to `options`: it must outlive them and keep its method. A name
/// may occur twice (tolerance); setting it sets all of that name.
RANKINE_API std::vector<OptionEntry> train_option_entries(TrainOptions& options);

/// Every option by name and value, the method first and each name once.
RANKINE_API std::vector<std::pair<std::string, std::string>> train_option_texts(
    TrainOptions options);

/// Sets one option. `method` takes the defaults of the new method, and keeps what was set of the
/// options that both have. Throws Error{option} for a name or a value that does not exist.
RANKINE_API void assign_train_option(TrainOptions& options, std::string_view name,
                                     std::string_view text);

/// The names of all methods, in the order of MethodOptions.
RANKINE_API std::vector<std::string_view> method_names();

/// The option whose values train_path takes: "C"; empty where a method has no path.
RANKINE_API std::string_view path_option(const MethodOptions& method);

}  // namespace rankine
