#include "methods/registry.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <rankine/error.hpp>
#include <rankine/fields.hpp>

#include "methods/rls.hpp"
#include "methods/sgd.hpp"
#include "methods/svm.hpp"

namespace rankine {
namespace {

/// The first is the default.
std::vector<MethodEntry>& registered() {
  static std::vector<MethodEntry> all{
      method_entry<SvmOptions, SvmMethod>(
          "RankSVM by Newton's method (hinge: with cutting planes)"),
      method_entry<StochasticOptions, SgdMethod>("stochastic gradients"),
      method_entry<RlsOptions, RlsMethod>("RankRLS in closed form"),
  };
  return all;
}

}  // namespace

const std::vector<MethodEntry>& methods() {
  return registered();
}

const MethodEntry& find_method(std::string_view name) {
  for (const MethodEntry& entry : methods()) {
    if (entry.name == name) return entry;
  }
  throw_unknown_choice("method", name, method_names());
}

std::unique_ptr<Method> make_method(const MethodOptions& options) {
  return find_method(options.name()).make(options);
}

void register_method(MethodEntry entry) {
  const auto names = method_names();
  if (std::find(names.begin(), names.end(), entry.name) != names.end()) {
    throw Error(ErrorKind::option,
                "method '" + std::string(entry.name) + "' is registered already");
  }
  registered().push_back(std::move(entry));
}

MethodOptions::MethodOptions() : MethodOptions(methods().front().defaults()) {}

MethodOptions MethodOptions::named(std::string_view name) {
  return find_method(name).defaults();
}

std::vector<std::string_view> method_names() {
  std::vector<std::string_view> names;
  for (const MethodEntry& entry : methods()) names.push_back(entry.name);
  return names;
}

std::string_view method_help(std::string_view name) {
  return find_method(name).help;
}

}  // namespace rankine
