#include "models/file/sections.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace rankine {
namespace {

constexpr std::size_t kAlignment = 8;
constexpr std::uint32_t kRequired = 1;  // the only flag there is
constexpr std::size_t kLongestName = 1000;

struct SectionHead {
  std::uint32_t type = 0;
  std::uint32_t flags = 0;
  std::uint64_t name_bytes = 0;
  std::uint64_t content_bytes = 0;
};
static_assert(sizeof(SectionHead) == 24);

/// What is left of a file that is read from its start.
class Rest {
 public:
  explicit Rest(std::span<const char> bytes) : bytes_(bytes) {}

  /// The next `count` bytes; those up to a multiple of 8 go with them and are 0.
  std::span<const char> take(std::uint64_t count) {
    if (count > bytes_.size()) throw DamagedModel{"a section ends beyond the file"};
    const auto size = static_cast<std::size_t>(count);
    const std::size_t padding = (kAlignment - size % kAlignment) % kAlignment;
    if (padding > bytes_.size() - size) throw DamagedModel{"a section ends beyond the file"};
    const auto taken = bytes_.first(size);
    for (const char byte : bytes_.subspan(size, padding)) {
      if (byte != 0) throw DamagedModel{"there is something between its sections"};
    }
    bytes_ = bytes_.subspan(size + padding);
    return taken;
  }
  bool empty() const { return bytes_.empty(); }

 private:
  std::span<const char> bytes_;
};

template <class T>
std::vector<T> copy_of(std::span<const char> content) {
  std::vector<T> items(content.size() / sizeof(T));
  if (!items.empty()) std::memcpy(items.data(), content.data(), content.size());
  return items;
}

template <class T>
void require_finite(std::string_view name, const std::vector<T>& numbers) {
  for (const T number : numbers) {
    if (!std::isfinite(number)) {
      throw DamagedModel{std::string(name) + " has a number that is not finite"};
    }
  }
}

}  // namespace

template <class T>
void SectionWriter::add(std::string_view name, SectionType type, std::span<const T> items) {
  const std::string full = prefix_ + std::string(name);
  const SectionHead head{.type = static_cast<std::uint32_t>(type),
                         .flags = required_ ? kRequired : 0,
                         .name_bytes = full.size(),
                         .content_bytes = items.size_bytes()};
  const auto put = [this](const void* from, std::size_t count) {
    const auto* bytes = static_cast<const char*>(from);
    all_.insert(all_.end(), bytes, bytes + count);
    all_.resize((all_.size() + kAlignment - 1) / kAlignment * kAlignment);
  };
  put(&head, sizeof head);
  put(full.data(), full.size());
  if (!items.empty()) put(items.data(), items.size_bytes());
  ++num_sections_;
}

void SectionWriter::text(std::string_view name, std::string_view value) {
  add(name, SectionType::text, std::span<const char>(value));
}

void SectionWriter::texts(std::string_view name, std::span<const std::string> values) {
  std::string all;
  for (const std::string& value : values) {
    const std::uint64_t size = value.size();
    all.append(reinterpret_cast<const char*>(&size), sizeof size).append(value);
  }
  add(name, SectionType::texts, std::span<const char>(all));
}

void SectionWriter::numbers(std::string_view name, std::span<const double> values) {
  add(name, SectionType::f64, values);
}

void SectionWriter::numbers(std::string_view name, std::span<const float> values) {
  add(name, SectionType::f32, values);
}

void SectionWriter::numbers(std::string_view name, std::span<const std::int64_t> values) {
  add(name, SectionType::i64, values);
}

void SectionWriter::numbers(std::string_view name, std::span<const std::uint32_t> values) {
  add(name, SectionType::u32, values);
}

void SectionWriter::bytes(std::string_view name, std::span<const std::uint8_t> values) {
  add(name, SectionType::u8, values);
}

SectionReader::SectionReader(std::span<const char> bytes, std::uint64_t num_sections)
    : table_(std::make_shared<Table>()) {
  Rest rest(bytes);
  for (std::uint64_t index = 0; index < num_sections; ++index) {
    SectionHead head;
    std::memcpy(&head, rest.take(sizeof head).data(), sizeof head);
    if (head.name_bytes > kLongestName) throw DamagedModel{"a section's name is too long"};
    const auto name = rest.take(head.name_bytes);
    const Section section{.type = static_cast<SectionType>(head.type),
                          .required = (head.flags & kRequired) != 0,
                          .content = rest.take(head.content_bytes)};
    if (!table_->emplace(std::string(name.begin(), name.end()), section).second) {
      throw DamagedModel{"a section comes twice"};
    }
  }
  if (!rest.empty()) throw DamagedModel{"there is something after its last section"};
}

SectionReader SectionReader::within(std::string_view prefix) const {
  return SectionReader(table_, prefix_ + std::string(prefix));
}

SectionReader::Section* SectionReader::find(std::string_view name) const {
  const auto found = table_->find(prefix_ + std::string(name));
  return found == table_->end() ? nullptr : &found->second;
}

std::span<const char> SectionReader::take(std::string_view name, SectionType type) const {
  Section* const section = find(name);
  if (section == nullptr) throw DamagedModel{prefix_ + std::string(name) + " is missing"};
  if (section->type != type) {
    throw DamagedModel{prefix_ + std::string(name) + " is of another type"};
  }
  section->taken = true;
  return section->content;
}

template <class T>
std::vector<T> SectionReader::items(std::string_view name, SectionType type) const {
  const auto content = take(name, type);
  if (content.size() % sizeof(T) != 0) {
    throw DamagedModel{prefix_ + std::string(name) + " ends within an item"};
  }
  return copy_of<T>(content);
}

bool SectionReader::has(std::string_view name) const {
  return find(name) != nullptr;
}

std::string SectionReader::text(std::string_view name) const {
  const auto content = take(name, SectionType::text);
  return {content.begin(), content.end()};
}

std::vector<std::string> SectionReader::texts(std::string_view name) const {
  auto content = take(name, SectionType::texts);
  std::vector<std::string> values;
  while (!content.empty()) {
    std::uint64_t size = 0;
    if (content.size() < sizeof size) throw DamagedModel{std::string(name) + " ends early"};
    std::memcpy(&size, content.data(), sizeof size);
    content = content.subspan(sizeof size);
    if (size > content.size()) throw DamagedModel{std::string(name) + " ends early"};
    values.emplace_back(content.data(), static_cast<std::size_t>(size));
    content = content.subspan(static_cast<std::size_t>(size));
  }
  return values;
}

std::vector<double> SectionReader::doubles(std::string_view name) const {
  return items<double>(name, SectionType::f64);
}

std::vector<float> SectionReader::floats(std::string_view name) const {
  return items<float>(name, SectionType::f32);
}

std::vector<std::int64_t> SectionReader::integers(std::string_view name) const {
  return items<std::int64_t>(name, SectionType::i64);
}

std::vector<std::uint32_t> SectionReader::indices(std::string_view name) const {
  return items<std::uint32_t>(name, SectionType::u32);
}

std::vector<std::uint8_t> SectionReader::bytes(std::string_view name) const {
  return items<std::uint8_t>(name, SectionType::u8);
}

double SectionReader::real(std::string_view name) const {
  const auto values = doubles(name);
  if (values.size() != 1) throw DamagedModel{prefix_ + std::string(name) + " is not one number"};
  return values.front();
}

std::int64_t SectionReader::integer(std::string_view name) const {
  const auto values = integers(name);
  if (values.size() != 1) throw DamagedModel{prefix_ + std::string(name) + " is not one number"};
  return values.front();
}

std::int64_t SectionReader::integer(std::string_view name, std::int64_t least,
                                    std::int64_t most) const {
  const std::int64_t value = integer(name);
  if (value < least || value > most) {
    throw DamagedModel{prefix_ + std::string(name) + " is out of its range"};
  }
  return value;
}

std::vector<double> SectionReader::finite_doubles(std::string_view name) const {
  auto values = doubles(name);
  require_finite(name, values);
  return values;
}

std::vector<float> SectionReader::finite_floats(std::string_view name) const {
  auto values = floats(name);
  require_finite(name, values);
  return values;
}

std::vector<std::string> SectionReader::names(std::string_view prefix) const {
  const std::string full = prefix_ + std::string(prefix);
  std::vector<std::string> found;
  for (auto next = table_->lower_bound(full);
       next != table_->end() && next->first.starts_with(full); ++next) {
    found.push_back(next->first.substr(full.size()));
  }
  return found;
}

void SectionReader::check_all_known() const {
  for (const auto& [name, section] : *table_) {
    if (section.required && !section.taken) throw NewerModel{"it has a part '" + name + "'"};
  }
}

}  // namespace rankine
