// What a command takes from its user, and how the user's words become values. Values come from the
// options' defaults, then the config file, then the command line; each passes through its
// OptionEntry, so ranges, choices and spellings such as 2^-5 are the same everywhere.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <rankine/error.hpp>
#include <rankine/fields.hpp>

namespace rankine::cli {

/// The command line itself is wrong: told with a hint to the help.
class UsageError : public Error {
 public:
  explicit UsageError(const std::string& message) : Error(ErrorKind::option, message) {}
};

/// The options every command has.
struct CommonOptions {
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  std::string config;
  bool dump_config = false;
  bool help = false;
};

constexpr auto fields(const CommonOptions&) {
  using O = CommonOptions;
  return std::tuple{
      Field{"json", &O::json, NoRange{}, "print the result as one JSON object"},
      Field{"quiet", &O::quiet, NoRange{}, "no progress, notes or warnings"},
      Field{"verbose", &O::verbose, NoRange{}, "more notes: stages, times, sizes"},
      Field{"config", &O::config, NoRange{},
            "read options from a TOML file: plain keys or a section [COMMAND]; flags win", "FILE"},
      Field{"dump_config", &O::dump_config, NoRange{},
            "print a TOML file that repeats this run, and stop"},
      Field{"help", &O::help, NoRange{}, "explain the command"}};
}

struct Positional {
  std::string name;  // IN, as help shows it; the config file's key is its lower case
  std::string help;
  std::string unit;                       // FILE and DIR complete to paths
  std::vector<std::string> choices = {};  // empty: anything
  bool required = true;
  std::vector<std::string>* many = nullptr;  // takes all that is left
  std::string* one = nullptr;

  std::string key() const;
};

/// A file that the user named.
struct NamedFile {
  std::string name;  // of the option, or the positional as help shows it
  std::string path;
  bool is_positional = false;
};

/// How a group of options is shown.
struct GroupStyle {
  std::string default_note;  // in place of the defaults, where they depend on another option
  std::vector<std::string> without;  // options of the table that the command does not take
};

struct ShownGroup {
  std::string title;
  std::string default_note;
  std::vector<OptionEntry> entries;
};

struct Example {
  std::string command;
  std::string says;
};

/// "n_components" to "--n-components".
std::string flag_of(std::string_view name);

class Arguments {
 public:
  Arguments(std::string command, std::string summary)
      : command_(std::move(command)), summary_(std::move(summary)) {}

  /// A paragraph for the help.
  void about(std::string text) { about_ = std::move(text); }
  /// A word without a flag. The target must outlive this object.
  void positional(std::string name, std::string& target, std::string help,
                  std::string unit = "FILE");
  void optional_positional(std::string name, std::string& target, std::string help,
                           std::string unit = "FILE");
  /// All words that are left; at least one.
  void positionals(std::string name, std::vector<std::string>& target, std::string help,
                   std::string unit = "FILE");
  /// The words that the positional declared last may be.
  void choices(std::vector<std::string> words) { positionals_.back().choices = std::move(words); }
  /// Every option of `options`, which must outlive this object. A name that two groups share is
  /// shown once and set in both.
  template <class Options>
  void group(std::string title, Options& options, GroupStyle style = {}) {
    add_group(std::move(title), option_entries(options), std::move(style));
  }
  /// A group made elsewhere.
  void group(rankine::OptionGroup made) {
    add_group(std::move(made.title), std::move(made.entries), {});
  }
  /// Declares that the option takes one of these words, and says what they mean.
  void choices_of(std::string_view option, std::vector<std::string> words, std::string help);
  void example(std::string command, std::string says) {
    examples_.push_back({std::move(command), std::move(says)});
  }
  /// The option or positional `name` is a file that the command writes; main refuses it where it is
  /// one that the command reads, but for those named in `may_replace`.
  void writes(std::string name, std::vector<std::string> may_replace = {}) {
    outputs_[std::move(name)] = std::move(may_replace);
  }
  /// The output `name` is a folder where the option `chooser` is given.
  void writes_folder(std::string name, std::string chooser) {
    folders_[std::move(name)] = std::move(chooser);
  }
  /// The options of every command; after the command's own.
  void declare_common();

  /// Reads the words after the command's name, and the config file they name. Throws UsageError or
  /// Error{option}.
  void parse(const std::vector<std::string>& words);

  /// Whether the user set the option, by flag or config file.
  bool given(std::string_view name) const { return given_.count(std::string(name)) > 0; }
  /// Whether the user asked for this value: by flag, or in a config file by another than the
  /// default (a dumped one names every option).
  bool asked(const OptionEntry& entry) const {
    return flags_.count(entry.name) > 0 ||
           (given(entry.name) && entry.text() != entry.default_text);
  }
  /// Sets in `options` what the user set, and nothing else: for options whose defaults depend on
  /// another option.
  template <class Options>
  void assign_given(Options& options) const {
    for (const OptionEntry& entry : option_entries(options)) {
      if (const auto found = given_.find(entry.name); found != given_.end()) {
        entry.assign(found->second);
      }
    }
  }

  /// Every FILE that has a name by now.
  std::vector<NamedFile> files() const;
  /// What the command writes, and what each may replace.
  const std::map<std::string, std::vector<std::string>>& outputs() const { return outputs_; }
  bool is_folder(const std::string& name) const {
    const auto found = folders_.find(name);
    return found != folders_.end() && given(found->second);
  }
  /// A name as the user writes it: "--model" for an option, "OUT" for a positional.
  std::string spelling(const std::string& name) const;

  /// A TOML file that repeats this run.
  std::string config_text() const;
  /// A message of an OptionEntry or of validate() with the option spelled as a flag.
  std::string with_flag_spelling(std::string message) const;

  const std::string& command() const { return command_; }
  const std::string& summary() const { return summary_; }
  const std::string& about() const { return about_; }
  const CommonOptions& common() const { return *common_; }
  const std::vector<Positional>& positional_list() const { return positionals_; }
  const std::vector<ShownGroup>& groups() const { return groups_; }
  const std::vector<Example>& examples() const { return examples_; }

 private:
  void add_group(std::string title, std::vector<OptionEntry> entries, GroupStyle style);
  OptionEntry* find(std::string_view name);
  const OptionEntry* find(std::string_view name) const;
  const OptionEntry* find_flag(const std::string& flag) const;
  void split(const std::vector<std::string>& words, std::map<std::string, std::string>& flags,
             std::vector<std::string>& positionals) const;
  void assign(const std::string& name, const std::string& text);
  void assign_positionals(const std::vector<std::string>& words);
  void assign_config(const std::string& path);
  void require_positionals() const;
  [[noreturn]] void throw_unknown_option(const std::string& word) const;
  std::string unknown_key(const std::string& key) const;

  std::string command_;
  std::string summary_;
  std::string about_;
  // Entries keep a reference to it, so it stays where it is when Arguments move.
  std::unique_ptr<CommonOptions> common_ = std::make_unique<CommonOptions>();
  std::vector<Positional> positionals_;
  std::vector<ShownGroup> groups_;
  std::vector<OptionEntry> shared_;  // entries of names that an earlier group shows
  std::vector<Example> examples_;
  std::map<std::string, std::vector<std::string>> outputs_;
  std::map<std::string, std::string> folders_;
  std::map<std::string, std::string> given_;
  std::set<std::string> flags_;  // of the command line
};

}  // namespace rankine::cli
