// What a model consists of is listed once, in for_each_part: a writer walks the list and puts a
// section for each part, a reader walks it and takes them. Parts of the report may be absent, so
// that a file of an earlier writer still loads; what a model scores with may not.
#include "models/file/model_file.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>

#include <rankine/error.hpp>
#include <rankine/fields.hpp>
#include <rankine/version.hpp>

#include "base/checked_size.hpp"
#include "base/checksum.hpp"
#include "base/system/input_bytes.hpp"
#include "base/system/output_file.hpp"
#include "data/scaling/feature_scaling.hpp"
#include "models/file/model_file_v1.hpp"
#include "models/file/sections.hpp"
#include "models/kinds/registry.hpp"

namespace rankine {
namespace {

constexpr std::size_t kChecksumBytes = 8;
constexpr const char* kFunctionPrefix = "function.";
constexpr const char* kExtraPrefix = "extra.";

/// Puts a section for each part of a model.
class PartWriter {
 public:
  explicit PartWriter(SectionWriter& writer) : writer_(writer) {}

  template <class E>
  requires std::is_enum_v<E>
  void part(const char* name, const E& value) { writer_.text(name, name_of(value)); }
  void part(const char* name, const std::string& value) { writer_.text(name, value); }
  void part(const char* name, double value) { writer_.number(name, value); }
  void part(const char* name, std::int64_t value) { writer_.number(name, value); }
  void part(const char* name, int value) { writer_.number(name, std::int64_t{value}); }
  void part(const char* name, bool value) { writer_.number(name, std::int64_t{value}); }
  void part(const char* name, std::uint64_t value) {
    writer_.number(name, static_cast<std::int64_t>(value));  // its 64 bits
  }
  void part(const char* name, const std::vector<double>& values) { writer_.numbers(name, values); }
  void part(const char* name, const std::vector<std::int64_t>& values) {
    writer_.numbers(name, values);
  }
  void part(const char* name, const std::vector<std::string>& values) {
    writer_.texts(name, values);
  }
  /// Without entries there is no section, so that readers that do not know it can read the rest.
  void part_if_any(const char* name, const std::vector<double>& values) {
    if (!values.empty()) part(name, values);
  }
  void required() { writer_.set_required(true); }
  void optional() { writer_.set_required(false); }

 private:
  SectionWriter& writer_;
};

/// Takes them. A part that is optional and absent keeps its default.
class PartReader {
 public:
  explicit PartReader(const SectionReader& reader) : reader_(reader) {}

  template <class T>
  void part(const char* name, T& value) {
    if (is_optional_ && !reader_.has(name)) return;
    take(name, value);
  }
  void part_if_any(const char* name, std::vector<double>& values) {
    if (reader_.has(name)) take(name, values);
  }
  void required() { is_optional_ = false; }
  void optional() { is_optional_ = true; }

 private:
  template <class E>
  requires std::is_enum_v<E>
  void take(const char* name, E& value) const {
    const std::string text = reader_.text(name);
    const auto& names = EnumNames<E>::names;
    const auto found = std::find(names.begin(), names.end(), text);
    if (found == names.end()) throw NewerModel{std::string(name) + " is '" + text + "'"};
    value = static_cast<E>(found - names.begin());
  }
  void take(const char* name, std::string& value) const { value = reader_.text(name); }
  void take(const char* name, double& value) const { value = reader_.real(name); }
  void take(const char* name, std::int64_t& value) const { value = reader_.integer(name); }
  void take(const char* name, int& value) const {
    constexpr auto kMost = std::int64_t{std::numeric_limits<int>::max()};
    value = static_cast<int>(reader_.integer(name, 0, kMost));
  }
  void take(const char* name, bool& value) const { value = reader_.integer(name, 0, 1) == 1; }
  void take(const char* name, std::uint64_t& value) const {
    value = static_cast<std::uint64_t>(reader_.integer(name));
  }
  void take(const char* name, std::vector<double>& values) const { values = reader_.doubles(name); }
  void take(const char* name, std::vector<std::int64_t>& values) const {
    values = reader_.integers(name);
  }
  void take(const char* name, std::vector<std::string>& values) const {
    values = reader_.texts(name);
  }

  const SectionReader& reader_;
  bool is_optional_ = false;
};

/// Options as a list: name, value, name, value, ...
struct Flat {
  std::vector<std::string> options;
  std::vector<double> steps;  // objective, gradient norm, step of each iteration
  std::vector<double> path;   // value, objective, measure of each value
};

Flat flat_of(const Model& model) {
  Flat flat;
  for (const auto& [option, value] : model.options) {
    flat.options.push_back(option);
    flat.options.push_back(value);
  }
  for (const TrainStep& step : model.report.steps) {
    flat.steps.insert(flat.steps.end(), {step.objective, step.gradient_norm, step.step});
  }
  for (const PathStep& step : model.report.path) {
    flat.path.insert(flat.path.end(), {step.value, step.objective, step.measure});
  }
  return flat;
}

void unflatten(Flat flat, Model& model) {
  if (flat.options.size() % 2 != 0 || flat.steps.size() % 3 != 0 || flat.path.size() % 3 != 0) {
    throw DamagedModel{"a list of its report ends early"};
  }
  for (std::size_t k = 0; k < flat.options.size(); k += 2) {
    model.options.emplace_back(std::move(flat.options[k]), std::move(flat.options[k + 1]));
  }
  for (std::size_t k = 0; k < flat.steps.size(); k += 3) {
    model.report.steps.push_back({flat.steps[k], flat.steps[k + 1], flat.steps[k + 2]});
  }
  for (std::size_t k = 0; k < flat.path.size(); k += 3) {
    model.report.path.push_back({flat.path[k], flat.path[k + 1], flat.path[k + 2]});
  }
}

/// All of a model but its function. `model` and `flat` are const for a writer.
template <class Parts, class M, class F>
void for_each_part(Parts& parts, M& model, F& flat) {
  parts.required();
  parts.part("columns", model.columns);
  parts.part("feature_names", model.feature_names);
  auto& scaling = model.scaling;
  parts.part("scaling.kind", scaling.kind);
  parts.part("scaling.features", scaling.num_features);
  parts.part("scaling.keeps_zeros", scaling.keeps_zeros);
  parts.part("scaling.shift", scaling.shift);
  parts.part("scaling.factor", scaling.factor);
  parts.part("scaling.knot_offsets", scaling.knot_offsets);
  parts.part("scaling.knots", scaling.knots);
  parts.part("scaling.levels", scaling.levels);
  parts.part_if_any("scaling.missing_values", scaling.fill);
  auto& data = model.trained_on;
  parts.part("data.features", data.num_features);
  parts.optional();
  parts.part("data.source", data.source);
  parts.part("data.documents", data.num_documents);
  parts.part("data.queries", data.num_queries);
  parts.part("data.pairs", data.num_pairs);
  parts.part("data.checksum", data.checksum);
  parts.part("options", flat.options);
  auto& report = model.report;
  parts.part("report.termination", report.termination);
  parts.part("report.iterations", report.iterations);
  parts.part("report.products", report.products);
  parts.part("report.hessians", report.hessians);
  parts.part("report.objective", report.objective);
  parts.part("report.gap", report.gap);
  parts.part("report.seconds_scaling", report.seconds_scaling);
  parts.part("report.seconds_preparing", report.seconds_preparing);
  parts.part("report.seconds_solving", report.seconds_solving);
  parts.part("report.peak_memory", report.peak_memory);
  parts.part("report.constant_columns", report.constant_columns);
  parts.part("report.warnings", report.warnings);
  parts.part("report.map.gamma", report.map.gamma);
  parts.part("report.map.components", report.map.components);
  parts.part("report.map.rank", report.map.rank);
  parts.part("report.map.unexplained", report.map.unexplained);
  parts.part("report.map.kept", report.map.kept);
  parts.part("report.map.seconds", report.map.seconds);
  parts.part("report.steps", flat.steps);
  parts.part("report.validation_measure", report.validation_measure);
  parts.part("report.validation", report.validation);
  parts.part("report.solver", report.solver);
  parts.part("report.path_measure", report.path_measure);
  parts.part("report.path", flat.path);
}

[[noreturn]] void throw_damaged(const std::string& name, const std::string& what) {
  throw Error(ErrorKind::data, name + ": damaged model file: " + what);
}

[[noreturn]] void throw_newer(const std::string& name, const std::string& by,
                              const std::string& what) {
  throw Error(ErrorKind::data,
              name + ": written by a newer rankine" + (by.empty() ? "" : " (" + by + ")") + ": " +
                  what + ", which this one (" + kVersion + ") does not know: update rankine");
}

/// What holds between the parts, whatever the version.
void check(const Model& model) {
  const std::int64_t width = model.num_features();
  const std::int64_t num_input = model.trained_on.num_features;
  if (width < 0 || width > kMostColumns || num_input < 0 || num_input > kMostColumns) {
    throw DamagedModel{"it has too many columns"};
  }
  if (!model.columns.empty() && std::ssize(model.columns) != width) {
    throw DamagedModel{"columns and weights differ in number"};
  }
  for (const std::int64_t column : model.columns) {
    if (column < 0 || column >= num_input) throw DamagedModel{"a column is not there"};
  }
  const auto num_names = static_cast<std::int64_t>(model.feature_names.size());
  if (num_names != 0 && (num_names != num_input || (model.columns.empty() && num_names != width))) {
    throw DamagedModel{"features and their names differ in number"};
  }
  for (const std::int64_t column : model.report.constant_columns) {
    if (column < 0 || column >= num_input) throw DamagedModel{"a constant column is not there"};
  }
  if (model.scaling.num_features != width) throw DamagedModel{"the scaling has other columns"};
}

Model model_from(const SectionReader& reader, std::string& created_by) {
  created_by = reader.text("created_by");
  const std::string kind_name = reader.text("kind");
  const ModelKind* const kind = find_model_kind(kind_name);
  if (kind == nullptr) throw NewerModel{"it is of the kind '" + kind_name + "'"};
  Model model;
  model.created_by = created_by;
  model.function = kind->load(reader.within(kFunctionPrefix));
  Flat flat;
  PartReader parts(reader);
  for_each_part(parts, model, flat);
  unflatten(std::move(flat), model);
  for (const std::string& name : reader.names(kExtraPrefix)) {
    model.extras.push_back({name, reader.doubles(kExtraPrefix + name)});
  }
  reader.check_all_known();
  return model;
}

/// The bytes of the whole file, as its header states them.
std::size_t stated_bytes(const ModelHeader& header) {
  if (header.version != 1) return header.first_size;
  const std::size_t content =
      sum_or_most(header.first_size, product_or_most(8, header.second_size));
  return sum_or_most(content, sizeof header + kChecksumBytes);
}

ModelHeader header_of(std::span<const char> bytes, const std::string& name) {
  if (!is_model(bytes)) throw Error(ErrorKind::data, name + ": not a model file");
  ModelHeader header;
  if (bytes.size() < sizeof header) throw_damaged(name, "it ends early");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.byte_order != kModelByteOrder) throw_damaged(name, "its byte order is not ours");
  if (header.version > kModelVersion) {
    throw_newer(name, "", "it is a model file of version " + std::to_string(header.version));
  }
  if (header.version == 0) throw_damaged(name, "there is no version 0");
  return header;
}

/// What the header states, before the rest is read: a compressed file may unpack to anything.
std::string read_model_bytes(InputBytes& input) {
  ModelHeader header;
  const std::string_view head = input.peek(sizeof header);
  header = header_of({head.data(), head.size()}, input.name());
  const std::size_t stated = stated_bytes(header);
  if (input.is_mapped() && stated != static_cast<std::size_t>(input.num_bytes())) {
    throw_damaged(input.name(), "it ends early, or goes on too long");
  }
  require_memory(stated, input.name(), "the model");
  std::string bytes = input.read_at_most(sum_or_most(stated, 1));
  if (bytes.size() != stated) throw_damaged(input.name(), "it ends early, or goes on too long");
  return bytes;
}

}  // namespace

std::vector<char> model_bytes(const Model& model) {
  SectionWriter writer;
  writer.text("created_by", model.created_by);
  writer.text("kind", model.function.kind());
  const Flat flat = flat_of(model);
  PartWriter parts(writer);
  for_each_part(parts, model, flat);
  writer.set_prefix(kExtraPrefix);
  for (const ModelExtra& extra : model.extras) writer.numbers(extra.name, extra.numbers);
  writer.set_prefix(kFunctionPrefix);
  writer.set_required(true);
  kind_of(model.function).save(model.function, writer);
  ModelHeader header;
  header.first_size = sizeof header + writer.all().size() + kChecksumBytes;
  header.second_size = writer.num_sections();
  std::vector<char> bytes(static_cast<std::size_t>(header.first_size));
  std::memcpy(bytes.data(), &header, sizeof header);
  std::copy(writer.all().begin(), writer.all().end(),
            bytes.begin() + static_cast<std::ptrdiff_t>(sizeof header));
  const std::uint64_t sum =
      checksum(std::span<const char>(bytes).first(bytes.size() - kChecksumBytes));
  std::memcpy(bytes.data() + bytes.size() - kChecksumBytes, &sum, kChecksumBytes);
  return bytes;
}

bool is_model(std::span<const char> first_bytes) {
  return first_bytes.size() >= kModelMagic.size() &&
         std::memcmp(first_bytes.data(), kModelMagic.data(), kModelMagic.size()) == 0;
}

Model parse_model(std::span<const char> bytes, const std::string& name) {
  const ModelHeader header = header_of(bytes, name);
  if (bytes.size() < sizeof header + kChecksumBytes) throw_damaged(name, "it ends early");
  if (stated_bytes(header) != bytes.size()) {
    throw_damaged(name, "it ends early, or goes on too long");
  }
  const auto body = bytes.first(bytes.size() - kChecksumBytes);
  std::uint64_t stored = 0;
  std::memcpy(&stored, bytes.data() + body.size(), kChecksumBytes);
  if (stored != checksum(body)) throw_damaged(name, "its checksum does not match");
  const auto content = body.subspan(sizeof header);
  std::string created_by;
  try {
    Model model = header.version == 1
                      ? parse_model_v1(content, header.first_size, header.second_size)
                      : model_from(SectionReader(content, header.second_size), created_by);
    check(model);
    check_scaling(model.scaling, name + ": damaged model file");
    return model;
  } catch (const DamagedModel& damage) {
    throw_damaged(name, damage.what);
  } catch (const NewerModel& newer) {
    throw_newer(name, created_by, newer.what);
  }
}

void Model::save(const std::string& path) const {
  const std::vector<char> bytes = model_bytes(*this);
  OutputFile file(path);
  file.write({bytes.data(), bytes.size()});
  file.commit();
}

Model Model::load(const std::string& path) {
  InputBytes input(path);
  const std::string bytes = read_model_bytes(input);
  return parse_model(bytes, input.name());
}

std::vector<char> Model::bytes() const {
  return model_bytes(*this);
}

Model Model::from_bytes(std::span<const char> bytes, const std::string& name) {
  return parse_model(bytes, name);
}

}  // namespace rankine
