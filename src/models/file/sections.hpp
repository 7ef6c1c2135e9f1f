// The named, typed sections that a model file is made of (docs/formats/model.md). A reader takes
// what it knows by name and type. It skips sections that it does not know, unless the writer marked
// them as required. So a later version can add to a model, and this one still reads what it can.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rankine {

enum class SectionType : std::uint32_t { text = 1, texts, f64, f32, i64, u32, u8 };

/// The bytes are not what a writer makes: they were changed, cut or made up.
struct DamagedModel {
  std::string what;
};
/// The bytes are well made, by a later version: this one does not know what they mean.
struct NewerModel {
  std::string what;
};

/// Puts sections one after the other. A name is used once.
class SectionWriter {
 public:
  void text(std::string_view name, std::string_view value);
  void texts(std::string_view name, std::span<const std::string> values);
  void numbers(std::string_view name, std::span<const double> values);
  void numbers(std::string_view name, std::span<const float> values);
  void numbers(std::string_view name, std::span<const std::int64_t> values);
  void numbers(std::string_view name, std::span<const std::uint32_t> values);
  void bytes(std::string_view name, std::span<const std::uint8_t> values);
  void number(std::string_view name, double value) { numbers(name, {&value, 1}); }
  void number(std::string_view name, std::int64_t value) { numbers(name, {&value, 1}); }

  /// Whether a reader that does not know the sections from here on may pass over them. To begin
  /// with they are required.
  void set_required(bool required) { required_ = required; }
  /// What the names from here on begin with.
  void set_prefix(std::string prefix) { prefix_ = std::move(prefix); }

  std::uint64_t num_sections() const { return num_sections_; }
  const std::vector<char>& all() const { return all_; }

 private:
  template <class T>
  void add(std::string_view name, SectionType type, std::span<const T> items);

  std::vector<char> all_;
  std::string prefix_;
  bool required_ = true;
  std::uint64_t num_sections_ = 0;
};

/// Takes sections by name. Every take of one that is not there, of another type, or of another
/// number of items throws DamagedModel. Nothing is copied before it is taken, and no take asks for
/// more memory than a small multiple of its section.
class SectionReader {
 public:
  /// `bytes` must outlive this. Throws DamagedModel where they are not `num_sections` sections.
  SectionReader(std::span<const char> bytes, std::uint64_t num_sections);

  /// The same sections, by what follows `prefix`.
  SectionReader within(std::string_view prefix) const;

  bool has(std::string_view name) const;
  std::string text(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;
  std::vector<double> doubles(std::string_view name) const;
  std::vector<float> floats(std::string_view name) const;
  std::vector<std::int64_t> integers(std::string_view name) const;
  std::vector<std::uint32_t> indices(std::string_view name) const;
  std::vector<std::uint8_t> bytes(std::string_view name) const;
  double real(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;
  /// An integer of least ... most.
  std::int64_t integer(std::string_view name, std::int64_t least, std::int64_t most) const;
  /// The same, none of them infinite or not a number.
  std::vector<double> finite_doubles(std::string_view name) const;
  std::vector<float> finite_floats(std::string_view name) const;

  /// What follows `prefix` in the names that begin with it, in the order of their names.
  std::vector<std::string> names(std::string_view prefix) const;
  /// Throws NewerModel where a required section was not taken.
  void check_all_known() const;

 private:
  struct Section {
    SectionType type{};
    bool required = false;
    bool taken = false;
    std::span<const char> content;
  };
  using Table = std::map<std::string, Section, std::less<>>;

  explicit SectionReader(std::shared_ptr<Table> table, std::string prefix)
      : table_(std::move(table)), prefix_(std::move(prefix)) {}
  Section* find(std::string_view name) const;
  std::span<const char> take(std::string_view name, SectionType type) const;
  template <class T>
  std::vector<T> items(std::string_view name, SectionType type) const;

  std::shared_ptr<Table> table_;
  std::string prefix_;
};

}  // namespace rankine
