"""Measures on arrays agree with scikit-learn, pytrec_eval, LightGBM and XGBoost."""
import numpy as np
import pytest

import rankine
from rankine import metrics


@pytest.fixture
def ranking(rng):
    """Grades 0 to 3, scores without ties, queries of 5 to 20 documents."""
    sizes = rng.integers(5, 21, 40)
    qid = np.repeat(np.arange(40), sizes)
    y = rng.integers(0, 4, len(qid)).astype(float)
    return y, rng.permutation(len(qid)) / len(qid) + 0.2 * y, qid, sizes


def test_ndcg_is_scikit_learn_s(ranking):
    sklearn_metrics = pytest.importorskip("sklearn.metrics")
    y, scores, qid, _ = ranking
    expected = [sklearn_metrics.ndcg_score([y[qid == q]], [scores[qid == q]], k=10) for q in range(40)]
    assert metrics.ndcg(y, scores, qid=qid, k=10, convention="sklearn") == pytest.approx(np.mean(expected), abs=1e-12)


def test_measures_are_trec_eval_s(ranking):
    pytrec_eval = pytest.importorskip("pytrec_eval")
    y, scores, qid, _ = ranking
    names = [f"d{row}" for row in range(len(y))]
    rows = {str(q): np.flatnonzero(qid == q) for q in range(40)}
    judged = {q: {names[r]: int(y[r]) for r in found} for q, found in rows.items()}
    run = {q: {names[r]: float(scores[r]) for r in found} for q, found in rows.items()}
    theirs = {"ndcg": "ndcg", "map": "map", "mrr": "recip_rank", "p@5": "P_5", "recall@5": "recall_5",
              "ndcg@10": "ndcg_cut_10"}
    by_query = pytrec_eval.RelevanceEvaluator(judged, {"ndcg", "map", "recip_rank", "P", "recall", "ndcg_cut"}).evaluate(run)
    ours = metrics.evaluate(y, scores, qid=qid, measures=list(theirs), convention="trec", document_ids=names)
    for our_name, their_name in theirs.items():
        expected = [by_query[str(q)][their_name] for q in ours.query_ids]
        np.testing.assert_allclose(ours.per_query[our_name], expected, atol=1e-7)


def test_ndcg_is_lightgbm_s(ranking):
    lightgbm = pytest.importorskip("lightgbm")
    y, _, _qid, sizes = ranking
    X = np.random.default_rng(1).normal(size=(len(y), 4))
    model = lightgbm.LGBMRanker(n_estimators=5, min_child_samples=2, verbose=-1).fit(
        X, y, group=sizes, eval_set=[(X, y)], eval_group=[sizes], eval_at=[3, 10])
    scores = model.predict(X)
    measured = metrics.evaluate(y, scores, group=sizes, measures=["ndcg@3", "ndcg@10"], convention="lightgbm")
    for k in (3, 10):
        assert measured[f"ndcg@{k}"] == pytest.approx(model.evals_result_["training"][f"ndcg@{k}"][-1], abs=1e-9)


def test_ndcg_is_xgboost_s(ranking):
    xgboost = pytest.importorskip("xgboost")
    y, _, qid, _sizes = ranking
    X = np.random.default_rng(1).normal(size=(len(y), 4))
    model = xgboost.XGBRanker(n_estimators=5, eval_metric=["ndcg@5"]).fit(
        X, y, qid=qid, eval_set=[(X, y)], eval_qid=[qid], verbose=False)
    scores = model.predict(X)
    measured = metrics.ndcg(y, scores, qid=qid, k=5, convention="xgboost")
    assert measured == pytest.approx(model.evals_result()["validation_0"]["ndcg@5"][-1], abs=1e-6)


def test_measures_are_the_command_line_s(command, tmp_path, small):
    import json
    command("synth", "data.txt", "--queries", "30", "--features", "4", "--true-scores", "truth.txt", "--seed", "2")
    data = rankine.datasets.load_letor(tmp_path / "data.txt")
    scores = np.loadtxt(tmp_path / "truth.txt")
    names = ["ndcg@1", "ndcg", "map", "mrr", "err@20", "p@10", "recall@5", "dcg@3", "mean_ndcg", "auc", "tau_b",
             "pair_accuracy", "spearman"]
    for convention in metrics.CONVENTIONS:
        if convention == "trec":
            continue  # needs document ids
        table = json.loads(command("evaluate", "data.txt", "--scores", "truth.txt", "--measures", ",".join(names),
                                   "--convention", convention, "--json"))
        ours = metrics.evaluate(data.y, scores, qid=data.qid, measures=names, convention=convention)
        assert {name: row["mean"] for name, row in table["measures"].items()} == ours.means


def test_every_measure_has_a_function_of_its_own(ranking):
    y, scores, qid, _ = ranking
    functions = {
        "ndcg@10": lambda **o: metrics.ndcg(y, scores, k=10, **o), "ndcg": lambda **o: metrics.ndcg(y, scores, **o),
        "dcg@10": lambda **o: metrics.dcg(y, scores, **o), "mean_ndcg": lambda **o: metrics.mean_ndcg(y, scores, **o),
        "map": lambda **o: metrics.average_precision(y, scores, **o),
        "map@3": lambda **o: metrics.average_precision(y, scores, k=3, **o),
        "mrr": lambda **o: metrics.reciprocal_rank(y, scores, **o),
        "err@20": lambda **o: metrics.expected_reciprocal_rank(y, scores, **o),
        "p@10": lambda **o: metrics.precision(y, scores, **o), "recall@10": lambda **o: metrics.recall(y, scores, **o),
        "auc": lambda **o: metrics.auc(y, scores, **o), "tau_b": lambda **o: metrics.tau_b(y, scores, **o),
        "spearman": lambda **o: metrics.spearman(y, scores, **o),
        "pair_accuracy": lambda **o: metrics.pair_accuracy(y, scores, **o),
    }
    assert {name.split("@")[0] for name in functions} == set(metrics.MEASURES)
    table = metrics.evaluate(y, scores, qid=qid, measures=list(functions), relevant=2).means
    for name, function in functions.items():
        assert function(qid=qid, relevant=2) == table[name]


def test_rules_change_single_definitions(ranking):
    y, scores, qid, _ = ranking
    assert metrics.ndcg(y, scores, qid=qid, gain="linear") == pytest.approx(
        metrics.ndcg(y, scores, qid=qid, convention="sklearn"), abs=1e-12)


def test_order_of_rows_does_not_matter(ranking, rng):
    y, scores, qid, _ = ranking
    order = rng.permutation(len(y))
    plain = metrics.evaluate(y, scores, qid=qid).per_query["ndcg@10"]
    mixed = metrics.evaluate(y[order], scores[order], qid=qid[order])
    np.testing.assert_array_equal(mixed.per_query["ndcg@10"], plain[mixed.query_ids])


def test_queries_left_out_are_counted():
    result = metrics.evaluate([0, 0, 1, 0], [1.0, 2.0, 3.0, 4.0], qid=["a", "a", "b", "b"], measures="ndcg@10")
    assert result.left_out == {"ndcg@10": 1}
    assert np.isnan(result.per_query["ndcg@10"][0])


@pytest.mark.parametrize(("arguments", "message"), [
    ({"measures": "ndgc@10"}, "ndgc"),
    ({"measures": "map@0"}, "measures: map@0: k must be at least 1"),
    ({"convention": "letro"}, r"convention = 'letro' is none of .* \(did you mean letor\?\)"),
    ({"gian": "linear"}, r"no option named 'gian' \(did you mean gain\?\)"),
])
def test_mistakes_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        metrics.evaluate([0, 1], [1.0, 2.0], **arguments)


def test_scores_that_are_not_numbers_are_refused():
    with pytest.raises(ValueError, match="y_score: NaN in row 1"):
        metrics.ndcg([0, 1], [1.0, np.nan])
    with pytest.raises(ValueError, match="y_true: 3 values"):
        metrics.ndcg([0, 1, 2], [1.0, 2.0])
