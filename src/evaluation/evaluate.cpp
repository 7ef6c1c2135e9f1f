// Queries are measured in parallel, one batch after the other, and added up in their order, so the
// sums have the same bits for any number of threads. Declared in include/rankine/evaluate.hpp.
#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <rankine/error.hpp>
#include <rankine/evaluate.hpp>
#include <rankine/read.hpp>

#include "base/parallel.hpp"
#include "metrics/measure_table.hpp"

namespace rankine {
namespace {

constexpr std::int64_t kBatch = 4096;
constexpr std::int64_t kQueriesAtOnce = 32;

/// rules with max_grade found where a measure needs it.
MeasureRules with_max_grade(MeasureRules rules, std::span<const Measure> measures,
                            GradeView grades) {
  const bool needed = std::any_of(measures.begin(), measures.end(), [](const Measure& measure) {
    return measure_named(measure.name).needs == Needs::max_grade;
  });
  if (!needed || rules.max_grade > 0) return rules;
  const auto largest = std::max_element(grades.begin(), grades.end());
  // Without a positive grade every query is empty, and any maximum will do.
  rules.max_grade = largest != grades.end() && *largest > 0 ? *largest : 1;
  return rules;
}

/// How to evaluate query i of several: its id for messages and its values.
struct QuerySource {
  std::int64_t num_queries = 0;
  std::string name;
  std::function<std::string_view(std::int64_t)> id;
  std::function<double(std::int64_t)> weight;
  std::function<std::vector<double>(std::int64_t)> measure;
};

std::vector<double> measure_named_query(const QuerySource& source, std::int64_t query) {
  try {
    return source.measure(query);
  } catch (const Error& error) {
    throw Error(error.kind(),
                source.name + ": query " + std::string(source.id(query)) + ": " + error.what());
  }
}

void evaluate_all(const QuerySource& source, Evaluation& evaluation, const EvaluateOptions& options,
                  const Progress& progress, EvaluationResult& result) {
  std::vector<std::vector<double>> values;
  for (std::int64_t first = 0; first < source.num_queries; first += kBatch) {
    const std::int64_t last = std::min(first + kBatch, source.num_queries);
    values.assign(static_cast<std::size_t>(last - first), {});
    const std::int64_t num_parts = (last - first + kQueriesAtOnce - 1) / kQueriesAtOnce;
    parallel_for(num_parts, options.threads, [&](std::int64_t part) {
      const std::int64_t begin = first + part * kQueriesAtOnce;
      for (std::int64_t query = begin; query < std::min(begin + kQueriesAtOnce, last); ++query) {
        values[static_cast<std::size_t>(query - first)] = measure_named_query(source, query);
      }
    });
    for (std::int64_t query = first; query < last; ++query) {
      const auto& row = values[static_cast<std::size_t>(query - first)];
      evaluation.add_values(row, source.weight(query));
      if (options.keep_per_query) {
        result.per_query.insert(result.per_query.end(), row.begin(), row.end());
      }
    }
    if (progress && !progress({"evaluating", last, source.num_queries, "queries"})) {
      throw Error(ErrorKind::interrupted, "interrupted");
    }
  }
  result.means = evaluation.means();
  result.rules = evaluation.rules();
  result.num_queries = source.num_queries;
}

void check_scores(const Dataset& data, std::span<const double> scores, const MeasureRules& rules) {
  if (scores.size() != data.grades.size()) {
    throw Error(ErrorKind::data, std::to_string(scores.size()) + " scores for the " +
                                     std::to_string(data.grades.size()) + " documents of " +
                                     data.source);
  }
  if (rules.ties != Ties::document_id) return;
  for (std::size_t document = 0; document < data.grades.size(); ++document) {
    if (!data.comments.empty() && !document_id(data.comments[document]).empty()) continue;
    const std::int64_t row =
        data.input_rows.empty() ? static_cast<std::int64_t>(document) : data.input_rows[document];
    throw Error(ErrorKind::data, data.source + ": row " + std::to_string(row + 1) +
                                     " has no document id in a comment, as ties = document_id "
                                     "needs: use ties = input_order");
  }
}

using IdMap = std::unordered_map<std::string_view, std::int64_t>;

IdMap positions_of(const StringList& ids) {
  IdMap positions;
  positions.reserve(ids.size());
  for (std::size_t index = 0; index < ids.size(); ++index) {
    positions.emplace(ids[index], static_cast<std::int64_t>(index));
  }
  return positions;
}

constexpr std::int64_t kNone = -1;

std::int64_t position(const IdMap& positions, std::string_view id) {
  const auto found = positions.find(id);
  return found == positions.end() ? kNone : found->second;
}

/// The entries of one query. In qrels, -1 stands for "not judged".
struct TrecQuery {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

TrecQuery query_of(const TrecTable& table, std::int64_t query) {
  if (query == kNone) return {};
  const auto index = static_cast<std::size_t>(query);
  return {table.query_offsets[index], table.query_offsets[index + 1]};
}

std::vector<double> measure_run(const TrecTable& qrels, TrecQuery judged, const TrecTable& run,
                                TrecQuery retrieved, const Evaluation& evaluation) {
  IdMap judgements;
  for (std::int64_t entry = judged.first; entry < judged.last; ++entry) {
    judgements.emplace(qrels.document_ids[static_cast<std::size_t>(entry)], entry);
  }
  const auto grade_of = [&](std::int64_t entry) {
    const double grade = qrels.values[static_cast<std::size_t>(entry)];
    return grade == -1 ? 0 : grade;
  };
  std::vector<double> grades;
  std::vector<std::string_view> ids;
  for (std::int64_t entry = retrieved.first; entry < retrieved.last; ++entry) {
    ids.push_back(run.document_ids[static_cast<std::size_t>(entry)]);
    const auto found = judgements.find(ids.back());
    grades.push_back(found == judgements.end() ? 0 : grade_of(found->second));
    if (found != judgements.end()) judgements.erase(found);
  }
  std::vector<double> missing;
  for (const auto& [id, entry] : judgements) missing.push_back(grade_of(entry));
  const auto scores =
      run.values.span().subspan(static_cast<std::size_t>(retrieved.first),
                                static_cast<std::size_t>(retrieved.last - retrieved.first));
  return measure_query({scores, grades, missing, ids}, evaluation.measures(), evaluation.rules());
}

}  // namespace

EvaluationResult evaluate(const Dataset& data, std::span<const double> scores,
                          const std::vector<Measure>& measures, const MeasureRules& rules,
                          const EvaluateOptions& options, const Progress& progress) {
  validate(options);
  check_scores(data, scores, rules);
  Evaluation evaluation(measures, with_max_grade(rules, measures, data.grades));
  QuerySource source;
  source.num_queries = data.num_queries();
  source.name = data.source;
  source.id = [&](std::int64_t query) { return data.query_ids[static_cast<std::size_t>(query)]; };
  source.weight = [&](std::int64_t query) {
    return data.query_weights.empty() ? 1 : data.query_weights[static_cast<std::size_t>(query)];
  };
  source.measure = [&](std::int64_t query) {
    const auto first =
        static_cast<std::size_t>(data.query_offsets[static_cast<std::size_t>(query)]);
    const auto last =
        static_cast<std::size_t>(data.query_offsets[static_cast<std::size_t>(query) + 1]);
    std::vector<double> grades;
    QueryRanking ranking{scores.subspan(first, last - first),
                         data.grades.view().subview(first, last - first).values(grades)};
    std::vector<std::string_view> ids;
    if (rules.ties == Ties::document_id) {
      for (std::size_t document = first; document < last; ++document) {
        ids.push_back(document_id(data.comments[document]));
      }
      ranking.document_ids = ids;
    }
    return measure_query(ranking, evaluation.measures(), evaluation.rules());
  };
  EvaluationResult result;
  evaluate_all(source, evaluation, options, progress, result);
  result.num_documents = data.num_documents();
  if (options.keep_per_query) result.query_ids = data.query_ids;
  return result;
}

EvaluationResult evaluate(const TrecTable& qrels, const TrecTable& run,
                          const std::vector<Measure>& measures, const MeasureRules& rules,
                          const EvaluateOptions& options, const Progress& progress) {
  validate(options);
  Evaluation evaluation(measures, with_max_grade(rules, measures, qrels.values));
  const IdMap run_queries = positions_of(run.query_ids);
  EvaluationResult result;
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;  // query in the qrels, in the run
  std::vector<std::string> ids;
  for (std::int64_t query = 0; query < qrels.num_queries(); ++query) {
    const std::string_view id = qrels.query_ids[static_cast<std::size_t>(query)];
    const std::int64_t in_run = position(run_queries, id);
    if (in_run == kNone) ++result.num_not_in_run;
    if (in_run == kNone && !options.complete) continue;
    pairs.emplace_back(query, in_run);
    const TrecQuery retrieved = query_of(run, in_run);
    result.num_documents += retrieved.last - retrieved.first;
    if (options.keep_per_query) ids.emplace_back(id);
  }
  result.num_not_judged = run.num_queries() - (qrels.num_queries() - result.num_not_in_run);

  QuerySource source;
  source.num_queries = static_cast<std::int64_t>(pairs.size());
  source.name = run.source;
  source.id = [&](std::int64_t query) {
    return qrels.query_ids[static_cast<std::size_t>(pairs[static_cast<std::size_t>(query)].first)];
  };
  source.weight = [](std::int64_t) { return 1.0; };
  source.measure = [&](std::int64_t query) {
    const auto [judged, retrieved] = pairs[static_cast<std::size_t>(query)];
    return measure_run(qrels, query_of(qrels, judged), run, query_of(run, retrieved), evaluation);
  };
  evaluate_all(source, evaluation, options, progress, result);
  result.query_ids = StringList::of(ids);
  return result;
}

std::vector<std::string> shared_queries(const StringList& data, const StringList& other) {
  const IdMap others = positions_of(other);
  std::vector<std::string> shared;
  for (std::size_t index = 0; index < data.size(); ++index) {
    if (position(others, data[index]) != kNone) shared.emplace_back(data[index]);
  }
  return shared;
}

}  // namespace rankine
