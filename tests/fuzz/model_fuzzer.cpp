// Any bytes as a model: an Error, or a model that scores and saves. The checksum, and the size that
// version 2 states, are made right first, as if whoever made the file had done so. tests/golden/v1
// and v2 are the corpus to begin with.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include <rankine/error.hpp>
#include <rankine/model.hpp>

#include "base/checksum.hpp"
#include "models/file/model_file.hpp"

namespace {

rankine::Dataset one_document() {
  rankine::Dataset data;
  data.features = rankine::DenseMatrix{1, 3, std::vector<float>{1, 2, 3}};
  data.grades = std::vector<double>{0};
  data.query_offsets = std::vector<std::int64_t>{0, 1};
  data.query_ids = rankine::StringList::of({"1"});
  return data;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::vector<char> copy(reinterpret_cast<const char*>(bytes),
                         reinterpret_cast<const char*>(bytes) + size);
  if (size >= sizeof(rankine::ModelHeader) + 8) {
    rankine::ModelHeader header;
    std::memcpy(&header, copy.data(), sizeof header);
    if (header.version == 2) header.first_size = size;
    std::memcpy(copy.data(), &header, sizeof header);
  }
  if (size >= 8) {
    const std::uint64_t sum = rankine::checksum(std::span<const char>(copy).first(size - 8));
    std::memcpy(copy.data() + size - 8, &sum, 8);
  }
  try {
    const rankine::Model model = rankine::parse_model(copy, "fuzz");
    if (!(rankine::parse_model(rankine::model_bytes(model), "again") == model)) {
      // Numbers that are not numbers differ from themselves; nothing else may.
      if (model.report == model.report) std::abort();
    }
    static_cast<void>(model.score(one_document(), 1));
  } catch (const rankine::Error&) {
  }
  return 0;
}
