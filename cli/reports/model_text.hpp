// A model in words and numbers, for train and inspect.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <rankine/model.hpp>

namespace rankine::cli {

/// What leaving out negligible components did.
struct Dropped {
  std::int64_t components = 0;  // before
  std::int64_t kept = 0;
  std::string measure;
  std::string source;  // of the documents it was measured on
  double before = 0;
  double after = 0;
};

/// 3, 5, 6, 7 as "3, 5-7".
std::string ranges_text(const std::vector<std::int64_t>& numbers);

/// How its training went, and what was dropped after it, if anything.
std::string report_text(const Model& model, const Dropped* dropped = nullptr);
/// What it is: its training, its data, its weights by importance.
std::string model_text(const Model& model);
nlohmann::ordered_json model_json(const Model& model, const Dropped* dropped = nullptr);

/// The value of an option: a number or true or false where it is one, otherwise text.
nlohmann::ordered_json json_value(const std::string& text);

}  // namespace rankine::cli
