// Any bytes as LETOR text, plain or compressed: an Error or a proper data set, and the same one
// whatever the size of the blocks, the threads and the storage. The first byte sets the options.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <rankine/error.hpp>

#include "data/dataset_check.hpp"
#include "io/letor/letor_reader.hpp"

namespace {

struct Outcome {
  std::string message;
  std::optional<rankine::Dataset> data;
};

Outcome read(std::span<const char> bytes, const rankine::ReadOptions& options,
             std::size_t block_bytes) {
  Outcome outcome;
  try {
    rankine::InputBytes input("fuzz", bytes);
    outcome.data = rankine::read_letor_text(input, options, {}, block_bytes);
  } catch (const rankine::Error& error) {
    outcome.message = error.what();
  }
  if (outcome.data) {
    try {
      rankine::check_dataset(*outcome.data, "accepted");
    } catch (const rankine::Error&) {
      std::abort();
    }
  }
  return outcome;
}

double total(const rankine::Dataset& data) {
  const auto sum = [](const auto& values) {
    double result = 0;
    for (const auto value : values) result += std::abs(static_cast<double>(value));
    return result;
  };
  return std::visit([&](const auto& matrix) { return sum(matrix.values); }, data.features) +
         sum(data.grades);
}

void require_equal(const Outcome& a, const Outcome& b) {
  if (a.message != b.message || a.data.has_value() != b.data.has_value()) std::abort();
  if (!a.data) return;
  if (a.data->num_documents() != b.data->num_documents() ||
      a.data->num_queries() != b.data->num_queries() ||
      a.data->num_features() != b.data->num_features() ||
      a.data->num_missing != b.data->num_missing ||
      !(std::abs(total(*a.data) - total(*b.data)) <= 1e-9 * total(*a.data))) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const unsigned choice = bytes[0];
  const std::span text(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  rankine::ReadOptions options;
  options.threads = 1;
  options.zero_based = (choice & 1) != 0;
  options.keep_comments = (choice & 2) != 0;
  const Outcome whole = read(text, options, rankine::kTextBlockBytes);
  require_equal(whole, read(text, options, 1 + choice / 4));
  options.storage = rankine::Storage::sparse;
  require_equal(whole, read(text, options, 100));
  if (choice >= 0xF0) {  // threads cost far more than such short texts
    options.threads = 2;
    require_equal(whole, read(text, options, 10));
  }
  return 0;
}
