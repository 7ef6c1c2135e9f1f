// The system answers an access beyond the end of a mapped file with SIGBUS. The handler may take no
// lock and allocate no memory, so entries are in a list that only grows at its head; they are never
// freed, and are used again. The entry of a map does not change while the map is in use.
#include "base/system/mapped_ranges.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstring>
#include <mutex>
#include <string_view>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

#include <rankine/program.hpp>

namespace rankine {

struct MappedRange::Entry {
  std::atomic<std::uintptr_t> begin{0};
  std::atomic<std::uintptr_t> end{0};  // 0: not in use
  std::string path;
  FileIdentity identity;
  Entry* next = nullptr;  // never changes once the entry is in the list
};

namespace {

std::atomic<MappedRange::Entry*> first_entry{nullptr};

std::mutex& entries_mutex() {
  static auto& mutex = *new std::mutex;  // maps may outlive main
  return mutex;
}

/// Files that were found changed when their maps ended.
std::vector<std::string>& found_changed() {
  static auto& names = *new std::vector<std::string>;
  return names;
}

FileIdentity identity_of(const struct stat& status) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  return {.device = status.st_dev,
          .number = status.st_ino,
          .num_bytes = status.st_size,
          .changed_ns = status.st_mtim.tv_sec * kSecond + status.st_mtim.tv_nsec};
}

struct sigaction earlier_action {};

void write_text(std::string_view text) {
  static_cast<void>(::write(STDERR_FILENO, text.data(), text.size()) < 0);
}

extern "C" void end_at_cut_file(int signal, siginfo_t* information, void* /*context*/) {
  const auto address = reinterpret_cast<std::uintptr_t>(information->si_addr);
  for (const MappedRange::Entry* entry = first_entry.load(); entry != nullptr;
       entry = entry->next) {
    if (address < entry->begin.load() || address >= entry->end.load()) continue;
    write_text("rankine: ");
    write_text(entry->path);
    write_text(
        ": cannot read: another program cut the file short, or its disk failed, while it was in "
        "use\n");
    ::_exit(2);
  }
  // Not ours: the handler from before us gets the fault again.
  ::sigaction(signal, &earlier_action, nullptr);
}

}  // namespace

FileIdentity identity_of(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 ? identity_of(status) : FileIdentity{};
}

bool has_changed(const std::string& path, const FileIdentity& before) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return false;
  const FileIdentity now = identity_of(status);
  return now.device == before.device && now.number == before.number &&
         (now.num_bytes != before.num_bytes || now.changed_ns != before.changed_ns);
}

MappedRange::MappedRange(const void* begin, std::size_t num_bytes, const std::string& path,
                         const FileIdentity& identity) {
  const std::lock_guard lock(entries_mutex());
  Entry* entry = first_entry.load();
  while (entry != nullptr && entry->end.load() != 0) entry = entry->next;
  const bool is_new = entry == nullptr;
  if (is_new) entry = new Entry;
  entry->path = path;
  entry->identity = identity;
  entry->begin.store(reinterpret_cast<std::uintptr_t>(begin));
  entry->end.store(reinterpret_cast<std::uintptr_t>(begin) + num_bytes);
  if (is_new) {
    entry->next = first_entry.load();
    first_entry.store(entry);
  }
  entry_ = entry;
}

MappedRange::~MappedRange() {
  const std::lock_guard lock(entries_mutex());
  if (has_changed(entry_->path, entry_->identity)) found_changed().push_back(entry_->path);
  entry_->end.store(0);
}

std::vector<std::string> changed_inputs() {
  const std::lock_guard lock(entries_mutex());
  std::vector<std::string> names = found_changed();
  for (const MappedRange::Entry* entry = first_entry.load(); entry != nullptr;
       entry = entry->next) {
    if (entry->end.load() != 0 && has_changed(entry->path, entry->identity)) {
      names.push_back(entry->path);
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

void end_when_inputs_are_cut() {
  struct sigaction action {};
  action.sa_sigaction = end_at_cut_file;
  action.sa_flags = SA_SIGINFO;
  struct sigaction before {};
  if (::sigaction(SIGBUS, &action, &before) != 0) return;
  const bool is_ours =
      (before.sa_flags & SA_SIGINFO) != 0 && before.sa_sigaction == end_at_cut_file;
  if (!is_ours) earlier_action = before;
}

}  // namespace rankine
