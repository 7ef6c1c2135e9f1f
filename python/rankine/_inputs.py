"""From what users hold (NumPy, SciPy, pandas, polars, Arrow) to what the library reads.

A float32 array in C order and a CSR matrix of float32 with int32 indices are read where they are.
Everything else is copied once. Rows of a query that are not together are gathered, which is a copy too.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

from rankine import _core
from rankine._estimator import DataConversionWarning

Csr = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float32], int]
Matrix = Union[NDArray[np.float32], Csr]


@dataclass
class Features:
    """A matrix of features, and what came with it."""

    matrix: Matrix
    names: Optional[list[str]] = None
    qid: Any = None

    @property
    def num_rows(self) -> int:
        return len(self.matrix[0]) - 1 if isinstance(self.matrix, tuple) else self.matrix.shape[0]

    @property
    def num_columns(self) -> int:
        return self.matrix[3] if isinstance(self.matrix, tuple) else self.matrix.shape[1]

    def take(self, order: NDArray[np.int64]) -> Matrix:
        """The rows in another order: the one copy that gathering costs."""
        if not isinstance(self.matrix, tuple):
            return self.matrix[order]
        offsets, columns, values, num_columns = self.matrix
        lengths = np.diff(offsets)[order]
        new_offsets = np.zeros(len(order) + 1, np.int64)
        np.cumsum(lengths, out=new_offsets[1:])
        entries = np.repeat(offsets[order] - new_offsets[:-1], lengths) + np.arange(new_offsets[-1])
        return new_offsets, columns[entries], values[entries], num_columns


@dataclass
class Queries:
    """Which rows belong together: offsets by query, the order of rows (None: as they are), ids."""

    offsets: NDArray[np.int64]
    order: Optional[NDArray[np.int64]]
    ids: Union[NDArray[np.int64], list[str]]
    first_rows: NDArray[np.int64]

    def by_query(self, values: NDArray[Any]) -> NDArray[Any]:
        """Values by row, gathered."""
        return values if self.order is None else np.ascontiguousarray(values[self.order])


def _dense(X: Any) -> NDArray[np.float32]:
    array = np.asarray(X)
    if array.dtype.kind == "c":
        raise ValueError("Complex data not supported: X must be real")
    if array.ndim != 2:
        raise ValueError(
            f"Expected 2D array, got {'scalar' if array.ndim == 0 else f'{array.ndim}D'} array instead: "
            "X has a row a document and a column a feature. Reshape your data, for one document by "
            "X.reshape(1, -1)"
        )
    if array.dtype.kind in "USO":
        try:
            array = array.astype(np.float64)
        except TypeError as error:
            raise TypeError(f"X: argument must be a string or a number: {error}") from None
        except ValueError as error:
            raise ValueError(f"X: {error}") from None
    if array.dtype == np.float32 and array.flags.c_contiguous:
        return array
    with np.errstate(over="ignore", invalid="ignore"):
        return np.ascontiguousarray(array, dtype=np.float32)


def _sparse(X: Any, missing: str) -> Csr:
    csr = X.tocsr()
    if csr.dtype.kind == "c":
        raise ValueError("Complex data not supported: X must be real")
    if not csr.has_canonical_format:
        if csr is X:
            csr = csr.copy()
        csr.sum_duplicates()
    with np.errstate(over="ignore"):
        values = np.ascontiguousarray(csr.data, dtype=np.float32)
    bad = np.flatnonzero(~np.isfinite(values) if missing == "error" else np.isinf(values))
    if len(bad):
        row = int(np.searchsorted(csr.indptr, bad[0], side="right")) - 1
        what = "NaN" if np.isnan(values[bad[0]]) else "infinity or a value too large for float32"
        raise ValueError(f"X contains {what} in row {row}, column {csr.indices[bad[0]]}")
    return (
        np.ascontiguousarray(csr.indptr, dtype=np.int64),
        np.ascontiguousarray(csr.indices, dtype=np.int32),
        values,
        int(csr.shape[1]),
    )


def _name_bad_column(frame: Any) -> None:
    """Raises ValueError for the first column of a pandas table that holds no numbers."""
    for name in frame.columns:
        try:
            np.asarray(frame[name], dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(f"X: column {name!r}: {error}") from None


def _frame(X: Any) -> Features:
    """A table with named columns: pandas, polars, Arrow, or anything with their interfaces."""
    if hasattr(X, "column_names") and hasattr(X, "column"):  # pyarrow
        names = [str(name) for name in X.column_names]
        parts = {name: X.column(name).to_numpy() for name in names}
    elif hasattr(X, "iloc"):  # pandas
        names = list(X.columns)
        qid = X["qid"].to_numpy() if "qid" in names else None
        features = X.drop(columns="qid") if qid is not None else X
        texts = [name for name in features.columns if isinstance(name, str)]
        if texts and len(texts) != len(features.columns):
            raise TypeError(
                "Feature names are only supported if all input features have string names, "
                "but your input has others as column name types"
            )
        try:
            return Features(_dense(features.to_numpy()), texts or None, qid)
        except ValueError:
            _name_bad_column(features)
            raise
    else:  # polars
        names = [str(name) for name in X.columns]
        parts = {name: X[name].to_numpy() for name in names}
    qid = parts.pop("qid", None)
    names = [name for name in names if name != "qid"]
    matrix = np.empty((len(X), len(names)), np.float32)
    for index, name in enumerate(names):
        try:
            with np.errstate(over="ignore"):
                matrix[:, index] = parts[name]
        except (TypeError, ValueError) as error:
            raise ValueError(f"X: column {name!r}: {error}") from None
    return Features(matrix, names, qid)


def features_of(X: Any, missing: str = "error") -> Features:
    """The features of X, whatever holds them; a column named ``qid`` holds query ids.

    missing: "error" where NaN is refused.
    """
    if isinstance(X, np.ndarray):
        return Features(_dense(X))
    if hasattr(X, "tocsr") and hasattr(X, "nnz"):
        return Features(_sparse(X, missing))
    if hasattr(X, "collect_schema") and hasattr(X, "collect") and not hasattr(X, "to_numpy"):
        raise TypeError("X: a LazyFrame holds no rows yet: pass X.collect()")
    if hasattr(X, "columns") and (hasattr(X, "iloc") or hasattr(X, "to_numpy") or hasattr(X, "column")):
        return _frame(X)
    if hasattr(X, "__arrow_c_stream__"):  # any table that speaks Arrow: DuckDB, Ibis, ADBC, ...
        try:
            import pyarrow
        except ImportError:
            raise ImportError(f"X: a {type(X).__name__} is read through Arrow, which needs pyarrow") from None
        return _frame(pyarrow.table(X))
    if hasattr(X, "__dlpack__") and not hasattr(X, "__array__"):
        return Features(_dense(np.from_dlpack(X)))
    return Features(_dense(X))


def rows_of(values: Any, rows: NDArray[np.int64]) -> Any:
    """Some rows of what holds an entry or a row a document; None stays None."""
    if values is None:
        return None
    if hasattr(values, "iloc"):
        return values.iloc[rows]
    if hasattr(values, "tocsr"):
        return values.tocsr()[rows]
    if hasattr(values, "take") and not isinstance(values, np.ndarray):
        return values.take(rows)
    if hasattr(values, "columns"):
        return values[rows]
    return np.asarray(values)[rows]


def vector_of(values: Any, name: str, num_rows: int) -> NDArray[np.float64]:
    """Real numbers, one a row."""
    if hasattr(values, "tocsr") and hasattr(values, "nnz"):
        raise TypeError(f"{name}: sparse data was passed, a dense array is needed")
    array = np.asarray(values)
    if array.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: {name} must be real")
    if array.ndim == 2 and array.shape[1] == 1:
        if name == "y":
            warnings.warn(
                "A column-vector y was passed when a 1d array was expected. "
                "Please change the shape of y to (n_samples,), for example using ravel().",
                DataConversionWarning,
                stacklevel=4,
            )
        array = array.ravel()
    if array.ndim != 1:
        raise ValueError(f"{name} should be a 1d array, got an array of shape {array.shape} instead")
    try:
        array = np.ascontiguousarray(array, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}: {error}") from None
    if len(array) != num_rows:
        raise ValueError(f"{name}: {len(array)} values for the {num_rows} rows of X (inconsistent numbers of samples)")
    with np.errstate(over="ignore", invalid="ignore"):
        total = float(np.add.reduce(array))
    if not math.isfinite(total):  # a value that is not finite, or a sum that is too large
        bad = np.flatnonzero(~np.isfinite(array))
        if len(bad):
            raise ValueError(f"{name} contains NaN or infinity in row {int(bad[0])}")
    return array


def _keys(qid: NDArray[Any]) -> tuple[NDArray[np.int64], bool]:
    """Integers that are equal where ids are, and whether they are the ids themselves."""
    if qid.dtype.kind in "iu" and qid.dtype != np.uint64:
        return np.ascontiguousarray(qid, dtype=np.int64), True
    if qid.dtype.kind == "f":
        if not np.isfinite(qid).all():
            raise ValueError(f"qid contains NaN or infinity in row {int(np.flatnonzero(~np.isfinite(qid))[0])}")
        if (qid == np.floor(qid)).all() and (np.abs(qid) < 2.0**53).all():
            return np.ascontiguousarray(qid, dtype=np.int64), True
    if qid.dtype.kind == "O":
        qid = np.array([str(value) for value in qid], dtype=np.str_)
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
        return Queries(offsets, None, np.arange(1, count + 1), np.zeros(count, np.int64))
    ids = np.asarray(qid)
    if ids.ndim == 2 and ids.shape[1] == 1:
        ids = ids.ravel()
    if ids.ndim != 1:
        raise ValueError(f"qid should be a 1d array, got an array of shape {ids.shape} instead")
    if len(ids) != num_rows:
        raise ValueError(f"qid: {len(ids)} values for the {num_rows} rows of X (inconsistent numbers of samples)")
    keys, same = _keys(ids)
    offsets, order, first_rows = _core.group_rows(keys)
    names = keys[first_rows] if same else [str(value) for value in ids[first_rows]]
    return Queries(offsets, order, names, first_rows)


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
