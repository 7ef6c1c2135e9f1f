// Tables of measures by query; declared in include/rankine/evaluate.hpp.
#include <string>
#include <string_view>

#include <rankine/evaluate.hpp>

#include "base/contract.hpp"
#include "base/system/output_file.hpp"

namespace rankine {
namespace {

bool is_csv(std::string_view path) {
  for (const std::string_view compressed : {".gz", ".zst"}) {
    if (path.ends_with(compressed)) path.remove_suffix(compressed.size());
  }
  return path.ends_with(".csv");
}

/// Quoted where it holds something that would end the field.
std::string field_text(std::string_view text, char separator) {
  if (text.find_first_of(std::string("\"\r\n") + separator) == std::string_view::npos) {
    return std::string(text);
  }
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

}  // namespace

void write_per_query(const std::string& path, const EvaluationResult& result) {
  const std::size_t width = result.means.size();
  RANKINE_ASSERT(result.per_query.size() == result.query_ids.size() * width);
  const char separator = is_csv(path) ? ',' : '\t';
  OutputFile file(path);
  std::string line = "query";
  for (const MeasureMean& mean : result.means) line += separator + mean.measure.text();
  file.write(line + "\n");
  for (std::size_t query = 0; query < result.query_ids.size(); ++query) {
    line = field_text(result.query_ids[query], separator);
    for (std::size_t index = 0; index < width; ++index) {
      line += separator + real_text(result.per_query[query * width + index]);
    }
    file.write(line + "\n");
  }
  file.commit();
}

}  // namespace rankine
