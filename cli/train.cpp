// rankine train: fits a model.
#include <chrono>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include <nlohmann/json.hpp>

#include <rankine/evaluate.hpp>
#include <rankine/read.hpp>
#include <rankine/train.hpp>

#include "command.hpp"
#include "model_text.hpp"
#include "text_table.hpp"
#include "training_options.hpp"

namespace rankine::cli {
namespace {

struct TrainArguments {
  std::string model;
  Method method = Method::svm;
  std::string valid;
  std::string select = "ndcg@10";
  Convention convention = Convention::rankine;
  std::string warm_start;
  double drop_negligible = 0;
};

constexpr auto fields(const TrainArguments&) {
  using O = TrainArguments;
  return std::tuple{
      Field{"model", &O::model, NoRange{}, "where the model goes", "FILE"},
      Field{"method", &O::method, NoRange{}, kMethodHelp},
      Field{"valid", &O::valid, NoRange{}, "graded documents to measure the model on", "FILE"},
      Field{"select", &O::select, NoRange{}, "the measure on --valid", "MEASURE"},
      Field{"convention", &O::convention, NoRange{}, "whose definition of the measure holds"},
      Field{"warm_start", &O::warm_start, NoRange{}, "start from the weights of this model",
            "FILE"},
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
  }

  void run(const Arguments&, Console& console) override {
    if (own_.model.empty()) throw UsageError("give the model's file by --model");
    const auto measures = parse_measures(own_.select);
    const auto reading_start = std::chrono::steady_clock::now();
    const Dataset data = read_dataset(data_path_, reading_, console.progress());
    const std::chrono::duration<double> reading = std::chrono::steady_clock::now() - reading_start;
    options_ = training_.of(own_.method);
    Model start;
    if (!own_.warm_start.empty()) {
      start = Model::load(own_.warm_start);
      options_.warm_start = &start;
    }
    TrainResult result = train(data, options_, console.progress());
    if (own_.drop_negligible > 0) drop(result.model, data, measures, console);
    if (!own_.valid.empty()) validate_on(result.model, measures, console);
    result.model.save(own_.model);
    const TrainReport& report = result.model.report;
    for (const std::string& warning : report.warnings) console.warn(warning);
    if (console.json()) {
      auto json = model_json(result.model);
      json["seconds"]["reading"] = reading.count();
      console.print_json(json);
    } else {
      console.print(report_text(result.model));
    }
    if (report.termination == "interrupted") {
      console.note("interrupted: " + own_.model + " holds the best model so far");
      console.stop_if_interrupted();
    } else {
      console.note("wrote " + own_.model);
    }
  }

 private:
  /// Measured on --valid, or where there is none on the training data.
  void drop(Model& model, const Dataset& data, const std::vector<Measure>& measures,
            Console& console) const {
    const Dataset shown =
        own_.valid.empty() ? data : read_dataset(own_.valid, reading_, console.progress());
    const auto mean = [&](const Model& measured) {
      return evaluate(shown, measured.score(shown, options_.threads), measures,
                      measure_rules(own_.convention), {.threads = options_.threads})
          .means.front()
          .mean;
    };
    const Model smaller = drop_negligible(model, own_.drop_negligible);
    const auto size = [](const Model& of) {
      return std::visit([](const auto& f) { return static_cast<std::int64_t>(f.weights.size()); },
                        of.function);
    };
    console.note("kept " + count_text(size(smaller)) + " of " + count_text(size(model)) +
                 " components: " + measures.front().text() + " on " + shown.source + " from " +
                 decimals_text(mean(model), 6) + " to " + decimals_text(mean(smaller), 6));
    model = smaller;
  }

  void validate_on(Model& model, const std::vector<Measure>& measures, Console& console) const {
    const Dataset valid = read_dataset(own_.valid, reading_, console.progress());
    const auto result = evaluate(valid, model.score(valid, options_.threads), measures,
                                 measure_rules(own_.convention), {.threads = options_.threads});
    model.report.validation_measure = result.means.front().measure.text();
    model.report.validation = result.means.front().mean;
  }

  std::string data_path_;
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
