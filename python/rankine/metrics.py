"""Measures of rankings, by every convention in use, on arrays of grades and scores.

Queries are given by ``qid`` (an id a document), by ``group`` (sizes) or by a level ``qid`` in the index of
``y_true``; without them all documents are one list, and a warning says so where their grades are of more than
two kinds. ``convention`` sets gain, discount, ties, empty queries and short lists together:
``"rankine"`` (the default), ``"letor"``, ``"lightgbm"``, ``"xgboost"``, ``"trec"``, ``"sklearn"``; each
rule may be changed by its own keyword (``gain="linear"``, ``ties="input_order"``, ...).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

from rankine import _core
from rankine._dataset import dataset_of
from rankine._inputs import Features, check_same_order, index_qid, vector_of
from rankine._options import option_texts
from rankine._queries import queries_of, table_qid, warn_of_one_list
from rankine._tables import Table, Tabular, frame

#: Names of the conventions.
CONVENTIONS: list[str] = _core.all_conventions()
#: Names of the measures.
MEASURES: list[str] = [name for name, _, _ in _core.all_measures()]


@dataclass(frozen=True)
class Evaluation(Tabular):
    """Measures over all queries, and by query.

    Attributes
    ----------
    means : dict of str to float
        By measure; NaN where every query was left out.
    left_out : dict of str to int
        How many queries a measure could not count.
    per_query : dict of str to ndarray
        By measure, a value a query; NaN: left out.
    query_ids : ndarray
        Their order: that of their first rows.
    """

    means: dict[str, float]
    left_out: dict[str, int]
    per_query: dict[str, NDArray[np.float64]]
    query_ids: NDArray[Any]

    def __getitem__(self, measure: str) -> float:
        return self.means[measure]

    def table(self) -> Table:
        """Measure, mean and how many queries were left out."""
        rows = [[name, mean, self.left_out[name]] for name, mean in self.means.items()]
        return Table(["measure", "mean", "left out"], rows, f"{len(self.query_ids)} queries")

    def to_frame(self, *, per_query: bool = False) -> Any:
        """A data frame of pandas: a row a measure, or a row a query and a column a measure.

        Parameters
        ----------
        per_query : bool

        Returns
        -------
        pandas.DataFrame
        """
        if per_query:
            made = frame(dict(self.per_query), index=self.query_ids)
            made.index.name = "qid"
            return made
        made = frame({"mean": self.means, "left_out": self.left_out})
        made.index.name = "measure"
        return made.loc[list(self.means)]


def evaluate(
    y_true: Any,
    y_score: Any,
    *,
    qid: Any = None,
    group: Any = None,
    measures: Union[str, Sequence[str]] = ("ndcg@1", "ndcg@3", "ndcg@5", "ndcg@10", "map", "mrr"),
    convention: str = "rankine",
    query_weight: Any = None,
    document_ids: Optional[Sequence[str]] = None,
    threads: int = 0,
    **rules: Any,
) -> Evaluation:
    """Several measures at once, from one sort of each query.

    Parameters
    ----------
    y_true : array of shape (n_documents,)
        Grades.
    y_score : array of shape (n_documents,)
        Scores; higher ranks first.
    qid, group : array, optional
        The queries; without them, a level ``qid`` in the index of y_true.
    measures : str or sequence of str
        ``"ndcg@10"``, ``"map"``, ``"err@20"``, ...: see ``MEASURES``.
    convention : str
        Whose definitions hold: see ``CONVENTIONS``.
    query_weight : array of shape (n_queries,), optional
        Weights of queries in the means.
    document_ids : sequence of str, optional
        For ``ties="document_id"`` (the convention of trec_eval).
    threads : int
        Worker threads; 0: one a core.
    **rules
        Single rules, as ``rankine evaluate`` has them.

    Returns
    -------
    Evaluation

    Examples
    --------
    >>> from rankine import metrics
    >>> result = metrics.evaluate([2, 0, 1, 0, 1], [3.0, 2.0, 1.0, 2.0, 1.0], qid=[1, 1, 1, 2, 2],
    ...                           measures="ndcg@10,mrr")
    >>> {name: round(value, 4) for name, value in result.means.items()}
    {'ndcg@10': 0.7974, 'mrr': 0.75}
    """
    check_same_order(y_true, "y_true", y_score=y_score, qid=qid)
    scores = np.asarray(y_score)
    if scores.ndim == 2 and scores.shape[1] == 1:
        scores = scores.ravel()
    if scores.ndim != 1:
        raise ValueError(f"y_score should be a 1d array, got an array of shape {scores.shape} instead")
    scores = np.ascontiguousarray(scores, dtype=np.float64)
    grades = vector_of(y_true, "y_true", len(scores))
    queries = queries_of(len(scores), index_qid(y_true) if qid is None and group is None else qid, group)
    warn_of_one_list(queries, grades, "measures")
    weights = None if query_weight is None else np.ascontiguousarray(query_weight, dtype=np.float64)
    ids = None if document_ids is None else [str(name) for name in document_ids]
    data = dataset_of(
        Features(np.empty((len(scores), 0), np.float32)), grades, queries, query_weights=weights, document_ids=ids
    )
    names = [measures] if isinstance(measures, str) else list(measures)
    names = [part for name in names for part in name.split(",")]
    result = _core.evaluate(data, queries.by_query(scores), names, convention, option_texts(rules), threads)
    order = result["measures"]
    return Evaluation(
        means={name: float(result["means"][k]) for k, name in enumerate(order)},
        left_out={name: int(result["left_out"][k]) for k, name in enumerate(order)},
        per_query={name: result["per_query"][:, k] for k, name in enumerate(order)},
        query_ids=np.asarray(queries.ids),
    )


def with_cuts(measures: Sequence[str], at: Sequence[int]) -> list[str]:
    """Each measure that takes a rank and has none, at each of these ranks."""
    takes_cut = {name for name, cut, _ in _core.all_measures() if cut == "required" or name in ("ndcg", "map")}
    return [text for name in measures for text in ([f"{name}@{k}" for k in at] if name in takes_cut else [name])]


def _mean(name: str, y_true: Any, y_score: Any, k: Optional[int], options: dict[str, Any]) -> float:
    measure = name if k is None else f"{name}@{k}"
    return next(iter(evaluate(y_true, y_score, measures=[measure], **options).means.values()))


def ndcg(y_true: Any, y_score: Any, *, k: Optional[int] = None, **options: Any) -> float:
    """Normalised discounted cumulative gain, at rank k or of whole lists.

    Parameters
    ----------
    y_true, y_score : array of shape (n_documents,)
        Grades and scores.
    k : int, optional
        The rank to stop at.
    **options
        qid, group, convention, query_weight and rules, as in :func:`evaluate`.

    Returns
    -------
    float

    Examples
    --------
    >>> from rankine import metrics
    >>> metrics.ndcg([1, 0, 2], [0.1, 0.2, 0.3], group=[3], k=10) < 1
    True
    """
    return _mean("ndcg", y_true, y_score, k, options)


def dcg(y_true: Any, y_score: Any, *, k: int = 10, **options: Any) -> float:
    """Discounted cumulative gain at rank k; parameters as in :func:`ndcg`."""
    return _mean("dcg", y_true, y_score, k, options)


def mean_ndcg(y_true: Any, y_score: Any, **options: Any) -> float:
    """The mean of NDCG@1 to NDCG@n, LETOR's MeanNDCG; parameters as in :func:`ndcg`."""
    return _mean("mean_ndcg", y_true, y_score, None, options)


def average_precision(y_true: Any, y_score: Any, *, k: Optional[int] = None, **options: Any) -> float:
    """Mean average precision (``map``), at rank k or of whole lists; parameters as in :func:`ndcg`."""
    return _mean("map", y_true, y_score, k, options)


def reciprocal_rank(y_true: Any, y_score: Any, **options: Any) -> float:
    """Mean reciprocal rank (``mrr``) of the first relevant document; parameters as in :func:`ndcg`."""
    return _mean("mrr", y_true, y_score, None, options)


def expected_reciprocal_rank(y_true: Any, y_score: Any, *, k: int = 20, **options: Any) -> float:
    """Expected reciprocal rank (``err``) at rank k; parameters as in :func:`ndcg`."""
    return _mean("err", y_true, y_score, k, options)


def precision(y_true: Any, y_score: Any, *, k: int = 10, **options: Any) -> float:
    """The share of relevant documents among the first k; parameters as in :func:`ndcg`."""
    return _mean("p", y_true, y_score, k, options)


def recall(y_true: Any, y_score: Any, *, k: int = 10, **options: Any) -> float:
    """The share of a query's relevant documents among the first k; parameters as in :func:`ndcg`."""
    return _mean("recall", y_true, y_score, k, options)


def auc(y_true: Any, y_score: Any, **options: Any) -> float:
    """The area under the ROC curve, by query; parameters as in :func:`ndcg`."""
    return _mean("auc", y_true, y_score, None, options)


def tau_b(y_true: Any, y_score: Any, **options: Any) -> float:
    """Kendall's tau b, by query; parameters as in :func:`ndcg`."""
    return _mean("tau_b", y_true, y_score, None, options)


def spearman(y_true: Any, y_score: Any, **options: Any) -> float:
    """Spearman's rho, by query; parameters as in :func:`ndcg`."""
    return _mean("spearman", y_true, y_score, None, options)


def pair_accuracy(y_true: Any, y_score: Any, **options: Any) -> float:
    """The share of pairs in the right order; parameters as in :func:`ndcg`."""
    return _mean("pair_accuracy", y_true, y_score, None, options)


class Scorer:
    """What :func:`scorer` makes: ``scorer(estimator, X, y)`` is the measure of the estimator's ranking."""

    def __init__(self, measure: str, options: dict[str, Any]) -> None:
        self.__name__ = measure
        self._options = options

    def __call__(
        self, estimator: Any, X: Any, y: Any, *, qid: Any = None, groups: Any = None, group: Any = None
    ) -> float:
        """Predicts and measures.

        Parameters
        ----------
        estimator : fitted estimator
        X, y : array or table
        qid, groups, group : array, optional
            The queries; without them, a column or index level ``qid`` of X or y.

        Returns
        -------
        float
        """
        if qid is None and group is None:
            for found in (table_qid(X), index_qid(y), groups):
                if found is not None:
                    qid = found
                    break
        ranker = _last_step(estimator)
        if hasattr(ranker, "_refuse_one_list"):
            ranker._refuse_one_list(qid, group, len(y))
        itself = ranker is estimator and hasattr(ranker, "_refuse_one_list")
        scores = estimator.predict(X, qid=qid, group=group) if itself else estimator.predict(X)
        return _mean(self.__name__, y, scores, None, {"qid": qid, "group": group, **self._options})

    def get_metadata_routing(self) -> Any:
        """For scikit-learn: query ids are welcome, by either name."""
        from sklearn.utils.metadata_routing import MetadataRequest

        request = MetadataRequest(owner=self)
        for name in ("qid", "groups"):
            request.score.add_request(param=name, alias=True)
        return request

    def __repr__(self) -> str:
        return f"scorer({self.__name__!r})"


def _last_step(estimator: Any) -> Any:
    """The estimator at the end of a pipeline, or of a search."""
    while True:
        if hasattr(estimator, "best_estimator_"):
            estimator = estimator.best_estimator_
        elif getattr(estimator, "steps", None):
            estimator = estimator.steps[-1][1]
        else:
            return estimator


def scorer(measure: str = "ndcg@10", **options: Any) -> Scorer:
    """A scorer for scikit-learn's ``scoring=``.

    It finds the queries in a column or index level ``qid`` of X or y, or is given ``qid`` or ``groups`` by
    metadata routing. A ranker that learned from queries is not measured without.

    Parameters
    ----------
    measure : str
    **options
        convention and rules, as in :func:`evaluate`.

    Returns
    -------
    Scorer
    """
    return Scorer(measure, options)
