"""Losses of your own: what a query costs, as a function of its documents' scores."""

from __future__ import annotations

import inspect
from typing import Any, Callable, Optional

import numpy as np
from numpy.typing import NDArray

from rankine import _core

Vector = NDArray[np.float64]


class QueryLoss:
    """A loss over one query: derive from it, and give ``RankSVM(loss=...)`` an instance.

    The loss must be convex in the scores, and a function of what it is given alone: it is called for
    one query after the other, in any order and from several threads (never two at a time). Without
    ``hessian_times`` training goes by cutting planes, which takes more iterations than Newton's method.
    Where documents have weights (``sample_weight``), the methods must take them as a keyword
    ``weights``; weights of queries and the normalisation are the trainer's business.

    A plain function of scores and grades that returns value and gradient is a loss, too.

    Attributes
    ----------
    name : str
        What the model records; by default the class's name.

    Examples
    --------
    >>> import numpy as np
    >>> import rankine
    >>> class SquaredHinge(rankine.QueryLoss):
    ...     def gradient(self, scores, grades):
    ...         short = np.maximum(0, 1 - (scores[:, None] - scores)) * (grades[:, None] > grades)
    ...         return (short**2).sum(), 2 * (short.sum(axis=0) - short.sum(axis=1))
    ...     def hessian_times(self, scores, grades, direction):
    ...         active = (scores[:, None] - scores < 1) & (grades[:, None] > grades)
    ...         change = active * (direction[:, None] - direction)
    ...         return 2 * (change.sum(axis=1) - change.sum(axis=0))
    >>> X, y, qid = rankine.datasets.make_ranking(queries=30, documents=10, features=4)
    >>> own = rankine.RankSVM(loss=SquaredHinge()).fit(X, y, qid=qid)
    >>> built_in = rankine.RankSVM(loss="squared_hinge").fit(X, y, qid=qid)
    >>> bool(np.allclose(own.coef_, built_in.coef_, rtol=1e-3))
    True
    """

    name: str = ""
    #: Optional: the Hessian's product with a direction, ``hessian_times(scores, grades, direction)``.
    hessian_times: Optional[Callable[..., Any]] = None

    def gradient(self, scores: Vector, grades: Vector) -> tuple[float, Any]:
        """The loss and its derivative by each score.

        Parameters
        ----------
        scores, grades : ndarray of shape (n_documents,)
            Of the documents of one query.

        Returns
        -------
        float, array of shape (n_documents,)
        """
        raise NotImplementedError(f"{type(self).__name__} has no gradient(scores, grades)")


class CheckedLoss:
    """A user's loss as the extension calls it: every answer is checked for shape and finite values."""

    def __init__(self, loss: Any) -> None:
        method = getattr(loss, "gradient", None)
        gradient = method if callable(method) else loss
        times = getattr(loss, "hessian_times", None)
        if inspect.isclass(loss) or not callable(gradient):
            what = f"the class {loss.__name__}: give an instance of it" if inspect.isclass(loss) else repr(loss)
            raise ValueError(
                f"loss = {what}; a name, a function of scores and grades, or an object with gradient() is needed"
            )
        self.name = _name_of(loss)
        self._gradient = gradient
        self._times = times
        self.hessian_times = self._hessian_times if callable(times) else None
        self.takes_weights = all(_takes_weights(call) for call in (gradient, times) if callable(call))

    def gradient(self, scores: Vector, grades: Vector, weights: Optional[Vector]) -> tuple[float, Vector]:
        """What C++ calls."""
        answer = self._gradient(scores, grades, **({} if weights is None else {"weights": weights}))
        try:
            value, gradient = answer
        except (TypeError, ValueError):
            raise ValueError(
                f"loss {self.name!r}: gradient() must return the value and the gradient, got {type(answer).__name__}"
            ) from None
        number = float(value)
        if not np.isfinite(number):
            raise ValueError(f"loss {self.name!r}: the value is {number} for a query of {len(scores)} documents")
        return number, self._vector(gradient, "gradient", len(scores))

    def _hessian_times(
        self, scores: Vector, grades: Vector, weights: Optional[Vector], direction: Vector
    ) -> Vector:
        assert self._times is not None
        product = self._times(scores, grades, direction, **({} if weights is None else {"weights": weights}))
        return self._vector(product, "hessian_times", len(scores))

    def _vector(self, values: Any, what: str, size: int) -> Vector:
        array = np.ascontiguousarray(values, dtype=np.float64)
        if array.shape != (size,):
            raise ValueError(f"loss {self.name!r}: {what} has the shape {array.shape} for a query of {size} documents")
        if not np.isfinite(array).all():
            raise ValueError(
                f"loss {self.name!r}: {what} is not finite at document {int(np.argmin(np.isfinite(array)))} of a query"
            )
        return array


def _name_of(loss: Any) -> str:
    name = getattr(loss, "name", None) or getattr(loss, "__name__", None) or type(loss).__name__
    if not isinstance(name, str) or not name.isprintable():
        raise ValueError(f"loss: its name {name!r} must be a printable text")
    built_in = next(row["choices"] for row in _core.option_tables()["svm"] if row["name"] == "loss")
    if name in built_in:
        raise ValueError(f"loss: {name!r} is the name of a built-in loss; give yours another name")
    return name


def _takes_weights(call: Callable[..., Any]) -> bool:
    try:
        parameters = inspect.signature(call).parameters
    except (TypeError, ValueError):
        return False
    return "weights" in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values())
