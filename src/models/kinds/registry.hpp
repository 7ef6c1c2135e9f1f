// The kinds of scoring function there are. Scoring, the model file, inspect and Python read this
// list: a new kind is one more entry.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include <rankine/scoring_function.hpp>

#include "models/kinds/model_kind.hpp"

namespace rankine {

/// The names of all kinds.
std::vector<std::string_view> model_kind_names();
/// Null where there is none of this name.
const ModelKind* find_model_kind(std::string_view name);
/// Throws Error{option} where nobody registered it.
const ModelKind& kind_of(const ScoringFunction& function);

/// Adds a kind at run time, before any thread scores. Throws Error{option} for a name that is
/// taken.
void register_model_kind(std::unique_ptr<const ModelKind> kind);

}  // namespace rankine
