// A line that was cut short when the process died is dropped on opening: only its own work is lost.
// Every line ends with a checksum of what stands before it: a digit that changed on the disk would
// change what a tuning chooses. The file is locked while it is open, so that two runs cannot mix
// their lines.
#include "tuning/run_log.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <rankine/error.hpp>

#include "base/checksum.hpp"

namespace rankine {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kDescription = "description";

std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>()
                           : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// What a line of this text ends with: {"key":"one","record":1 and then ,"checksum":"..."}.
std::string ending_of(std::string_view text) {
  std::array<char, 40> ending{};
  const int length =
      std::snprintf(ending.data(), ending.size(), ",\"checksum\":\"%016llx\"}",
                    static_cast<unsigned long long>(checksum({text.data(), text.size()})));
  return {ending.data(), static_cast<std::size_t>(length)};
}

/// The first place where two values differ, as "C was 1 and is 2"; empty when they are equal.
std::string difference(const Json& was, const Json& is, const std::string& name) {
  if (was == is) return "";
  if (was.is_object() && is.is_object()) {
    for (const auto& [key, value] : was.items()) {
      if (!is.contains(key)) return key + " was " + text_of(value) + " and is not set";
      if (const auto found = difference(value, is[key], key); !found.empty()) return found;
    }
    for (const auto& [key, value] : is.items()) {
      if (!was.contains(key)) return key + " was not set and is " + text_of(value);
    }
    return "the order of " + name + " differs";
  }
  return name + " was " + text_of(was) + " and is " + text_of(is);
}

}  // namespace

RunLog::RunLog(const std::string& folder, const Json& description) : folder_(folder) {
  open(folder);
  load();
  agree(kDescription, description);
}

void RunLog::open(const std::string& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) {
    throw Error(ErrorKind::io, folder + ": cannot make the folder: " + failure.message());
  }
  path_ = (std::filesystem::path(folder) / "tuning.jsonl").string();
  file_ = open_file(path_, O_RDWR | O_CREAT | O_APPEND);
  if (!file_.is_open()) {
    throw Error(ErrorKind::io, path_ + ": cannot open: " + std::strerror(errno));
  }
  // Some file systems have no locks; then the user must see to it that one run writes at a time.
  if (::flock(file_.value(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    throw Error(ErrorKind::option, "run = " + folder + " is in use by another tuning");
  }
}

void RunLog::load() {
  std::string text;
  std::array<char, 1 << 16> buffer{};
  for (;;) {
    const ssize_t count = ::read(file_.value(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw Error(ErrorKind::io, path_ + ": cannot read: " + std::strerror(errno));
    if (count == 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  const auto whole = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
  if (whole < text.size() && ::ftruncate(file_.value(), static_cast<off_t>(whole)) != 0) {
    throw Error(ErrorKind::io, path_ + ": cannot write: " + std::strerror(errno));
  }
  text.resize(whole);
  std::size_t line_number = 0;
  for (std::size_t start = 0; start < text.size();) {
    const auto end = text.find('\n', start);
    ++line_number;
    auto [key, record] = read_line(std::string_view(text).substr(start, end - start), line_number);
    records_[std::move(key)] = std::move(record);
    start = end + 1;
  }
}

std::pair<std::string, Json> RunLog::read_line(std::string_view text, std::size_t number) const {
  const auto fail = [&](const std::string& what) {
    throw Error(ErrorKind::data, path_ + ":" + std::to_string(number) + ": " + what);
  };
  Json line = Json::parse(text, nullptr, false);
  const bool known = line.is_object() && line.contains("key") && line["key"].is_string() &&
                     line.contains("record") && (number > 1 || line["key"] == kDescription);
  if (!known) {
    fail("not a line of rankine tune; the folder is damaged or belongs to something else");
  }
  if (!line.contains("checksum")) {
    fail("the line has no checksum: it comes from an earlier version; begin in another folder");
  }
  const std::string_view content = text.substr(0, text.size() - ending_of("").size());
  if (text.substr(content.size()) != ending_of(content)) {
    fail("the line is damaged: its checksum says otherwise; remove the line to have it done again");
  }
  return {line["key"].get<std::string>(), std::move(line["record"])};
}

const Json* RunLog::find(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = records_.find(key);
  return found == records_.end() ? nullptr : &found->second;
}

void RunLog::add(const std::string& key, Json record) {
  const std::lock_guard lock(mutex_);
  if (file_.is_open()) write_line({{"key", key}, {"record", record}});
  records_[key] = std::move(record);
}

void RunLog::agree(const std::string& key, const Json& record) {
  const Json* before = find(key);
  if (before == nullptr) {
    add(key, record);
    return;
  }
  if (const auto found = difference(*before, record, key); !found.empty()) {
    throw Error(ErrorKind::option, "run = " + folder_ + " holds another tuning: " + found);
  }
}

void RunLog::write_line(const Json& line) {
  std::string text = line.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.pop_back();  // the brace, which follows the checksum
  text += ending_of(text) + "\n";
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = ::write(file_.value(), text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw Error(ErrorKind::io, path_ + ": cannot write: " + std::strerror(errno));
    done += static_cast<std::size_t>(count);
  }
}

}  // namespace rankine
