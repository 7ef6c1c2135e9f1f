// Whether data has the features that a model was trained on, and their values.
#pragma once

#include <cstdint>
#include <string>

#include <rankine/missing.hpp>
#include <rankine/model.hpp>

#include "framework/console.hpp"

namespace rankine::cli {

/// Warns where data of `num_features` is scored by a model whose training data had `expected`: the
/// model leaves out what it never saw, and takes what the data lacks for 0.
void tell_other_features(const std::string& source, std::int64_t num_features,
                         std::int64_t expected, Console& console);

/// Warns where values are missing, with what stands for them: data.source, count, by `missing`.
void tell_missing(const std::string& source, std::int64_t num_missing, Missing missing,
                  Console& console);

/// What stands for missing values of documents that `model` scores. Throws Error{option} where
/// `wanted` says otherwise: a model scores as it was trained.
Missing missing_of(const Model& model, Missing wanted);

}  // namespace rankine::cli
