// Which reader a path needs: by the option, or else by the name and the first bytes.
#include <string>

#include <rankine/error.hpp>
#include <rankine/read.hpp>

#include "base/input_bytes.hpp"
#include "data/letor_reader.hpp"

namespace rankine {

Dataset read_dataset(const std::string& path, const ReadOptions& options,
                     const Progress& progress) {
  validate(options);
  InputBytes input(path);
  return read_letor_text(input, options, progress);
}

Dataset read_letor(const std::string& path, ReadOptions options) {
  options.format = DataFormat::letor;
  return read_dataset(path, options);
}

}  // namespace rankine
