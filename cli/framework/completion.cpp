// Completion scripts. Each is complete in itself: names, choices and kinds of values are written
// out, so that pressing Tab never starts the binary.
#include <set>
#include <string>
#include <vector>

#include "framework/command.hpp"

namespace rankine::cli {
namespace {

struct Declared {
  std::unique_ptr<Command> command;
  Arguments arguments;
};

std::vector<Declared> declare_all() {
  std::vector<Declared> all;
  for (const CommandEntry& entry : command_table()) {
    auto command = entry.make();
    Arguments arguments = arguments_of(entry, *command);
    all.push_back({std::move(command), std::move(arguments)});
  }
  return all;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : " ") + part;
  return text;
}

bool is_path(const std::string& unit) {
  return unit == "FILE" || unit == "DIR";
}

/// Within single quotes of any of the three shells, with `also` escaped by a backslash.
std::string quoted(const std::string& text, const std::string& also = "") {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      if (also.find(c) != std::string::npos) out += '\\';
      out += c;
    }
  }
  return out + "'";
}

template <class Visit>
void for_each_option(const Arguments& arguments, Visit visit) {
  for (const ShownGroup& group : arguments.groups()) {
    for (const OptionEntry& entry : group.entries) visit(entry);
  }
}

std::string bash_values(const OptionEntry& entry) {
  if (entry.type == OptionType::choice) {
    return "COMPREPLY=($(compgen -W " + quoted(joined(entry.choices)) + " -- \"$current\"))";
  }
  if (entry.unit == "DIR") return "COMPREPLY=($(compgen -d -- \"$current\"))";
  if (is_path(entry.unit)) return "COMPREPLY=($(compgen -f -- \"$current\"))";
  return ":";
}

std::string bash_script(const std::vector<Declared>& all) {
  std::vector<std::string> names;
  std::string cases;
  for (const auto& [command, arguments] : all) {
    names.push_back(arguments.command());
    std::vector<std::string> flags;
    std::string values;
    for_each_option(arguments, [&](const OptionEntry& entry) {
      flags.push_back(flag_of(entry.name));
      if (entry.type == OptionType::flag) return;
      values += "        " + flag_of(entry.name) + ") " + bash_values(entry) + "; return ;;\n";
    });
    std::vector<std::string> words;
    for (const Positional& positional : arguments.positional_list()) {
      words.insert(words.end(), positional.choices.begin(), positional.choices.end());
    }
    cases += "    " + arguments.command() + ")\n      case $previous in\n" + values +
             "      esac\n      flags=" + quoted(joined(flags)) +
             "\n      words=" + quoted(joined(words)) + " ;;\n";
  }
  return R"(# bash completion for rankine: source this file, or put it into
# ~/.local/share/bash-completion/completions/rankine
_rankine() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  local flags='' words=''
  COMPREPLY=()
  # --option=value arrives as three words.
  if [[ $current == '=' ]]; then
    current=''
  elif [[ $previous == '=' ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W ')" +
         joined(names) + R"( --help --version' -- "$current"))
    return
  fi
  compopt -o filenames 2>/dev/null
  case ${COMP_WORDS[1]} in
)" + cases +
         R"(  esac
  if [[ $current == -?* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
  elif [[ -n $words ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  else
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -F _rankine rankine
)";
}

std::string zsh_values(const OptionEntry& entry) {
  if (entry.type == OptionType::flag) return "";
  const std::string name = ":" + entry.name + ":";
  if (entry.type == OptionType::choice) return name + "(" + joined(entry.choices) + ")";
  if (entry.unit == "DIR") return name + "_directories";
  return is_path(entry.unit) ? name + "_files" : name;
}

std::string zsh_script(const std::vector<Declared>& all) {
  std::string names;
  std::string cases;
  for (const auto& [command, arguments] : all) {
    names += "    " + quoted(arguments.command() + ":" + arguments.summary()) + "\n";
    cases += "    " + arguments.command() + ")\n      _arguments";
    for_each_option(arguments, [&](const OptionEntry& entry) {
      cases += " \\\n        " + quoted(flag_of(entry.name) + "[" + [&] {
                 const std::string safe = quoted(entry.help, "[]:\\");
                 return safe.substr(1, safe.size() - 2);
               }() + "]" + zsh_values(entry));
    });
    for (const Positional& positional : arguments.positional_list()) {
      const std::string action = positional.choices.empty()
                                     ? (is_path(positional.unit) ? "_files" : " ")
                                     : "(" + joined(positional.choices) + ")";
      cases += " \\\n        " +
               quoted((positional.many != nullptr ? "*:" : ":") + positional.key() + ":" + action);
    }
    cases += " ;;\n";
  }
  return R"(#compdef rankine
# zsh completion for rankine: put this file as _rankine into a folder of $fpath.
_rankine() {
  local -a commands
  commands=(
)" + names +
         R"(  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
)" + cases +
         R"(  esac
}
if [[ $funcstack[1] == _rankine ]]; then
  _rankine "$@"
else
  compdef _rankine rankine
fi
)";
}

std::string fish_script(const std::vector<Declared>& all) {
  std::string script =
      "# fish completion for rankine: put this file into ~/.config/fish/completions/rankine.fish\n";
  for (const auto& [command, arguments] : all) {
    script += "complete -c rankine -n __fish_use_subcommand -f -a " + arguments.command() + " -d " +
              quoted(arguments.summary()) + "\n";
    const std::string when =
        "complete -c rankine -n '__fish_seen_subcommand_from " + arguments.command() + "'";
    for_each_option(arguments, [&](const OptionEntry& entry) {
      script += when + " -l " + flag_of(entry.name).substr(2) + " -d " + quoted(entry.help);
      if (entry.type == OptionType::choice) {
        script += " -x -a " + quoted(joined(entry.choices));
      } else if (entry.type != OptionType::flag) {
        script += is_path(entry.unit) ? " -r -F" : " -x";
      }
      script += "\n";
    });
    for (const Positional& positional : arguments.positional_list()) {
      if (!positional.choices.empty()) {
        script += when + " -f -a " + quoted(joined(positional.choices)) + "\n";
      }
    }
  }
  return script;
}

class Completion : public Command {
  void declare(Arguments& arguments) override {
    arguments.about(
        "Prints a script that lets the shell complete commands, options, choices and files.");
    arguments.positional("SHELL", shell_, "bash, zsh or fish", "SHELL");
    arguments.choices({"bash", "zsh", "fish"});
    arguments.example("source <(rankine completion bash)", "In the bash at hand");
  }

  void run(const Arguments&, Console& console) override {
    const auto all = declare_all();
    if (shell_ == "bash") {
      console.print(bash_script(all));
    } else if (shell_ == "zsh") {
      console.print(zsh_script(all));
    } else {
      console.print(fish_script(all));
    }
  }

  std::string shell_;
};

}  // namespace

std::unique_ptr<Command> completion_command() {
  return std::make_unique<Completion>();
}

}  // namespace rankine::cli
