// rankine synth: data with a known answer, for demonstrations, benchmarks and studies.
#include <chrono>
#include <string>
#include <tuple>

#include <nlohmann/json.hpp>

#include <rankine/synth.hpp>

#include "framework/command.hpp"
#include "framework/text_table.hpp"

namespace rankine::cli {
namespace {

struct SynthOutput {
  std::string true_scores;
  int threads = 0;
};

constexpr auto fields(const SynthOutput&) {
  using O = SynthOutput;
  return std::tuple{
      Field{"true_scores", &O::true_scores, NoRange{},
            "write the true score of each row, one per line, beside the data", "FILE"},
      Field{"threads", &O::threads, Range<int>{0, 1024}, "worker threads; 0: one per core", "N"}};
}

class Synth : public Command {
  void declare(Arguments& arguments) override {
    arguments.about(
        "Makes LETOR-like data with a known answer: features with values between 0 and 1 and some "
        "with heavy tails, correlated in groups and shifted from query to query; a true score that "
        "is a linear function or an RBF expansion of them; grades cut from the true score with "
        "noise, most of them 0. The same options give the same bytes on every machine, with any "
        "number of threads. Rows are written as they are made and never held in memory.");
    arguments.positional("OUT", out_,
                         "where the data goes; .gz and .zst compress, - is standard output");
    arguments.group("Data", options_);
    arguments.group("Output", output_);
    arguments.writes("OUT");
    arguments.writes("true_scores");
    arguments.example("rankine synth train.txt", "1000 queries of 40 documents");
    arguments.example("rankine synth train.txt --truth rbf --seed 7 --true-scores truth.txt",
                      "A non-linear truth, and the true scores to measure regret by");
    arguments.example("rankine synth wide.txt.zst --features 50000 --density 0.002",
                      "Sparse rows of about 100 values, compressed");
    arguments.example("rankine synth - --queries 20 --lengths geometric | rankine inspect -",
                      "A look at a small set");
  }

  void run(const Arguments&, Console& console) override {
    if (console.json() && (out_ == "-" || output_.true_scores == "-")) {
      throw UsageError("--json and a FILE of - both want standard output");
    }
    const auto start = std::chrono::steady_clock::now();
    const SynthSummary made =
        write_synthetic(out_, options_, output_.true_scores, output_.threads, console.progress());
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    console.finish();
    if (console.json()) {
      console.print_json({{"out", out_},
                          {"queries", made.queries},
                          {"documents", made.documents},
                          {"features", made.features},
                          {"non_zeros", made.non_zeros},
                          {"bytes", made.bytes},
                          {"grade_counts", made.grade_counts},
                          {"seconds", elapsed.count()}});
      return;
    }
    console.note((out_ == "-" ? "standard output" : out_) + ": " +
                 counted_text(made.documents, "document") + " of " +
                 counted_text(made.queries, "query") + ", " +
                 counted_text(made.features, "feature") + ", " + grades_text(made));
    console.detail(counted_text(made.non_zeros, "value") + ", " + count_text(made.bytes) +
                   " bytes of text");
  }

  static std::string grades_text(const SynthSummary& made) {
    if (made.grade_counts.empty()) return "real grades";
    constexpr std::size_t kMostShown = 10;
    if (made.grade_counts.size() > kMostShown) {
      return count_text(static_cast<std::int64_t>(made.grade_counts.size())) + " grades";
    }
    std::string text = "grades";
    for (std::size_t grade = 0; grade < made.grade_counts.size(); ++grade) {
      text += (grade > 0 ? ", " : " ") + std::to_string(grade) + ": " +
              count_text(made.grade_counts[grade]);
    }
    return text;
  }

  std::string out_;
  SynthOptions options_;
  SynthOutput output_;
};

}  // namespace

std::unique_ptr<Command> synth_command() {
  return std::make_unique<Synth>();
}

}  // namespace rankine::cli
