#include "compute/registry.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <rankine/error.hpp>
#include <rankine/fields.hpp>

#include "compute/cpu/cpu_backend.hpp"

namespace rankine {
namespace {

std::vector<std::unique_ptr<const Backend>>& registered() {
  static auto all = [] {
    std::vector<std::unique_ptr<const Backend>> backends;
    backends.push_back(std::make_unique<const CpuBackend>());
    return backends;
  }();
  return all;
}

}  // namespace

std::vector<std::string_view> backend_names() {
  std::vector<std::string_view> names;
  for (const auto& backend : registered()) names.push_back(backend->name());
  return names;
}

const Backend& find_backend(std::string_view name) {
  for (const auto& backend : registered()) {
    if (backend->name() == name) return *backend;
  }
  throw_unknown_choice("device", name, backend_names());
}

const Backend& default_backend() {
  return *registered().front();
}

void register_backend(std::unique_ptr<const Backend> backend) {
  const auto names = backend_names();
  if (std::find(names.begin(), names.end(), backend->name()) != names.end()) {
    throw Error(ErrorKind::option,
                "device '" + std::string(backend->name()) + "' is registered already");
  }
  registered().push_back(std::move(backend));
}

}  // namespace rankine
