"""Reading and making ranking data."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from rankine import _core
from rankine._options import option_texts
from rankine._warnings import warn


@dataclass
class RankingData:
    """Graded documents by query; unpacks as ``X, y, qid``.

    Documents of a query stand together, queries in the order of their first document.

    Attributes
    ----------
    X : ndarray of float32 or scipy.sparse.csr_matrix
    y : ndarray of float64
        Grades.
    qid : ndarray
        An id a document: integers where all ids are, else strings.
    feature_names : list of str
        Empty where the data has none.
    comments : list of str
        What followed ``#``, a document; empty unless asked for.
    input_rows : ndarray
        Each document's row in the file, from 0.
    sample_weight, query_weight : ndarray, optional
    true_scores : ndarray, optional
        Of synthetic data: the scores before noise.
    num_missing : int
        Feature values that the file does not have.
    """

    X: Any
    y: NDArray[np.float64]
    qid: NDArray[Any]
    feature_names: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    input_rows: Optional[NDArray[np.int64]] = None
    sample_weight: Optional[NDArray[np.float64]] = None
    query_weight: Optional[NDArray[np.float64]] = None
    true_scores: Optional[NDArray[np.float64]] = None
    num_missing: int = 0

    def __iter__(self) -> Iterator[Any]:
        return iter((self.X, self.y, self.qid))


def _ids(data: _core.Dataset) -> NDArray[Any]:
    texts = data.query_ids
    numbers = all(text.isdecimal() and len(text) < 18 and (text == "0" or text[0] != "0") for text in texts)
    by_query: NDArray[Any] = np.array([int(text) for text in texts], np.int64) if numbers else np.array(texts)
    return np.repeat(by_query, np.diff(data.query_offsets))


def _matrix(data: _core.Dataset) -> Any:
    features = data.features
    if not isinstance(features, tuple):
        return features
    try:
        from scipy.sparse import csr_matrix
    except ImportError:
        raise ImportError("sparse data needs SciPy; storage='dense' does without") from None
    offsets, columns, values, num_columns = features
    small = num_columns <= np.iinfo(np.int32).max
    columns = columns.view(np.int32) if small else columns.astype(np.int64)
    matrix = csr_matrix((len(offsets) - 1, num_columns), dtype=np.float32)
    matrix.data, matrix.indices, matrix.indptr = values, columns, offsets
    if small and offsets[-1] <= np.iinfo(np.int32).max:
        matrix.indptr = offsets.astype(np.int32)
    return matrix


def _ranking_data(data: _core.Dataset) -> RankingData:
    return RankingData(
        X=_matrix(data),
        y=data.grades,
        qid=_ids(data),
        feature_names=data.feature_names,
        comments=data.comments,
        input_rows=data.input_rows if len(data.input_rows) else np.arange(data.num_documents),
        sample_weight=data.document_weights if len(data.document_weights) else None,
        query_weight=data.query_weights if len(data.query_weights) else None,
        num_missing=data.num_missing,
    )


def load_letor(path: Any, *, comments: bool = False, **options: Any) -> RankingData:
    """Reads LETOR / SVMlight text, CSV or the binary cache; plain, gz or zst.

    Missing values (NULL, empty cells) are counted, and a warning says how many there are.

    Parameters
    ----------
    path : str or path-like
    comments : bool
        Keep what follows ``#``.
    **options
        Options of reading, as the command line has them: ``storage="dense"``,
        ``num_features=46``, ``zero_based=True``, ``label="clicks"``, ...

    Returns
    -------
    RankingData
    """
    name = os.fspath(path)
    if not os.path.exists(name):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
    data = _core.read_dataset(name, option_texts(options), comments)
    if data.num_missing:
        values = "value is" if data.num_missing == 1 else "values are"
        what = {"zero": "read as 0", "mean": "read as the column's mean"}[str(options.get("missing", "zero"))]
        warn(f"{name}: {data.num_missing} feature {values} missing (NULL, an empty cell or NaN) and {what}")
    return _ranking_data(data)


def load_letor_fold(folder: Any, **options: Any) -> tuple[RankingData, RankingData, RankingData]:
    """The train, vali and test data of a LETOR fold, with as many columns each.

    Parameters
    ----------
    folder : str or path-like
        Holds ``train.txt``, ``vali.txt`` and ``test.txt``.
    **options
        As for :func:`load_letor`.

    Returns
    -------
    train, vali, test : RankingData
    """
    train = load_letor(os.path.join(os.fspath(folder), "train.txt"), **options)
    options.setdefault("num_features", train.X.shape[1])
    vali, test = (load_letor(os.path.join(os.fspath(folder), f"{part}.txt"), **options) for part in ("vali", "test"))
    return train, vali, test


def make_ranking(*, threads: int = 0, **options: Any) -> RankingData:
    """Synthetic data with a known answer, the same on every machine; what ``rankine synth`` writes.

    Parameters
    ----------
    threads : int
        Worker threads; 0: one a core.
    **options
        ``queries=1000, documents=40, features=46, grades=5, noise=0.5, truth="linear", seed=0``, and
        the other options of ``rankine synth``.

    Returns
    -------
    RankingData
        With ``true_scores``.

    Examples
    --------
    >>> import rankine
    >>> data = rankine.datasets.make_ranking(queries=10, documents=5, features=3, seed=7)
    >>> data.X.shape, len(data.y), len(set(data.qid.tolist()))
    ((50, 3), 50, 10)
    """
    data, true_scores = _core.make_synthetic(option_texts(options), threads)
    made = _ranking_data(data)
    made.true_scores = true_scores
    return made
