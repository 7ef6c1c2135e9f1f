"""From what users hold (NumPy, SciPy, pandas, polars, Arrow) to what the library reads.

A float32 array in C order and a CSR matrix of float32 with int32 indices are read where they are.
Everything else is copied once. Rows of a query that are not together are gathered, which is a copy too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Optional, Union

import numpy as np
from numpy.typing import NDArray

from rankine._estimator import DataConversionWarning
from rankine._warnings import warn

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


def array_of(values: Any) -> NDArray[Any]:
    """As an array; masked entries are missing values, not what lies under the mask."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        return np.asarray(np.ma.filled(values.astype(object), np.nan))
    return np.asarray(values)


def _numbers(column: Any) -> NDArray[Any]:
    """A column of a pandas table; the missing values of its nullable types are NaN."""
    array = column.to_numpy()
    if array.dtype == object:
        array = np.array([np.nan if is_missing(value) else value for value in array], dtype=np.float64)
    return np.asarray(array)


def is_missing(value: Any) -> bool:
    if value is None:
        return True
    try:
        return bool(value != value)  # noqa: PLR0124 (NaN differs from itself)
    except (TypeError, ValueError):  # pandas.NA is neither true nor false
        return True


def _dense(X: Any) -> NDArray[np.float32]:
    array = array_of(X)
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


def _selected(names: list[Any], columns: Optional[list[str]]) -> list[Any]:
    """The names of the features among a table's, or those of `columns`, all of which must be there."""
    own = [name for name in names if name != "qid"]
    repeated = sorted({str(name) for name in own if own.count(name) > 1}) if len(set(own)) < len(own) else []
    if repeated:
        raise ValueError(f"X: several columns are named {repeated[0]!r}")
    if columns is None or not all(isinstance(name, str) for name in own):
        return own
    missing = [name for name in columns if name not in set(own)]
    if missing:
        raise ValueError(_missing_names(missing, [name for name in own if name not in set(columns)]))
    return columns


def _missing_names(missing: list[str], others: list[str]) -> str:
    lines = ["The feature names should match those that were passed during fit."]
    for title, names in (
        ("Feature names unseen at fit time:", others),
        ("Feature names seen at fit time, yet now missing:", missing),
    ):
        if names:
            lines += [title] + [f"- {name}" for name in sorted(names)[:5]] + (["- ..."] if len(names) > 5 else [])
    return "\n".join(lines) + "\n"


def _pandas(X: Any, columns: Optional[list[str]]) -> Features:
    qid = index_qid(X)
    if "qid" in X.columns:
        if getattr(X["qid"], "ndim", 1) != 1:
            raise ValueError("X: several columns are named 'qid'")
        qid = X["qid"].to_numpy()
    names = _selected(list(X.columns), columns)
    texts = [name for name in names if isinstance(name, str)]
    if texts and len(texts) != len(names):
        raise TypeError(
            "Feature names are only supported if all input features have string names, "
            "but your input has others as column name types"
        )
    if names != list(X.columns):
        X = X[names] if columns is not None else X.drop(columns="qid")
    array = X.to_numpy()
    if array.dtype == object and names:  # some column is not of plain numbers
        parts = []
        for name in names:
            try:
                parts.append(np.asarray(_numbers(X[name]), dtype=np.float64))
            except (TypeError, ValueError) as error:
                raise ValueError(f"X: column {name!r}: {error}") from None
        array = np.column_stack(parts)
    elif array.dtype.kind in "mM":
        raise ValueError(f"X: column {names[0]!r}: dates and times are not numbers")
    return Features(_dense(array), texts or None, qid)


def _frame(X: Any, columns: Optional[list[str]]) -> Features:
    """A table with named columns: pandas, polars, Arrow, or anything with their interfaces."""
    if hasattr(X, "iloc"):
        return _pandas(X, columns)
    arrow = hasattr(X, "column_names") and hasattr(X, "column")

    def column(name: str) -> Any:
        return X.column(name).to_numpy() if arrow else X[name].to_numpy()

    every = [str(name) for name in (X.column_names if arrow else X.columns)]
    names = _selected(every, columns)
    matrix = np.empty((len(X), len(names)), np.float32)
    for index, name in enumerate(names):
        values = column(name)
        try:
            if values.dtype.kind in "mM":
                raise ValueError("dates and times are not numbers")
            with np.errstate(over="ignore"):
                matrix[:, index] = values
        except (TypeError, ValueError) as error:
            raise ValueError(f"X: column {name!r}: {error}") from None
    return Features(matrix, names, column("qid") if "qid" in every else None)


def index_qid(table: Any) -> Any:
    """The query ids in the index of a pandas object: its level named ``qid``; None where there is none."""
    index = getattr(table, "index", None)
    names = getattr(index, "names", None)
    if index is None or names is None or "qid" not in list(names):
        return None
    return index.get_level_values("qid").to_numpy()


def features_of(X: Any, columns: Optional[list[str]] = None, missing: str = "error") -> Features:
    """The features of X, whatever holds them; a column or an index level named ``qid`` holds query ids.

    Of a table whose columns have names, those of `columns` in their order; others are left out.
    missing: "error" where NaN is refused.
    """
    if isinstance(X, np.ndarray):
        return Features(_dense(X))
    if hasattr(X, "tocsr") and hasattr(X, "nnz"):
        return Features(_sparse(X, missing))
    if hasattr(X, "collect_schema") and hasattr(X, "collect") and not hasattr(X, "to_numpy"):
        raise TypeError("X: a LazyFrame holds no rows yet: pass X.collect()")
    if hasattr(X, "columns") and (hasattr(X, "iloc") or hasattr(X, "to_numpy") or hasattr(X, "column")):
        return _frame(X, columns)
    if hasattr(X, "__arrow_c_stream__"):  # any table that speaks Arrow: DuckDB, Ibis, ADBC, ...
        try:
            import pyarrow
        except ImportError:
            raise ImportError(f"X: a {type(X).__name__} is read through Arrow, which needs pyarrow") from None
        return _frame(pyarrow.table(X), columns)
    if hasattr(X, "__dlpack__") and not hasattr(X, "__array__"):
        return Features(_dense(np.from_dlpack(X)))
    return Features(_dense(X))


def check_same_order(X: Any, among: str = "X", **others: Any) -> None:
    """Warns where tables have the same row labels in another order: rows are matched by position."""
    index: Any = getattr(X, "index", None)
    if not hasattr(index, "get_indexer_for"):
        return
    for name, values in others.items():
        other: Any = getattr(values, "index", None)
        if not hasattr(other, "get_indexer_for") or len(other) != len(index) or other.equals(index):
            continue
        if index.is_unique and other.is_unique and bool(other.isin(index).all()):
            warn(f"{name} has the row labels of {among} in another order; rows are matched by position, not by label")


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
    array = array_of(values)
    if array.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: {name} must be real")
    if array.ndim == 2 and array.shape[1] == 1:
        if name == "y":
            warn(
                "A column-vector y was passed when a 1d array was expected. "
                "Please change the shape of y to (n_samples,), for example using ravel().",
                DataConversionWarning,
            )
        array = array.ravel()
    if array.ndim != 1:
        raise ValueError(f"{name} should be a 1d array, got an array of shape {array.shape} instead")
    if array.dtype == object:
        missing = [row for row, value in enumerate(array) if is_missing(value)]
        if missing:
            raise ValueError(f"{name} contains NaN or infinity in row {missing[0]}")
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
