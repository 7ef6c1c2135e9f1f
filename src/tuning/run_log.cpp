// A line that was cut short when the process died is dropped on opening, and only the work it
// recorded is lost. The file is locked while it is open, so that two runs cannot mix their lines.
#include "tuning/run_log.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <rankine/error.hpp>

namespace rankine {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kDescription = "description";

std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>()
                           : value.dump(-1, ' ', false, Json::error_handler_t::replace);
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
  try {
    load();
    agree(kDescription, description);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

RunLog::~RunLog() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void RunLog::open(const std::string& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) {
    throw Error(ErrorKind::io, folder + ": cannot make the folder: " + failure.message());
  }
  path_ = (std::filesystem::path(folder) / "tuning.jsonl").string();
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) {
    throw Error(ErrorKind::io, path_ + ": cannot open: " + std::strerror(errno));
  }
  // Some file systems have no locks; then the user must see to it that one run writes at a time.
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(descriptor_);
    throw Error(ErrorKind::option, "run = " + folder + " is in use by another tuning");
  }
}

void RunLog::load() {
  std::string text;
  std::array<char, 1 << 16> buffer{};
  for (;;) {
    const ssize_t count = ::read(descriptor_, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw Error(ErrorKind::io, path_ + ": cannot read: " + std::strerror(errno));
    if (count == 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  const auto whole = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
  if (whole < text.size() && ::ftruncate(descriptor_, static_cast<off_t>(whole)) != 0) {
    throw Error(ErrorKind::io, path_ + ": cannot write: " + std::strerror(errno));
  }
  text.resize(whole);
  std::size_t line_number = 0;
  for (std::size_t start = 0; start < text.size();) {
    const auto end = text.find('\n', start);
    ++line_number;
    Json line = Json::parse(text.begin() + static_cast<std::ptrdiff_t>(start),
                            text.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
    const bool known = line.is_object() && line.contains("key") && line["key"].is_string() &&
                       line.contains("record") && (line_number > 1 || line["key"] == kDescription);
    if (!known) {
      throw Error(ErrorKind::data, path_ + ":" + std::to_string(line_number) +
                                       ": not a line of rankine tune; the folder is damaged or "
                                       "belongs to something else");
    }
    records_[line["key"].get<std::string>()] = std::move(line["record"]);
    start = end + 1;
  }
}

const Json* RunLog::find(const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const auto found = records_.find(key);
  return found == records_.end() ? nullptr : &found->second;
}

void RunLog::add(const std::string& key, Json record) {
  const std::lock_guard lock(mutex_);
  if (descriptor_ >= 0) write_line({{"key", key}, {"record", record}});
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
  const std::string text = line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = ::write(descriptor_, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw Error(ErrorKind::io, path_ + ": cannot write: " + std::strerror(errno));
    done += static_cast<std::size_t>(count);
  }
}

}  // namespace rankine
