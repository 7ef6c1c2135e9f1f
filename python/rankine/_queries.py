"""Which documents belong together: query ids wherever they can be found, sizes, and what to say where none are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

from rankine import _core
from rankine._inputs import Features, array_of, features_of, index_qid, is_missing
from rankine._warnings import MissingQueriesWarning, warn


@dataclass
class Queries:
    """Which rows belong together: offsets by query, the order of rows (None: as they are), ids.

    Not given: all rows are one query because nobody said otherwise.
    """

    offsets: NDArray[np.int64]
    order: Optional[NDArray[np.int64]]
    ids: Union[NDArray[np.int64], list[str]]
    first_rows: NDArray[np.int64]
    given: bool = True

    def by_query(self, values: NDArray[Any]) -> NDArray[Any]:
        """Values by row, gathered."""
        return values if self.order is None else np.ascontiguousarray(values[self.order])


def table_qid(table: Any) -> Any:
    """The query ids that a table has in a column or an index level named ``qid``; None where it has none."""
    has_columns = any(hasattr(table, name) for name in ("columns", "column_names", "__arrow_c_stream__"))
    if has_columns and not hasattr(table, "tocsr") and getattr(table, "ndim", 2) == 2:
        return features_of(table, columns=[]).qid
    return index_qid(table)


def find_qid(qid: Any, group: Any, groups: Any, features: Features, y: Any = None) -> Any:
    """The query ids where they can be found: as given, beside X, in y's index, or as scikit-learn's groups.

    None where there are none, and where `group` has sizes instead.
    """
    if qid is not None or group is not None:
        return qid
    for found in (features.qid, index_qid(y), groups):
        if found is not None:
            return found
    return None


def _id_text(value: Any) -> str:
    """1 and 1.0 are one id, as they are one number."""
    whole = isinstance(value, (float, np.floating)) and float(value).is_integer()
    return str(int(value)) if whole else str(value)


def _keys(qid: NDArray[Any]) -> tuple[NDArray[np.int64], bool]:
    """Integers that are equal where ids are, and whether they are the ids themselves."""
    if qid.dtype.kind in "iu" and qid.dtype != np.uint64:
        return np.ascontiguousarray(qid, dtype=np.int64), True
    if qid.dtype.kind == "f":
        if not np.isfinite(qid).all():
            raise ValueError(f"qid contains NaN or infinity in row {int(np.flatnonzero(~np.isfinite(qid))[0])}")
        if (qid == np.floor(qid)).all() and (np.abs(qid) < 2.0**53).all():
            return np.ascontiguousarray(qid, dtype=np.int64), True
    if qid.dtype.kind in "mM" and np.isnat(qid).any():
        raise ValueError(f"qid is missing in row {int(np.flatnonzero(np.isnat(qid))[0])}")
    if qid.dtype.kind == "O":
        missing = [row for row, value in enumerate(qid) if is_missing(value)]
        if missing:
            raise ValueError(f"qid is missing ({qid[missing[0]]}) in row {missing[0]}: every document needs a query")
        qid = np.array([_id_text(value) for value in qid], dtype=np.str_)
    _, inverse = np.unique(qid, return_inverse=True)
    return np.ascontiguousarray(inverse.reshape(-1), dtype=np.int64), False


def queries_of(num_rows: int, qid: Any = None, group: Any = None) -> Queries:
    """Groups rows by query id, or by LightGBM's group sizes; without either all are one query."""
    if qid is not None and group is not None:
        raise ValueError("give the queries by qid or by group, not by both")
    if group is not None:
        sizes = np.asarray(group)
        if sizes.dtype.kind == "f" and (sizes == np.floor(sizes)).all():
            sizes = sizes.astype(np.int64)
        if sizes.ndim != 1 or sizes.dtype.kind not in "iu" or (sizes < 0).any():
            raise ValueError("group: the sizes of the queries must be a 1d array of integers, not negative")
        if int(sizes.sum()) != num_rows:
            raise ValueError(f"group: the sizes sum to {int(sizes.sum())} and X has {num_rows} rows")
        sizes = sizes[sizes > 0]
        offsets = np.zeros(len(sizes) + 1, np.int64)
        np.cumsum(sizes, out=offsets[1:])
        return Queries(offsets, None, np.arange(1, len(sizes) + 1), offsets[:-1])
    if qid is None:
        count = min(num_rows, 1)
        offsets = np.array([0, num_rows][: count + 1], np.int64)
        return Queries(offsets, None, np.arange(1, count + 1), np.zeros(count, np.int64), given=False)
    ids = array_of(qid)
    if ids.ndim == 2 and ids.shape[1] == 1:
        ids = ids.ravel()
    if ids.ndim != 1:
        raise ValueError(f"qid should be a 1d array, got an array of shape {ids.shape} instead")
    if len(ids) != num_rows:
        raise ValueError(f"qid: {len(ids)} values for the {num_rows} rows of X (inconsistent numbers of samples)")
    keys, same = _keys(ids)
    offsets, order, first_rows = _core.group_rows(keys)
    names = keys[first_rows] if same else [_id_text(value) for value in ids[first_rows]]
    return Queries(offsets, order, names, first_rows)


def warn_of_one_list(
    queries: Queries, grades: NDArray[np.float64], who: str, names: Optional[list[str]] = None
) -> None:
    """Warns where documents of more than two grades are one list because no queries were given.

    And, whatever the grades, where a feature has the name of a query id.
    """
    if queries.given or len(grades) < 3:
        return
    alike = [name for name in names or [] if name.casefold().replace("_", "") in ("qid", "queryid", "query")]
    if alike:
        warn(
            f"{who}: no queries were given, and column {alike[0]!r} is learned as a feature: if it holds the query "
            "ids, name it 'qid' or pass it as qid=",
            MissingQueriesWarning,
        )
    kinds = len(np.unique(grades))
    if kinds > 2:
        warn(
            f"{who}: no queries were given, so all {len(grades)} documents are taken for one list, though their "
            f"grades are of {kinds} kinds. Give qid= or group=, or put the ids into a column or index level named "
            f"'qid' (scikit-learn keeps groups= to its splitter: see rankine.model_selection.cross_val_score). "
            f"One list it is with group=[{len(grades)}].",
            MissingQueriesWarning,
        )


def group_sizes(qid: Any) -> NDArray[np.int64]:
    """The number of documents of each query, in the order of the rows: what ``group=`` takes.

    Parameters
    ----------
    qid : array of shape (n_documents,), or a table
        Query ids, or a table with a column or an index level ``qid``. Rows of a query must be together.

    Returns
    -------
    ndarray of shape (n_queries,)

    Examples
    --------
    >>> import rankine
    >>> rankine.group_sizes(["b", "b", "a", "c", "c", "c"]).tolist()
    [2, 1, 3]
    """
    if hasattr(qid, "columns") or hasattr(qid, "column_names"):
        found = table_qid(qid)
        if found is None:
            raise ValueError("group_sizes: the table has neither a column nor an index level named 'qid'")
        qid = found
    ids = array_of(qid)
    queries = queries_of(len(ids) if ids.ndim else 0, ids)
    if queries.order is not None:
        row = int(np.flatnonzero(queries.order != np.arange(len(ids)))[0])
        query = queries.ids[int(np.searchsorted(queries.offsets, row, side="right")) - 1]
        raise ValueError(
            f"group_sizes: the rows of query {query} are not together (row {int(queries.order[row])} comes after "
            "other queries): sort the rows by query first, or give qid= in place of group="
        )
    return np.diff(queries.offsets)
