"""Folds, paths and cross-validation."""
import json

import numpy as np
import pytest

import rankine
from rankine.model_selection import QueryFold, cross_validate, train_path, tune


def test_folds_never_cut_a_query_and_cover_all_rows(small, rng):
    order = rng.permutation(len(small.qid))
    qid = small.qid[order]
    tested = []
    for train, test in QueryFold(5).split(small.X, groups=qid):
        assert not set(qid[train]) & set(qid[test])
        assert len(train) + len(test) == len(qid)
        tested.append(test)
    assert sorted(np.concatenate(tested).tolist()) == list(range(len(qid)))


def test_a_query_s_fold_does_not_depend_on_the_order_of_rows(small, rng):
    order = rng.permutation(len(small.qid))
    plain = [set(small.qid[test]) for _, test in QueryFold(4, seed=3).split(small.X, groups=small.qid)]
    mixed = [set(small.qid[order][test]) for _, test in QueryFold(4, seed=3).split(small.X, groups=small.qid[order])]
    assert plain == mixed


def test_folds_are_those_of_the_command_line(command, tmp_path):
    command("synth", "data.txt", "--queries", "30", "--documents", "4", "--features", "3")
    command("convert", "data.txt", "folds", "--folds", "5", "--seed", "2")
    data = rankine.datasets.load_letor(tmp_path / "data.txt")
    parts = [set(data.qid[test].tolist()) for _, test in QueryFold(5, seed=2).split(data.X, groups=data.qid)]
    for fold in range(5):
        test = rankine.datasets.load_letor(tmp_path / f"folds/Fold{fold + 1}/test.txt")
        assert set(test.qid.tolist()) in parts


def test_too_few_queries_are_an_error(small):
    with pytest.raises(ValueError, match="folds = 5 must be at most the number of queries, 2"):
        next(QueryFold(5).split(np.zeros((4, 1)), groups=[1, 1, 2, 2]))
    with pytest.raises(ValueError, match="groups"):
        next(QueryFold(5).split(np.zeros((4, 1))))


@pytest.mark.parametrize("loss", ["squared_hinge", "hinge"])
def test_a_path_gives_the_models_of_single_fits(small, loss):
    values = [0.01, 0.1, 1.0]
    path = train_path(rankine.RankSVM(loss=loss, tolerance=1e-9), small.X, small.y, qid=small.qid, C=values)
    for value, ranker in zip(values, path):
        single = rankine.RankSVM(loss=loss, tolerance=1e-9, C=value).fit(small.X, small.y, qid=small.qid)
        np.testing.assert_allclose(ranker.coef_, single.coef_, rtol=2e-2 if loss == "hinge" else 1e-3, atol=1e-4)
        assert value == ranker.C


def test_a_path_must_rise(small):
    with pytest.raises(ValueError, match="C: the values of a path must rise"):
        train_path(rankine.RankSVM(), small.X, small.y, qid=small.qid, C=[1.0, 0.1])


def test_cross_validation_measures_unseen_queries(small):
    values = cross_validate(rankine.RankSVM(), *small, cv=4, measures=["ndcg@10", "map"])
    for fold, (train, test) in enumerate(QueryFold(4).split(small.X, groups=small.qid)):
        ranker = rankine.RankSVM().fit(small.X[train], small.y[train], qid=small.qid[train])
        assert values["ndcg@10"][fold] == ranker.score(small.X[test], small.y[test], qid=small.qid[test])
    assert set(values) == {"ndcg@10", "map"}


def test_synthetic_data_is_the_command_line_s(command, tmp_path):
    summary = command("synth", "data.txt", "--queries", "20", "--features", "5", "--seed", "6", "--json")
    made = rankine.datasets.make_ranking(queries=20, features=5, seed=6)
    read = rankine.datasets.load_letor(tmp_path / "data.txt")
    assert json.loads(summary)["documents"] == len(made.y)
    np.testing.assert_array_equal(made.X, read.X)
    np.testing.assert_array_equal(made.y, read.y)
    np.testing.assert_array_equal(made.qid, read.qid)
    assert len(made.true_scores) == len(made.y)


def test_sparse_files_become_sparse_matrices(command, tmp_path):
    sparse = pytest.importorskip("scipy.sparse")
    command("synth", "thin.txt", "--queries", "20", "--features", "200", "--density", "0.02")
    thin = rankine.datasets.load_letor(tmp_path / "thin.txt")
    dense = rankine.datasets.load_letor(tmp_path / "thin.txt", storage="dense")
    assert sparse.issparse(thin.X)
    np.testing.assert_array_equal(thin.X.toarray(), dense.X)
    ranker = rankine.RankSVM().fit(thin.X, thin.y, qid=thin.qid)
    assert ranker.n_features_in_ == thin.X.shape[1]


def test_a_fold_s_parts_have_the_same_columns(command, tmp_path):
    command("synth", "data.txt", "--queries", "20", "--documents", "4", "--features", "40", "--density", "0.05")
    command("convert", "data.txt", "folds", "--folds", "5")
    train, vali, test = rankine.datasets.load_letor_fold(tmp_path / "folds/Fold1", storage="dense")
    assert vali.X.shape[1] >= train.X.shape[1] and test.X.shape[1] >= train.X.shape[1]
    assert not set(train.qid) & set(vali.qid) and not set(vali.qid) & set(test.qid)


def test_ids_that_are_no_numbers_stay_strings(tmp_path):
    (tmp_path / "a.txt").write_text("1 qid:q7 1:1 # doc a\n0 qid:007 1:2\n")
    data = rankine.datasets.load_letor(tmp_path / "a.txt", comments=True)
    assert data.qid.tolist() == ["q7", "007"]
    assert data.comments[0].strip() == "doc a"


def test_tuning_is_the_command_line_s(command, tmp_path):
    command("synth", "data.txt", "--queries", "40", "--documents", "8", "--features", "5", "--seed", "3")
    table = json.loads(command("tune", "data.txt", "--folds", "3", "--grid", "C=2^-6..2^2", "--model", "m.rkn", "--json"))
    data = rankine.datasets.load_letor(tmp_path / "data.txt")
    tuned = tune(rankine.RankSVM(), data.X, data.y, qid=data.qid, grid={"C": "2^-6..2^2"}, folds=3)
    of_command = rankine.load_model(tmp_path / "m.rkn")
    assert tuned.ranker.C == of_command.C
    np.testing.assert_array_equal(tuned.ranker.predict(data.X), of_command.predict(data.X))
    assert "settings" in table or table


def test_tuning_keeps_the_best_on_validation_data(small):
    rows = np.isin(small.qid, np.unique(small.qid)[:40])
    valid = (small.X[~rows], small.y[~rows], small.qid[~rows])
    grid = {"loss": ["squared_hinge", "huber"], "C": [0.001, 0.1, 10.0]}
    tuned = tune(rankine.RankSVM(), small.X[rows], small.y[rows], qid=small.qid[rows], grid=grid, valid=valid,
                 select="map", convention="letor")
    assert len(tuned.trials) == 6
    for trial in tuned.trials:
        ranker = rankine.RankSVM(**trial.params).fit(small.X[rows], small.y[rows], qid=small.qid[rows])
        value = rankine.metrics.average_precision(valid[1], ranker.predict(valid[0]), qid=valid[2], convention="letor")
        assert trial.mean == pytest.approx(value, abs=0.01)
    assert tuned.best.mean == max(trial.mean for trial in tuned.trials)
    single = rankine.RankSVM(**tuned.best.params).fit(small.X[rows], small.y[rows], qid=small.qid[rows])
    np.testing.assert_array_equal(tuned.ranker.coef_, single.coef_)


def test_an_unknown_option_of_a_grid_is_named(small):
    with pytest.raises(ValueError, match="CC"):
        tune(rankine.RankSVM(), small.X, small.y, qid=small.qid, grid={"CC": [1.0]})
