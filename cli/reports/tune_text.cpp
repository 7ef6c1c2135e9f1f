#include "reports/tune_text.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <nlohmann/json.hpp>

#include "framework/text_table.hpp"
#include "reports/model_text.hpp"

namespace rankine::cli {
namespace {

constexpr int kDecimals = 4;

/// The value of a grid as it was written, or near it.
std::string value_text(const std::string& grid, const std::string& text,
                       const TuneContext& context) {
  if (std::count(context.powers.begin(), context.powers.end(), grid) == 0) {
    constexpr std::size_t kLong = 10;  // as steps of a logarithmic range are
    return text.size() > kLong && text.find_first_not_of("0123456789.e-") == std::string::npos
               ? number_text(parse_real(grid, text), 6)
               : text;
  }
  int exponent = 0;
  const double value = parse_real(grid, text);
  const bool is_power = value > 0 && std::frexp(value, &exponent) == 0.5;
  return is_power ? "2^" + std::to_string(exponent - 1) : number_text(value, 6);
}

/// All values of a setting.
std::vector<std::string> value_texts(const TuneResult& result, const TuneSetting& setting,
                                     const TuneContext& context) {
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < result.names.size(); ++k) {
    texts.push_back(value_text(result.names[k], setting.values[k], context));
  }
  return texts;
}

std::string mean_text(double value) {
  return std::isnan(value) ? "-" : decimals_text(value, kDecimals);
}

/// Settings by falling mean, the winner first; those that halving dropped last.
std::vector<std::size_t> best_first(const TuneResult& result) {
  std::vector<std::size_t> order(result.settings.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto rank = [&](std::size_t setting) {
    const double mean = result.settings[setting].mean;
    return std::isnan(mean) ? -INFINITY : mean;
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if ((a == result.best) != (b == result.best) && rank(a) == rank(b)) return a == result.best;
    return rank(a) > rank(b);
  });
  return order;
}

std::string settings_table(const TuneResult& result, const TuneContext& context,
                           std::size_t most_rows) {
  const std::size_t num_folds = result.folds.size();
  std::vector<std::string> header = result.names;
  header.push_back(context.select);
  if (num_folds > 1) {
    header.emplace_back("deviation");
    for (std::size_t fold = 1; fold <= num_folds; ++fold) {
      header.push_back("fold " + std::to_string(fold));
    }
  }
  TextTable table(header);
  const auto order = best_first(result);
  bool sampled = false;
  for (std::size_t k = 0; k < std::min(order.size(), most_rows); ++k) {
    const TuneSetting& setting = result.settings[order[k]];
    std::vector<std::string> row = value_texts(result, setting, context);
    if (num_folds > 1) {
      row.push_back(mean_text(setting.mean));
      row.push_back(mean_text(setting.deviation));
    }
    for (std::size_t fold = 0; fold < num_folds; ++fold) {
      const bool whole = setting.share[fold] == 1;
      sampled = sampled || !whole;
      row.push_back(mean_text(setting.validation[fold]) + (whole ? "" : "*"));
    }
    table.add(std::move(row));
  }
  std::string text = table.text();
  if (order.size() > most_rows) {
    text += "... " + std::to_string(order.size() - most_rows) + " more (--verbose shows all)\n";
  }
  if (sampled) text += "* dropped by halving, measured after a share of the training queries\n";
  return text;
}

/// Means over folds, a row for each value of one grid and a column for each of the other; nothing
/// where one of them has a single value.
std::string matrix_text(const TuneResult& result, const TuneContext& context) {
  std::vector<std::vector<std::string>> values(2);
  for (const TuneSetting& setting : result.settings) {
    for (std::size_t k = 0; k < 2; ++k) {
      if (std::count(values[k].begin(), values[k].end(), setting.values[k]) == 0) {
        values[k].push_back(setting.values[k]);
      }
    }
  }
  if (std::min(values[0].size(), values[1].size()) < 2) return "";
  const std::size_t down = values[0].size() >= values[1].size() ? 0 : 1;
  const std::size_t across = 1 - down;
  std::vector<std::string> header{result.names[down] + " \\ " + result.names[across]};
  for (const std::string& value : values[across])
    header.push_back(value_text(result.names[across], value, context));
  TextTable table(header);
  for (std::size_t i = 0; i < values[down].size(); ++i) {
    std::vector<std::string> row{value_text(result.names[down], values[down][i], context)};
    for (std::size_t j = 0; j < values[across].size(); ++j) {
      const std::size_t first = down == 0 ? i : j;
      const std::size_t second = down == 0 ? j : i;
      row.push_back(mean_text(result.settings[first * values[1].size() + second].mean));
    }
    table.add(std::move(row));
  }
  return "\n" + table.text();
}

std::string folds_table(const TuneResult& result, const TuneContext& context) {
  std::vector<std::string> header{"fold"};
  header.insert(header.end(), result.names.begin(), result.names.end());
  header.emplace_back("vali");
  for (const Measure& measure : result.measures) header.push_back(measure.text());
  TextTable table(header);
  for (std::size_t fold = 0; fold < result.folds.size(); ++fold) {
    const TuneFold& outcome = result.folds[fold];
    std::vector<std::string> row{std::to_string(fold + 1)};
    for (std::string& text : value_texts(result, result.settings[outcome.best], context)) {
      row.push_back(std::move(text));
    }
    row.push_back(mean_text(outcome.validation));
    for (const double value : outcome.test) row.push_back(mean_text(value));
    table.add(std::move(row));
  }
  const auto add_summary = [&](const std::string& name, const std::vector<double>& values) {
    std::vector<std::string> row{name};
    row.resize(result.names.size() + 2);
    for (const double value : values) row.push_back(mean_text(value));
    table.add(std::move(row));
  };
  add_summary("mean", result.test_mean);
  add_summary("deviation", result.test_deviation);
  return table.text();
}

nlohmann::ordered_json setting_json(const TuneResult& result, std::size_t setting) {
  nlohmann::ordered_json object;
  for (std::size_t k = 0; k < result.names.size(); ++k) {
    object[result.names[k]] = json_value(result.settings[setting].values[k]);
  }
  return object;
}

}  // namespace

std::string tune_text(const TuneResult& result, const TuneContext& context, std::size_t most_rows) {
  std::string text = context.select + " by the rules of " + context.convention + ", " +
                     context.folds + ": " +
                     counted_text(static_cast<std::int64_t>(result.settings.size()), "setting") +
                     " in " + counted_text(result.num_trainings, "training") + "\n\n" +
                     settings_table(result, context, most_rows);
  if (result.names.size() == 2) text += matrix_text(result, context);
  if (!result.test_mean.empty()) {
    text += "\non the test parts, with the setting chosen on each fold's own vali\n\n" +
            folds_table(result, context);
  }
  text += "\nthe best again:\n";
  for (const std::string& command : context.commands) text += "  " + command + "\n";
  return text;
}

nlohmann::ordered_json tune_json(const TuneResult& result, const TuneContext& context) {
  using Json = nlohmann::ordered_json;
  Json settings = Json::array();
  for (std::size_t k = 0; k < result.settings.size(); ++k) {
    const TuneSetting& setting = result.settings[k];
    settings.push_back({{"options", setting_json(result, k)},
                        {"mean", setting.mean},  // null when it is not a number
                        {"deviation", setting.deviation},
                        {"validation", setting.validation},
                        {"share", setting.share},
                        {"seconds", setting.seconds}});
  }
  Json folds = Json::array();
  for (const TuneFold& fold : result.folds) {
    Json entry{{"train", fold.source},
               {"best", setting_json(result, fold.best)},
               {"validation", fold.validation}};
    for (std::size_t m = 0; m < fold.test.size(); ++m) {
      entry["test"][result.measures[m].text()] = fold.test[m];
    }
    folds.push_back(std::move(entry));
  }
  Json object{{"select", context.select},
              {"convention", context.convention},
              {"folds_from", context.folds},
              {"best", setting_json(result, result.best)},
              {"mean", result.settings[result.best].mean},
              {"deviation", result.settings[result.best].deviation},
              {"settings", settings},
              {"folds", folds}};
  for (std::size_t m = 0; m < result.test_mean.size(); ++m) {
    object["test"][result.measures[m].text()] = {{"mean", result.test_mean[m]},
                                                 {"deviation", result.test_deviation[m]}};
  }
  object["commands"] = context.commands;
  object["trainings"] = result.num_trainings;
  object["trainings_kept"] = result.num_kept;
  object["seconds"] = result.seconds;
  object["warnings"] = result.warnings;
  return object;
}

}  // namespace rankine::cli
