// The description is JSON, so that a person can read it in the file and a later version can add to
// it; every array of doubles that must keep its bits lies behind it and is named there by its
// length.
#include "models/model_file.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include <nlohmann/json.hpp>

#include <rankine/error.hpp>
#include <rankine/version.hpp>

#include "base/checksum.hpp"
#include "base/system/input_bytes.hpp"
#include "base/system/output_file.hpp"
#include "data/scaling/feature_scaling.hpp"

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
  /// Floats two to a double; an odd one has a 0 beside it.
  void add_floats(Json& lengths, const char* name, std::span<const float> values) {
    lengths[name] = values.size();
    const std::size_t first = all_.size();
    all_.resize(first + (values.size() + 1) / 2);
    if (!values.empty()) std::memcpy(all_.data() + first, values.data(), values.size_bytes());
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
  std::vector<float> take_floats(const Json& lengths, const char* name) {
    const auto count = lengths.at(name).get<std::uint64_t>();
    if (count / 2 + count % 2 > all_.size() - next_) throw std::out_of_range("arrays end early");
    std::vector<float> values(count);
    if (count > 0) std::memcpy(values.data(), all_.data() + next_, count * sizeof(float));
    next_ += (count + 1) / 2;
    return values;
  }

 private:
  std::span<const double> all_;
  std::size_t next_ = 0;
};

Json report_json(const TrainReport& report) {
  return {{"termination", name_of(report.termination)},
          {"iterations", report.iterations},
          {"products", report.products},
          {"hessians", report.hessians},
          {"seconds_scaling", report.seconds_scaling},
          {"seconds_preparing", report.seconds_preparing},
          {"seconds_solving", report.seconds_solving},
          {"peak_memory", report.peak_memory},
          {"constant_columns", report.constant_columns},
          {"warnings", report.warnings},
          {"map",
           {{"components", report.map.components},
            {"rank", report.map.rank},
            {"kept", report.map.kept},
            {"seconds", report.map.seconds}}},
          {"validation_measure", report.validation_measure},
          {"solver", report.solver},
          {"path_measure", report.path_measure}};
}

TrainReport report_from(const Json& json) {
  TrainReport report;
  report.termination =
      parse_choice<Termination>("termination", json.at("termination").get<std::string>());
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
  if (json.contains("map")) {  // older files have none
    const Json& map = json.at("map");
    report.map.components = map.at("components");
    report.map.rank = map.at("rank");
    report.map.kept = map.at("kept");
    report.map.seconds = map.at("seconds");
  }
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

Json function_json(const LinearFunction& function, Json& lengths, DoublesWriter& doubles) {
  doubles.add(lengths, "weights", function.weights);
  return {{"kind", "linear"}};
}

Json matrix_json(const FeatureMatrix& matrix, const char* values, Json& lengths,
                 DoublesWriter& doubles) {
  if (const auto* dense = std::get_if<DenseMatrix>(&matrix)) {
    doubles.add_floats(lengths, values, dense->values);
    return {{"storage", "dense"}, {"rows", dense->num_rows}, {"columns", dense->num_columns}};
  }
  const auto& sparse = std::get<CsrMatrix>(matrix);
  doubles.add_floats(lengths, values, sparse.values);
  std::vector<double> numbers(sparse.offsets.begin(), sparse.offsets.end());
  doubles.add(lengths, "landmark_offsets", numbers);
  numbers.assign(sparse.columns.begin(), sparse.columns.end());
  doubles.add(lengths, "landmark_columns", numbers);
  return {{"storage", "sparse"}, {"rows", sparse.num_rows}, {"columns", sparse.num_columns}};
}

Json function_json(const KernelFunction& function, Json& lengths, DoublesWriter& doubles) {
  doubles.add(lengths, "weights", function.weights);
  const std::array<double, 2> numbers{function.kernel.gamma, function.kernel.coef0};
  doubles.add(lengths, "kernel", numbers);
  return {{"kind", "kernel"},
          {"kernel", name_of(function.kernel.kind)},
          {"degree", function.kernel.degree},
          {"landmarks", matrix_json(function.landmarks, "landmarks", lengths, doubles)}};
}

Json function_json(const RandomFunction& function, Json& lengths, DoublesWriter& doubles) {
  doubles.add(lengths, "weights", function.weights);
  doubles.add_floats(lengths, "phases", function.phases);
  return {{"kind", "random"},
          {"features", name_of(function.kind)},
          {"frequencies", matrix_json(function.frequencies, "frequencies", lengths, doubles)}};
}

template <class E>
E choice_named(std::string_view text, const std::string& name, const char* what) {
  const auto& names = EnumNames<E>::names;
  for (std::size_t index = 0; index < names.size(); ++index) {
    if (names[index] == text) return static_cast<E>(index);
  }
  throw_damaged(name, std::string("its ") + what + " is not known");
}

/// Doubles that are whole numbers of 0 ... most.
template <class T>
std::vector<T> whole_numbers(std::span<const double> numbers, double most) {
  std::vector<T> whole;
  for (const double number : numbers) {
    if (!(number >= 0 && number <= most)) throw std::out_of_range("numbers");
    whole.push_back(static_cast<T>(number));
  }
  return whole;
}

template <class T>
void require_finite(const std::vector<T>& numbers, const char* what) {
  const bool are_finite =
      std::all_of(numbers.begin(), numbers.end(), [](T number) { return number - number == 0; });
  if (!are_finite) throw std::out_of_range(what);
}

FeatureMatrix matrix_from(const Json& json, const char* values, const Json& lengths,
                          DoublesReader& doubles) {
  const auto rows = json.at("rows").get<std::int64_t>();
  const auto columns = json.at("columns").get<std::int64_t>();
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  if (rows < 0 || columns < 0 || rows > kMost || columns > kMost) throw std::out_of_range("matrix");
  std::vector<float> entries = doubles.take_floats(lengths, values);
  require_finite(entries, "entry");
  if (json.at("storage") == "dense") {
    if (columns == 0 ? !entries.empty()
                     : static_cast<std::int64_t>(entries.size()) % columns != 0 ||
                           static_cast<std::int64_t>(entries.size()) / columns != rows) {
      throw std::out_of_range("matrix");
    }
    return DenseMatrix{rows, columns, std::move(entries)};
  }
  auto offsets = whole_numbers<std::int64_t>(doubles.take(lengths, "landmark_offsets"),
                                             static_cast<double>(entries.size()));
  auto indices = whole_numbers<std::uint32_t>(doubles.take(lengths, "landmark_columns"),
                                              static_cast<double>(columns - 1));
  if (static_cast<std::int64_t>(offsets.size()) != rows + 1 || indices.size() != entries.size() ||
      offsets.front() != 0 || offsets.back() != static_cast<std::int64_t>(entries.size())) {
    throw std::out_of_range("matrix");
  }
  for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
    if (offsets[row] > offsets[row + 1]) throw std::out_of_range("matrix");
    for (auto k = static_cast<std::size_t>(offsets[row]) + 1;
         k < static_cast<std::size_t>(offsets[row + 1]); ++k) {
      if (indices[k - 1] >= indices[k]) throw std::out_of_range("matrix");
    }
  }
  return CsrMatrix{rows, columns, std::move(offsets), std::move(indices), std::move(entries)};
}

ScoringFunction function_from(const Json& json, DoublesReader& doubles, const std::string& name) {
  const Json& lengths = json.at("arrays");
  std::vector<double> weights = doubles.take(lengths, "weights");
  if (json.at("kind") == "linear") return LinearFunction{std::move(weights)};
  const Json& function = json.at("function");
  if (json.at("kind") == "kernel") {
    const auto numbers = doubles.take(lengths, "kernel");
    if (numbers.size() != 2) throw std::out_of_range("kernel");
    require_finite(numbers, "kernel");
    KernelSpec kernel{
        choice_named<Kernel>(function.at("kernel").get<std::string>(), name, "kernel"), numbers[0],
        function.at("degree").get<int>(), numbers[1]};
    if (kernel.kind == Kernel::precomputed || !(kernel.gamma >= 0) || kernel.degree < 0 ||
        kernel.degree > 100) {
      throw std::out_of_range("kernel");
    }
    FeatureMatrix landmarks = matrix_from(function.at("landmarks"), "landmarks", lengths, doubles);
    const auto rows = std::visit([](const auto& m) { return m.num_rows; }, landmarks);
    if (rows != static_cast<std::int64_t>(weights.size())) throw std::out_of_range("landmarks");
    return KernelFunction{kernel, std::move(landmarks), std::move(weights)};
  }
  if (json.at("kind") != "random") throw_damaged(name, "its kind is not known");
  const auto kind =
      choice_named<Approximation>(function.at("features").get<std::string>(), name, "map");
  if (kind != Approximation::fourier && kind != Approximation::relu) {
    throw std::out_of_range("features");
  }
  std::vector<float> phases = doubles.take_floats(lengths, "phases");
  require_finite(phases, "phases");
  auto frequencies = matrix_from(function.at("frequencies"), "frequencies", lengths, doubles);
  auto* dense = std::get_if<DenseMatrix>(&frequencies);
  if (dense == nullptr || dense->num_rows != static_cast<std::int64_t>(weights.size()) ||
      phases.size() != weights.size()) {
    throw std::out_of_range("frequencies");
  }
  return RandomFunction{kind, *dense, std::move(phases), std::move(weights)};
}

void check(const Model& model, const std::string& name) {
  const std::int64_t width = model.num_features();
  std::visit(
      [&](const auto& function) {
        for (const double weight : function.weights) {
          if (!(weight - weight == 0)) throw_damaged(name, "a weight is not finite");
        }
      },
      model.function);
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
  const Json function =
      std::visit([&](const auto& f) { return function_json(f, lengths, doubles); }, model.function);
  doubles.add(lengths, "scaling_shift", model.scaling.shift);
  doubles.add(lengths, "scaling_factor", model.scaling.factor);
  doubles.add(lengths, "scaling_knots", model.scaling.knots);
  doubles.add(lengths, "scaling_levels", model.scaling.levels);
  if (!model.scaling.fill.empty()) doubles.add(lengths, "missing_values", model.scaling.fill);
  doubles.add(lengths, "report", report_numbers(model.report));
  doubles.add(lengths, "map",
              std::array<double, 2>{model.report.map.gamma, model.report.map.unexplained});
  if (!model.report.path.empty()) doubles.add(lengths, "path", path_numbers(model.report));
  Json options = Json::object();
  for (const auto& [option, value] : model.options) options[option] = value;
  const Json description{{"kind", function.at("kind")},
                         {"function", function},
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
    DoublesReader doubles(values);
    const Json& lengths = json.at("arrays");
    Model model;
    model.function = function_from(json, doubles, name);
    const Json& scaling = json.at("scaling");
    model.scaling.kind =
        choice_named<Scaling>(scaling.at("kind").get<std::string>(), name, "scaling");
    model.scaling.num_features = scaling.at("features");
    model.scaling.keeps_zeros = scaling.at("keeps_zeros");
    model.scaling.knot_offsets = scaling.at("knot_offsets").get<std::vector<std::int64_t>>();
    model.scaling.shift = doubles.take(lengths, "scaling_shift");
    model.scaling.factor = doubles.take(lengths, "scaling_factor");
    model.scaling.knots = doubles.take(lengths, "scaling_knots");
    model.scaling.levels = doubles.take(lengths, "scaling_levels");
    if (lengths.contains("missing_values")) {
      model.scaling.fill = doubles.take(lengths, "missing_values");
    }
    model.report = report_from(json.at("report"));
    set_report_numbers(model.report, doubles.take(lengths, "report"));
    if (lengths.contains("map")) {
      const auto numbers = doubles.take(lengths, "map");
      if (numbers.size() != 2) throw std::out_of_range("map");
      model.report.map.gamma = numbers[0];
      model.report.map.unexplained = numbers[1];
    }
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
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::option) throw;
    throw_damaged(name, error.what());  // a choice that does not exist
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

std::vector<char> Model::bytes() const {
  return model_bytes(*this);
}

Model Model::from_bytes(std::span<const char> bytes, const std::string& name) {
  return parse_model(bytes, name);
}

}  // namespace rankine
