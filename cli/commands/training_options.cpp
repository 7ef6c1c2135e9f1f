#include "commands/training_options.hpp"

#include <algorithm>
#include <string>

#include <rankine/train_parts.hpp>

namespace rankine::cli {

namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::count(names.begin(), names.end(), name) > 0;
}

/// What makes the option of the first name idle: the second, with its present value.
using Idle = std::pair<std::string, std::string>;

std::vector<Idle> idle_options(const PairLossOptions& options) {
  std::vector<Idle> idle;
  if (options.loss != Loss::logistic) idle.emplace_back("exact_logistic", "loss");
  if (options.loss == Loss::hinge) {
    for (const char* name : {"stopping", "max_cg_iterations"}) idle.emplace_back(name, "loss");
  }
  if (options.pair_weight == PairWeight::none) idle.emplace_back("rescaling", "pair_weight");
  return idle;
}

std::vector<Idle> idle_options(const FeatureMapOptions& options) {
  std::vector<Idle> idle;
  const bool polynomial = options.kernel == Kernel::polynomial;
  if (options.kernel != Kernel::rbf && options.kernel != Kernel::laplacian && !polynomial) {
    idle.emplace_back("gamma", "kernel");
  }
  if (!polynomial) {
    for (const char* name : {"degree", "coef0"}) idle.emplace_back(name, "kernel");
  }
  if (options.approximation == Approximation::none) {
    idle.emplace_back("n_components", "approximation");
  }
  if (options.approximation != Approximation::nystroem) {
    for (const char* name : {"landmarks", "rank_tolerance", "rank"}) {
      idle.emplace_back(name, "approximation");
    }
  }
  if (options.approximation != Approximation::fourier) {
    idle.emplace_back("fourier", "approximation");
  }
  return idle;
}

}  // namespace

Measure selected_measure(const std::string& text) {
  std::vector<Measure> measures;
  try {
    measures = parse_measures(text);
  } catch (const Error& error) {
    constexpr std::string_view kUsual = "measures";
    const std::string message = error.what();
    if (!message.starts_with(kUsual)) throw;
    throw Error(error.kind(), "select" + message.substr(kUsual.size()));
  }
  if (measures.size() != 1) {
    throw Error(ErrorKind::option, "select = '" + text + "' must be one measure");
  }
  return measures.front();
}

TrainingOptions::TrainingOptions() {
  for (std::size_t k = 0; k < kNumMethods; ++k) {
    assign_train_option(by_method_[k], "method", EnumNames<Method>::names[k]);
  }
}

void TrainingOptions::declare(Arguments& arguments) {
  for (TrainOptions& options : by_method_) {
    for_each_part(options, [&](std::string_view title, auto& part) {
      arguments.group(std::string(title), part);
    });
  }
}

const TrainOptions& TrainingOptions::of(Method method) const {
  return by_method_[static_cast<std::size_t>(method)];
}

std::vector<std::string> TrainingOptions::without_effect(
    const Arguments& arguments, Method method, const std::vector<std::string>& varied) const {
  TrainOptions options = of(method);
  const std::vector<OptionEntry> taken = train_option_entries(options);
  const auto find = [&](const std::string& name) {
    return std::find_if(taken.begin(), taken.end(),
                        [&](const OptionEntry& entry) { return entry.name == name; });
  };
  std::vector<std::string> idle;  // names
  std::vector<std::string> lines;
  const auto add = [&](const OptionEntry& entry, const std::string& because) {
    if (contains(idle, entry.name) || !arguments.asked(entry)) return;
    idle.push_back(entry.name);
    lines.push_back(flag_of(entry.name) + " has no effect with " + because);
  };
  for (TrainOptions other : by_method_) {
    if (contains(varied, "method")) break;
    for (const OptionEntry& entry : train_option_entries(other)) {
      if (find(entry.name) == taken.end() && entry.name != "loss") {
        add(entry, "--method " + std::string(name_of(method)));
      }
    }
  }
  for_each_part(options, [&](std::string_view, const auto& part) {
    if constexpr (requires { idle_options(part); }) {
      for (const auto& [name, governor] : idle_options(part)) {
        const auto entry = find(name);
        if (entry == taken.end() || contains(varied, governor)) continue;
        add(*entry, flag_of(governor) + " " + find(governor)->text());
      }
    }
  });
  return lines;
}

}  // namespace rankine::cli
