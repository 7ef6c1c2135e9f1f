"""Measures of rankings, by every convention in use, on arrays of grades and scores.

Queries are given by ``qid`` (an id a document) or ``group`` (sizes); without either all documents are
one query. ``convention`` sets gain, discount, ties, empty queries and short lists together:
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
from rankine._inputs import Features, dataset_of, queries_of, vector_of
from rankine._options import option_texts

#: Names of the conventions.
CONVENTIONS: list[str] = _core.all_conventions()
#: Names of the measures.
MEASURES: list[str] = [name for name, _, _ in _core.all_measures()]


@dataclass(frozen=True)
class Evaluation:
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
        The queries.
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
    scores = np.asarray(y_score)
    if scores.ndim == 2 and scores.shape[1] == 1:
        scores = scores.ravel()
    if scores.ndim != 1:
        raise ValueError(f"y_score should be a 1d array, got an array of shape {scores.shape} instead")
    scores = np.ascontiguousarray(scores, dtype=np.float64)
    grades = vector_of(y_true, "y_true", len(scores))
    queries = queries_of(len(scores), qid, group)
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
    >>> metrics.ndcg([1, 0, 2], [0.1, 0.2, 0.3], k=10) < 1
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


def scorer(measure: str = "ndcg@10", **options: Any) -> Any:
    """A scorer for scikit-learn's ``scoring=``, which is given ``qid`` by metadata routing.

    Parameters
    ----------
    measure : str
    **options
        convention and rules, as in :func:`evaluate`.

    Returns
    -------
    callable
    """
    import sklearn
    from sklearn.metrics import make_scorer

    def value(y_true: Any, y_pred: Any, qid: Any = None) -> float:
        return _mean(measure, y_true, y_pred, None, {"qid": qid, **options})

    value.__name__ = measure
    made = make_scorer(value)
    if sklearn.get_config().get("enable_metadata_routing"):
        made = made.set_score_request(qid=True)
    return made
