// rankine evaluate: measures of a model's scores, or of given ones.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include <nlohmann/json.hpp>

#include <rankine/evaluate.hpp>
#include <rankine/model.hpp>
#include <rankine/read.hpp>
#include <rankine/scores.hpp>

#include "framework/command.hpp"
#include "framework/text_table.hpp"
#include "reports/feature_check.hpp"

namespace rankine::cli {
namespace {

struct EvaluateArguments {
  std::string model;
  std::string scores;
  std::string run;
  std::string qrels;
  std::int64_t feature = -1;
  std::vector<std::string> measures = {"ndcg@1", "ndcg@3", "ndcg@5", "ndcg@10",      "map",
                                       "mrr",    "p@10",   "err@20", "pair_accuracy"};
  Convention convention = Convention::rankine;
  std::string per_query;
  std::string train;
};

constexpr auto fields(const EvaluateArguments&) {
  using O = EvaluateArguments;
  return std::tuple{
      Field{"model", &O::model, NoRange{}, "score the documents of DATA by this model", "FILE"},
      Field{"scores", &O::scores, NoRange{},
            "one score per line, in the order of DATA's rows; - is standard input", "FILE"},
      Field{"feature", &O::feature, Range<std::int64_t>{-1, 4294967295},
            "take a feature of DATA for the score, by its index; -1: none", "N"},
      Field{"run", &O::run, NoRange{},
            "a TREC run: query iteration document rank score name; with DATA, documents are named "
            "in its comments",
            "FILE"},
      Field{"qrels", &O::qrels, NoRange{},
            "TREC judgements in place of DATA: query iteration document grade", "FILE"},
      Field{"measures", &O::measures, NoRange{}, "what to measure, separated by commas",
            "NAME,..."},
      Field{"convention", &O::convention, NoRange{},
            "whose definitions hold; the options of the measures change single rules"},
      Field{"per_query", &O::per_query, NoRange{},
            "write every query's values to a table, tabs between columns (commas: .csv)", "FILE"},
      Field{"train", &O::train, NoRange{},
            "training data: say which of its queries occur in DATA too", "FILE"}};
}

std::string measures_help() {
  std::string text = "Measures:";
  for (const MeasureInfo& info : all_measures()) {
    const std::string cut = info.cut_off == CutOff::none       ? ""
                            : info.cut_off == CutOff::optional ? "[@k]"
                                                               : "@k";
    text += std::string(text.ends_with(":") ? " " : "; ") + std::string(info.name) + cut + ", " +
            std::string(info.help);
  }
  return text + ".";
}

class Evaluate : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.about(
        "Measures how well scores rank the documents of DATA: by a model, a file of scores, a TREC "
        "run or a feature. " +
        measures_help());
    arguments.optional_positional("DATA", data_path_,
                                  "graded documents; - is standard input. None with --qrels");
    arguments.group("Evaluation", own_);
    arguments.writes("per_query");
    arguments.group("Measures", rules_, {.default_note = "by the convention", .without = {}});
    arguments.group("Runs and threads", options_);
    arguments.group("Reading", reading_);
    arguments.example("rankine evaluate test.txt --model m.rkn", "the usual measures");
    arguments.example("rankine evaluate test.txt --scores scores.txt", "of scores from elsewhere");
    arguments.example(
        "rankine evaluate test.txt --feature 25 --convention letor "
        "--measures ndcg@10,mean_ndcg,map",
        "one feature as the ranking, by the rules of LETOR's scripts");
    arguments.example("rankine evaluate --qrels qrels.txt --run run.txt --convention trec",
                      "TREC files, as trec_eval has it");
  }

  void run(const Arguments& arguments, Console& console) override {
    check_sources(console);
    const std::vector<Measure> measures = parse_measures(own_.measures);
    rules_ = measure_rules(own_.convention);
    arguments.assign_given(rules_);
    options_.keep_per_query = !own_.per_query.empty();
    const EvaluationResult result = evaluate_sources(measures, console);
    if (!own_.per_query.empty()) write_per_query(own_.per_query, result);
    if (!own_.train.empty()) find_shared_queries(console);
    if (console.json()) {
      console.print_json(json_of(result));
    } else if (own_.per_query != "-") {
      console.print(table_of(result));
    }
    tell(result, console);
  }

 private:
  void check_sources(const Console& console) const {
    const int num_scores = (own_.model.empty() ? 0 : 1) + (own_.scores.empty() ? 0 : 1) +
                           (own_.run.empty() ? 0 : 1) + (own_.feature < 0 ? 0 : 1);
    if (num_scores != 1) {
      throw UsageError("give the scores by one of --model, --scores, --run and --feature");
    }
    if (data_path_.empty() == own_.qrels.empty()) {
      throw UsageError("give the grades by DATA or by --qrels");
    }
    if (!own_.qrels.empty() && own_.run.empty()) throw UsageError("--qrels goes with --run");
    int from_input = 0;
    for (const std::string& path : {data_path_, own_.scores, own_.run, own_.qrels, own_.train}) {
      from_input += path == "-" ? 1 : 0;
    }
    if (from_input > 1) throw UsageError("only one input can be standard input");
    if (own_.per_query == "-" && console.json()) {
      throw UsageError("--per-query - and --json both write to standard output");
    }
  }

  EvaluationResult evaluate_sources(const std::vector<Measure>& measures, Console& console) {
    if (!own_.qrels.empty()) {
      const TrecTable qrels = read_qrels(own_.qrels);
      query_ids_ = qrels.query_ids;
      for (const double grade : qrels.values) largest_grade_ = std::max(largest_grade_, grade);
      return evaluate(qrels, read_run(own_.run), measures, rules_, options_, console.progress());
    }
    ReadOptions reading = reading_;
    reading.keep_comments = !own_.run.empty() || rules_.ties == Ties::document_id;
    reading.skip_features = own_.feature < 0 && own_.model.empty();
    if (!own_.model.empty()) return evaluate_model(measures, reading, console);
    const Dataset data = read_dataset(data_path_, reading, console.progress());
    note_data(data);
    tell_missing(data.source, data.num_missing, reading.missing, console);
    if (!own_.run.empty()) {
      return evaluate(qrels_of(data), read_run(own_.run), measures, rules_, options_,
                      console.progress());
    }
    const std::vector<double> scores =
        own_.feature >= 0 ? feature_scores(data, own_.feature - (reading_.zero_based ? 0 : 1))
                          : read_scores(own_.scores, data);
    return evaluate(data, scores, measures, rules_, options_, console.progress());
  }

  EvaluationResult evaluate_model(const std::vector<Measure>& measures, ReadOptions reading,
                                  Console& console) {
    const Model model = Model::load(own_.model);
    const Missing missing = missing_of(model, reading.missing);
    if (reading.missing == Missing::mean) reading.missing = Missing::zero;
    const Dataset data = read_dataset(data_path_, reading, console.progress());
    note_data(data);
    tell_missing(data.source, data.num_missing, missing, console);
    tell_other_features(data.source, data.num_features(), model.trained_on.num_features, console);
    return evaluate(data, model.score(data, options_.threads), measures, rules_, options_,
                    console.progress());
  }

  void note_data(const Dataset& data) {
    query_ids_ = data.query_ids;
    for (const double grade : data.grades) largest_grade_ = std::max(largest_grade_, grade);
  }

  void find_shared_queries(Console& console) {
    ReadOptions reading = reading_;
    reading.skip_features = true;
    const Dataset train = read_dataset(own_.train, reading, console.progress());
    shared_ = shared_queries(query_ids_, train.query_ids);
  }

  nlohmann::ordered_json json_of(const EvaluationResult& result) const {
    nlohmann::ordered_json rules;
    MeasureRules used = result.rules;
    for (const OptionEntry& entry : option_entries(used)) {
      if (entry.type == OptionType::real) continue;
      rules[entry.name] = entry.text();
    }
    rules["relevant"] = used.relevant;
    rules["max_grade"] = used.max_grade;
    nlohmann::ordered_json measures;
    for (const MeasureMean& mean : result.means) {
      auto& entry = measures[mean.measure.text()];
      entry["mean"] = mean.mean;  // null when it is not a number
      entry["queries"] = mean.num_queries;
      entry["left_out"] = mean.num_left_out;
    }
    nlohmann::ordered_json object{{"convention", std::string(name_of(own_.convention))},
                                  {"rules", rules},
                                  {"queries", result.num_queries},
                                  {"documents", result.num_documents},
                                  {"measures", measures}};
    if (!own_.run.empty()) {
      object["queries_not_judged"] = result.num_not_judged;
      object["queries_not_in_run"] = result.num_not_in_run;
    }
    if (!own_.train.empty()) object["queries_in_train"] = shared_;
    return object;
  }

  std::string table_of(const EvaluationResult& result) const {
    TextTable table({"measure", "mean", "queries", "left out"});
    for (const MeasureMean& mean : result.means) {
      table.add({mean.measure.text(), std::isnan(mean.mean) ? "-" : decimals_text(mean.mean, 6),
                 count_text(mean.num_queries), count_text(mean.num_left_out)});
    }
    return table.text();
  }

  void tell(const EvaluationResult& result, Console& console) const {
    const MeasureRules& rules = result.rules;
    console.note(
        counted_text(result.num_queries, "query") + ", " +
        counted_text(result.num_documents, "document") + "; convention " +
        std::string(name_of(own_.convention)) + ": gain " + std::string(name_of(rules.gain)) +
        ", discount " + std::string(name_of(rules.discount)) + ", ties " +
        std::string(name_of(rules.ties)) + ", empty queries " +
        std::string(name_of(rules.empty_queries)) + ", short lists " +
        std::string(name_of(rules.short_lists)) + ", relevant from " + number_text(rules.relevant));
    if (largest_grade_ < rules.relevant) {
      console.warn("no document is relevant: the largest grade is " + number_text(largest_grade_) +
                   " and --relevant is " + number_text(rules.relevant) +
                   "; measures of relevant documents have nothing to measure");
    }
    if (result.num_not_judged > 0) {
      console.note(counted_text(result.num_not_judged, "query") +
                   " of the run have no judgements and do not count");
    }
    if (result.num_not_in_run > 0) {
      console.note(count_text(result.num_not_in_run) + " judged queries are not in the run and " +
                   (options_.complete ? "count with no document found"
                                      : "do not count (--complete counts them)"));
    }
    if (shared_.empty()) return;
    std::string text = count_text(static_cast<std::int64_t>(shared_.size())) + " of " +
                       counted_text(static_cast<std::int64_t>(query_ids_.size()), "query") +
                       " also occur in " + own_.train + ":";
    constexpr std::size_t kMostNamed = 10;
    for (std::size_t index = 0; index < std::min(shared_.size(), kMostNamed); ++index) {
      text += " " + shared_[index];
    }
    console.warn(shared_.size() > kMostNamed ? text + " ..." : text);
  }

  std::string data_path_;
  EvaluateArguments own_;
  MeasureRules rules_;
  EvaluateOptions options_;
  ReadOptions reading_;
  StringList query_ids_;
  double largest_grade_ = -std::numeric_limits<double>::infinity();
  std::vector<std::string> shared_;
};

}  // namespace

std::unique_ptr<Command> evaluate_command() {
  return std::make_unique<Evaluate>();
}

}  // namespace rankine::cli
