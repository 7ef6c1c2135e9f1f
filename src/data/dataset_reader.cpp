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
  // A stream may be slow, so its reads are watched; a mapped file's reader tells for itself.
  const std::string name = path == "-" ? "standard input" : path;
  const std::string stage = "reading " + name;
  std::int64_t total = 0;
  const auto watch = [&](std::int64_t consumed) {
    if (progress && !progress({stage, consumed, total, "bytes"})) {
      throw Error(ErrorKind::interrupted, name + ": reading was interrupted");
    }
  };
  InputBytes input(path, watch);
  total = input.num_bytes();
  return read_letor_text(input, options, progress);
}

Dataset read_letor(const std::string& path, ReadOptions options) {
  options.format = DataFormat::letor;
  return read_dataset(path, options);
}

}  // namespace rankine
