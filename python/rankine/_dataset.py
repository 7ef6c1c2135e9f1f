"""Arrays to the library's data set, which shares their memory where rows need not move."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from rankine import _core
from rankine._inputs import Features
from rankine._queries import Queries


def dataset_of(
    features: Features,
    grades: NDArray[np.float64],
    queries: Queries,
    *,
    document_weights: Optional[NDArray[np.float64]] = None,
    query_weights: Optional[NDArray[np.float64]] = None,
    preferences: Optional[NDArray[np.float64]] = None,
    document_ids: Optional[list[str]] = None,
    check_values: bool = True,
    missing: str = "error",
) -> _core.Dataset:
    """The library's data set, which shares the arrays' memory where rows need not move.

    check_values=False leaves it to training to find features that are not finite.
    missing: what stands for NaN; "error": nothing.
    """
    matrix = features.matrix if queries.order is None else features.take(queries.order)
    if preferences is not None and queries.order is not None:
        place = np.empty(len(queries.order))
        place[queries.order] = np.arange(len(queries.order))
        preferences = preferences.copy()
        inside = ((preferences[:, :2] >= 0) & (preferences[:, :2] < len(place))).all(axis=1)
        preferences[inside, :2] = place[preferences[inside, :2].astype(np.int64)]
    ids = document_ids or []
    return _core.make_dataset(
        "X",
        matrix,
        queries.by_query(grades),
        queries.offsets,
        queries.ids,
        queries.order,
        None if document_weights is None else queries.by_query(document_weights),
        query_weights,
        preferences,
        features.names or [],
        ids if queries.order is None else [ids[row] for row in queries.order] if ids else [],
        check_values,
        missing != "error",
    )


def preferences_of(preferences: Any) -> NDArray[np.float64]:
    """Rows of winner, loser, weight, magnitude; the last two are 1 where they are left out."""
    array = np.asarray(preferences, dtype=np.float64)
    if array.ndim != 2 or not 2 <= array.shape[1] <= 4:
        raise ValueError("preferences: rows of winner, loser[, weight[, magnitude]] are needed")
    return np.ascontiguousarray(np.hstack([array, np.ones((len(array), 4 - array.shape[1]))]))
