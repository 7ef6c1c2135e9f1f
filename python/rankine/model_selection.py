"""Choosing models: folds that never cut a query, paths over C and alpha, cross-validation, tuning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional, TypeVar, Union

import numpy as np
from numpy.typing import NDArray

from rankine import _core, metrics
from rankine._estimator import EstimatorBase, unfitted_copy
from rankine._inputs import Features, check_same_order, features_of, index_qid, rows_of
from rankine._options import option_text, option_texts, option_types
from rankine._progress import Callback, Watch
from rankine._queries import queries_of, table_qid
from rankine._tables import Table, Tabular, frame
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
            Its number of rows matters, and its column or index level ``qid`` where groups are not given.
        y : array, optional
            Its index level ``qid``, where neither groups nor X have the queries.
        groups : array of shape (n_documents,)
            Query ids.

        Yields
        ------
        train, test : ndarray
            Row numbers, rising.
        """
        if groups is None:
            groups = _queries_beside(X, y)
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


def _queries_beside(X: Any, y: Any) -> Any:
    found = table_qid(X)
    return index_qid(y) if found is None else found


def _needed_queries(X: Any, y: Any, qid: Any) -> Any:
    if qid is None:
        qid = _queries_beside(X, y)
    if qid is None:
        raise ValueError("the query ids are needed: give qid=, or a column or index level named 'qid'")
    return qid


def cross_validate(
    ranker: Ranker,
    X: Any,
    y: Any,
    qid: Any = None,
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
        Documents, grades and queries; qid may be a column or an index level of X or y instead.
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
    check_same_order(X, y=y, qid=qid)
    qid = np.asarray(_needed_queries(X, y, qid))
    splitter = QueryFold(cv) if isinstance(cv, int) else cv
    by_fold: list[dict[str, float]] = []
    for train, test in splitter.split(X, y, qid):
        _refuse_cut_queries(qid, train, test)
        fitted = unfitted_copy(ranker).fit(rows_of(X, train), rows_of(y, train), qid=qid[train])
        scores = fitted.predict(rows_of(X, test), qid=qid[test])
        result = metrics.evaluate(rows_of(y, test), scores, qid=qid[test], measures=measures, convention=convention)
        by_fold.append(result.means)
    return {name: np.array([means[name] for means in by_fold]) for name in by_fold[0]}


def _refuse_cut_queries(qid: NDArray[Any], train: NDArray[np.int64], test: NDArray[np.int64]) -> None:
    shared = set(qid[train].tolist()) & set(qid[test].tolist())
    if shared:
        raise ValueError(
            f"cv cuts queries: {len(shared)} of them have documents in both train and test (such as "
            f"{next(iter(shared))!r}); take QueryFold or GroupKFold"
        )


def cross_val_score(
    ranker: Ranker,
    X: Any,
    y: Any,
    *,
    groups: Any = None,
    qid: Any = None,
    cv: Union[int, Any] = 5,
    scoring: str = "ndcg@10",
    convention: str = "rankine",
) -> NDArray[np.float64]:
    """scikit-learn's function of this name for rankers: ``groups`` are the queries, in fit and score too.

    scikit-learn's own hands ``groups`` to the splitter alone, unless metadata routing is on.

    Parameters
    ----------
    ranker : Ranker
        Its parameters are used; it is not fitted itself.
    X, y : array
        Documents and grades.
    groups, qid : array of shape (n_documents,), optional
        Query ids, by either name; or a column or an index level ``qid`` of X or y.
    cv : int or splitter
        The number of folds (:class:`QueryFold`), or a splitter such as ``GroupKFold(3)``.
    scoring : str
        A measure.
    convention : str
        Whose definition of it holds.

    Returns
    -------
    ndarray of shape (n_folds,)

    Examples
    --------
    >>> import rankine
    >>> X, y, qid = rankine.datasets.make_ranking(queries=60, features=4)
    >>> len(rankine.model_selection.cross_val_score(rankine.RankSVM(), X, y, groups=qid, cv=3))
    3
    """
    found = groups if qid is None else qid
    values = cross_validate(ranker, X, y, found, cv=cv, measures=[scoring], convention=convention)
    return next(iter(values.values()))


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
    check_same_order(X, y=y, qid=qid, sample_weight=sample_weight)
    features = features_of(X, missing=ranker.missing)
    data = ranker._training_data(features, y, qid, group, sample_weight, query_weight, preferences)
    with Watch(callback, ranker.verbose) as watch:
        models, raised = _core.train_path(
            data, ranker._method(), ranker._option_texts(), [float(value) for value in values], ranker._own_loss(),
            watch.function,
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
class Tuning(Tabular):
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

    def table(self) -> Table:
        """The settings, with mean, deviation and seconds; the best has a star."""
        names = list(self.best.params)
        rows = [
            [*(trial.params[name] for name in names), trial.mean, trial.deviation, trial.seconds,
             "*" if trial is self.best else ""]
            for trial in self.trials
        ]
        return Table([*names, "mean", "deviation", "seconds", "best"], rows, "; ".join(self.warnings))

    def to_frame(self) -> Any:
        """A data frame of pandas: a row a setting, and a column a fold beside mean and deviation.

        Returns
        -------
        pandas.DataFrame
        """
        columns: dict[str, list[Any]] = {
            name: [trial.params[name] for trial in self.trials] for name in self.best.params
        }
        for name in ("mean", "deviation", "seconds"):
            columns[name] = [getattr(trial, name) for trial in self.trials]
        for fold in range(len(self.best.validation)):
            columns[f"fold_{fold + 1}"] = [trial.validation[fold] for trial in self.trials]
        columns["best"] = [trial is self.best for trial in self.trials]
        return frame(columns)


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
    own_loss = ranker._own_loss()
    if own_loss is not None and (run or "loss" in grid):
        raise ValueError(
            f"loss {own_loss.name!r}: run= and a grid over losses need built-in ones, which a log can name"
        )
    check_same_order(X, y=y, qid=qid)
    features = features_of(X, missing=ranker.missing)
    data = ranker._training_data(features, y, qid, group)
    validation = None if valid is None else _validation_data(ranker, features, data.num_queries, valid)
    grids = [(name, option_text(name, values)) for name, values in grid.items()]
    tuning = option_texts({"select": select, "halving": halving, "run": run})
    with Watch(callback, ranker.verbose) as watch:
        found = _core.tune(
            data, validation, folds, ranker._method(), ranker._option_texts(), grids, convention, tuning,
            own_loss, watch.function,
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


def _validation_data(ranker: Ranker, training: Features, num_queries: int, valid: Sequence[Any]) -> _core.Dataset:
    """Of the features that the training data has, by name where both have names."""
    X, y = valid[0], valid[1]
    qid = valid[2] if len(valid) > 2 else _queries_beside(X, y)
    if qid is None and num_queries > 1:
        raise ValueError(f"valid: has no queries, and the training data has {num_queries}: give (X, y, qid)")
    features = features_of(X, training.names, ranker.missing)
    if features.num_columns != training.num_columns:
        raise ValueError(f"valid: has {features.num_columns} features, and the training data {training.num_columns}")
    return ranker._training_data(features, y, qid)
