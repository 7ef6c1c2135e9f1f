"""Pictures of rankings and training; they need matplotlib.

Each function draws on ``ax``, or on new axes, and returns the axes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Optional

import numpy as np

from rankine import metrics
from rankine._estimator import unfitted_copy
from rankine._inputs import rows_of
from rankine._queries import queries_of
from rankine.ranker import Ranker


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("rankine.plot needs matplotlib") from None
    return plt.subplots(layout="constrained")[1]


def _finish(ax: Any) -> Any:
    ax.grid(alpha=0.3)
    ax.set_axisbelow(True)
    return ax


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
    ax.set_xticks(list(ranks) if most <= 12 else list(range(0, most + 1, max(1, most // 10)))[1:])
    ax.set_xlabel("k")
    ax.set_ylabel("NDCG@k")
    ax.legend()
    return _finish(ax)


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
    ids = np.asarray(qid)
    queries = queries_of(len(ids), ids)
    query_of_row = np.empty(len(ids), np.int64)
    rows = slice(None) if queries.order is None else queries.order
    query_of_row[rows] = np.repeat(np.arange(len(queries.ids)), np.diff(queries.offsets))
    counts = [max(1, round(share * len(queries.ids))) for share in shares]
    values: dict[str, list[float]] = {"training": [], "test": []}
    for count in counts:
        kept = np.flatnonzero(query_of_row < count)
        learned = rows_of(X, kept), rows_of(y, kept), ids[kept]
        fitted = unfitted_copy(ranker).fit(learned[0], learned[1], qid=learned[2])
        for name, part in (("training", learned), ("test", (X_test, y_test, qid_test))):
            scores = fitted.predict(part[0], qid=part[2])
            values[name].append(metrics.evaluate(part[1], scores, qid=part[2], measures=measure)[measure])
    for name, curve in values.items():
        ax.plot(counts, curve, marker="o", label=name)
    ax.set_xlabel("training queries")
    ax.set_ylabel(measure)
    ax.legend()
    return _finish(ax)


def weight_path(path: Sequence[Any], *, parameter: str = "C", top: Optional[int] = 10, ax: Any = None) -> Any:
    """The weights of a path of rankers by their parameter.

    The weights are those of features as the model scales them, so that their sizes compare.

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
    weights = np.array([ranker._scaled_weights() for ranker in path])
    names = getattr(path[0], "feature_names_in_", None)
    largest = np.argsort(-np.abs(weights[-1]), kind="stable")[: top or 0]
    named = sorted(largest.tolist(), key=lambda k: -weights[-1, k])  # the legend in the order of the lines' ends
    others = [k for k in range(weights.shape[1]) if k not in set(named)]
    if others:
        ax.plot(values, weights[:, others], color="0.75", linewidth=0.8, zorder=1)
    for place, k in enumerate(named):
        label = f"feature {k + 1}" if names is None else str(names[k])
        ax.plot(values, weights[:, k], label=label, color=f"C{place % 10}", linestyle=("-", "--", ":")[place // 10 % 3])
    ax.set_xscale("log")
    ax.set_xlabel(parameter)
    ax.set_ylabel("weight of the scaled feature")
    if named:
        ax.legend(fontsize="small", loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    return _finish(ax)


def query_differences(
    y_true: Any, scores: Any, other_scores: Any, *, qid: Any, measure: str = "ndcg@10", ax: Any = None, **options: Any
) -> Any:
    """By query, what one ranking gains over another, the largest gain first; with the counts of each.

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
    place = np.arange(1, len(difference) + 1)
    better, worse = difference > 0, difference < 0
    for part, color, label in ((better, "C0", "better"), (worse, "C3", "worse")):
        ax.bar(place[part], difference[part], width=1.0, color=color, label=f"{label} on {part.sum()}")
    ax.plot([], [], " ", label=f"equal on {len(difference) - better.sum() - worse.sum()}")
    ax.axhline(0, linewidth=0.8, color="black")
    ax.set_xlim(0.5, max(len(difference), 1) + 0.5)
    ax.set_xlabel("queries")
    ax.set_ylabel(f"difference in {measure}")
    ax.legend()
    return _finish(ax)
