"""Choosing models: folds that never cut a query, paths over C and alpha, cross-validation, tuning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional, TypeVar, Union

import numpy as np
from numpy.typing import NDArray

from rankine import _core, metrics
from rankine._estimator import EstimatorBase, unfitted_copy
from rankine._inputs import features_of, queries_of, rows_of
from rankine._options import option_text, option_texts, option_types
from rankine._progress import Callback, Watch
from rankine.ranker import Ranker, option_value

R = TypeVar("R", bound=Ranker)


class QueryFold(EstimatorBase):
    """K folds that never cut a query: a splitter for scikit-learn, with ``groups`` the query ids.

    A query's fold follows from its id and the seed, whatever the order of rows; the command line's
    ``convert --folds`` makes the same parts.

    Parameters
    ----------
    n_splits : int
    fold_by : {"hash", "position"}
        By a hash of the query's id, or blocks of queries as they come.
    seed : int
        Of the hash.

    Examples
    --------
    >>> import numpy as np
    >>> from rankine.model_selection import QueryFold
    >>> qid = np.repeat([1, 2, 3, 4], 2)
    >>> for train, test in QueryFold(n_splits=2).split(np.zeros((8, 1)), groups=qid):
    ...     assert not set(qid[train]) & set(qid[test])
    """

    __metadata_request__split = {"groups": True}

    def __init__(self, n_splits: int = 5, *, fold_by: str = "hash", seed: int = 0) -> None:
        self.n_splits = n_splits
        self.fold_by = fold_by
        self.seed = seed

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """The number of folds."""
        return self.n_splits

    def split(
        self, X: Any, y: Any = None, groups: Any = None
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """The rows to train and to test on, fold by fold.

        Parameters
        ----------
        X : array or table
            Its number of rows matters, and its column ``qid`` where groups are not given.
        y : ignored
        groups : array of shape (n_documents,)
            Query ids.

        Yields
        ------
        train, test : ndarray
            Row numbers, rising.
        """
        if groups is None:
            groups = features_of(X).qid
        if groups is None:
            raise ValueError("The 'groups' parameter should not be None: give the query ids as groups")
        ids = np.asarray(groups)
        queries = queries_of(len(ids), ids)
        options = option_texts({"folds": self.n_splits, "fold_by": self.fold_by, "seed": self.seed})
        fold_of = np.asarray(_core.fold_of_queries([str(name) for name in queries.ids], options))
        by_document = np.repeat(fold_of, np.diff(queries.offsets))
        fold_of_row = np.empty(len(ids), np.int64)
        fold_of_row[slice(None) if queries.order is None else queries.order] = by_document
        for fold in range(self.n_splits):
            yield np.flatnonzero(fold_of_row != fold), np.flatnonzero(fold_of_row == fold)


def cross_validate(
    ranker: Ranker,
    X: Any,
    y: Any,
    qid: Any,
    *,
    cv: Union[int, Any] = 5,
    measures: Union[str, Sequence[str]] = "ndcg@10",
    convention: str = "rankine",
) -> dict[str, NDArray[np.float64]]:
    """Measures by fold, each of a ranker that never saw the fold's queries.

    Parameters
    ----------
    ranker : Ranker
        Its parameters are used; it is not fitted itself.
    X, y, qid : array
        Documents, grades and queries.
    cv : int or splitter
        The number of folds, or anything with ``split(X, y, groups)``.
    measures : str or sequence of str
    convention : str

    Returns
    -------
    dict of str to ndarray
        By measure, a value a fold.

    Examples
    --------
    >>> import rankine
    >>> data = rankine.datasets.make_ranking(queries=60, features=4)
    >>> values = rankine.model_selection.cross_validate(rankine.RankSVM(), *data, cv=3)
    >>> len(values["ndcg@10"])
    3
    """
    splitter = QueryFold(cv) if isinstance(cv, int) else cv
    by_fold: list[dict[str, float]] = []
    for train, test in splitter.split(X, y, qid):
        fitted = unfitted_copy(ranker).fit(rows_of(X, train), rows_of(y, train), qid=rows_of(qid, train))
        scores = fitted.predict(rows_of(X, test), qid=rows_of(qid, test))
        result = metrics.evaluate(
            rows_of(y, test), scores, qid=rows_of(qid, test), measures=measures, convention=convention
        )
        by_fold.append(result.means)
    return {name: np.array([means[name] for means in by_fold]) for name in by_fold[0]}


def train_path(
    ranker: R,
    X: Any,
    y: Any,
    *,
    C: Optional[Sequence[float]] = None,
    alpha: Optional[Sequence[float]] = None,
    qid: Any = None,
    group: Any = None,
    sample_weight: Any = None,
    query_weight: Any = None,
    preferences: Any = None,
    callback: Optional[Callback] = None,
) -> list[R]:
    """One fitted ranker for each value of C, or of alpha, for little more than the price of one.

    Parameters
    ----------
    ranker : RankSVM or RankRLS
        Its other parameters are used; it is not fitted itself.
    X, y, qid, group, sample_weight, query_weight, preferences
        As for :meth:`rankine.RankSVM.fit`.
    C : sequence of float
        Of RankSVM, rising.
    alpha : sequence of float
        Of RankRLS, rising.
    callback : callable, optional
        As for ``fit``; when it ends the training, the models so far are returned. Ctrl-C raises
        KeyboardInterrupt, and the exception's ``path`` holds them.

    Returns
    -------
    list of RankSVM or RankRLS

    Examples
    --------
    >>> import rankine
    >>> data = rankine.datasets.make_ranking(queries=60, features=4)
    >>> path = rankine.model_selection.train_path(
    ...     rankine.RankSVM(), data.X, data.y, qid=data.qid, C=[0.01, 0.1]
    ... )
    >>> [ranker.C for ranker in path]
    [0.01, 0.1]
    """
    name = "alpha" if ranker._method() == "rls" else "C"
    values, other = (alpha, C) if name == "alpha" else (C, alpha)
    if values is None or other is not None:
        raise ValueError(f"a path of {type(ranker).__name__} goes over {name}: give its values")
    features = features_of(X, ranker.missing)
    data = ranker._training_data(features, y, qid, group, sample_weight, query_weight, preferences)
    with Watch(callback, ranker.verbose) as watch:
        models, raised = _core.train_path(
            data, ranker._method(), ranker._option_texts(), [float(value) for value in values], watch.function
        )
    path = []
    for value, model in zip(values, models):
        if model.report["termination"] == "interrupted" and model.report["iterations"] == 0:
            break
        fitted = unfitted_copy(ranker).set_params(**{name: float(value)})
        fitted._set_model(model, features.num_columns, features.names)
        path.append(fitted)
    if raised is not None:
        raised.path = path  # type: ignore[attr-defined]
        raise raised
    return path


@dataclass(frozen=True)
class Trial:
    """One setting of a grid.

    Attributes
    ----------
    params : dict
        The options that vary, with their values.
    mean, deviation : float
        Of the measure on validation data, over the folds; NaN when halving dropped the setting.
    validation : ndarray
        By fold.
    seconds : float
        Training and measuring.
    """

    params: dict[str, Any]
    mean: float
    deviation: float
    validation: NDArray[np.float64]
    seconds: float


@dataclass(frozen=True)
class Tuning:
    """What tuning found.

    Attributes
    ----------
    ranker : Ranker
        Fitted with the best setting: on all data after folds, on the training data with ``valid``.
    best : Trial
    trials : list of Trial
        All settings, the last grid varying fastest.
    warnings : list of str
    """

    ranker: Any
    best: Trial
    trials: list[Trial]
    warnings: list[str]


def tune(
    ranker: Ranker,
    X: Any,
    y: Any,
    *,
    grid: Mapping[str, Any],
    qid: Any = None,
    group: Any = None,
    folds: int = 5,
    valid: Optional[Sequence[Any]] = None,
    select: str = "ndcg@10",
    convention: str = "rankine",
    halving: bool = False,
    run: str = "",
    callback: Optional[Callback] = None,
) -> Tuning:
    """Tries every setting of a grid, keeps the best: what ``rankine tune`` does.

    All values of C are trained in one path. Ctrl-C ends with KeyboardInterrupt; with ``run`` the
    finished trainings are kept, and the same call goes on from there.

    Parameters
    ----------
    ranker : Ranker
        Its other parameters are used; it is not fitted itself.
    X, y, qid, group
        Documents, grades and queries.
    grid : mapping of str to sequence or str
        By option, its values, or a text such as ``"2^-12..2^6"``.
    folds : int
        The number of parts the queries are cut into, without ``valid``.
    valid : (X, y, qid), optional
        Validation data in place of folds.
    select : str
        The measure that decides.
    convention : str
        Whose definition of it holds.
    halving : bool
        Successive halving: all settings on few queries first, the better third on more.
    run : str
        A folder to keep finished trainings in.
    callback : callable, optional
        As for ``fit``.

    Returns
    -------
    Tuning

    Examples
    --------
    >>> import rankine
    >>> X, y, qid = rankine.datasets.make_ranking(queries=60, features=4)
    >>> tuned = rankine.model_selection.tune(rankine.RankSVM(), X, y, qid=qid, grid={"C": "2^-4..2^2"}, folds=3)
    >>> len(tuned.trials), tuned.ranker.C == tuned.best.params["C"]
    (7, True)
    """
    features = features_of(X)
    data = ranker._training_data(features, y, qid, group)
    validation = None
    if valid is not None:
        validation_features = features_of(valid[0])
        validation = ranker._training_data(
            validation_features, valid[1], valid[2] if len(valid) > 2 else None
        )
    grids = [(name, option_text(name, values)) for name, values in grid.items()]
    tuning = option_texts({"select": select, "halving": halving, "run": run})
    with Watch(callback, ranker.verbose) as watch:
        found = _core.tune(
            data, validation, folds, ranker._method(), ranker._option_texts(), grids, convention, tuning,
            watch.function,
        )
    kinds, defaults = option_types(ranker._method()), ranker.get_params(deep=False)
    trials = [
        Trial(
            {name: option_value(text, kinds[name], defaults[name]) for name, text in texts.items()},
            mean, deviation, by_fold, seconds,
        )
        for texts, mean, deviation, seconds, by_fold in found["settings"]
    ]
    best = trials[found["best"]]
    fitted = unfitted_copy(ranker).set_params(**best.params)
    fitted._set_model(found["model"], features.num_columns, features.names)
    return Tuning(fitted, best, trials, found["warnings"])
