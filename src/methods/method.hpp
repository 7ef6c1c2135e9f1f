// What training knows of a method: what it needs, and how it turns a problem into solutions. A
// method is one entry of methods/registry; nothing else in the library, the program or the Python
// package names it. See docs/architecture for how to add one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <rankine/dataset.hpp>
#include <rankine/method.hpp>
#include <rankine/model.hpp>
#include <rankine/train.hpp>

#include "methods/solve_context.hpp"
#include "objectives/column_scale.hpp"
#include "problem/problem.hpp"
#include "solvers/solve_report.hpp"

namespace rankine {

/// What a method found for one value of its hyper-parameter.
struct Solution {
  ScoringFunction function;
  SolveReport report;
  std::string solver;                   // where the method chooses between several: which
  std::vector<std::string> warnings;    // what the user should know
  std::vector<double> leave_query_out;  // by document of the data; empty unless asked for
  /// The objective, given the saved model's scores of the data's documents. Empty where these are
  /// what was minimised.
  std::function<double(const std::vector<double>& scores)> objective_of_scores;
};

/// A method at work on documents that come as a stream and are not kept.
class StreamSolver {
 public:
  virtual ~StreamSolver() = default;
  /// Some whole queries, unscaled, with what stands for missing values. They may be taken in any
  /// order: some thousands of documents come together, cut in the same way every time.
  virtual void add(const Dataset& queries) = 0;
  /// After the last of them. True asks for another pass over the same documents, which only a file
  /// can give: for a pipe Error{option} is thrown in its place.
  virtual bool end_pass() { return false; }
  virtual std::int64_t num_used_queries() const = 0;
  virtual double num_pairs() const = 0;
  /// One solution for each value, for columns that are scaled by `columns`; the weights of
  /// `constant` ones are 0. Called once, at the end.
  virtual std::vector<Solution> finish(std::span<const double> values, const ColumnScale& columns,
                                       std::span<const std::int64_t> constant) = 0;
};

class Method {
 public:
  virtual ~Method() = default;

  /// Refuses options that do not go with each other, before any work. Throws Error{option}.
  virtual void check(const TrainOptions& /*options*/) const {}
  virtual Needs needs(const TrainOptions& options) const = 0;

  /// One solution for each value of the hyper-parameter, which rise; without a path `values` has
  /// one entry that means nothing. Ended early by the context: those so far, at least one, or the
  /// exception Interrupted. Fills the parts of the context's report that it knows best (map).
  virtual std::vector<Solution> solve(const Problem& problem, std::span<const double> values,
                                      SolveContext& context) const = 0;

  /// Whether solutions have the scores that leave each query out, where TrainOptions ask for them.
  virtual bool has_leave_query_out() const { return false; }

  /// Bytes that the systems of an exact kernel between so many documents take on a backend.
  virtual double exact_kernel_bytes(const Backend& backend, std::int64_t num_documents) const;

  /// For documents that come as a stream with `num_features` columns; null where the method has to
  /// see them again. Throws Error{option} for options that need them again.
  virtual std::unique_ptr<StreamSolver> stream(const TrainOptions& /*options*/,
                                               std::int64_t /*num_features*/) const {
    return nullptr;
  }
};

}  // namespace rankine
