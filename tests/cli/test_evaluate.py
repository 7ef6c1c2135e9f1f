"""rankine evaluate: what it prints, what it writes, what it refuses."""
import gzip
import json
import re

import pytest

DATA = """\
2 qid:1 1:0.5 2:1 # docid = a
0 qid:1 1:0.7 2:2 # docid = b
1 qid:2 1:0.1 2:3 # docid = a
0 qid:1 1:0.2 2:4 # docid = c
0 qid:2 1:0.9 2:5 # docid = b
0 qid:3 1:0.4 2:6 # docid = a
"""
# By query: 1 has grades 2 0 0 with scores 3 1 2; 2 has 1 0 with 1 2; 3 has 0.
SCORES = "3\n1\n1\n2\n2\n5\n"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "data.txt").write_text(DATA)
    (tmp_path / "scores.txt").write_text(SCORES)
    return tmp_path


def test_a_table_shows_means_and_counts(rankine, files):
    outcome = rankine("evaluate", "data.txt", "--scores", "scores.txt", "--measures", "mrr,map,auc")
    assert outcome.code == 0, outcome
    assert outcome.out.splitlines() == [
        "measure      mean  queries  left out",
        "mrr      0.750000        2         1",
        "map      0.750000        2         1",
        "auc      0.500000        2         1",
    ]
    assert "3 queries, 6 documents; convention rankine" in outcome.err


def test_the_default_measures_work_for_every_convention(rankine, files):
    for convention in ("rankine", "letor", "lightgbm", "xgboost", "trec", "sklearn"):
        outcome = rankine("evaluate", "data.txt", "--scores", "scores.txt", "--convention",
                          convention)
        assert outcome.code == 0, outcome
        assert len(outcome.out.splitlines()) == 10


def test_json_is_one_object_with_every_digit(rankine, files):
    outcome = rankine("evaluate", "data.txt", "--scores", "scores.txt", "--measures", "ndcg@2,p@3",
                      "--json", "--relevant", "2")
    result = json.loads(outcome.out)
    assert result["queries"] == 3
    assert result["documents"] == 6
    assert result["rules"]["relevant"] == 2
    assert result["measures"]["ndcg@2"] == {"mean": 0.8154648767857288, "queries": 2, "left_out": 1}
    assert result["measures"]["p@3"] == {"mean": 0.3333333333333333, "queries": 1, "left_out": 2}


def test_a_measure_without_any_query_has_no_mean(rankine, files):
    words = ("evaluate", "data.txt", "--scores", "scores.txt", "--measures", "map", "--relevant", 9)
    assert rankine(*words, "--json").json["measures"]["map"] == {"mean": None, "queries": 0,
                                                                 "left_out": 3}
    assert rankine(*words).out.splitlines()[1].split() == ["map", "-", "0", "3"]


def test_single_rules_override_the_convention(rankine, files):
    def rules(*words):
        return rankine("evaluate", "data.txt", "--scores", "scores.txt", "--json", *words).json[
            "rules"]

    letor = rules("--convention", "letor")
    assert (letor["discount"], letor["ties"], letor["empty_queries"], letor["short_lists"]) == (
        "letor", "input_order", "zero", "zero")
    changed = rules("--gain", "linear", "--convention", "letor", "--ties", "averaged")
    assert changed == {**letor, "gain": "linear", "ties": "averaged"}


def test_rules_in_a_config_file_override_the_convention_too(rankine, files):
    (files / "run.toml").write_text('[evaluate]\nconvention = "letor"\nempty_queries = "skip"\n')
    rules = rankine("evaluate", "data.txt", "--scores", "scores.txt", "--json", "--config",
                    "run.toml").json["rules"]
    assert (rules["discount"], rules["empty_queries"]) == ("letor", "skip")


def test_a_dumped_config_repeats_the_run(rankine, files):
    words = ("data.txt", "--scores", "scores.txt", "--convention", "trec", "--gain", "exponential")
    (files / "run.toml").write_text(rankine("evaluate", *words, "--dump-config").out)
    again = rankine("evaluate", "--config", "run.toml", "--json")
    assert again.code == 0, again
    assert again.json == rankine("evaluate", *words, "--json").json


def test_values_by_query_go_to_a_file(rankine, files):
    outcome = rankine("evaluate", "data.txt", "--scores", "scores.txt", "--measures", "mrr,ndcg",
                      "--per-query", "values.csv.gz")
    assert outcome.code == 0, outcome
    text = gzip.decompress((files / "values.csv.gz").read_bytes()).decode()
    assert text == "query,mrr,ndcg\n1,1,1\n2,0.5,0.6309297535714575\n3,nan,nan\n"


def test_values_by_query_can_go_to_standard_output_alone(rankine, files):
    words = ("evaluate", "data.txt", "--scores", "scores.txt", "--measures", "mrr", "--per-query",
             "-")
    assert rankine(*words).out == "query\tmrr\n1\t1\n2\t0.5\n3\tnan\n"
    clash = rankine(*words, "--json")
    assert clash.code == 2
    assert "--per-query - and --json both write to standard output" in clash.err


def test_a_feature_can_be_the_score(rankine, files):
    by_first = rankine("evaluate", "data.txt", "--feature", 1, "--measures", "mrr", "--json")
    assert by_first.json["measures"]["mrr"]["mean"] == 0.5
    (files / "zero.txt").write_text(re.sub(r" 2:", " 1:", DATA.replace(" 1:", " 0:")))
    zero_based = rankine("evaluate", "zero.txt", "--feature", 0, "--zero-based", "--measures",
                         "mrr", "--json")
    assert zero_based.json["measures"] == by_first.json["measures"]


def test_scores_and_data_come_from_standard_input(rankine, files):
    words = ("--measures", "mrr", "--json")
    expected = rankine("evaluate", "data.txt", "--scores", "scores.txt", *words).json
    assert rankine("evaluate", "data.txt", "--scores", "-", *words, stdin=SCORES).json == expected
    assert rankine("evaluate", "-", "--scores", "scores.txt", *words, stdin=DATA).json == expected


def test_a_run_is_matched_to_the_data_by_document_id(rankine, files):
    (files / "run.txt").write_text("2 Q0 b 1 2 x\n1 Q0 a 1 9 x\n1 Q0 zz 2 8 x\n2 Q0 a 2 1 x\n")
    outcome = rankine("evaluate", "data.txt", "--run", "run.txt", "--convention", "trec",
                      "--measures", "map,recall@1", "--json")
    assert outcome.code == 0, outcome
    assert outcome.json["measures"]["map"] == {"mean": 0.75, "queries": 2, "left_out": 0}
    assert outcome.json["measures"]["recall@1"]["mean"] == 0.5
    assert outcome.json["queries_not_in_run"] == 1


def test_queries_of_the_training_data_are_told(rankine, files):
    (files / "train.txt").write_text("1 qid:9 1:1\n0 qid:2 1:0\n")
    words = ("evaluate", "data.txt", "--scores", "scores.txt", "--train", "train.txt")
    outcome = rankine(*words)
    assert "warning: 1 of 3 queries also occur in train.txt: 2" in outcome.err
    assert rankine(*words, "--json").json["queries_in_train"] == ["2"]


def test_threads_do_not_change_the_result(rankine, tmp_path):
    rows = [f"{(i * 7) % 5} qid:{i % 997} 1:{(i * 31) % 17}" for i in range(30000)]
    (tmp_path / "data.txt").write_text("\n".join(rows) + "\n")
    words = ("evaluate", "data.txt", "--feature", 1, "--json", "--threads")
    assert rankine(*words, 1).out == rankine(*words, 4).out


@pytest.mark.parametrize("words, message", [
    (["data.txt"], "give the scores by one of --model, --scores, --run and --feature"),
    (["data.txt", "--scores", "scores.txt", "--feature", "1"],
     "give the scores by one of --model, --scores, --run and --feature"),
    (["--scores", "scores.txt"], "give the grades by DATA or by --qrels"),
    (["data.txt", "--qrels", "q", "--run", "r"], "give the grades by DATA or by --qrels"),
    (["--qrels", "q", "--scores", "scores.txt"], "--qrels goes with --run"),
    (["-", "--scores", "-"], "only one input can be standard input"),
    (["data.txt", "--scores", "scores.txt", "--measures", "ndgc@10"], "(did you mean ndcg?)"),
    (["data.txt", "--scores", "scores.txt", "--measures", "map@0"], "map@0: k must be at least 1"),
    (["data.txt", "--scores", "scores.txt", "--measures", "map@x"],
     "map@x: k = 'x' is not a whole number"),
    (["data.txt", "--scores", "scores.txt", "--convention", "treck"], "(did you mean trec?)"),
    (["data.txt", "--scores", "missing.txt"],
     "missing.txt: cannot read: No such file or directory"),
    (["data.txt", "--scores", "short.txt"], "short.txt: 2 scores for the 6 documents of data.txt"),
    (["data.txt", "--scores", "words.txt"], "words.txt:2: 'high' is not a number"),
    (["data.txt", "--feature", "3"], "data.txt has 2 features, and none in column 3"),
    (["data.txt", "--run", "twice.txt"],
     "twice.txt:2: document 'a' of query '1' again, after line 1"),
    (["plain.txt", "--scores", "one.txt", "--convention", "trec"],
     "plain.txt: row 1 has no document id in a comment"),
    (["large.txt", "--scores", "one.txt"],
     "large.txt: query 1: grade 2000 is too large for the exponential gain (at most 1000)"),
])
def test_mistakes_get_one_clear_line(rankine, files, words, message):
    (files / "short.txt").write_text("1\n2\n")
    (files / "words.txt").write_text("1\nhigh\n")
    (files / "twice.txt").write_text("1 Q0 a 1 2 x\n1 Q0 a 2 1 x\n")
    (files / "plain.txt").write_text("1 qid:1 1:1\n")
    (files / "large.txt").write_text("2000 qid:1 1:1\n")
    (files / "one.txt").write_text("1\n")
    outcome = rankine("evaluate", *words)
    assert outcome.code == 2, outcome
    assert outcome.out == ""
    lines = outcome.err.splitlines()
    assert lines[0].startswith("rankine evaluate: ") and message in lines[0], outcome
    assert lines[1:] in ([], ["see rankine evaluate --help"]), outcome


def test_says_when_no_grade_reaches_what_counts_as_relevant(rankine, tmp_path):
    (tmp_path / "low.txt").write_text("1 qid:1 1:1\n0 qid:1 1:2\n")
    words = ["evaluate", "low.txt", "--feature", "1", "--measures", "map"]
    assert "no document is relevant" not in rankine(*words).err
    outcome = rankine(*words, "--relevant", "2")
    assert outcome.code == 0
    assert ("rankine evaluate: warning: no document is relevant: the largest grade is 1 and --relevant is 2; "
            "measures of relevant documents have nothing to measure\n") in outcome.err
