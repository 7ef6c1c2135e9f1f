"""The measures of every convention against the tool whose convention it is.

The queries hold ties, one document, one grade, no relevant document and fewer documents than k.
"""
import csv
import math

import numpy as np
import pytest


class Query:
    def __init__(self, name, grades, scores):
        self.name = name
        self.grades = np.asarray(grades, dtype=float)
        self.scores = np.asarray(scores, dtype=float)

    def __len__(self):
        return len(self.grades)


def random_queries(seed, count, max_grade=4, least=1, most=40, tied=True):
    """Scores are multiples of 1/64: equal ones are equal in single precision too."""
    rng = np.random.default_rng(seed)
    queries = []
    for number in range(count):
        size = int(rng.integers(least, most + 1))
        kind = rng.integers(0, 8)
        top = 0 if kind == 0 else max_grade
        grades = rng.integers(0, top + 1, size)
        if kind == 1:
            grades[:] = 1
        levels = int(rng.choice([3, 20, 4096])) if tied else 0
        scores = rng.integers(0, levels, size) / 64 if tied else rng.permutation(size) / 64
        queries.append(Query(f"q{number}", grades, scores))
    return queries


@pytest.fixture
def evaluate(rankine, tmp_path):
    """evaluate(queries, "ndcg@10,map", "--convention", "letor") gives means and values by query."""

    def run(queries, measures, *options):
        with open(tmp_path / "data.txt", "w") as data, open(tmp_path / "scores.txt", "w") as scores:
            for query in queries:
                for document, (grade, score) in enumerate(zip(query.grades, query.scores)):
                    data.write(f"{grade:g} qid:{query.name} 1:0 # d{document}\n")
                    scores.write(f"{float(score)!r}\n")
        outcome = rankine("evaluate", "data.txt", "--scores", "scores.txt", "--measures", measures,
                          "--per-query", "values.tsv", "--json", *options)
        assert outcome.code == 0, outcome
        return outcome.json["measures"], read_values(tmp_path / "values.tsv")

    return run


def read_values(path):
    """{measure: {query: value}}"""
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return {name: {row["query"]: float(row[name]) for row in rows}
            for name in rows[0] if name != "query"}


def assert_close(actual, expected, tolerance, what):
    assert abs(actual - expected) <= tolerance * max(1, abs(expected)), (what, actual, expected)


# scikit-learn and SciPy


def test_dcg_and_ndcg_are_scikit_learns(evaluate):
    sklearn = pytest.importorskip("sklearn.metrics")
    queries = random_queries(1, 300, least=2)
    cuts = [1, 3, 10, 100]
    names = ["ndcg"] + [f"{m}@{k}" for m in ("ndcg", "dcg") for k in cuts]
    means, values = evaluate(queries, ",".join(names), "--convention", "sklearn")
    for name in names:
        function = sklearn.ndcg_score if name.startswith("ndcg") else sklearn.dcg_score
        k = int(name.split("@")[1]) if "@" in name else None
        expected = {q.name: function([q.grades], [q.scores], k=k) for q in queries}
        for query in queries:
            assert_close(values[name][query.name], expected[query.name], 1e-12, (name, query.name))
        assert_close(means[name]["mean"], np.mean(list(expected.values())), 1e-12, name)


def test_auc_and_average_precision_are_scikit_learns(evaluate):
    sklearn = pytest.importorskip("sklearn.metrics")
    for tied in (True, False):
        queries = random_queries(2, 300, least=2, tied=tied)
        _, values = evaluate(queries, "auc,map", "--relevant", "2")
        num_compared = 0
        for query in queries:
            relevant = query.grades >= 2
            if relevant.any() and not relevant.all():
                num_compared += 1
                assert_close(values["auc"][query.name],
                             sklearn.roc_auc_score(relevant, query.scores), 1e-12, query.name)
            else:
                assert math.isnan(values["auc"][query.name])
            # scikit-learn takes tied documents in one step; without ties the formulas agree.
            if relevant.any() and not tied:
                assert_close(values["map"][query.name],
                             sklearn.average_precision_score(relevant, query.scores), 1e-12,
                             query.name)
        assert num_compared > 100


def test_correlations_are_scipys(evaluate):
    stats = pytest.importorskip("scipy.stats")
    queries = random_queries(3, 300, least=2)
    _, values = evaluate(queries, "tau_b,spearman,pair_accuracy")
    num_compared = 0
    for query in queries:
        if len(set(query.grades)) == 1:
            assert math.isnan(values["tau_b"][query.name])
            assert math.isnan(values["spearman"][query.name])
            continue
        if len(set(query.scores)) == 1:
            assert values["tau_b"][query.name] == 0
            assert values["spearman"][query.name] == 0
            continue
        num_compared += 1
        tau = stats.kendalltau(query.scores, query.grades).statistic
        rho = stats.spearmanr(query.scores, query.grades).statistic
        assert_close(values["tau_b"][query.name], tau, 1e-12, query.name)
        assert_close(values["spearman"][query.name], rho, 1e-12, query.name)
    assert num_compared > 150


# trec_eval


def write_trec(tmp_path, qrels, run):
    with open(tmp_path / "qrels.txt", "w") as file:
        for query, documents in qrels.items():
            for document, grade in documents.items():
                file.write(f"{query} 0 {document} {grade}\n")
    with open(tmp_path / "run.txt", "w") as file:
        for query, documents in run.items():
            for rank, (document, score) in enumerate(documents.items()):
                file.write(f"{query} Q0 {document} {rank} {score!r} test\n")


TREC_NAMES = {"map": "map", "ndcg": "ndcg", "mrr": "recip_rank",
              **{f"ndcg@{k}": f"ndcg_cut_{k}" for k in (5, 10, 100)},
              **{f"map@{k}": f"map_cut_{k}" for k in (5, 10, 100)},
              **{f"p@{k}": f"P_{k}" for k in (5, 10, 100)},
              **{f"recall@{k}": f"recall_{k}" for k in (5, 10, 100)}}
TREC_MEASURES = {"map", "ndcg", "recip_rank", "ndcg_cut", "map_cut", "P", "recall"}


def random_trec(seed, count, scores_of):
    """Judged documents that are not retrieved, retrieved ones that are not judged, grade -1."""
    rng = np.random.default_rng(seed)
    qrels, run = {}, {}
    for number in range(count):
        names = [f"{prefix}{value}" for prefix, value in
                 zip(rng.choice(["d", "D", "doc-", ""], 60), rng.permutation(200)[:60])]
        judged = names[: int(rng.integers(1, 40))]
        top = 1 if number % 7 == 0 else 4
        qrels[f"t{number}"] = {name: int(rng.integers(-1, top)) for name in judged}
        retrieved = rng.permutation(names)[: int(rng.integers(1, 60))]
        run[f"t{number}"] = {str(name): score
                             for name, score in zip(retrieved, scores_of(rng, len(retrieved)))}
    return qrels, run


def coarse_scores(rng, size):
    return [float(score) for score in rng.integers(0, rng.choice([2, 10, 1000]), size) / 8]


def close_scores(rng, size):
    """Scores that differ, though not all of them in single precision, which trec_eval uses."""
    return [float(score) for score in 1 + rng.random(size) * 1e-6]


@pytest.mark.parametrize("scores_of", [coarse_scores, close_scores])
@pytest.mark.parametrize("relevant", [1, 2])
def test_trec_measures_are_trec_evals(rankine, tmp_path, scores_of, relevant):
    pytrec_eval = pytest.importorskip("pytrec_eval")
    qrels, run = random_trec(4, 200, scores_of)
    write_trec(tmp_path, qrels, run)
    outcome = rankine("evaluate", "--qrels", "qrels.txt", "--run", "run.txt", "--convention",
                      "trec", "--measures", ",".join(TREC_NAMES), "--relevant", relevant, "--json",
                      "--per-query", "values.tsv")
    assert outcome.code == 0, outcome
    values = read_values(tmp_path / "values.tsv")
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, TREC_MEASURES, relevance_level=relevant)
    expected = evaluator.evaluate(run)
    assert len(expected) == 200
    for name, trec_name in TREC_NAMES.items():
        for query, results in expected.items():
            assert_close(values[name][query], results[trec_name], 1e-12, (name, query))
        mean = np.mean([results[trec_name] for results in expected.values()])
        assert_close(outcome.json["measures"][name]["mean"], mean, 1e-12, name)


def test_queries_without_judgements_or_results_count_as_in_trec_eval(rankine, tmp_path):
    pytrec_eval = pytest.importorskip("pytrec_eval")
    qrels, run = random_trec(5, 40, coarse_scores)
    for number in range(10):
        del qrels[f"t{number}"]
        del run[f"t{number + 10}"]
    write_trec(tmp_path, qrels, run)
    expected = pytrec_eval.RelevanceEvaluator(qrels, {"map"}).evaluate(run)
    assert len(expected) == 20
    words = ("evaluate", "--qrels", "qrels.txt", "--run", "run.txt", "--convention", "trec",
             "--measures", "map", "--json")
    result = rankine(*words).json
    assert (result["queries"], result["queries_not_judged"], result["queries_not_in_run"]) == (
        20, 10, 10)
    total = sum(results["map"] for results in expected.values())
    assert_close(result["measures"]["map"]["mean"], total / 20, 1e-12, "map")
    complete = rankine(*words, "--complete").json  # trec_eval -c
    assert complete["measures"]["map"]["queries"] == 30
    assert_close(complete["measures"]["map"]["mean"], total / 30, 1e-12, "map")


# LightGBM


def lightgbm_means(queries, cuts):
    lightgbm = pytest.importorskip("lightgbm")
    data = lightgbm.Dataset(np.arange(sum(map(len, queries)), dtype=float).reshape(-1, 1),
                            label=np.concatenate([q.grades for q in queries]),
                            group=[len(q) for q in queries],
                            init_score=np.concatenate([q.scores for q in queries]))
    # A booster without a tree predicts the initial scores.
    booster = lightgbm.Booster({"objective": "lambdarank", "metric": ["ndcg", "map"],
                                "eval_at": cuts, "verbose": -1}, data)
    return {name: value for _, name, value, _ in booster.eval_train()}


def test_ndcg_and_map_are_lightgbms(evaluate):
    cuts = [1, 2, 5, 10, 60]
    for seed in range(3):
        queries = random_queries(10 + seed, 400)
        expected = lightgbm_means(queries, cuts)
        means, _ = evaluate(queries, ",".join(expected), "--convention", "lightgbm")
        assert len(expected) == 10
        for name, value in expected.items():
            assert_close(means[name]["mean"], value, 1e-12, name)
            assert means[name]["left_out"] == 0


# XGBoost


def xgboost_mean(queries, metric):
    xgboost = pytest.importorskip("xgboost")
    data = xgboost.DMatrix(np.zeros((sum(map(len, queries)), 1)),
                           label=np.concatenate([q.grades for q in queries]),
                           base_margin=np.concatenate([q.scores for q in queries]),
                           group=[len(q) for q in queries])
    # A booster without a tree predicts the margins it is given.
    booster = xgboost.Booster({"objective": "rank:pairwise", "eval_metric": metric}, [data])
    return float(booster.eval(data).split(":")[-1])


@pytest.mark.parametrize("empty", ["one", "zero"])
def test_ndcg_is_xgboosts(evaluate, empty):
    queries = random_queries(20, 400)
    # XGBoost cuts at 32 where it is given no k.
    names = {"ndcg@32": "ndcg", "ndcg@1": "ndcg@1", "ndcg@5": "ndcg@5", "ndcg@60": "ndcg@60"}
    means, _ = evaluate(queries, ",".join(names), "--convention", "xgboost", "--empty-queries",
                        empty)
    for name, metric in names.items():
        expected = xgboost_mean(queries, metric + ("-" if empty == "zero" else ""))
        assert_close(means[name]["mean"], expected, 1e-6, name)


@pytest.mark.parametrize("empty", ["one", "zero"])
def test_map_and_precision_are_xgboosts(evaluate, empty):
    queries = random_queries(21, 400, max_grade=1)  # XGBoost takes binary grades only
    names = {"map@32": "map", "map@1": "map@1", "map@5": "map@5", "map@60": "map@60",
             "p@1": "pre@1", "p@5": "pre@5", "p@60": "pre@60"}
    means, _ = evaluate(queries, ",".join(names), "--convention", "xgboost", "--empty-queries",
                        empty)
    for name, metric in names.items():
        suffix = "-" if empty == "zero" and name.startswith("map") else ""
        assert_close(means[name]["mean"], xgboost_mean(queries, metric + suffix), 1e-6, name)


def test_scores_are_compared_as_xgboost_compares_them(evaluate):
    rng = np.random.default_rng(22)
    queries = [Query(f"q{number}", rng.integers(0, 3, 20), 1 + rng.random(20) * 1e-6)
               for number in range(100)]
    means, _ = evaluate(queries, "ndcg@5", "--convention", "xgboost")
    assert_close(means["ndcg@5"]["mean"], xgboost_mean(queries, "ndcg@5"), 1e-6, "ndcg@5")


# LETOR: the rules of its scripts, written out plainly


def letor_measures(query):
    order = sorted(range(len(query)), key=lambda document: -query.scores[document])
    ranked = [query.grades[document] for document in order]

    def dcg(grades):
        sums, total = [], 0.0
        for rank, grade in enumerate(grades, start=1):
            gain = 2.0**grade - 1
            total += gain if rank <= 2 else gain * math.log(2) / math.log(rank)
            sums.append(total)
        return sums

    ndcg = [0 if best == 0 else found / best
            for found, best in zip(dcg(ranked), dcg(sorted(ranked, reverse=True)))]
    hits, precisions, average = 0, [], 0.0
    for rank in range(1, 11):
        hits += rank <= len(ranked) and ranked[rank - 1] >= 1
        precisions.append(hits / rank)
    hits = 0
    for rank, grade in enumerate(ranked, start=1):
        if grade >= 1:
            hits += 1
            average += hits / rank
    values = {f"ndcg@{k}": ndcg[k - 1] if k <= len(ndcg) else 0 for k in range(1, 11)}
    values |= {f"p@{k}": precisions[k - 1] for k in range(1, 11)}
    return values | {"map": average / hits if hits else 0, "mean_ndcg": sum(ndcg) / len(ndcg)}


def test_letor_measures_follow_the_rules_of_its_scripts(evaluate):
    queries = random_queries(30, 300, max_grade=2, most=25)
    expected = {query.name: letor_measures(query) for query in queries}
    names = list(expected["q0"])
    means, values = evaluate(queries, ",".join(names), "--convention", "letor")
    for name in names:
        for query in queries:
            assert_close(values[name][query.name], expected[query.name][name], 1e-12,
                         (name, query.name))
        assert_close(means[name]["mean"], np.mean([e[name] for e in expected.values()]), 1e-12,
                     name)
        assert means[name]["queries"] == len(queries)


# Real sets: figures that LETOR's own script and an independent program gave

FIXED_POINTS = {
    "ohsumed": {"ndcg@10": 0.258581, "mean_ndcg": 0.390163, "map": 0.274688, "ndcg@1": 0.1667,
                "ndcg@3": 0.2566, "p@1": 0.2273, "p@10": 0.2818},
    "mq2007": {"ndcg@10": 0.305072, "mean_ndcg": 0.366751, "map": 0.346635},
}


@pytest.mark.parametrize("name", FIXED_POINTS)
def test_fixed_points_of_the_real_sets_come_out_to_every_digit(rankine, letor_dir, name):
    expected = FIXED_POINTS[name]
    outcome = rankine("evaluate", letor_dir / name / "Fold1" / "test.txt", "--feature", 25,
                      "--convention", "letor", "--measures", ",".join(expected), "--json")
    assert outcome.code == 0, outcome
    for measure, value in expected.items():
        digits = len(str(value).split(".")[1])
        assert round(outcome.json["measures"][measure]["mean"], digits) == value, measure
