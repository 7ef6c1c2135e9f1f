// What a tuning has done so far, on disk: DIR/tuning.jsonl, one JSON object with a checksum on each
// line, the first a description of the whole. Lines are added as work is done, so an interrupted
// run can go on.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/system/file_descriptor.hpp"

namespace rankine {

class RunLog {
 public:
  /// Keeps nothing on disk.
  RunLog() = default;
  /// Opens or begins the log of `folder`, which is made where it is missing. Throws Error{option}
  /// naming the first difference when it holds a run of another description, or when another
  /// process has it open; Error{data} when it is damaged; Error{io} when it cannot be written.
  RunLog(const std::string& folder, const nlohmann::ordered_json& description);

  bool is_kept() const { return file_.is_open(); }
  /// The record of that key, or null. Records found do not move.
  const nlohmann::ordered_json* find(const std::string& key) const;
  /// Adds a record and writes it through to the file. Safe to call from several threads.
  void add(const std::string& key, nlohmann::ordered_json record);
  /// Adds the record, or throws Error{option} naming the first difference to the one there is.
  void agree(const std::string& key, const nlohmann::ordered_json& record);

 private:
  void open(const std::string& folder);
  void load();
  /// The key and the record of a line.
  std::pair<std::string, nlohmann::ordered_json> read_line(std::string_view text,
                                                           std::size_t number) const;
  void write_line(const nlohmann::ordered_json& line);

  std::string folder_;
  std::string path_;
  FileDescriptor file_;
  mutable std::mutex mutex_;
  std::map<std::string, nlohmann::ordered_json> records_;
};

}  // namespace rankine
