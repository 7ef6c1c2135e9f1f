// rankine convert: from any form of a data set to any other, or to folds.
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

#include <nlohmann/json.hpp>

#include <rankine/feature_selection.hpp>
#include <rankine/folds.hpp>
#include <rankine/read.hpp>
#include <rankine/write.hpp>

#include "framework/command.hpp"
#include "framework/text_table.hpp"
#include "reports/file_check.hpp"

namespace rankine::cli {
namespace {

struct ConvertOptions {
  DataFormat to = DataFormat::automatic;
  std::string features;
  bool drop_comments = false;
  int folds = 0;
};

constexpr auto fields(const ConvertOptions&) {
  using O = ConvertOptions;
  return std::tuple{
      Field{
          "to", &O::to, NoRange{},
          "how to write; auto: by the name of OUT (.rkd cache, .csv CSV, else LETOR text; .gz and "
          ".zst compress)"},
      Field{"features", &O::features, NoRange{},
            "keep these features, in this order: 1-10,15 or names; all unless given", "LIST"},
      Field{"drop_comments", &O::drop_comments, NoRange{},
            "leave out what follows # in the text, document ids included"},
      Field{"folds", &O::folds, Range<int>{0, 1'000'000},
            "make OUT a folder with Fold1 .. FoldK of train, vali and test; 0: one file", "K"}};
}

class Convert : public Command {
  void declare(Arguments& arguments) override {
    arguments.about(
        "Reads a data set and writes it in another form: LETOR text, CSV or the binary cache, "
        "plain or compressed. With --folds K it writes K splits for cross-validation that never "
        "cut a query.");
    arguments.positional("IN", in_, "the data set to read; - is standard input");
    arguments.positional("OUT", out_, "where it goes; - is standard output");
    arguments.writes("OUT");
    arguments.writes_folder("OUT", "folds");
    arguments.group("Writing", options_);
    arguments.group("Folds", fold_options_, {.default_note = "", .without = {"folds"}});
    arguments.group("Reading", read_options_);
    arguments.example("rankine convert train.txt train.rkd", "The cache, which opens at once");
    arguments.example("rankine convert train.rkd - | head", "And back to text");
    arguments.example("rankine convert clicks.csv train.txt.zst --label clicked --qid session",
                      "From CSV to compressed text");
    arguments.example("rankine convert all.txt folds --folds 5 --seed 1",
                      "Five folds, as the LETOR sets have them");
  }

  void run(const Arguments& arguments, Console& console) override {
    if (options_.folds == 0) {
      for (const char* name : {"fold_by", "seed"}) {
        if (arguments.given(name)) throw UsageError(flag_of(name) + " needs --folds");
      }
    } else if (out_ == "-") {
      throw UsageError("--folds writes a folder: OUT cannot be -");
    }
    if (console.json() && out_ == "-") {
      throw UsageError("--json and OUT = - both want standard output");
    }
    check_outputs(arguments);
    read_options_.keep_comments = !options_.drop_comments;
    Dataset data = read_dataset(in_, read_options_, console.progress());
    num_missing_ = data.num_missing;
    if (read_options_.missing == Missing::mean) {  // means are what is written: none is missing now
      data.missing = {};
      data.num_missing = 0;
    }
    if (options_.drop_comments) data.comments = {};  // a cache keeps those it has
    if (!options_.features.empty()) {
      data = select_features(
          data, parse_feature_list(options_.features, data.num_features(), data.feature_names));
    }
    if (options_.folds == 0) {
      write_dataset(out_, data, options_.to, console.progress());
    } else {
      fold_options_.folds = options_.folds;
      write_folds(out_, data, fold_options_, options_.to, console.progress());
    }
    console.finish();
    report(data, console);
  }

  /// Folds and side files have names of their own.
  void check_outputs(const Arguments& arguments) const {
    std::vector<std::string> paths{out_};
    if (options_.folds > 0) {
      paths.clear();
      const std::string ending = options_.to == DataFormat::csv     ? ".csv"
                                 : options_.to == DataFormat::cache ? ".rkd"
                                                                    : ".txt";
      for (int fold = 1; fold <= options_.folds; ++fold) {
        const auto folder = std::filesystem::path(out_) / ("Fold" + std::to_string(fold));
        if (!std::filesystem::is_directory(folder)) continue;
        for (const char* part : {"train", "vali", "test"}) {
          paths.push_back((folder / (part + ending)).string());
        }
      }
    }
    for (const std::string& path : paths) {
      for (const char* ending : {"", ".weight", ".preferences"}) {
        check_written_file(arguments, "OUT", path + ending);
      }
    }
  }

  void report(const Dataset& data, Console& console) const {
    if (console.json()) {
      console.print_json({{"in", in_},
                          {"out", out_},
                          {"documents", data.num_documents()},
                          {"queries", data.num_queries()},
                          {"features", data.num_features()},
                          {"missing", num_missing_},
                          {"folds", options_.folds}});
    } else {
      console.note((out_ == "-" ? "standard output" : out_) + ": " +
                   counted_text(data.num_documents(), "document") + " of " +
                   counted_text(data.num_queries(), "query") + ", " +
                   counted_text(data.num_features(), "feature") +
                   (options_.folds > 0 ? ", in " + counted_text(options_.folds, "fold") : ""));
    }
    if (num_missing_ > 0) {
      console.warn(data.source + ": " + counted_text(num_missing_, "missing value") +
                   (num_missing_ == 1 ? " was" : " were") + " written as " +
                   (read_options_.missing == Missing::mean ? "the mean of the column" : "0"));
    }
  }

  std::string in_;
  std::string out_;
  std::int64_t num_missing_ = 0;
  ConvertOptions options_;
  FoldOptions fold_options_;
  ReadOptions read_options_;
};

}  // namespace

std::unique_ptr<Command> convert_command() {
  return std::make_unique<Convert>();
}

}  // namespace rankine::cli
