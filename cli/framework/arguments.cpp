// The words are split into flags and positionals, the config file is read if a flag names one, and
// only then are values assigned: the file first, so that flags win.
#include "framework/arguments.hpp"

#include <algorithm>
#include <cctype>

#include "framework/command.hpp"
#include "framework/config_file.hpp"

namespace rankine::cli {

std::string flag_of(std::string_view name) {
  std::string flag = "--" + std::string(name);
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

std::string Positional::key() const {
  std::string lower;
  for (const char c : name) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

void Arguments::positional(std::string name, std::string& target, std::string help,
                           std::string unit) {
  Positional word{std::move(name), std::move(help), std::move(unit)};
  word.one = &target;
  positionals_.push_back(std::move(word));
}

void Arguments::optional_positional(std::string name, std::string& target, std::string help,
                                    std::string unit) {
  positional(std::move(name), target, std::move(help), std::move(unit));
  positionals_.back().required = false;
}

void Arguments::positionals(std::string name, std::vector<std::string>& target, std::string help,
                            std::string unit) {
  Positional words{std::move(name), std::move(help), std::move(unit)};
  words.many = &target;
  positionals_.push_back(std::move(words));
}

void Arguments::declare_common() {
  group("Common", *common_);
}

void Arguments::add_group(std::string title, std::vector<OptionEntry> entries, GroupStyle style) {
  ShownGroup group{std::move(title), std::move(style.default_note), {}};
  for (OptionEntry& entry : entries) {
    if (std::count(style.without.begin(), style.without.end(), entry.name) > 0) continue;
    OptionEntry* const shown = find(entry.name);
    if (shown == nullptr) {
      group.entries.push_back(std::move(entry));
      continue;
    }
    if (entry.default_text != shown->default_text) {  // then it says something else, too
      shown->help += "; " + group.title + ": " + entry.help + ", by default " + entry.default_text;
    }
    shared_.push_back(std::move(entry));
  }
  if (!group.entries.empty()) groups_.push_back(std::move(group));
}

void Arguments::choices_of(std::string_view option, std::vector<std::string> words,
                           std::string help) {
  OptionEntry& entry = *find(option);
  entry.type = OptionType::choice;
  entry.help = std::move(help);
  entry.choices = words;
  entry.assign = [assign = entry.assign, name = entry.name,
                  words = std::move(words)](std::string_view text) {
    if (std::find(words.begin(), words.end(), text) == words.end()) {
      throw_unknown_choice(name, text, std::vector<std::string_view>(words.begin(), words.end()));
    }
    assign(text);
  };
}

OptionEntry* Arguments::find(std::string_view name) {
  for (ShownGroup& group : groups_) {
    for (OptionEntry& entry : group.entries) {
      if (entry.name == name) return &entry;
    }
  }
  return nullptr;
}

const OptionEntry* Arguments::find(std::string_view name) const {
  return const_cast<Arguments*>(this)->find(name);
}

const OptionEntry* Arguments::find_flag(const std::string& flag) const {
  for (const ShownGroup& group : groups_) {
    for (const OptionEntry& entry : group.entries) {
      if (flag_of(entry.name) == flag) return &entry;
    }
  }
  return nullptr;
}

void Arguments::assign(const std::string& name, const std::string& text) {
  find(name)->assign(text);
  for (const OptionEntry& entry : shared_) {
    if (entry.name == name) entry.assign(text);
  }
  given_[name] = text;
}

void Arguments::throw_unknown_option(const std::string& word) const {
  const std::string flag = word.substr(0, word.find('='));
  std::vector<std::string> flags;
  for (const ShownGroup& group : groups_) {
    for (const OptionEntry& entry : group.entries) flags.push_back(flag_of(entry.name));
  }
  const std::vector<std::string_view> candidates(flags.begin(), flags.end());
  const auto nearest = nearest_spelling(flag, candidates);
  throw UsageError("unknown option " + flag +
                   (nearest.empty() ? "" : " (did you mean " + std::string(nearest) + "?)"));
}

void Arguments::split(const std::vector<std::string>& words,
                      std::map<std::string, std::string>& flags,
                      std::vector<std::string>& positionals) const {
  bool only_positionals = false;
  for (std::size_t next = 0; next < words.size(); ++next) {
    const std::string& word = words[next];
    if (only_positionals || word.size() < 2 || word.front() != '-') {
      positionals.push_back(word);
      continue;
    }
    if (word == "--") {
      only_positionals = true;
      continue;
    }
    const auto equals = word.find('=');
    const OptionEntry* entry = find_flag(word.substr(0, equals));
    if (entry == nullptr) throw_unknown_option(word);
    std::string text = "true";
    if (equals != std::string::npos) {
      text = word.substr(equals + 1);
    } else if (entry->type != OptionType::flag) {
      if (++next == words.size()) throw UsageError(word + " needs a value");
      text = words[next];
    }
    // A list grows with every use. Of two values for anything else, one would be lost unseen.
    const auto [value, is_first] = flags.try_emplace(entry->name, text);
    if (is_first) continue;
    if (entry->type == OptionType::text_list) {
      value->second += (value->second.empty() ? "" : ",") + text;
    } else if (entry->type == OptionType::flag) {
      value->second = text;  // so that the --json of a script can be turned off
    } else if (value->second != text) {
      throw UsageError(flag_of(entry->name) + " is given twice, as '" + value->second + "' and '" +
                       text + "'");
    }
  }
}

void Arguments::parse(const std::vector<std::string>& words) {
  const auto dashes = std::find(words.begin(), words.end(), "--");
  if (std::any_of(words.begin(), dashes,
                  [](const auto& w) { return w == "--help" || w == "-h"; })) {
    common_->help = true;
    return;
  }
  std::map<std::string, std::string> flags;
  std::vector<std::string> values;
  split(words, flags, values);
  if (const auto config = flags.find("config"); config != flags.end()) {
    assign_config(config->second);
  }
  for (const auto& [name, text] : flags) {
    assign(name, text);
    flags_.insert(name);
  }
  assign_positionals(values);
  if (!common_->dump_config) require_positionals();
}

void Arguments::assign_positionals(const std::vector<std::string>& words) {
  std::size_t next = 0;
  for (const Positional& positional : positionals_) {
    if (next == words.size()) return;
    if (positional.many != nullptr) {
      positional.many->assign(words.begin() + static_cast<std::ptrdiff_t>(next), words.end());
      return;
    }
    *positional.one = words[next++];
    if (!positional.choices.empty()) {
      const std::vector<std::string_view> names(positional.choices.begin(),
                                                positional.choices.end());
      if (std::count(names.begin(), names.end(), *positional.one) == 0) {
        throw_unknown_choice(positional.name, *positional.one, names);
      }
    }
  }
  if (next < words.size()) throw UsageError("unexpected argument '" + words[next] + "'");
}

std::vector<NamedFile> Arguments::files() const {
  std::vector<NamedFile> files;
  for (const Positional& positional : positionals_) {
    if (positional.unit != "FILE") continue;
    if (positional.one != nullptr) files.push_back({positional.name, *positional.one, true});
    if (positional.many == nullptr) continue;
    for (const std::string& path : *positional.many) files.push_back({positional.name, path, true});
  }
  for (const ShownGroup& group : groups_) {
    for (const OptionEntry& entry : group.entries) {
      if (entry.unit == "FILE") files.push_back({entry.name, entry.text()});
    }
  }
  std::erase_if(files, [](const NamedFile& file) { return file.path.empty(); });
  return files;
}

std::string Arguments::spelling(const std::string& name) const {
  return find(name) != nullptr ? flag_of(name) : name;
}

void Arguments::require_positionals() const {
  for (const Positional& positional : positionals_) {
    const bool empty =
        positional.many != nullptr ? positional.many->empty() : positional.one->empty();
    if (empty && positional.required) throw UsageError("missing argument " + positional.name);
  }
}

std::string Arguments::unknown_key(const std::string& key) const {
  std::vector<std::string> names;
  for (const Positional& positional : positionals_) names.push_back(positional.key());
  for (const ShownGroup& group : groups_) {
    for (const OptionEntry& entry : group.entries) names.push_back(entry.name);
  }
  for (const char* name : {"config", "dump_config", "help"}) std::erase(names, name);
  if (std::count(names.begin(), names.end(), key) > 0) return "";
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const auto nearest = nearest_spelling(key, candidates);
  return "'" + key + "' is no option of rankine " + command_ +
         (nearest.empty() ? "" : " (did you mean " + std::string(nearest) + "?)");
}

void Arguments::assign_config(const std::string& path) {
  const std::string name = path == "-" ? "standard input" : path;
  for (const ConfigItem& item : read_config(path)) {
    const std::string where = name + ":" + std::to_string(item.line) + ": ";
    if (!item.section.empty() && item.section != command_) {
      // Another command's section is not for us, but a slip in it should not wait to be found.
      const CommandEntry* other = nullptr;
      for (const CommandEntry& entry : command_table()) {
        if (entry.name == item.section) other = &entry;
      }
      if (other == nullptr) {
        throw Error(ErrorKind::option, where + "'" + item.section + "' is no command of rankine");
      }
      const auto command = other->make();
      const auto unknown = arguments_of(*other, *command).unknown_key(item.key);
      if (!unknown.empty()) throw Error(ErrorKind::option, where + unknown);
      continue;
    }
    if (const auto unknown = unknown_key(item.key); !unknown.empty()) {
      throw Error(ErrorKind::option, where + unknown);
    }
    std::string text;
    for (const std::string& value : item.values) text += (text.empty() ? "" : ",") + value;
    const auto positional =
        std::find_if(positionals_.begin(), positionals_.end(),
                     [&](const Positional& candidate) { return candidate.key() == item.key; });
    if (positional != positionals_.end()) {
      if (positional->many != nullptr) {
        *positional->many = item.values;
      } else {
        *positional->one = text;
      }
      continue;
    }
    try {
      assign(item.key, text);
    } catch (const Error& error) {
      throw Error(error.kind(), where + error.what());
    }
  }
}

namespace {

std::string toml_array(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : ", ") + toml_string(value);
  return "[" + text + "]";
}

std::string toml_value(const OptionEntry& entry) {
  const std::string text = entry.text();
  switch (entry.type) {
    case OptionType::flag:
    case OptionType::integer:
    case OptionType::real:
      return text;
    case OptionType::text_list:
      return toml_array(parse_list(text));
    default:
      return toml_string(text);
  }
}

}  // namespace

std::string Arguments::config_text() const {
  std::string text = "# rankine " + command_ + " --config FILE\n[" + command_ + "]\n";
  for (const Positional& positional : positionals_) {
    if (positional.many != nullptr) {
      text += positional.key() + " = " + toml_array(*positional.many) + "\n";
    } else if (!positional.one->empty()) {
      text += positional.key() + " = " + toml_string(*positional.one) + "\n";
    }
  }
  for (const ShownGroup& group : groups_) {
    text += "\n# " + group.title + "\n";
    for (const OptionEntry& entry : group.entries) {
      if (entry.name == "config" || entry.name == "dump_config" || entry.name == "help") continue;
      // A name that groups share may have a default in each: writing one down would set them all.
      const bool differs = std::any_of(shared_.begin(), shared_.end(), [&](const auto& other) {
        return other.name == entry.name && other.default_text != entry.default_text;
      });
      const bool derived = (!group.default_note.empty() || differs) && !given(entry.name);
      text += (derived ? "# " : "") + entry.name + " = " + toml_value(entry) + "\n";
    }
  }
  return text;
}

std::string Arguments::with_flag_spelling(std::string message) const {
  // "noise = -1 must be ...", "features: '99' ..." or "warm_start is for ...".
  const auto end = message.find_first_of(" :");
  if (end == std::string::npos || find(message.substr(0, end)) == nullptr) return message;
  const std::string_view rest = std::string_view(message).substr(end);
  const bool names_option = rest.starts_with(" = ") || rest.starts_with(": ") ||
                            rest.starts_with(" is ") || rest.starts_with(" has ");
  if (!names_option) return message;
  return flag_of(message.substr(0, end)) + std::string(rest);
}

}  // namespace rankine::cli
