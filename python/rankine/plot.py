"""Pictures of rankings and training; they need matplotlib.

Each function draws on ``ax``, or on new axes, and returns the axes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Optional

import numpy as np

from rankine import metrics
from rankine._estimator import unfitted_copy
from rankine._inputs import queries_of
from rankine.ranker import Ranker


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("rankine.plot needs matplotlib") from None
    return plt.subplots()[1]


def ndcg_by_k(
    y_true: Any, scores: Mapping[str, Any], *, qid: Any = None, most: int = 10, ax: Any = None, **options: Any
) -> Any:
    """NDCG@1 to NDCG@most of several rankings.

    Parameters
    ----------
    y_true : array of shape (n_documents,)
    scores : mapping of str to array
        By name, the scores of a ranking.
    qid : array, optional
    most : int
        The last k.
    ax : matplotlib axes, optional
    **options
        As for :func:`rankine.metrics.evaluate`.

    Returns
    -------
    matplotlib axes
    """
    ax = _axes(ax)
    ranks = range(1, most + 1)
    for name, values in scores.items():
        means = metrics.evaluate(y_true, values, qid=qid, measures=[f"ndcg@{k}" for k in ranks], **options).means
        ax.plot(list(ranks), list(means.values()), marker="o", label=name)
    ax.set_xlabel("k")
    ax.set_ylabel("NDCG@k")
    ax.legend()
    return ax


def learning_curve(
    ranker: Ranker,
    X: Any,
    y: Any,
    *,
    qid: Any,
    X_test: Any,
    y_test: Any,
    qid_test: Any,
    shares: Sequence[float] = (0.1, 0.25, 0.5, 0.75, 1.0),
    measure: str = "ndcg@10",
    ax: Any = None,
) -> Any:
    """A measure on training and test data by the number of training queries.

    Parameters
    ----------
    ranker : Ranker
        Its parameters are used; it is not fitted itself.
    X, y, qid, X_test, y_test, qid_test : array
    shares : sequence of float
        The parts of the training queries to learn from; the first ones of the data.
    measure : str
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    ax = _axes(ax)
    X, y, qid = np.asarray(X), np.asarray(y), np.asarray(qid)
    queries = queries_of(len(y), qid)
    query_of_row = np.empty(len(y), np.int64)
    rows = slice(None) if queries.order is None else queries.order
    query_of_row[rows] = np.repeat(np.arange(len(queries.ids)), np.diff(queries.offsets))
    counts = [max(1, round(share * len(queries.ids))) for share in shares]
    values: dict[str, list[float]] = {"training": [], "test": []}
    for count in counts:
        kept = query_of_row < count
        fitted = unfitted_copy(ranker).fit(X[kept], y[kept], qid=qid[kept])
        for name, part in (("training", (X[kept], y[kept], qid[kept])), ("test", (X_test, y_test, qid_test))):
            scores = fitted.predict(part[0], qid=part[2])
            values[name].append(metrics.evaluate(part[1], scores, qid=part[2], measures=measure)[measure])
    for name, curve in values.items():
        ax.plot(counts, curve, marker="o", label=name)
    ax.set_xlabel("training queries")
    ax.set_ylabel(measure)
    ax.legend()
    return ax


def weight_path(path: Sequence[Any], *, parameter: str = "C", top: Optional[int] = 10, ax: Any = None) -> Any:
    """The weights of a path of rankers by their parameter.

    Parameters
    ----------
    path : sequence of Ranker
        As :func:`rankine.model_selection.train_path` returns them.
    parameter : str
        What varies along the path.
    top : int, optional
        Name this many features, those with the largest last weights.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    ax = _axes(ax)
    values = [getattr(ranker, parameter) for ranker in path]
    weights = np.array([ranker.coef_ for ranker in path])
    names = getattr(path[0], "feature_names_in_", None)
    named = set(np.argsort(-np.abs(weights[-1]))[: top or 0].tolist())
    for k in range(weights.shape[1]):
        label = (f"feature {k + 1}" if names is None else str(names[k])) if k in named else None
        ax.plot(values, weights[:, k], label=label, alpha=1.0 if label else 0.3)
    ax.set_xscale("log")
    ax.set_xlabel(parameter)
    ax.set_ylabel("weight")
    if named:
        ax.legend(fontsize="small")
    return ax


def query_differences(
    y_true: Any, scores: Any, other_scores: Any, *, qid: Any, measure: str = "ndcg@10", ax: Any = None, **options: Any
) -> Any:
    """By query, what one ranking gains over another, the largest gain first.

    Parameters
    ----------
    y_true, scores, other_scores, qid : array of shape (n_documents,)
    measure : str
    ax : matplotlib axes, optional
    **options
        As for :func:`rankine.metrics.evaluate`.

    Returns
    -------
    matplotlib axes
    """
    ax = _axes(ax)
    both = [metrics.evaluate(y_true, s, qid=qid, measures=measure, **options).per_query for s in (scores, other_scores)]
    first, second = (next(iter(values.values())) for values in both)
    difference = np.sort((first - second)[~np.isnan(first - second)])[::-1]
    ax.bar(np.arange(1, len(difference) + 1), difference, width=1.0)
    ax.axhline(0, linewidth=0.8, color="black")
    ax.set_xlabel("queries")
    ax.set_ylabel(f"difference in {measure}")
    return ax
