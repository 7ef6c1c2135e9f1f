// A model in words and numbers, for train and inspect.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include <rankine/model.hpp>

namespace rankine::cli {

/// How its training went.
std::string report_text(const Model& model);
/// What it is: its training, its data, its weights by importance.
std::string model_text(const Model& model);
nlohmann::ordered_json model_json(const Model& model);

}  // namespace rankine::cli
