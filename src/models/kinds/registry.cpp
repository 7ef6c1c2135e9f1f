#include "models/kinds/registry.hpp"

#include <string>
#include <utility>

#include <rankine/error.hpp>

#include "models/kinds/kernel_kind.hpp"
#include "models/kinds/linear_kind.hpp"
#include "models/kinds/random_kind.hpp"

namespace rankine {
namespace {

std::vector<std::unique_ptr<const ModelKind>>& registered() {
  static auto all = [] {
    std::vector<std::unique_ptr<const ModelKind>> kinds;
    kinds.push_back(std::make_unique<LinearKind>());
    kinds.push_back(std::make_unique<KernelKind>());
    kinds.push_back(std::make_unique<RandomKind>());
    return kinds;
  }();
  return all;
}

}  // namespace

std::vector<std::string_view> model_kind_names() {
  std::vector<std::string_view> names;
  for (const auto& kind : registered()) names.push_back(kind->name());
  return names;
}

const ModelKind* find_model_kind(std::string_view name) {
  for (const auto& kind : registered()) {
    if (kind->name() == name) return kind.get();
  }
  return nullptr;
}

const ModelKind& kind_of(const ScoringFunction& function) {
  if (const ModelKind* kind = find_model_kind(function.kind()); kind != nullptr) return *kind;
  throw Error(ErrorKind::option,
              "model kind '" + std::string(function.kind()) + "' is not registered");
}

void register_model_kind(std::unique_ptr<const ModelKind> kind) {
  if (find_model_kind(kind->name()) != nullptr) {
    throw Error(ErrorKind::option,
                "model kind '" + std::string(kind->name()) + "' is registered already");
  }
  registered().push_back(std::move(kind));
}

}  // namespace rankine
