"""A loss written in Python: the same optimum as the built-in one, and what goes wrong is told."""
import pickle
import threading

import numpy as np
import pytest

import rankine


def differences(scores, grades):
    """By pair (winner, loser): the winner's score less the loser's, and whether it is a pair."""
    return scores[:, None] - scores, grades[:, None] > grades


class SquaredHinge(rankine.QueryLoss):
    name = "squared hinge in Python"

    def gradient(self, scores, grades, weights=None):
        t, pairs = differences(scores, grades)
        w = 1.0 if weights is None else weights[:, None] * weights
        short = np.maximum(0, 1 - t) * pairs
        pull = 2 * w * short
        return (w * short**2).sum(), pull.sum(axis=0) - pull.sum(axis=1)

    def hessian_times(self, scores, grades, direction, weights=None):
        t, pairs = differences(scores, grades)
        w = 1.0 if weights is None else weights[:, None] * weights
        change = 2 * w * (pairs & (t < 1)) * (direction[:, None] - direction)
        return change.sum(axis=1) - change.sum(axis=0)


class Hinge(rankine.QueryLoss):
    def gradient(self, scores, grades):
        t, pairs = differences(scores, grades)
        short = (1 - t) * (pairs & (t < 1))
        active = (short > 0).astype(float)
        return short.sum(), active.sum(axis=0) - active.sum(axis=1)


def plain_hinge(scores, grades):
    return Hinge().gradient(scores, grades)


@pytest.mark.parametrize("options", [{}, {"normalisation": "none", "C": 0.01}, {"scaling": "none"},
                                     {"kernel": "rbf", "gamma": 0.1},
                                     {"kernel": "rbf", "approximation": "nystroem", "n_components": 30}], ids=str)
def test_squared_hinge_in_python_finds_the_built_in_optimum(small, options):
    tight = {"tolerance": 1e-12, **options}
    own = rankine.RankSVM(loss=SquaredHinge(), **tight).fit(small.X, small.y, qid=small.qid)
    built_in = rankine.RankSVM(**tight).fit(small.X, small.y, qid=small.qid)
    assert own.report_.termination == "converged"
    assert own.report_.objective == pytest.approx(built_in.report_.objective, rel=1e-7)
    a, b = own.predict(small.X), built_in.predict(small.X)
    np.testing.assert_allclose(a - a.mean(), b - b.mean(), rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("loss", [Hinge(), plain_hinge], ids=["object", "function"])
def test_a_loss_without_second_derivatives_goes_by_cutting_planes(small, loss):
    own = rankine.RankSVM(loss=loss, tolerance=1e-3).fit(small.X[:240], small.y[:240], qid=small.qid[:240])
    built_in = rankine.RankSVM(loss="hinge", tolerance=1e-3).fit(small.X[:240], small.y[:240], qid=small.qid[:240])
    assert own.report_.objective == pytest.approx(built_in.report_.objective, rel=3e-3)
    assert own.report_.objective - own.report_.gap <= built_in.report_.objective * (1 + 1e-9)


def test_stochastic_gradients_take_it_too(small):
    by_query = {"method": "sgd", "sampling": "query", "learning_rate": 0.05}
    own = rankine.RankSVM(loss=SquaredHinge(), **by_query).fit(small.X, small.y, qid=small.qid)
    built_in = rankine.RankSVM(**by_query).fit(small.X, small.y, qid=small.qid)
    np.testing.assert_allclose(own.coef_, built_in.coef_, rtol=1e-4, atol=1e-6)


def test_threads_do_not_change_a_bit(small):
    one, many = (rankine.RankSVM(loss=SquaredHinge(), threads=threads).fit(small.X, small.y, qid=small.qid)
                 for threads in (1, 4))
    np.testing.assert_array_equal(one.coef_, many.coef_)


def test_weights_of_documents_and_queries_enter(small):
    weights = {"sample_weight": 1.0 + (np.arange(720) % 3), "query_weight": 1.0 + (np.arange(60) % 2)}
    own = rankine.RankSVM(loss=SquaredHinge(), tolerance=1e-12).fit(small.X, small.y, qid=small.qid, **weights)
    built_in = rankine.RankSVM(tolerance=1e-12).fit(small.X, small.y, qid=small.qid, **weights)
    np.testing.assert_allclose(own.coef_, built_in.coef_, rtol=1e-4)
    with pytest.raises(ValueError, match="loss 'Hinge': with sample_weight its methods must take a keyword argument"):
        rankine.RankSVM(loss=Hinge()).fit(small.X, small.y, qid=small.qid, sample_weight=np.ones(720))
    with pytest.raises(ValueError, match="preferences need a built-in loss"):
        rankine.RankSVM(loss=Hinge()).fit(small.X, small.y, qid=small.qid, preferences=[(0, 1)])


def test_paths_and_tuning_take_it(small):
    ranker = rankine.RankSVM(loss=SquaredHinge())
    path = rankine.model_selection.train_path(ranker, small.X, small.y, qid=small.qid, C=[0.01, 1.0])
    built_in = rankine.model_selection.train_path(rankine.RankSVM(), small.X, small.y, qid=small.qid, C=[0.01, 1.0])
    for own, other in zip(path, built_in):
        assert own.report_.objective == pytest.approx(other.report_.objective, rel=1e-5)
    tuned, expected = (rankine.model_selection.tune(r, small.X, small.y, qid=small.qid, grid={"C": [0.01, 1.0]}, folds=2)
                       for r in (ranker, rankine.RankSVM()))
    np.testing.assert_allclose([t.mean for t in tuned.trials], [t.mean for t in expected.trials], atol=0.01)
    with pytest.raises(ValueError, match="run= and a grid over losses need built-in ones"):
        rankine.model_selection.tune(ranker, small.X, small.y, qid=small.qid, grid={"loss": ["huber"]}, folds=2)


def test_the_model_records_its_name(small, tmp_path):
    ranker = rankine.RankSVM(loss=SquaredHinge()).fit(small.X, small.y, qid=small.qid)
    assert ranker.model_.options["loss"] == "squared hinge in Python"
    ranker.save(tmp_path / "m.rkn")
    again = rankine.load_model(tmp_path / "m.rkn")
    assert again.loss == "squared hinge in Python"
    np.testing.assert_array_equal(again.predict(small.X), ranker.predict(small.X))
    copied = pickle.loads(pickle.dumps(ranker))
    np.testing.assert_array_equal(copied.fit(small.X, small.y, qid=small.qid).coef_, ranker.coef_)
    with pytest.raises(ValueError, match="loss = 'squared hinge in Python' is none of"):
        again.fit(small.X, small.y, qid=small.qid)


class Wrong(rankine.QueryLoss):
    def __init__(self, answer):
        self.answer = answer

    def gradient(self, scores, grades):
        return self.answer(scores)


@pytest.mark.parametrize(("answer", "message"), [
    (lambda s: 1 / 0, "division by zero"),
    (lambda s: 0.0, "gradient() must return the value and the gradient, got float"),
    (lambda s: (0.0, s[:3]), r"gradient has the shape (3,) for a query of 12 documents"),
    (lambda s: (np.nan, s), "the value is nan for a query of 12 documents"),
    (lambda s: (0.0, s + np.inf), "gradient is not finite at document 0 of a query"),
])
@pytest.mark.parametrize("threads", [1, 4])
def test_what_a_loss_raises_or_gets_wrong_ends_training_with_that_error(small, answer, message, threads):
    ranker = rankine.RankSVM(loss=Wrong(answer), threads=threads)
    with pytest.raises((ValueError, ZeroDivisionError)) as raised:
        ranker.fit(small.X, small.y, qid=small.qid)
    assert message in str(raised.value)
    assert not hasattr(ranker, "model_")


@pytest.mark.parametrize(("loss", "message"), [
    (SquaredHinge, "the class SquaredHinge: give an instance of it"),
    (3.5, "loss = '3.5' is none of squared_hinge"),
    (type("hinge", (Hinge,), {"name": "hinge"})(), "'hinge' is the name of a built-in loss"),
    (type("Bad", (Hinge,), {"name": "a\nb"})(), "must be a printable text"),
])
def test_what_is_no_loss_is_refused(small, loss, message):
    with pytest.raises(ValueError) as raised:
        rankine.RankSVM(loss=loss).fit(small.X, small.y, qid=small.qid)
    assert message in str(raised.value)


def test_ctrl_c_inside_a_loss_keeps_the_best_model_so_far(small):
    calls = []

    class Interrupting(SquaredHinge):
        def gradient(self, scores, grades, weights=None):
            calls.append(threading.get_ident())
            if len(calls) == 200:
                raise KeyboardInterrupt
            return super().gradient(scores, grades, weights)

    ranker = rankine.RankSVM(loss=Interrupting(), tolerance=1e-14)
    with pytest.raises(KeyboardInterrupt):
        ranker.fit(small.X, small.y, qid=small.qid)
    assert ranker.report_.termination == "interrupted"
    assert len(ranker.predict(small.X)) == 720


def test_a_loss_may_keep_what_it_is_given(small):
    kept = []

    def keeping(scores, grades):
        kept.append((scores, grades))
        return plain_hinge(scores, grades)

    rankine.RankSVM(loss=keeping, max_iterations=3).fit(small.X, small.y, qid=small.qid)
    assert all(len(scores) == len(grades) == 12 and np.isfinite(scores).all() for scores, grades in kept)
    np.testing.assert_array_equal(np.unique(np.concatenate([grades for _, grades in kept])), np.unique(small.y))
