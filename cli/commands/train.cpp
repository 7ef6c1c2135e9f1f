// rankine train: fits a model.
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

#include <nlohmann/json.hpp>

#include <rankine/evaluate.hpp>
#include <rankine/read.hpp>
#include <rankine/scores.hpp>
#include <rankine/select.hpp>
#include <rankine/train.hpp>
#include <rankine/train_parts.hpp>

#include "commands/training_options.hpp"
#include "framework/command.hpp"
#include "reports/feature_check.hpp"
#include "reports/model_text.hpp"

namespace rankine::cli {
namespace {

struct TrainArguments {
  std::string model;
  std::string method = std::string(method_names().front());
  std::string valid;
  std::string select = "ndcg@10";
  Convention convention = Convention::rankine;
  std::string warm_start;
  std::string leave_query_out;
  bool stream = false;
  double drop_negligible = 0;
};

constexpr auto fields(const TrainArguments&) {
  using O = TrainArguments;
  return std::tuple{
      Field{"model", &O::model, NoRange{}, "where the model goes", "FILE"},
      Field{"method", &O::method, NoRange{}, "how to learn"},
      Field{"valid", &O::valid, NoRange{}, "graded documents to measure the model on", "FILE"},
      Field{"select", &O::select, NoRange{}, "the measure on --valid", "MEASURE"},
      Field{"convention", &O::convention, NoRange{}, "whose definition of the measure holds"},
      Field{"warm_start", &O::warm_start, NoRange{}, "start from the weights of this model",
            "FILE"},
      Field{"leave_query_out", &O::leave_query_out, NoRange{},
            "write every document's score by the model of all queries but its own (rls)", "FILE"},
      Field{"stream", &O::stream, NoRange{},
            "one pass over TRAIN without keeping its documents (rls); needs num_features"},
      Field{"drop_negligible", &O::drop_negligible, Range<double>{0, 1},
            "leave out landmarks and random features whose weight is below this share of the "
            "largest, and tell what it costs in the measure"}};
}

class Train : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.about(
        "Fits a model that ranks documents of higher grade above those of lower grade within each "
        "query: the minimum of 1/2 |w|^2 + C * (sum of the loss over all pairs), linear in the "
        "features, or with --kernel or --approximation in what they are mapped to. Without query "
        "ids all documents are one query, and the area under the ROC curve is what is optimised. "
        "Ctrl-C ends with the best model so far.");
    arguments.positional("TRAIN", data_path_, "graded documents; - is standard input");
    arguments.group("Training", own_);
    arguments.writes("model", {"warm_start"});  // read before it is replaced
    arguments.writes("leave_query_out");
    training_.declare(arguments);
    arguments.group("Reading", reading_);
    arguments.example("rankine train train.txt --valid vali.txt --model m.rkn", "the defaults");
    arguments.example(
        "rankine train train.txt --model m.rkn --C 1e-4 --scaling none --normalisation none",
        "the setting of the papers");
    arguments.example(
        "rankine train train.txt --model m.rkn --kernel rbf --approximation nystroem "
        "--n-components 2000",
        "not linear, by 2,000 landmarks");
    arguments.example("rankine train clicks.csv --label clicked --model m.rkn --loss hinge",
                      "from a table, with the hinge loss");
    arguments.example("rankine train train.txt --model m.rkn --method rls --alpha 2^-10..2^10",
                      "RankRLS, alpha by leave-query-out");
  }

  void run(const Arguments& arguments, Console& console) override {
    if (own_.model.empty()) throw UsageError("give the model's file by --model");
    const Measure measure = selected_measure(own_.select);
    set_method(arguments);
    for (const auto& line : training_.without_effect(arguments, own_.method)) console.warn(line);
    // Training itself fills in the means, of its own documents.
    if (reading_.missing == Missing::mean) reading_.missing = Missing::zero;
    if (own_.stream) {
      TrainResult result = train_stream(measure, console);
      save(result.model, measure, console);
      tell(result.model, 0, console);
      return;
    }
    const auto reading_start = std::chrono::steady_clock::now();
    const Dataset data = read_dataset(data_path_, reading_, console.progress());
    const std::chrono::duration<double> reading = std::chrono::steady_clock::now() - reading_start;
    Model start;
    if (!own_.warm_start.empty()) {
      start = Model::load(own_.warm_start);
      options_.warm_start = &start;
    }
    options_.leave_query_out = !own_.leave_query_out.empty();
    SelectOptions select{measure, measure_rules(own_.convention), nullptr};
    if (is_path() && !own_.valid.empty()) {
      select.valid = &validation(data.num_features(), console);
    }
    Selection selection = train_and_select(data, options_, select, console.progress());
    TrainResult& result = selection.result;
    if (own_.drop_negligible > 0) drop(result.model, data, measure, console);
    save(result.model, measure, console);
    // After the model, which is then not lost where these cannot be written.
    if (!own_.leave_query_out.empty()) {
      write_scores(own_.leave_query_out, data, selection.leave_query_out);
    }
    tell(result.model, reading.count(), console);
  }

 private:
  void save(Model& model, const Measure& measure, Console& console) {
    if (!own_.valid.empty()) validate_on(model, measure, console);
    model.save(own_.model);
  }

  void tell(const Model& model, double seconds_reading, Console& console) const {
    const TrainReport& report = model.report;
    for (const std::string& warning : report.warnings) console.warn(warning);
    if (console.json()) {
      auto json = model_json(model, dropped());
      json["seconds"]["reading"] = seconds_reading;
      console.print_json(json);
    } else {
      console.print(report_text(model, dropped()));
    }
    if (report.termination == Termination::interrupted) {
      console.note("interrupted: " + own_.model + " holds the best model so far");
      console.stop_if_interrupted();
    } else {
      console.note("wrote " + own_.model);
    }
  }

  void set_method(const Arguments& arguments) {
    options_ = training_.of(own_.method);
    // A method without an option `loss` has one loss; others ask for what is not there.
    bool takes_loss = false;
    for (const OptionEntry& entry : train_option_entries(options_)) {
      takes_loss = takes_loss || entry.name == "loss";
    }
    if (takes_loss || !arguments.given("loss")) return;
    TrainOptions other = training_.of(std::string(method_names().front()));
    for (const OptionEntry& entry : train_option_entries(other)) {
      if (entry.name == "loss" && entry.text() != "squared" && arguments.asked(entry)) {
        throw UsageError("--loss " + entry.text() + ": --method " + own_.method +
                         " has the squared loss alone");
      }
    }
  }

  bool is_path() const {
    const Candidates* values = options_.method.path();
    return values != nullptr && !values->is_single();
  }

  /// One pass over the file.
  TrainResult train_stream(const Measure& measure, Console& console) {
    if (!own_.leave_query_out.empty()) {
      throw UsageError("--leave-query-out needs the documents again: leave out --stream");
    }
    if (is_path() && own_.valid.empty()) {
      throw UsageError(flag_of(options_.method.path_option()) +
                       ": with --stream several values need --valid to be judged by");
    }
    TrainPath path = train_file(data_path_, reading_, options_, console.progress());
    if (!is_path()) return std::move(path.results.front());
    const SelectOptions select{measure, measure_rules(own_.convention),
                               &validation(reading_.num_features, console)};
    return select_from_path(path, nullptr, select, options_.threads).result;
  }

  /// The documents of --valid, read once; told where they have other features.
  const Dataset& validation(std::int64_t num_features, Console& console) {
    if (!valid_) {
      valid_ = read_dataset(own_.valid, reading_, console.progress());
      tell_missing(valid_->source, valid_->num_missing, options_.missing, console);
      tell_other_features(valid_->source, valid_->num_features(), num_features, console);
    }
    return *valid_;
  }

  double mean(const Model& model, const Dataset& data, const Measure& measure) const {
    return evaluate(data, model.score(data, options_.threads), {measure},
                    measure_rules(own_.convention), {.threads = options_.threads})
        .means.front()
        .mean;
  }

  /// Measured on --valid, or where there is none on the training data.
  void drop(Model& model, const Dataset& data, const Measure& measure, Console& console) {
    const Dataset& shown =
        own_.valid.empty() ? data : validation(model.trained_on.num_features, console);
    Model smaller = drop_negligible(model, own_.drop_negligible);
    const auto size = [](const Model& of) {
      return static_cast<std::int64_t>(of.function.weights()->size());
    };
    dropped_ = Dropped{.components = size(model),
                       .kept = size(smaller),
                       .measure = measure.text(),
                       .source = shown.source,
                       .before = mean(model, shown, measure),
                       .after = mean(smaller, shown, measure)};
    model = std::move(smaller);
  }

  const Dropped* dropped() const { return dropped_ ? &*dropped_ : nullptr; }

  void validate_on(Model& model, const Measure& measure, Console& console) {
    model.report.validation_measure = measure.text();
    model.report.validation =
        mean(model, validation(model.trained_on.num_features, console), measure);
  }

  std::string data_path_;
  std::optional<Dataset> valid_;
  std::optional<Dropped> dropped_;
  TrainArguments own_;
  TrainingOptions training_;
  TrainOptions options_;  // of the method
  ReadOptions reading_;
};

}  // namespace

std::unique_ptr<Command> train_command() {
  return std::make_unique<Train>();
}

}  // namespace rankine::cli
