#include "training_options.hpp"

#include <string>

#include <rankine/train_parts.hpp>

namespace rankine::cli {

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

}  // namespace rankine::cli
