// rankine version: which program this is, and with --verbose what it computes with.
#include <string>

#include <nlohmann/json.hpp>

#include <rankine/program.hpp>
#include <rankine/version.hpp>

#include "framework/command.hpp"

namespace rankine::cli {
namespace {

class Version : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.about(
        "Prints the program's version; with --verbose also the library that does the large "
        "products, and the processor whose kernels it uses.");
    arguments.example("rankine version --verbose", "what to say when asking about speed");
  }

  void run(const Arguments& arguments, Console& console) override {
    const bool all = arguments.common().verbose;
    if (console.json()) {
      nlohmann::ordered_json object{{"rankine", kVersion}};
      if (all) object["linear_algebra"] = linear_algebra();
      console.print_json(object);
      return;
    }
    console.print(std::string("rankine ") + kVersion + "\n" +
                  (all ? linear_algebra() + "\n" : std::string()));
  }
};

}  // namespace

std::unique_ptr<Command> version_command() {
  return std::make_unique<Version>();
}

}  // namespace rankine::cli
