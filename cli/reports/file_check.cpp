#include "reports/file_check.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include <rankine/program.hpp>

namespace rankine::cli {
namespace {

namespace fs = std::filesystem;

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code failure;
  return fs::is_regular_file(a, failure) && fs::equivalent(a, b, failure) && !failure;
}

/// Also where neither is there yet.
bool is_same_place(const std::string& a, const std::string& b) {
  std::error_code failure;
  if (fs::exists(a, failure)) return is_same_file(a, b);
  const fs::path whole_a = fs::weakly_canonical(fs::absolute(a, failure), failure);
  const fs::path whole_b = fs::weakly_canonical(fs::absolute(b, failure), failure);
  return !failure && whole_a == whole_b;
}

/// The files of this name, and those that are read beside a data set without being named.
std::vector<std::string> files_read(const Arguments& arguments, const NamedFile& file) {
  std::vector<std::string> paths{file.path};
  const bool is_data = file.is_positional || file.name == "valid" || file.name == "train";
  if (!is_data || file.path.ends_with(".rkd")) return paths;
  if (!arguments.given("weight_file")) paths.push_back(file.path + ".weight");
  if (!arguments.given("query_file")) paths.push_back(file.path + ".query");
  return paths;
}

[[noreturn]] void refuse(const Arguments& arguments, const std::string& name,
                         const std::string& path, const std::string& why) {
  throw Error(ErrorKind::option, arguments.spelling(name) + " = '" + path + "' is also " + why);
}

}  // namespace

void check_written_file(const Arguments& arguments, const std::string& name,
                        const std::string& path) {
  if (path.empty() || path == "-") return;
  const std::vector<std::string>& replaceable = arguments.outputs().at(name);
  for (const NamedFile& file : arguments.files()) {
    if (file.path == "-" || arguments.outputs().count(file.name) > 0 ||
        std::count(replaceable.begin(), replaceable.end(), file.name) > 0) {
      continue;
    }
    for (const std::string& read : files_read(arguments, file)) {
      if (!is_same_file(path, read)) continue;
      const std::string beside = read == file.path ? "" : "beside ";
      refuse(arguments, name, path,
             "read, " + (beside.empty() ? "as " : beside) + arguments.spelling(file.name) +
                 ": it would be lost");
    }
  }
}

void check_files(const Arguments& arguments) {
  std::vector<NamedFile> written;
  for (const NamedFile& file : arguments.files()) {
    if (arguments.outputs().count(file.name) == 0) continue;
    check_written_file(arguments, file.name, file.path);
    for (const NamedFile& other : written) {
      if (file.path == "-" || other.path == "-" || !is_same_place(file.path, other.path)) continue;
      refuse(arguments, file.name, file.path,
             "written, as " + arguments.spelling(other.name) + ": one would be lost");
    }
    written.push_back(file);
  }
  // After all refusals above, because testing whether a file can be written must not touch one that
  // is read.
  for (const NamedFile& file : written) {
    if (!arguments.is_folder(file.name)) check_output(file.path);
  }
}

}  // namespace rankine::cli
