// The description is an object of JSON in the file; every array of doubles that must keep its bits
// lies behind it and is named there by its length.
#include "models/file/model_file_v1.hpp"

#include <cstddef>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <rankine/error.hpp>
#include <rankine/fields.hpp>

#include "models/file/matrix_sections.hpp"
#include "models/kinds/kernel_kind.hpp"
#include "models/kinds/random_kind.hpp"

namespace rankine {
namespace {

using Json = nlohmann::ordered_json;

/// Objects find a key by looking at all of them. A description has some dozens; more than these are
/// no description, and would take the square of their number in time.
constexpr int kMostKeys = 4096;
constexpr int kDeepest = 16;

Json description_from(std::string_view text) {
  int num_keys = 0;
  const auto count = [&num_keys](int depth, Json::parse_event_t event, const Json&) {
    if (event == Json::parse_event_t::key && ++num_keys > kMostKeys) {
      throw DamagedModel{"its description has too many keys"};
    }
    if (depth > kDeepest) throw DamagedModel{"its description is nested too deeply"};
    return true;
  };
  return Json::parse(text, count);
}

[[noreturn]] void throw_mismatch() {
  throw DamagedModel{"its arrays do not match its description"};
}

class DoublesReader {
 public:
  explicit DoublesReader(std::span<const double> all) : all_(all) {}
  std::vector<double> take(const Json& lengths, const char* name) {
    const auto count = lengths.at(name).get<std::uint64_t>();
    if (count > all_.size() - next_) throw_mismatch();
    std::vector<double> values(all_.begin() + static_cast<std::ptrdiff_t>(next_),
                               all_.begin() + static_cast<std::ptrdiff_t>(next_ + count));
    next_ += count;
    return values;
  }
  std::vector<float> take_floats(const Json& lengths, const char* name) {
    const auto count = lengths.at(name).get<std::uint64_t>();
    if (count / 2 + count % 2 > all_.size() - next_) throw_mismatch();
    std::vector<float> values(count);
    if (count > 0) std::memcpy(values.data(), all_.data() + next_, count * sizeof(float));
    next_ += (count + 1) / 2;
    return values;
  }

 private:
  std::span<const double> all_;
  std::size_t next_ = 0;
};

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

void set_report_numbers(TrainReport& report, std::span<const double> numbers) {
  if (numbers.size() % 3 != 0 || numbers.empty()) throw_mismatch();
  report.objective = numbers[0];
  report.gap = numbers[1];
  report.validation = numbers[2];
  for (std::size_t k = 3; k < numbers.size(); k += 3) {
    report.steps.push_back({numbers[k], numbers[k + 1], numbers[k + 2]});
  }
}

void set_path_numbers(TrainReport& report, std::span<const double> numbers) {
  if (numbers.size() % 3 != 0) throw_mismatch();
  for (std::size_t k = 0; k < numbers.size(); k += 3) {
    report.path.push_back({numbers[k], numbers[k + 1], numbers[k + 2]});
  }
}

template <class E>
E choice_named(std::string_view text, const char* what) {
  const auto& names = EnumNames<E>::names;
  for (std::size_t index = 0; index < names.size(); ++index) {
    if (names[index] == text) return static_cast<E>(index);
  }
  throw DamagedModel{std::string("its ") + what + " is not known"};
}

/// Doubles that are whole numbers of 0 ... most.
template <class T>
std::vector<T> whole_numbers(std::span<const double> numbers, double most) {
  std::vector<T> whole;
  for (const double number : numbers) {
    if (!(number >= 0 && number <= most)) throw_mismatch();
    whole.push_back(static_cast<T>(number));
  }
  return whole;
}

template <class T>
void require_finite(const std::vector<T>& numbers) {
  for (const T number : numbers) {
    if (!(number - number == 0)) throw DamagedModel{"a number of its function is not finite"};
  }
}

FeatureMatrix matrix_from(const Json& json, const char* values, const Json& lengths,
                          DoublesReader& doubles) {
  const auto rows = json.at("rows").get<std::int64_t>();
  const auto columns = json.at("columns").get<std::int64_t>();
  std::vector<float> entries = doubles.take_floats(lengths, values);
  require_finite(entries);
  if (json.at("storage") == "dense") return dense_matrix(rows, columns, std::move(entries), values);
  auto offsets = whole_numbers<std::int64_t>(doubles.take(lengths, "landmark_offsets"),
                                             static_cast<double>(entries.size()));
  auto indices =
      whole_numbers<std::uint32_t>(doubles.take(lengths, "landmark_columns"),
                                   static_cast<double>(std::numeric_limits<std::uint32_t>::max()));
  return sparse_matrix(rows, columns, std::move(offsets), std::move(indices), std::move(entries),
                       values);
}

ScoringFunction function_from(const Json& json, DoublesReader& doubles) {
  const Json& lengths = json.at("arrays");
  std::vector<double> weights = doubles.take(lengths, "weights");
  require_finite(weights);
  if (json.at("kind") == LinearFunction::kKind) return LinearFunction{std::move(weights)};
  const Json& function = json.at("function");
  if (json.at("kind") == KernelFunction::kKind) {
    const auto numbers = doubles.take(lengths, "kernel");
    if (numbers.size() != 2) throw_mismatch();
    const KernelSpec kernel{
        choice_named<Kernel>(function.at("kernel").get<std::string>(), "kernel"), numbers[0],
        function.at("degree").get<int>(), numbers[1]};
    return kernel_function(kernel,
                           matrix_from(function.at("landmarks"), "landmarks", lengths, doubles),
                           std::move(weights));
  }
  if (json.at("kind") != RandomFunction::kKind) throw DamagedModel{"its kind is not known"};
  const auto kind = choice_named<Approximation>(function.at("features").get<std::string>(), "map");
  if (kind != Approximation::fourier && kind != Approximation::relu) throw_mismatch();
  std::vector<float> phases = doubles.take_floats(lengths, "phases");
  require_finite(phases);
  return random_function(kind,
                         matrix_from(function.at("frequencies"), "frequencies", lengths, doubles),
                         std::move(phases), std::move(weights));
}

Model model_from(const Json& json, DoublesReader& doubles) {
  const Json& lengths = json.at("arrays");
  Model model;
  model.function = function_from(json, doubles);
  const Json& scaling = json.at("scaling");
  model.scaling.kind = choice_named<Scaling>(scaling.at("kind").get<std::string>(), "scaling");
  model.scaling.num_features = scaling.at("features");
  model.scaling.keeps_zeros = scaling.at("keeps_zeros");
  model.scaling.knot_offsets = scaling.at("knot_offsets").get<std::vector<std::int64_t>>();
  model.scaling.shift = doubles.take(lengths, "scaling_shift");
  model.scaling.factor = doubles.take(lengths, "scaling_factor");
  model.scaling.knots = doubles.take(lengths, "scaling_knots");
  model.scaling.levels = doubles.take(lengths, "scaling_levels");
  model.report = report_from(json.at("report"));
  set_report_numbers(model.report, doubles.take(lengths, "report"));
  if (lengths.contains("map")) {
    const auto numbers = doubles.take(lengths, "map");
    if (numbers.size() != 2) throw_mismatch();
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
  return model;
}

}  // namespace

Model parse_model_v1(std::span<const char> content, std::uint64_t description_bytes,
                     std::uint64_t num_doubles) {
  const std::size_t size = content.size();
  if (description_bytes > size || num_doubles > size / 8 ||
      description_bytes + 8 * num_doubles != size) {
    throw DamagedModel{"it ends early, or goes on too long"};
  }
  const auto text_bytes = static_cast<std::size_t>(description_bytes);
  std::vector<double> values(static_cast<std::size_t>(num_doubles));
  if (!values.empty()) {
    std::memcpy(values.data(), content.data() + text_bytes, 8 * values.size());
  }
  try {
    const Json json = description_from(std::string_view(content.data(), text_bytes));
    DoublesReader doubles(values);
    return model_from(json, doubles);
  } catch (const Json::exception&) {
    throw DamagedModel{"its description cannot be read"};
  } catch (const Error&) {
    throw DamagedModel{"its description cannot be read"};
  }
}

}  // namespace rankine
