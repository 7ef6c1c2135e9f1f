#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <rankine/error.hpp>
#include <rankine/evaluate.hpp>

namespace rankine {
namespace {

constexpr const char* kAllMeasures =
    "ndcg@3,ndcg,mean_ndcg,dcg@5,map,map@2,mrr,p@2,recall@3,err@10,auc,pair_accuracy,tau_b,"
    "spearman";

Dataset random_data(int num_queries, std::vector<double>& scores) {
  std::mt19937 random(17);
  std::vector<double> grades;
  std::vector<std::int64_t> offsets{0};
  std::vector<std::string> ids;
  std::vector<std::string> comments;
  std::vector<double> weights;
  for (int query = 0; query < num_queries; ++query) {
    for (auto size = random() % 12; size > 0; --size) {
      grades.push_back(static_cast<double>(random() % 3));
      scores.push_back(static_cast<double>(random() % 7) / 4);
      comments.push_back(" docid = d" + std::to_string(random() % 1000) + " inc = 1");
    }
    offsets.push_back(static_cast<std::int64_t>(grades.size()));
    ids.push_back("q" + std::to_string(query));
    weights.push_back(1 + static_cast<double>(random() % 3));
  }
  Dataset data;
  data.source = "test.txt";
  data.grades = grades;
  data.query_offsets = offsets;
  data.query_ids = StringList::of(ids);
  data.comments = StringList::of(comments);
  data.query_weights = weights;
  return data;
}

Dataset small_data() {
  Dataset data;
  data.source = "test.txt";
  data.grades = std::vector<double>{0, 1, 0, 2, 0};
  data.query_offsets = std::vector<std::int64_t>{0, 2, 5};
  data.query_ids = StringList::of({"7", "8"});
  return data;
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TrecTable table(const std::string& source, const std::vector<std::string>& queries,
                const std::vector<std::int64_t>& offsets, const std::vector<std::string>& documents,
                const std::vector<double>& values) {
  return {source, StringList::of(queries), offsets, StringList::of(documents), values};
}

TEST(Evaluate, means_the_values_of_each_query) {
  std::vector<double> scores;
  const Dataset data = random_data(500, scores);
  MeasureRules rules;
  rules.max_grade = 2;
  const auto measures = parse_measures(kAllMeasures);
  Evaluation expected(measures, rules);
  const Array<double> grades = data.grades.values();
  for (std::size_t query = 0; query < 500; ++query) {
    const auto first = static_cast<std::size_t>(data.query_offsets[query]);
    const auto size = static_cast<std::size_t>(data.query_offsets[query + 1]) - first;
    expected.add({std::span(scores).subspan(first, size), grades.span().subspan(first, size)},
                 data.query_weights[query]);
  }
  rules.max_grade = 0;  // found in the data
  const auto result = evaluate(data, scores, measures, rules);
  EXPECT_EQ(result.rules.max_grade, 2);
  EXPECT_EQ(result.num_queries, 500);
  const auto means = expected.means();
  for (std::size_t index = 0; index < means.size(); ++index) {
    EXPECT_EQ(result.means[index].mean, means[index].mean) << measures[index].text();
    EXPECT_EQ(result.means[index].num_queries, means[index].num_queries);
    EXPECT_EQ(result.means[index].num_left_out, means[index].num_left_out);
    EXPECT_GT(means[index].num_left_out, 0) << measures[index].text();
  }
}

TEST(Evaluate, has_the_same_bits_for_any_number_of_threads) {
  std::vector<double> scores;
  const Dataset data = random_data(10000, scores);
  const auto measures = parse_measures(kAllMeasures);
  for (const Convention convention : {Convention::rankine, Convention::trec}) {
    EvaluateOptions options;
    options.keep_per_query = true;
    options.threads = 1;
    const auto one = evaluate(data, scores, measures, measure_rules(convention), options);
    options.threads = 4;
    const auto four = evaluate(data, scores, measures, measure_rules(convention), options);
    ASSERT_EQ(one.per_query.size(), four.per_query.size());
    EXPECT_EQ(std::memcmp(one.per_query.data(), four.per_query.data(),
                          one.per_query.size() * sizeof(double)),
              0);
    for (std::size_t index = 0; index < measures.size(); ++index) {
      EXPECT_EQ(one.means[index].mean, four.means[index].mean);
    }
  }
}

TEST(Evaluate, breaks_ties_by_the_ids_in_the_comments) {
  Dataset data = small_data();
  const std::vector<double> scores{1, 1, 1, 1, 1};
  data.comments = StringList::of({" docid = b x", "docid = a", "c", "a", "b"});
  EvaluateOptions options;
  options.keep_per_query = true;
  const auto result =
      evaluate(data, scores, parse_measures("mrr"), measure_rules(Convention::trec), options);
  EXPECT_EQ(result.per_query, (std::vector<double>{0.5, 1.0 / 3}));
}

TEST(Evaluate, names_what_is_wrong_with_scores_and_grades) {
  const Dataset data = small_data();
  const auto measures = parse_measures("ndcg");
  const std::vector<double> few{1, 2};
  EXPECT_EQ(message_of([&] { evaluate(data, few, measures); }),
            "2 scores for the 5 documents of test.txt");
  const std::vector<double> nan{1, 2, 3, std::numeric_limits<double>::quiet_NaN(), 5};
  EXPECT_EQ(message_of([&] { evaluate(data, nan, measures); }),
            "test.txt: query 8: a score is not a number");
  const std::vector<double> scores{1, 2, 3, 4, 5};
  EXPECT_EQ(message_of([&] { evaluate(data, scores, measures, measure_rules(Convention::trec)); }),
            "test.txt: row 1 has no document id in a comment, as ties = document_id needs: use "
            "ties = input_order");
  Dataset named = data;
  named.comments = StringList::of({"a", "b", "c", "d", " "});
  named.input_rows = std::vector<std::int64_t>{0, 1, 2, 4, 3};
  EXPECT_EQ(message_of([&] { evaluate(named, scores, measures, measure_rules(Convention::trec)); }),
            "test.txt: row 4 has no document id in a comment, as ties = document_id needs: use "
            "ties = input_order");
}

TEST(Evaluate, stops_when_progress_says_so) {
  std::vector<double> scores;
  const Dataset data = random_data(10, scores);
  const Progress stop = [](const ProgressEvent&) { return false; };
  EXPECT_EQ(message_of([&] { evaluate(data, scores, parse_measures("map"), {}, {}, stop); }),
            "interrupted");
}

TEST(EvaluateRun, counts_judged_documents_that_were_not_found) {
  const auto qrels = table("qrels", {"1", "2"}, {0, 3, 4}, {"a", "b", "c", "a"}, {1, 0, 1, 1});
  const auto run = table("run", {"1"}, {0, 2}, {"x", "a"}, {2, 1});
  const auto result =
      evaluate(qrels, run, parse_measures("map,recall@10,ndcg"), measure_rules(Convention::trec));
  EXPECT_DOUBLE_EQ(result.means[0].mean, 0.25);
  EXPECT_DOUBLE_EQ(result.means[1].mean, 0.5);
  EXPECT_DOUBLE_EQ(result.means[2].mean, (1 / std::log2(3.0)) / (1 + 1 / std::log2(3.0)));
  EXPECT_EQ(result.num_queries, 1);
  EXPECT_EQ(result.num_not_in_run, 1);
}

TEST(EvaluateRun, counts_all_judged_queries_when_complete) {
  const auto qrels = table("qrels", {"1", "2"}, {0, 1, 2}, {"a", "a"}, {1, 1});
  const auto run = table("run", {"1", "9"}, {0, 1, 2}, {"a", "a"}, {2, 1});
  EvaluateOptions options;
  options.complete = true;
  options.keep_per_query = true;
  const auto result =
      evaluate(qrels, run, parse_measures("map"), measure_rules(Convention::trec), options);
  EXPECT_DOUBLE_EQ(result.means[0].mean, 0.5);
  EXPECT_EQ(result.num_not_judged, 1);
  EXPECT_EQ(result.num_not_in_run, 1);
  EXPECT_EQ(result.per_query, (std::vector<double>{1, 0}));
  EXPECT_EQ(result.query_ids[1], "2");
}

TEST(EvaluateRun, takes_minus_one_as_not_judged) {
  const auto qrels = table("qrels", {"1"}, {0, 2}, {"a", "b"}, {-1, 1});
  const auto run = table("run", {"1"}, {0, 2}, {"a", "b"}, {2, 1});
  const auto result = evaluate(qrels, run, parse_measures("pair_accuracy,mrr"));
  EXPECT_EQ(result.means[0].mean, 0);
  EXPECT_EQ(result.means[1].mean, 0.5);
}

TEST(SharedQueries, are_those_of_both_in_the_datas_order) {
  const auto data = StringList::of({"5", "3", "1"});
  const auto train = StringList::of({"1", "2", "5"});
  EXPECT_EQ(shared_queries(data, train), (std::vector<std::string>{"5", "1"}));
}

}  // namespace
}  // namespace rankine
