"""RankRLS: its closed form, its path, and the scores that leave queries out."""
import pickle

import numpy as np
import pytest

import rankine


def test_it_solves_the_normal_equations(small):
    """Against the definition: all pairs listed, one linear system."""
    ranker = rankine.RankRLS(alpha=3.0, scaling="none", normalisation="none").fit(small.X, small.y, qid=small.qid)
    X = small.X.astype(float)
    left, right = 3.0 * np.eye(X.shape[1]), np.zeros(X.shape[1])
    for query in np.unique(small.qid):
        rows = np.flatnonzero(small.qid == query)
        i, j = (rows[k] for k in np.triu_indices(len(rows), 1))
        difference = X[i] - X[j]
        left += difference.T @ difference
        right += difference.T @ (small.y[i] - small.y[j])
    np.testing.assert_allclose(ranker.coef_, np.linalg.solve(left, right), rtol=1e-6)


def test_weights_and_scores_have_the_bits_of_the_command_line(command, tmp_path):
    command("synth", "train.txt", "--queries", "50", "--documents", "10", "--features", "6", "--seed", "4")
    command("train", "train.txt", "--model", "m.rkn", "--method", "rls", "--alpha", "2^-4..2^8",
            "--leave-query-out", "left_out.txt")
    data = rankine.datasets.load_letor(tmp_path / "train.txt")
    ranker = rankine.RankRLS(alphas="2^-4..2^8").fit(data.X, data.y, qid=data.qid)
    of_command = rankine.load_model(tmp_path / "m.rkn")
    assert isinstance(of_command, rankine.RankRLS)
    assert of_command.alpha == ranker.alpha_ == of_command.alpha_
    np.testing.assert_array_equal(ranker.model_.weights, of_command.model_.weights)
    np.testing.assert_array_equal(ranker.leave_query_out_, np.loadtxt(tmp_path / "left_out.txt"))


def test_leave_query_out_is_fitting_without_the_query(small, rng):
    order = rng.permutation(len(small.y))
    X, y, qid = small.X[order], small.y[order], small.qid[order]
    ranker = rankine.RankRLS(alpha=2.0, leave_query_out=True, scaling="none").fit(X, y, qid=qid)
    for query in np.unique(qid)[:4]:
        left = qid == query
        without = rankine.RankRLS(alpha=2.0, scaling="none").fit(X[~left], y[~left], qid=qid[~left])
        expected, found = without.predict(X[left]), ranker.leave_query_out_[left]
        np.testing.assert_allclose(found - found.mean(), expected - expected.mean(), atol=1e-6)


def test_the_best_alpha_of_a_path_is_kept(small):
    values = [0.1, 10.0, 1000.0, 1e6]
    ranker = rankine.RankRLS(alphas=values).fit(small.X, small.y, qid=small.qid)
    np.testing.assert_array_equal(ranker.alphas_, values)
    assert ranker.alpha_ == values[int(np.argmax(ranker.path_scores_))]
    measured = rankine.metrics.ndcg(small.y, ranker.leave_query_out_, qid=small.qid, k=10)
    assert measured == pytest.approx(ranker.path_scores_.max(), abs=1e-12)
    single = rankine.RankRLS(alpha=ranker.alpha_).fit(small.X, small.y, qid=small.qid)
    np.testing.assert_allclose(ranker.coef_, single.coef_, rtol=1e-9)


def test_a_path_over_alpha_gives_a_ranker_for_each(small):
    path = rankine.model_selection.train_path(rankine.RankRLS(), small.X, small.y, qid=small.qid, alpha=[1.0, 100.0])
    assert [ranker.alpha for ranker in path] == [ranker.alpha_ for ranker in path] == [1.0, 100.0]
    with pytest.raises(ValueError, match="a path of RankRLS goes over alpha"):
        rankine.model_selection.train_path(rankine.RankRLS(), small.X, small.y, qid=small.qid, C=[1.0])


def test_tuning_takes_alpha(small):
    tuned = rankine.model_selection.tune(rankine.RankRLS(), small.X, small.y, qid=small.qid, grid={"alpha": "1,100"},
                                         folds=3)
    assert tuned.ranker.alpha in (1.0, 100.0) and tuned.ranker.alpha_ == tuned.best.params["alpha"]


def test_kernels_and_copies(small):
    ranker = rankine.RankRLS(alpha=1.0, kernel="rbf", leave_query_out=True).fit(small.X, small.y, qid=small.qid)
    again = pickle.loads(pickle.dumps(ranker))
    np.testing.assert_array_equal(again.predict(small.X), ranker.predict(small.X))
    np.testing.assert_array_equal(again.leave_query_out_, ranker.leave_query_out_)
    refitted = again.set_params(leave_query_out=False).fit(small.X, small.y, qid=small.qid)
    assert not hasattr(refitted, "leave_query_out_")


@pytest.mark.parametrize(("params", "message"), [
    ({"alpha": -1}, "alpha"), ({"alphas": "1,,"}, "alpha"), ({"alphas": "1..0"}, "alpha"), ({"ties": "some"}, "ties = 'some'"),
    ({"solver": "cg", "leave_query_out": True}, "solver = cg has no leave-query-out"),
    ({"alphas": [1.0, 2.0], "select": "ndgc@10"}, "ndgc"),
])
def test_mistakes_are_named(small, params, message):
    with pytest.raises(ValueError, match=message):
        rankine.RankRLS(**params).fit(small.X, small.y, qid=small.qid)


def test_what_a_callback_raises_comes_out_of_a_closed_form_too(small):
    class Enough(Exception):
        pass

    def fail(_):
        raise Enough("no more")

    with pytest.raises(Enough):
        rankine.RankRLS().fit(small.X, small.y, qid=small.qid, callback=fail)
    with pytest.raises(RuntimeError, match="stopped by the callback before there was a model"):
        rankine.RankRLS().fit(small.X, small.y, qid=small.qid, callback=lambda _: False)
