// rankine inspect: a data set or a model in words and numbers.
#include <array>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <rankine/model.hpp>
#include <rankine/printable.hpp>
#include <rankine/read.hpp>
#include <rankine/summary.hpp>
#include <rankine/version.hpp>

#include "framework/command.hpp"
#include "framework/text_table.hpp"
#include "reports/model_text.hpp"

namespace rankine::cli {
namespace {

using nlohmann::ordered_json;

std::string percent_text(double share) {
  return decimals_text(100 * share, 1) + " %";
}

double share_of(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

/// A count with its noun, and nothing at all for none: "3 with one document".
void append_count(std::string& text, std::int64_t count, const std::string& what) {
  if (count == 0) return;
  text += (text.empty() ? "" : ", ") + count_text(count) + " " + what;
}

std::string stand_in(Missing missing) {
  return missing == Missing::mean ? "the mean of the column" : "0";
}

std::vector<std::string> warnings_of(const DatasetSummary& summary, Missing missing) {
  std::vector<std::string> warnings;
  if (summary.num_documents > 0 && summary.num_pairs == 0) {
    warnings.emplace_back(
        summary.has_preferences ? "no preferences: there is nothing to learn from"
        : summary.num_distinct_grades == 1
            ? "all documents have one grade: there are no pairs to learn from"
            : "no query has documents of different grades: there are no pairs to learn from");
  }
  if (summary.num_missing > 0) {
    warnings.push_back(counted_text(summary.num_missing, "missing value") +
                       (summary.num_missing == 1 ? " was" : " were") + " read as " +
                       stand_in(missing));
  }
  if (summary.num_features > 0 &&
      static_cast<std::int64_t>(summary.constant_columns.size()) == summary.num_features) {
    warnings.emplace_back("every feature is constant");
  }
  return warnings;
}

ordered_json json_of(const Distribution& distribution) {
  return {{"least", distribution.least},   {"lower_quartile", distribution.lower_quartile},
          {"median", distribution.median}, {"upper_quartile", distribution.upper_quartile},
          {"most", distribution.most},     {"mean", distribution.mean}};
}

bool is_model_file(const std::string& path) {
  std::array<char, 8> head{};
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), head.size());
  return file.gcount() == static_cast<std::streamsize>(head.size()) && is_model(head);
}

class Inspect : public Command {
  void declare(Arguments& arguments) override {
    arguments.about(
        "Explains a model: how it was trained, on what, its weights by importance. Or tells what "
        "is "
        "in a data set: sizes, grades, query lengths, preference pairs, constant "
        "columns, duplicates, and with --per-feature how well each feature ranks on its own.");
    arguments.positional("FILE", file_,
                         "a model, or a data set (LETOR text, CSV or cache; - is standard input)");
    arguments.group("Summary", summary_options_);
    arguments.group("Reading", read_options_);
    arguments.example("rankine inspect train.txt", "What is in this file");
    arguments.example("rankine inspect train.txt.gz --per-feature",
                      "And what each feature is worth");
    arguments.example("rankine inspect train.txt --json | jq .pairs", "One number for a script");
  }

  void run(const Arguments&, Console& console) override {
    if (is_model_file(file_)) {
      const Model model = Model::load(file_);
      if (console.json()) {
        console.print_json(model_json(model));
      } else {
        console.print(model_text(model));
      }
      return;
    }
    const Dataset data = read_dataset(file_, read_options_, console.progress());
    const DatasetSummary summary = summarise(data, summary_options_, console.progress());
    console.finish();
    const auto warnings = warnings_of(summary, read_options_.missing);
    if (console.json()) {
      console.print_json(json_text(data, summary, warnings));
    } else {
      console.print(overview(data, summary) + grade_lines(summary) + length_lines(summary) +
                    feature_lines(data, summary));
    }
    for (const std::string& warning : warnings) console.warn(data.source + ": " + warning);
  }

  /// The number by which the user's file names a column.
  std::int64_t feature_number(std::int64_t column) const {
    return column + (read_options_.zero_based ? 0 : 1);
  }

  std::vector<std::int64_t> constant_features(const DatasetSummary& summary) const {
    std::vector<std::int64_t> numbers;
    for (const std::int64_t column : summary.constant_columns) {
      numbers.push_back(feature_number(column));
    }
    return numbers;
  }

  std::string overview(const Dataset& data, const DatasetSummary& summary) const {
    std::string queries;
    append_count(queries, summary.num_queries_without_pairs, "without pairs");
    append_count(queries, summary.num_queries_without_relevant, "without relevant documents");
    append_count(queries, summary.num_single_document_queries, "with one document");
    std::string documents;
    append_count(documents, summary.num_duplicates, "repeat another of their query");
    std::string pairs;
    append_count(pairs, summary.num_undecidable_pairs, "undecidable: equal features");
    if (summary.has_preferences) pairs = "explicit preferences";
    const auto constants = constant_features(summary);

    TextTable table;
    table.add({"documents", count_text(summary.num_documents), documents});
    table.add({"queries", count_text(summary.num_queries), queries});
    table.add({"pairs", count_text(summary.num_pairs), pairs});
    table.add({"features", count_text(summary.num_features),
               constants.empty() ? ""
                                 : count_text(static_cast<std::int64_t>(constants.size())) +
                                       " constant: " + fit_text(ranges_text(constants), 60)});
    table.add({"non-zero", percent_text(summary.density()),
               std::string(summary.dense ? "dense" : "sparse") + ", " +
                   bytes_text(static_cast<double>(summary.memory_bytes)) + " in memory"});
    if (summary.num_missing > 0)
      table.add({"missing", count_text(summary.num_missing),
                 "read as " + stand_in(read_options_.missing)});
    if (summary.has_weights) table.add({"weights", "yes", ""});
    return printable(data.source) + "\n" + table.text(2);
  }

  static std::string grade_lines(const DatasetSummary& summary) {
    std::string text = "\ngrades\n";
    if (summary.grade_counts.empty()) {
      const Distribution& grades = summary.grades;
      return text + "  " + count_text(summary.num_distinct_grades) + " different, " +
             number_text(grades.least) + " to " + number_text(grades.most) + "; quartiles " +
             number_text(grades.lower_quartile) + ", " + number_text(grades.median) + ", " +
             number_text(grades.upper_quartile) + "; mean " + number_text(grades.mean) + "\n";
    }
    std::int64_t most = 0;
    for (const GradeCount& entry : summary.grade_counts) most = std::max(most, entry.count);
    TextTable table;
    for (const auto& [grade, count] : summary.grade_counts) {
      table.add({number_text(grade, 6), count_text(count),
                 percent_text(share_of(count, summary.num_documents)),
                 bar_text(share_of(count, most), 30)});
    }
    return text + table.text(2);
  }

  static std::string length_lines(const DatasetSummary& summary) {
    const Distribution& lengths = summary.query_lengths;
    std::string text = "\ndocuments a query\n  " + number_text(lengths.least, 12) + " to " +
                       number_text(lengths.most, 12) + ", median " + number_text(lengths.median) +
                       ", mean " + number_text(lengths.mean) + "\n";
    if (summary.length_histogram.size() > 1) {
      text += "  " + number_text(lengths.least, 12) + " " + spark_text(summary.length_histogram) +
              " " + number_text(lengths.most, 12) + "\n";
    }
    return text;
  }

  std::string feature_lines(const Dataset& data, const DatasetSummary& summary) const {
    if (!summary_options_.per_feature) return "";
    const bool named = !data.feature_names.empty();
    std::vector<std::string> header{"feature"};
    if (named) header.emplace_back("name");
    for (const char* title : {"least", "mean", "most", "deviation", "non-zero", "pair accuracy"}) {
      header.emplace_back(title);
    }
    TextTable table(header);
    for (std::size_t column = 0; column < summary.columns.size(); ++column) {
      const ColumnStatistics& statistics = summary.columns[column];
      std::vector<std::string> row{
          std::to_string(feature_number(static_cast<std::int64_t>(column)))};
      if (named) row.emplace_back(data.feature_names[column]);
      row.push_back(number_text(statistics.least));
      row.push_back(number_text(statistics.mean));
      row.push_back(number_text(statistics.most));
      row.push_back(number_text(statistics.deviation));
      row.push_back(percent_text(share_of(statistics.num_nonzero, summary.num_documents)));
      const double accuracy = summary.pair_accuracy[column];
      row.push_back(std::isnan(accuracy) ? "-" : decimals_text(accuracy, 4));
      table.add(std::move(row));
    }
    return "\nfeatures\n" + table.text(2);
  }

  ordered_json json_text(const Dataset& data, const DatasetSummary& summary,
                         const std::vector<std::string>& warnings) const {
    ordered_json counts = ordered_json::array();
    for (const auto& [grade, count] : summary.grade_counts) {
      counts.push_back({{"grade", grade}, {"count", count}});
    }
    ordered_json grades = json_of(summary.grades);
    grades["distinct"] = summary.num_distinct_grades;
    grades["counts"] = counts;
    ordered_json lengths = json_of(summary.query_lengths);
    lengths["histogram"] = {{"from", summary.query_lengths.least},
                            {"bin_width", summary.length_bin_width},
                            {"counts", summary.length_histogram}};
    ordered_json result{{"rankine", kVersion},
                        {"source", data.source},
                        {"documents", summary.num_documents},
                        {"queries", summary.num_queries},
                        {"features", summary.num_features},
                        {"pairs", summary.num_pairs},
                        {"storage", summary.dense ? "dense" : "sparse"},
                        {"memory_bytes", summary.memory_bytes},
                        {"nonzeros", summary.num_nonzero},
                        {"density", summary.density()},
                        {"missing", summary.num_missing},
                        {"weights", summary.has_weights},
                        {"preferences", summary.has_preferences},
                        {"grades", grades},
                        {"query_lengths", lengths},
                        {"queries_without_pairs", summary.num_queries_without_pairs},
                        {"queries_without_relevant", summary.num_queries_without_relevant},
                        {"single_document_queries", summary.num_single_document_queries},
                        {"duplicate_documents", summary.num_duplicates},
                        {"undecidable_pairs", summary.num_undecidable_pairs},
                        {"constant_features", constant_features(summary)},
                        {"warnings", warnings}};
    if (!summary_options_.per_feature) return result;
    ordered_json& table = result["per_feature"] = ordered_json::array();
    for (std::size_t column = 0; column < summary.columns.size(); ++column) {
      const ColumnStatistics& statistics = summary.columns[column];
      ordered_json row{{"feature", feature_number(static_cast<std::int64_t>(column))}};
      if (!data.feature_names.empty()) row["name"] = std::string(data.feature_names[column]);
      row.update({{"least", statistics.least},
                  {"mean", statistics.mean},
                  {"most", statistics.most},
                  {"deviation", statistics.deviation},
                  {"nonzeros", statistics.num_nonzero},
                  {"pair_accuracy", summary.pair_accuracy[column]}});
      table.push_back(std::move(row));
    }
    return result;
  }

  std::string file_;
  SummaryOptions summary_options_;
  ReadOptions read_options_;
};

}  // namespace

std::unique_ptr<Command> inspect_command() {
  return std::make_unique<Inspect>();
}

}  // namespace rankine::cli
