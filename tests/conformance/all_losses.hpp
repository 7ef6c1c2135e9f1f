// Every loss that options can ask for.
#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include <rankine/error.hpp>
#include <rankine/options.hpp>

#include "losses/pairs/pair_loss.hpp"
#include "oracles/random_dataset.hpp"

namespace rankine::conformance {

struct LossCase {
  PairLossOptions options;

  std::string name() const {
    return std::string(name_of(options.loss)) + "_" + std::string(name_of(options.pair_weight)) +
           "_" + std::string(name_of(options.rescaling)) + (options.exact_logistic ? "_exact" : "");
  }
};

/// Every combination that makes a loss; those that mean nothing are refused with an error.
inline std::vector<LossCase> all_losses() {
  std::mt19937_64 random(5);
  const Dataset data = oracles::random_dataset(random, {});
  std::vector<LossCase> cases;
  for (std::size_t loss = 0; loss < EnumNames<Loss>::names.size(); ++loss) {
    for (std::size_t weight = 0; weight < EnumNames<PairWeight>::names.size(); ++weight) {
      for (const Rescaling rescaling : {Rescaling::slack, Rescaling::margin}) {
        for (const bool exact : {false, true}) {
          const LossCase each{
              {static_cast<Loss>(loss), static_cast<PairWeight>(weight), rescaling, exact}};
          if (exact && each.options.loss != Loss::logistic) continue;
          try {
            make_pair_loss(each.options, data);
            cases.push_back(each);
          } catch (const Error&) {
          }
        }
      }
    }
  }
  return cases;
}

}  // namespace rankine::conformance
