// The outcome of a tuning, for people and for programs.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <rankine/tune.hpp>

namespace rankine::cli {

/// What a reader needs to know about a tuning besides its result.
struct TuneContext {
  std::string folds;  // "5 folds by query (seed 1)"
  std::string select;
  std::string convention;
  std::vector<std::string> powers;    // grids whose values are shown as 2^-5 where they are
  std::vector<std::string> commands;  // that train the best again
};

/// The settings, best first: `most_rows` of them; a matrix where there are two grids; the folds'
/// own choices and tests for LETOR folds.
std::string tune_text(const TuneResult& result, const TuneContext& context, std::size_t most_rows);
nlohmann::ordered_json tune_json(const TuneResult& result, const TuneContext& context);

}  // namespace rankine::cli
