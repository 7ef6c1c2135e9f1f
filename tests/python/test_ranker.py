"""RankSVM: fitting, predicting, saving, and the same bits as the command line."""
import copy
import inspect
import math
import pickle

import numpy as np
import pytest
import scipy.sparse

import rankine
from rankine import _core
from rankine._estimator import NotFittedError

LOSSES = ["squared_hinge", "hinge", "huber", "logistic", "squared"]


def test_weights_and_scores_have_the_bits_of_the_command_line(command, tmp_path):
    command("synth", "train.txt", "--queries", "80", "--documents", "15", "--features", "7", "--seed", "4")
    command("train", "train.txt", "--model", "m.rkn", "--C", "0.5", "--loss", "huber")
    command("score", "train.txt", "--model", "m.rkn", "--output", "scores.txt")
    data = rankine.datasets.load_letor(tmp_path / "train.txt")
    ranker = rankine.RankSVM(C=0.5, loss="huber").fit(data.X, data.y, qid=data.qid)
    of_command = rankine.load_model(tmp_path / "m.rkn")
    np.testing.assert_array_equal(ranker.model_.weights, of_command.model_.weights)
    expected = np.loadtxt(tmp_path / "scores.txt")
    np.testing.assert_array_equal(ranker.predict(data.X), expected)
    assert of_command.get_params()["C"] == 0.5 and of_command.loss == "huber"
    assert ranker.model_.trained_on["checksum"] == of_command.model_.trained_on["checksum"]


def test_a_model_saved_in_python_scores_the_same_on_the_command_line(command, tmp_path):
    command("synth", "data.txt", "--queries", "40", "--features", "5", "--seed", "9")
    data = rankine.datasets.load_letor(tmp_path / "data.txt")
    ranker = rankine.RankSVM(scaling="quantile").fit(data.X, data.y, qid=data.qid)
    ranker.save(tmp_path / "m.rkn")
    command("score", "data.txt", "--model", "m.rkn", "--output", "scores.txt")
    np.testing.assert_array_equal(ranker.predict(data.X), np.loadtxt(tmp_path / "scores.txt"))
    np.testing.assert_array_equal(rankine.load_model(tmp_path / "m.rkn").predict(data.X), ranker.predict(data.X))


@pytest.mark.parametrize("method", ["svm", "sgd"])
@pytest.mark.parametrize("loss", LOSSES)
def test_every_loss_and_method_learns(small, loss, method):
    ranker = rankine.RankSVM(loss=loss, method=method).fit(small.X, small.y, qid=small.qid)
    best_feature = max(rankine.metrics.ndcg(small.y, s * f, qid=small.qid, k=10) for f in small.X.T for s in (1, -1))
    assert ranker.score(small.X, small.y, qid=small.qid) > best_feature


RANKERS = [(rankine.RankSVM, ["svm", "sgd"], {"method", "warm_start"}),
           (rankine.RankRLS, ["rls"], {"alphas", "select", "leave_query_out"})]


@pytest.mark.parametrize(("ranker", "methods", "own"), RANKERS)
def test_defaults_are_those_of_the_library(ranker, methods, own):
    tables = _core.option_tables()
    defaults = {}
    for row in [row for method in methods for row in tables[method]]:
        defaults.setdefault(row["name"], set()).add(row["default"])
    signature = inspect.signature(ranker.__init__).parameters
    assert set(defaults) == set(signature) - own - {"self", "verbose", "random_state", "n_jobs"}
    # A file has no other way to leave a value out; in memory NaN is more often a mistake.
    assert (defaults.pop("missing"), signature["missing"].default) == ({"zero"}, "error")
    for name, texts in defaults.items():
        default = signature[name].default
        if default is None:
            assert len(texts) > 1, f"{name} has one default, {texts}: write it in the signature"
        elif isinstance(default, bool):
            assert texts == {str(default).lower()}, name
        elif isinstance(default, (int, float)):
            assert {float(text) for text in texts} == {float(default)}, name
        else:
            assert texts == {default}, name


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("ranker", [rankine.RankSVM, rankine.RankRLS])
def test_missing_values_are_what_was_asked_for(small, ranker, sparse, tmp_path):
    X = small.X.copy()
    X[::3, 1] = np.nan
    X[5, :2] = np.nan
    as_given = scipy.sparse.csr_matrix(X) if sparse else X
    with pytest.raises(ValueError, match="NaN"):
        ranker().fit(as_given, small.y, qid=small.qid)
    for missing in ("zero", "mean"):
        fill = np.nanmean(X, axis=0) if missing == "mean" else np.zeros(X.shape[1])
        filled = np.where(np.isnan(X), fill, X).astype(np.float32)
        expected = ranker().fit(scipy.sparse.csr_matrix(filled) if sparse else filled, small.y, qid=small.qid)
        found = ranker(missing=missing).fit(as_given, small.y, qid=small.qid)
        np.testing.assert_allclose(found.predict(as_given), expected.predict(filled), rtol=1e-4, atol=1e-4)
        found.save(tmp_path / "m.rkn")
        loaded = rankine.load_model(tmp_path / "m.rkn")
        np.testing.assert_array_equal(loaded.predict(as_given), found.predict(as_given))


def test_there_is_a_ranker_for_every_method():
    of_rankers = {method for _, methods, _ in RANKERS for method in methods}
    assert of_rankers == set(_core.option_tables()) - {"read", "synth", "folds", "rules", "map"}


@pytest.mark.parametrize(("ranker", "methods", "own"), RANKERS)
def test_choices_of_the_docstring_are_those_of_the_library(ranker, methods, own):
    text = ranker.__doc__ + rankine.RankSVM.__doc__
    for row in [row for method in methods for row in _core.option_tables()[method]]:
        for choice in row["choices"]:
            assert f'"{choice}"' in text, (row["name"], choice)


def test_rows_of_a_query_need_not_be_together(small, rng):
    order = rng.permutation(len(small.y))
    mixed = rankine.RankSVM().fit(small.X[order], small.y[order], qid=small.qid[order])
    plain = rankine.RankSVM().fit(small.X, small.y, qid=small.qid)
    np.testing.assert_allclose(mixed.coef_, plain.coef_, rtol=1e-5)
    np.testing.assert_allclose(mixed.predict(small.X), plain.predict(small.X), rtol=1e-5, atol=1e-7)


def test_query_scaling_sees_the_queries_whatever_the_order_of_rows(small, rng):
    ranker = rankine.RankSVM(scaling="query_minmax").fit(small.X, small.y, qid=small.qid)
    order = rng.permutation(len(small.y))
    scores = ranker.predict(small.X, qid=small.qid)
    np.testing.assert_array_equal(ranker.predict(small.X[order], qid=small.qid[order]), scores[order])
    alone = small.qid == small.qid[0]
    np.testing.assert_array_equal(ranker.predict(small.X[alone], group=[12]), scores[alone])


def test_group_sizes_are_another_way_to_give_queries(small):
    sizes = rankine.group_sizes(small.qid)
    by_group = rankine.RankSVM().fit(small.X, small.y, group=sizes)
    by_id = rankine.RankSVM().fit(small.X, small.y, qid=small.qid)
    np.testing.assert_array_equal(by_group.coef_, by_id.coef_)


def test_string_ids_do_as_well(small):
    by_text = rankine.RankSVM().fit(small.X, small.y, qid=[f"query {q}" for q in small.qid])
    by_id = rankine.RankSVM().fit(small.X, small.y, qid=small.qid)
    np.testing.assert_array_equal(by_text.coef_, by_id.coef_)


def test_scores_are_linear_in_the_features(small):
    ranker = rankine.RankSVM().fit(small.X, small.y, qid=small.qid)
    by_hand = small.X.astype(float) @ ranker.coef_ + ranker.intercept_
    np.testing.assert_allclose(ranker.predict(small.X), by_hand, rtol=1e-9, atol=1e-9)


def test_selected_features_alone_have_weights(small):
    ranker = rankine.RankSVM(features="2,4-5").fit(small.X, small.y, qid=small.qid)
    assert np.flatnonzero(ranker.coef_).tolist() == [1, 3, 4]
    assert rankine.RankSVM(features=[2, "4-5"]).fit(small.X, small.y, qid=small.qid).model_.columns.tolist() == [1, 3, 4]


def test_a_document_of_weight_two_counts_like_two_documents(small):
    alike = {"scaling": "none", "normalisation": "none", "tolerance": 1e-12}
    weights = 1.0 + (np.arange(len(small.y)) % 3 == 0)
    weighted = rankine.RankSVM(**alike).fit(small.X, small.y, qid=small.qid, sample_weight=weights)
    rows = np.repeat(np.arange(len(small.y)), weights.astype(int))
    repeated = rankine.RankSVM(**alike).fit(small.X[rows], small.y[rows], qid=small.qid[rows])
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, rtol=1e-5)


def test_query_weight_zero_leaves_a_query_out(small):
    queries = np.unique(small.qid)
    kept = ~np.isin(small.qid, queries[::2])
    weights = np.arange(len(queries)) % 2
    alike = {"scaling": "none", "tolerance": 1e-12}
    weighted = rankine.RankSVM(**alike).fit(small.X, small.y, qid=small.qid, query_weight=weights)
    fewer = rankine.RankSVM(**alike).fit(small.X[kept], small.y[kept], qid=small.qid[kept])
    np.testing.assert_allclose(weighted.coef_, fewer.coef_, rtol=1e-5)


def test_preferences_stand_in_for_grades(small, rng):
    pairs = [(i, j) for i in range(len(small.y)) for j in range(len(small.y))
             if small.qid[i] == small.qid[j] and small.y[i] > small.y[j]]
    by_grades = rankine.RankSVM(tolerance=1e-12).fit(small.X, small.y, qid=small.qid)
    by_pairs = rankine.RankSVM(tolerance=1e-12).fit(small.X, qid=small.qid, preferences=pairs)
    np.testing.assert_allclose(by_pairs.coef_, by_grades.coef_, rtol=1e-5)
    order = rng.permutation(len(small.y))
    place = np.argsort(order)
    mixed = rankine.RankSVM(tolerance=1e-12).fit(small.X[order], qid=small.qid[order], preferences=place[np.array(pairs)])
    np.testing.assert_allclose(mixed.coef_, by_grades.coef_, rtol=1e-4)


def test_threads_do_not_change_a_bit(small):
    one = rankine.RankSVM(threads=1).fit(small.X, small.y, qid=small.qid)
    many = rankine.RankSVM(threads=4).fit(small.X, small.y, qid=small.qid)
    np.testing.assert_array_equal(one.coef_, many.coef_)


def test_warm_start_needs_fewer_iterations(small):
    ranker = rankine.RankSVM(warm_start=True, loss="hinge").fit(small.X, small.y, qid=small.qid)
    first = ranker.n_iter_
    assert ranker.fit(small.X, small.y, qid=small.qid).n_iter_ < first


def test_eval_sets_are_measured(small):
    ranker = rankine.RankSVM().fit(small.X, small.y, qid=small.qid, eval_set=[(small.X, small.y)],
                                   eval_qid=[small.qid], eval_at=[5, 10])
    measured = ranker.best_score_["training"]
    assert set(measured) == {"ndcg@5", "ndcg@10"}
    assert measured["ndcg@10"] == ranker.score(small.X, small.y, qid=small.qid)
    assert ranker.evals_result_["training"] == {name: [value] for name, value in measured.items()}
    assert not hasattr(ranker.fit(small.X, small.y, qid=small.qid), "best_score_")


@pytest.mark.parametrize(("arguments", "message"), [
    ({"eval_group": [[60]]}, "eval_names, eval_qid and eval_group need an eval_set"),
    ({"eval_set": [], "eval_names": ["a"]}, "eval_names: 1 for 0 evaluation sets"),
    ({"eval_X": np.zeros((2, 6))}, "eval_X and eval_y go together"),
    ({"eval_X": ([[0] * 6],), "eval_y": ([0], [1])}, "eval_y: 2 for 1 evaluation sets"),
    ({"eval_X": [[0] * 6], "eval_y": [0], "eval_set": []}, "not by both"),
])
def test_eval_sets_that_do_not_fit_together_are_named_before_training(small, arguments, message):
    ranker = rankine.RankSVM()
    with pytest.raises(ValueError, match=message):
        ranker.fit(small.X, small.y, qid=small.qid, **arguments)
    assert not hasattr(ranker, "model_")


def test_a_function_is_no_measure_and_said_to_be_none_before_training(small):
    ranker = rankine.RankSVM()
    with pytest.raises(TypeError, match="eval_metric: names of measures are needed"):
        ranker.fit(small.X, small.y, qid=small.qid, eval_set=[(small.X, small.y)], eval_metric=max)
    assert not hasattr(ranker, "model_")


def test_importances_are_the_sizes_of_the_weights_of_scaled_features(small):
    ranker = rankine.RankSVM(features="2,4").fit(small.X, small.y, qid=small.qid)
    expected = np.abs(ranker.coef_) * np.asarray(small.X, np.float64).std(axis=0)
    np.testing.assert_allclose(ranker.feature_importances_, expected, rtol=1e-4)
    assert not hasattr(rankine.RankSVM(kernel="rbf").fit(small.X, small.y, qid=small.qid), "feature_importances_")
    with pytest.raises(NotFittedError):
        _ = rankine.RankSVM().feature_importances_


@pytest.mark.parametrize("copied", [lambda r: pickle.loads(pickle.dumps(r)), copy.deepcopy, copy.copy])
def test_copies_predict_the_same(small, copied):
    ranker = rankine.RankSVM(C=0.3).fit(small.X, small.y, qid=small.qid)
    other = copied(ranker)
    np.testing.assert_array_equal(other.predict(small.X), ranker.predict(small.X))
    assert other.get_params() == ranker.get_params()
    assert other.report_.iterations == ranker.n_iter_


def test_contributions_sum_to_the_scores(small):
    for scaling in ["none", "standard", "minmax", "quantile", "log", "query_minmax"]:
        ranker = rankine.RankSVM(scaling=scaling, features="1-5").fit(small.X, small.y, qid=small.qid)
        explained = ranker.explain(small.X, qid=small.qid)
        np.testing.assert_allclose(explained.base + explained.contributions.sum(axis=1), explained.scores,
                                   rtol=1e-5, atol=1e-5)
        np.testing.assert_array_equal(explained.scores, ranker.predict(small.X, qid=small.qid))


def test_reasons_come_by_size_and_sum_to_the_difference(small):
    ranker = rankine.RankSVM().fit(small.X, small.y, qid=small.qid)
    explained = ranker.explain(small.X[:10])
    above, below = np.argmax(explained.scores), np.argmin(explained.scores)
    reasons = explained.why(above, below)
    sizes = [abs(reason.contribution) for reason in reasons]
    assert sizes == sorted(sizes, reverse=True)
    difference = explained.scores[above] - explained.scores[below]
    assert math.isclose(sum(reason.contribution for reason in reasons), difference, rel_tol=1e-5)
    assert reasons[0].feature.startswith("feature ")


KERNELS = [
    {"kernel": "rbf"}, {"kernel": "laplacian", "gamma": 0.1}, {"kernel": "polynomial", "degree": 2},
    {"kernel": "rbf", "approximation": "nystroem", "n_components": 50},
    {"kernel": "rbf", "approximation": "nystroem", "n_components": 30, "landmarks": "rpcholesky"},
    {"kernel": "rbf", "approximation": "fourier", "n_components": 64, "fourier": "orthogonal"},
    {"approximation": "relu", "n_components": 64},
]


@pytest.mark.parametrize("options", KERNELS, ids=lambda o: "-".join(map(str, o.values())))
def test_kernels_and_feature_maps_learn_and_keep_the_command_line_s_bits(options, command, tmp_path):
    made = rankine.datasets.make_ranking(queries=40, documents=12, features=5, truth="rbf", noise=0.1, seed=8)
    command("synth", "data.txt", "--queries", "40", "--documents", "12", "--features", "5", "--truth", "rbf",
            "--noise", "0.1", "--seed", "8")
    ranker = rankine.RankSVM(**options).fit(made.X, made.y, qid=made.qid)
    linear = rankine.RankSVM().fit(made.X, made.y, qid=made.qid)
    assert ranker.score(made.X, made.y, qid=made.qid) > linear.score(made.X, made.y, qid=made.qid)
    flags = [word for name, value in options.items() for word in (f"--{name.replace('_', '-')}", value)]
    command("train", "data.txt", "--model", "m.rkn", *flags)
    command("score", "data.txt", "--model", "m.rkn", "--output", "scores.txt")
    np.testing.assert_array_equal(ranker.predict(made.X), np.loadtxt(tmp_path / "scores.txt"))
    again = pickle.loads(pickle.dumps(ranker))
    np.testing.assert_array_equal(again.predict(made.X), ranker.predict(made.X))
    assert not hasattr(ranker, "coef_")
    if options.get("approximation") in ("fourier", "relu"):
        with pytest.raises(ValueError, match="random features have no parts"):
            ranker.explain(made.X[:5])
    else:
        explained = ranker.explain(made.X[:9])
        np.testing.assert_allclose(explained.contributions.sum(axis=1), explained.scores, rtol=1e-4, atol=1e-4)
        assert explained.why(0, 1, top=3)[0].feature.startswith("landmark ")


def test_a_report_tells_how_training_went(small):
    report = rankine.RankSVM().fit(small.X, small.y, qid=small.qid).report_
    assert report.termination == "converged"
    assert len(report.objectives) == report.iterations
    assert report.gap >= 0


def test_weights_of_scaled_features_are_not_sold_as_raw_ones(small):
    ranker = rankine.RankSVM(scaling="quantile").fit(small.X, small.y, qid=small.qid)
    assert not hasattr(ranker, "coef_")
    assert len(ranker.model_.weights) == 6
