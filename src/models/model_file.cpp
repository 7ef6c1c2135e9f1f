// The description is JSON, so that a person can read it in the file and a later version can add to
// it; every array of doubles that must keep its bits lies behind it and is named there by its
// length.
#include "models/model_file.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include <nlohmann/json.hpp>

#include <rankine/error.hpp>
#include <rankine/version.hpp>

#include "base/checksum.hpp"
#include "base/input_bytes.hpp"
#include "base/output_file.hpp"
#include "data/feature_scaling.hpp"

namespace rankine {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<char, 8> kMagic{'\x89', 'R', 'K', 'N', '\r', '\n', '\x1a', '\n'};
constexpr std::uint32_t kVersion1 = 1;
constexpr std::uint32_t kByteOrder = 0x01020304;

struct ModelHeader {
  std::array<char, 8> magic = kMagic;
  std::uint32_t version = kVersion1;
  std::uint32_t byte_order = kByteOrder;
  std::uint64_t description_bytes = 0;
  std::uint64_t num_doubles = 0;
};
static_assert(sizeof(ModelHeader) == 32);
static_assert(std::endian::native == std::endian::little);

/// Arrays of doubles by name, written one after the other.
class DoublesWriter {
 public:
  void add(Json& lengths, const char* name, std::span<const double> values) {
    lengths[name] = values.size();
    all_.insert(all_.end(), values.begin(), values.end());
  }
  std::span<const double> all() const { return all_; }

 private:
  std::vector<double> all_;
};

class DoublesReader {
 public:
  explicit DoublesReader(std::span<const double> all) : all_(all) {}
  std::vector<double> take(const Json& lengths, const char* name) {
    const auto count = lengths.at(name).get<std::uint64_t>();
    if (count > all_.size() - next_) throw std::out_of_range("arrays end early");
    std::vector<double> values(all_.begin() + static_cast<std::ptrdiff_t>(next_),
                               all_.begin() + static_cast<std::ptrdiff_t>(next_ + count));
    next_ += count;
    return values;
  }

 private:
  std::span<const double> all_;
  std::size_t next_ = 0;
};

Json report_json(const TrainReport& report) {
  return {{"termination", report.termination},
          {"iterations", report.iterations},
          {"products", report.products},
          {"hessians", report.hessians},
          {"seconds_scaling", report.seconds_scaling},
          {"seconds_preparing", report.seconds_preparing},
          {"seconds_solving", report.seconds_solving},
          {"peak_memory", report.peak_memory},
          {"constant_columns", report.constant_columns},
          {"warnings", report.warnings},
          {"validation_measure", report.validation_measure},
          {"solver", report.solver},
          {"path_measure", report.path_measure}};
}

TrainReport report_from(const Json& json) {
  TrainReport report;
  report.termination = json.at("termination");
  report.iterations = json.at("iterations");
  report.products = json.at("products");
  report.hessians = json.at("hessians");
  report.seconds_scaling = json.at("seconds_scaling");
  report.seconds_preparing = json.at("seconds_preparing");
  report.seconds_solving = json.at("seconds_solving");
  report.peak_memory = json.at("peak_memory");
  report.constant_columns = json.at("constant_columns").get<std::vector<std::int64_t>>();
  report.warnings = json.at("warnings").get<std::vector<std::string>>();
  report.validation_measure = json.at("validation_measure");
  report.solver = json.value("solver", "");
  report.path_measure = json.value("path_measure", "");
  return report;
}

/// What JSON would round or refuse (infinite gaps) goes to the doubles.
std::vector<double> report_numbers(const TrainReport& report) {
  std::vector<double> numbers{report.objective, report.gap, report.validation};
  for (const TrainStep& step : report.steps) {
    numbers.insert(numbers.end(), {step.objective, step.gradient_norm, step.step});
  }
  return numbers;
}

void set_report_numbers(TrainReport& report, std::span<const double> numbers) {
  if (numbers.size() % 3 != 0 || numbers.empty()) throw std::out_of_range("report");
  report.objective = numbers[0];
  report.gap = numbers[1];
  report.validation = numbers[2];
  for (std::size_t k = 3; k < numbers.size(); k += 3) {
    report.steps.push_back({numbers[k], numbers[k + 1], numbers[k + 2]});
  }
}

std::vector<double> path_numbers(const TrainReport& report) {
  std::vector<double> numbers;
  for (const PathStep& step : report.path) {
    numbers.insert(numbers.end(), {step.value, step.objective, step.measure});
  }
  return numbers;
}

void set_path_numbers(TrainReport& report, std::span<const double> numbers) {
  if (numbers.size() % 3 != 0) throw std::out_of_range("path");
  for (std::size_t k = 0; k < numbers.size(); k += 3) {
    report.path.push_back({numbers[k], numbers[k + 1], numbers[k + 2]});
  }
}

[[noreturn]] void throw_damaged(const std::string& name, const std::string& what) {
  throw Error(ErrorKind::data, name + ": damaged model file: " + what);
}

Scaling scaling_named(std::string_view kind, const std::string& name) {
  const auto& names = EnumNames<Scaling>::names;
  for (std::size_t index = 0; index < names.size(); ++index) {
    if (names[index] == kind) return static_cast<Scaling>(index);
  }
  throw_damaged(name, "its scaling is not known");
}

void check(const Model& model, const std::string& name) {
  const auto width =
      static_cast<std::int64_t>(std::get<LinearFunction>(model.function).weights.size());
  for (const double weight : std::get<LinearFunction>(model.function).weights) {
    if (!(weight - weight == 0)) throw_damaged(name, "a weight is not finite");
  }
  if (!model.columns.empty() && static_cast<std::int64_t>(model.columns.size()) != width) {
    throw_damaged(name, "columns and weights differ in number");
  }
  for (const std::int64_t column : model.columns) {
    if (column < 0 || column >= model.trained_on.num_features)
      throw_damaged(name, "a column is not there");
  }
  if (model.scaling.num_features != width) throw_damaged(name, "the scaling has other columns");
  check_scaling(model.scaling, name);
}

}  // namespace

std::vector<char> model_bytes(const Model& model) {
  DoublesWriter doubles;
  Json lengths;
  const auto& linear = std::get<LinearFunction>(model.function);
  doubles.add(lengths, "weights", linear.weights);
  doubles.add(lengths, "scaling_shift", model.scaling.shift);
  doubles.add(lengths, "scaling_factor", model.scaling.factor);
  doubles.add(lengths, "scaling_knots", model.scaling.knots);
  doubles.add(lengths, "scaling_levels", model.scaling.levels);
  doubles.add(lengths, "report", report_numbers(model.report));
  if (!model.report.path.empty()) doubles.add(lengths, "path", path_numbers(model.report));
  Json options = Json::object();
  for (const auto& [option, value] : model.options) options[option] = value;
  const Json description{{"kind", "linear"},
                         {"created_by", model.created_by},
                         {"options", options},
                         {"data",
                          {{"source", model.trained_on.source},
                           {"documents", model.trained_on.num_documents},
                           {"queries", model.trained_on.num_queries},
                           {"features", model.trained_on.num_features},
                           {"pairs", model.trained_on.num_pairs},
                           {"checksum", model.trained_on.checksum}}},
                         {"columns", model.columns},
                         {"feature_names", model.feature_names},
                         {"scaling",
                          {{"kind", name_of(model.scaling.kind)},
                           {"features", model.scaling.num_features},
                           {"keeps_zeros", model.scaling.keeps_zeros},
                           {"knot_offsets", model.scaling.knot_offsets}}},
                         {"report", report_json(model.report)},
                         {"arrays", lengths}};
  std::string text = description.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.append((8 - text.size() % 8) % 8, ' ');
  const ModelHeader header{.description_bytes = text.size(), .num_doubles = doubles.all().size()};
  std::vector<char> bytes(sizeof header + text.size() + doubles.all().size_bytes() + 8);
  char* next = bytes.data();
  const auto put = [&next](const void* from, std::size_t count) {
    if (count > 0) std::memcpy(next, from, count);
    next += count;
  };
  put(&header, sizeof header);
  put(text.data(), text.size());
  put(doubles.all().data(), doubles.all().size_bytes());
  const std::uint64_t sum = checksum(std::span<const char>(bytes).first(bytes.size() - 8));
  put(&sum, sizeof sum);
  return bytes;
}

bool is_model(std::span<const char> first_bytes) {
  return first_bytes.size() >= kMagic.size() &&
         std::memcmp(first_bytes.data(), kMagic.data(), kMagic.size()) == 0;
}

Model parse_model(std::span<const char> bytes, const std::string& name) {
  if (!is_model(bytes)) throw Error(ErrorKind::data, name + ": not a model file");
  ModelHeader header;
  if (bytes.size() < sizeof header + 8) throw_damaged(name, "it ends early");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.version > kVersion1) {
    throw Error(ErrorKind::data, name + ": model of version " + std::to_string(header.version) +
                                     "; this rankine reads up to " + std::to_string(kVersion1));
  }
  if (header.byte_order != kByteOrder) throw_damaged(name, "its byte order is not ours");
  const std::size_t room = bytes.size() - sizeof header - 8;
  if (header.description_bytes > room || header.num_doubles > room / 8 ||
      header.description_bytes + 8 * header.num_doubles != room) {
    throw_damaged(name, "it ends early, or goes on too long");
  }
  std::uint64_t stored = 0;
  std::memcpy(&stored, bytes.data() + bytes.size() - 8, 8);
  if (stored != checksum(bytes.first(bytes.size() - 8))) {
    throw_damaged(name, "its checksum does not match");
  }
  std::vector<double> values(header.num_doubles);
  if (!values.empty()) {
    std::memcpy(values.data(), bytes.data() + sizeof header + header.description_bytes,
                8 * values.size());
  }
  try {
    const auto json =
        Json::parse(std::string_view(bytes.data() + sizeof header, header.description_bytes));
    if (json.at("kind") != "linear") throw_damaged(name, "its kind is not known");
    DoublesReader doubles(values);
    const Json& lengths = json.at("arrays");
    Model model;
    model.function = LinearFunction{doubles.take(lengths, "weights")};
    const Json& scaling = json.at("scaling");
    model.scaling.kind = scaling_named(scaling.at("kind").get<std::string>(), name);
    model.scaling.num_features = scaling.at("features");
    model.scaling.keeps_zeros = scaling.at("keeps_zeros");
    model.scaling.knot_offsets = scaling.at("knot_offsets").get<std::vector<std::int64_t>>();
    model.scaling.shift = doubles.take(lengths, "scaling_shift");
    model.scaling.factor = doubles.take(lengths, "scaling_factor");
    model.scaling.knots = doubles.take(lengths, "scaling_knots");
    model.scaling.levels = doubles.take(lengths, "scaling_levels");
    model.report = report_from(json.at("report"));
    set_report_numbers(model.report, doubles.take(lengths, "report"));
    if (lengths.contains("path")) set_path_numbers(model.report, doubles.take(lengths, "path"));
    model.columns = json.at("columns").get<std::vector<std::int64_t>>();
    model.feature_names = json.at("feature_names").get<std::vector<std::string>>();
    for (const auto& [option, value] : json.at("options").items()) {
      model.options.emplace_back(option, value.get<std::string>());
    }
    const Json& data = json.at("data");
    model.trained_on = {data.at("source"),   data.at("documents"), data.at("queries"),
                        data.at("features"), data.at("pairs"),     data.at("checksum")};
    model.created_by = json.at("created_by");
    check(model, name);
    return model;
  } catch (const Json::exception&) {
    throw_damaged(name, "its description cannot be read");
  } catch (const std::out_of_range&) {
    throw_damaged(name, "its arrays do not match its description");
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
  const std::string bytes = input.read_all();
  return parse_model(bytes, input.name());
}

}  // namespace rankine
