// rankine tune: the best options by validation data.
#include <algorithm>
#include <filesystem>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include <nlohmann/json.hpp>

#include <rankine/program.hpp>
#include <rankine/read.hpp>
#include <rankine/train_parts.hpp>
#include <rankine/tune.hpp>

#include "commands/training_options.hpp"
#include "framework/command.hpp"
#include "framework/text_table.hpp"
#include "reports/feature_check.hpp"
#include "reports/file_check.hpp"
#include "reports/tune_text.hpp"

namespace rankine::cli {
namespace {

constexpr int kUsualFolds = 5;
constexpr std::size_t kUsualRows = 10;

struct TuneArguments {
  std::vector<std::string> grid;
  std::string folds;
  std::string valid;
  Convention convention = Convention::rankine;
  std::string model;
  std::string method = std::string(method_names().front());
};

constexpr auto fields(const TuneArguments&) {
  using O = TuneArguments;
  return std::tuple{
      Field{"grid", &O::grid, NoRange{},
            "values to try of any training option, once for each option: C=2^-12..2^6 (the "
            "exponent by ones), gamma=0.01..10:20 (20 values, logarithmic), loss=huber,hinge",
            "NAME=VALUES"},
      Field{"folds", &O::folds, NoRange{},
            "LETOR folds, a folder with Fold1, Fold2, ... of train, vali and test; or K parts of "
            "TRAIN's queries (default: 5, unless --valid is given)",
            "DIR|K"},
      Field{"valid", &O::valid, NoRange{}, "graded documents to measure the settings on", "FILE"},
      Field{"convention", &O::convention, NoRange{}, "whose definition of the measures holds"},
      Field{"model", &O::model, NoRange{},
            "write the best model: fitted on all of TRAIN, or on each LETOR fold's train (m.rkn "
            "becomes m.fold1.rkn, ...)",
            "FILE"},
      Field{"method", &O::method, NoRange{}, "how to learn"}};
}

/// --grid given twice arrives as one list: what has no name belongs to the grid before it.
std::vector<std::string> grid_texts(const std::vector<std::string>& parts) {
  std::vector<std::string> texts;
  for (const std::string& part : parts) {
    if (texts.empty() || part.find('=') != std::string::npos) {
      texts.push_back(part);
    } else {
      texts.back() += "," + part;
    }
  }
  return texts;
}

std::string shell_word(const std::string& text) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-./,:+=@%").find(c) != std::string_view::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

class Tune : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.about(
        "Trains every setting of a grid of options, measures each on validation data and keeps the "
        "best: the largest mean over the folds; among equals the smallest C (the largest alpha), "
        "then the first of the grid. All values of C come from one training. With LETOR folds the "
        "setting is chosen for each fold on its own vali, fitted on train alone and measured on "
        "test, as the papers do. Ctrl-C ends; with --run DIR the same command goes on from there.");
    arguments.optional_positional("TRAIN", data_path_,
                                  "graded documents; - is standard input. None with --folds DIR");
    arguments.group("Tuning", own_);
    arguments.writes("model");
    arguments.group("Selection", tuning_);
    training_.declare(arguments);
    arguments.group("Reading", reading_);
    arguments.example("rankine tune train.txt --valid vali.txt --grid C=2^-12..2^6 --model m.rkn",
                      "C by a validation file");
    arguments.example(
        "rankine tune train.txt --folds 5 --grid C=1e-4..10:15 --grid loss=squared_hinge,logistic",
        "two options, five folds that never cut a query");
    arguments.example(
        "rankine tune --folds MQ2007 --grid C=2^-12..2^6 --select mean_ndcg --convention letor "
        "--scaling none --normalisation none --run runs/mq2007",
        "a table of the papers, on LETOR's folds");
    arguments.example(
        "rankine tune --folds MQ2007 --kernel rbf --approximation nystroem --n-components 2000 "
        "--grid C=2^-12..2^6 --grid gamma=2^-12..2^2 --select mean_ndcg --convention letor "
        "--scaling none --normalisation none --run runs/nystroem",
        "C and gamma of a kernel");
  }

  void run(const Arguments& arguments, Console& console) override {
    const bool letor = is_letor();
    check_sources(letor);
    const Measure select = selected_measure(tuning_.select);
    if (letor) check_models(arguments);
    const TrainOptions& options = training_.of(own_.method);
    for (const std::string& text : grid_texts(own_.grid)) {
      tuning_.grids.push_back(parse_grid_option(options, text));
    }
    std::vector<std::string> varied;
    for (const Grid& grid : tuning_.grids) varied.push_back(grid.name);
    for (const auto& line : training_.without_effect(arguments, own_.method, varied)) {
      console.warn(line);
    }
    tuning_.rules = measure_rules(own_.convention);
    tuning_.refit = !own_.model.empty();
    reading_.keep_comments = tuning_.rules.ties == Ties::document_id;
    const TuneResult result = tune_sources(letor, options, console);
    save_models(result, letor, console);
    tell(result, context(result, select, letor, arguments), arguments, console);
  }

 private:
  bool is_letor() const {
    if (own_.folds.empty() || std::filesystem::is_directory(own_.folds)) {
      return !own_.folds.empty();
    }
    return own_.folds.find_first_not_of("0123456789") != std::string::npos;
  }

  void check_sources(bool letor) const {
    if (own_.grid.empty()) throw UsageError("give a grid, as in --grid C=2^-12..2^6");
    if (!own_.valid.empty() && !own_.folds.empty()) {
      throw UsageError("give --valid or --folds, not both");
    }
    if (letor && !data_path_.empty()) {
      throw UsageError("--folds " + own_.folds + " brings its own training data: leave " +
                       data_path_ + " out");
    }
    if (!letor && data_path_.empty()) {
      throw UsageError("give the training data: TRAIN, or --folds DIR with LETOR folds");
    }
    if (data_path_ == "-" && own_.valid == "-") {
      throw UsageError("only one input can be standard input");
    }
    if (letor && own_.model == "-") throw UsageError("--model - cannot hold a model for each fold");
  }

  /// The models of LETOR folds are not called as --model says.
  void check_models(const Arguments& arguments) const {
    if (own_.model.empty()) return;
    const std::filesystem::path folds(own_.folds);
    for (std::size_t k = 0; std::filesystem::is_directory(folds / ("Fold" + std::to_string(k + 1)));
         ++k) {
      check_written_file(arguments, "model", model_path(k, true));
      check_output(model_path(k, true));
    }
  }

  int num_folds() const {
    if (own_.folds.empty()) return kUsualFolds;
    const std::int64_t folds = parse_integer("folds", own_.folds);
    constexpr std::int64_t kMost = 1'000'000;
    if (folds < 2 || folds > kMost) throw_out_of_range("folds", own_.folds, "in [2, 1000000]");
    return static_cast<int>(folds);
  }

  TuneResult tune_sources(bool letor, const TrainOptions& options, Console& console) const {
    const Progress progress = console.progress();
    ReadOptions reading = reading_;
    // Trainings fill in the means, each of its own documents.
    if (reading.missing == Missing::mean) reading.missing = Missing::zero;
    if (letor) return tune_letor_folds(own_.folds, options, tuning_, reading, progress);
    const int folds = num_folds();
    const Dataset data = read_dataset(data_path_, reading, progress);
    tell_missing(data.source, data.num_missing, options.missing, console);
    if (own_.valid.empty()) return tune(data, folds, options, tuning_, progress);
    const Dataset valid = read_dataset(own_.valid, reading, progress);
    tell_missing(valid.source, valid.num_missing, options.missing, console);
    tell_other_features(valid.source, valid.num_features(), data.num_features(), console);
    return tune(data, valid, options, tuning_, progress);
  }

  std::string model_path(std::size_t fold, bool letor) const {
    if (!letor) return own_.model;
    std::filesystem::path path(own_.model);
    const std::string ending = path.extension().string();
    return path.replace_extension("fold" + std::to_string(fold + 1) + ending).string();
  }

  void save_models(const TuneResult& result, bool letor, Console& console) const {
    for (std::size_t k = 0; k < result.models.size(); ++k) {
      result.models[k].save(model_path(k, letor));
      console.note("wrote " + model_path(k, letor));
    }
  }

  /// The options that differ from their defaults, as flags.
  static std::string flags_of(TrainOptions options) {
    std::string text;
    const auto add = [&](const std::string& name, const std::string& value) {
      const std::string flag = " " + flag_of(name) + " " + shell_word(value);
      if (text.find(flag) == std::string::npos) text += flag;
    };
    if (options.method.name() != method_names().front()) {
      add("method", std::string(options.method.name()));
    }
    for (const OptionEntry& entry : train_option_entries(options)) {
      if (entry.name == "threads" || entry.text() == entry.default_text) continue;
      if (entry.type == OptionType::flag) {
        text += " " + flag_of(entry.name);
      } else {
        add(entry.name, entry.text());
      }
    }
    return text;
  }

  std::string reading_flags(const Arguments& arguments) const {
    ReadOptions reading = reading_;
    std::string text;
    for (const OptionEntry& entry : option_entries(reading)) {
      if (!arguments.given(entry.name) || entry.name == "threads") continue;
      text += " " + flag_of(entry.name);
      if (entry.type != OptionType::flag) text += " " + shell_word(entry.text());
    }
    return text;
  }

  TuneContext context(const TuneResult& result, const Measure& select, bool letor,
                      const Arguments& arguments) const {
    TuneContext context;
    context.select = select.text();
    context.convention = name_of(own_.convention);
    for (const std::string& text : grid_texts(own_.grid)) {
      if (text.find("2^") != std::string::npos) {
        context.powers.push_back(text.substr(0, text.find('=')));
      }
    }
    const TrainOptions& options = training_.of(own_.method);
    const std::string seed = " (seed " + std::to_string(options.seed) + ")";
    context.folds = letor ? std::to_string(result.folds.size()) + " LETOR folds of " + own_.folds
                    : !own_.valid.empty() ? "on " + own_.valid
                                          : counted_text(num_folds(), "fold") + " by query";
    context.folds += seed;
    const auto command = [&](const std::string& train, std::size_t setting, std::size_t fold) {
      const std::string model = own_.model.empty()
                                    ? letor ? "m.fold" + std::to_string(fold + 1) + ".rkn" : "m.rkn"
                                    : model_path(fold, letor);
      return "rankine train " + shell_word(train) + " --model " + shell_word(model) +
             flags_of(setting_options(options, result, setting)) + reading_flags(arguments);
    };
    if (!letor) {
      context.commands.push_back(command(data_path_, result.best, 0));
      return context;
    }
    for (std::size_t fold = 0; fold < result.folds.size(); ++fold) {
      context.commands.push_back(command(result.folds[fold].source, result.folds[fold].best, fold));
    }
    return context;
  }

  static void tell(const TuneResult& result, const TuneContext& context, const Arguments& arguments,
                   Console& console) {
    for (const std::string& warning : result.warnings) console.warn(warning);
    if (console.json()) {
      console.print_json(tune_json(result, context));
    } else {
      const bool all = arguments.common().verbose;
      console.print(
          tune_text(result, context, all ? std::numeric_limits<std::size_t>::max() : kUsualRows));
    }
    if (result.num_kept > 0) {
      console.note(count_text(result.num_kept) + " of " +
                   counted_text(result.num_trainings, "training") + " were done by an earlier run");
    }
    console.note("tuned in " + duration_text(result.seconds));
  }

  std::string data_path_;
  TuneArguments own_;
  TuneOptions tuning_;
  TrainingOptions training_;
  ReadOptions reading_;
};

}  // namespace

std::unique_ptr<Command> tune_command() {
  return std::make_unique<Tune>();
}

}  // namespace rankine::cli
