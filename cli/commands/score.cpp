// rankine score: the scores a model gives to documents.
#include <array>
#include <string>
#include <tuple>
#include <vector>

#include <nlohmann/json.hpp>

#include <rankine/model.hpp>
#include <rankine/read.hpp>
#include <rankine/scores.hpp>

#include "framework/command.hpp"
#include "reports/feature_check.hpp"

namespace rankine::cli {
namespace {

struct ScoreArguments {
  std::string model;
  std::string output = "-";
  ScoreFormat format = ScoreFormat::plain;
  std::string run_name = "rankine";
};

constexpr auto fields(const ScoreArguments&) {
  using O = ScoreArguments;
  return std::tuple{
      Field{"model", &O::model, NoRange{}, "a model that train wrote", "FILE"},
      Field{"output", &O::output, NoRange{}, "where the scores go; - is standard output", "FILE"},
      Field{"format", &O::format, NoRange{},
            "plain: one score per line, in the order of DATA's rows; trec: a run file"},
      Field{"run_name", &O::run_name, NoRange{}, "the run's name in a run file", "NAME"}};
}

class Score : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.about(
        "Writes the score of each document of DATA, in the order of its rows. Features that DATA "
        "and the model both name are found by name wherever they stand, and missing ones are "
        "refused; without names they are found by position, and those that DATA lacks count as 0. "
        "Features that the model never saw are left out. DATA is scored as it is "
        "read and never held in memory, so it may be larger; a run keeps a score and an id per "
        "document, query_minmax scaling one score per document and the longest query.");
    arguments.positional("DATA", data_path_,
                         "documents; their grades do not matter, and a table needs none");
    arguments.group("Scores", own_);
    arguments.writes("output");
    arguments.group("Reading", reading_, {.default_note = "", .without = {"format"}});
    arguments.example("rankine score test.txt --model m.rkn > scores.txt", "one score per line");
    arguments.example("rankine score test.txt --model m.rkn --format trec --output run.txt",
                      "a run file, documents named by the comments of DATA");
    arguments.example("rankine score new.csv --model m.rkn --format trec --docid url",
                      "a run file of a table without grades");
  }

  void run(const Arguments&, Console& console) override {
    if (own_.model.empty()) throw UsageError("give the model's file by --model");
    const Model model = Model::load(own_.model);
    if (console.json() && own_.output == "-") {
      print_scores(model, console);
      return;
    }
    const ScoredFile scored =
        score_file(model, data_path_, own_.output,
                   {.format = own_.format, .run_name = own_.run_name, .reading = reading_},
                   console.progress());
    tell_other_features(scored.source, scored.num_features, model.trained_on.num_features, console);
    tell_missing(scored.source, scored.num_missing, missing_of(model, reading_.missing), console);
    if (own_.output != "-") console.note("wrote " + own_.output);
    if (console.json()) {
      console.print_json({{"documents", scored.num_documents},
                          {"missing", scored.num_missing},
                          {"output", own_.output}});
    }
  }

 private:
  /// One object holds them all, so the documents are read as a whole.
  void print_scores(const Model& model, Console& console) const {
    if (own_.format != ScoreFormat::plain) {
      throw UsageError("--json and --format trec both want standard output: give --output FILE");
    }
    const Dataset data = read_dataset(data_path_, reading_, console.progress());
    tell_other_features(data.source, data.num_features(), model.trained_on.num_features, console);
    const std::vector<double> scores = model.score(data, reading_.threads);
    std::vector<double> by_row(scores);
    for (std::size_t doc = 0; doc < data.input_rows.size(); ++doc) {
      by_row[static_cast<std::size_t>(data.input_rows[doc])] = scores[doc];
    }
    console.print_json({{"documents", data.num_documents()}, {"scores", by_row}});
  }

  std::string data_path_;
  ScoreArguments own_;
  ReadOptions reading_;
};

}  // namespace

std::unique_ptr<Command> score_command() {
  return std::make_unique<Score>();
}

}  // namespace rankine::cli
