"""What makes an estimator: scikit-learn's base class where it is installed, the like of it elsewhere."""

from __future__ import annotations

import inspect
from functools import lru_cache
from typing import TYPE_CHECKING, Any


class PlainEstimator:
    """Parameters by the names of ``__init__``, as scikit-learn's law has it."""

    @classmethod
    def _parameter_names(cls) -> list[str]:
        return sorted(_parameters_of(cls.__init__))

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters and their values."""
        return {name: getattr(self, name) for name in self._parameter_names()}

    def set_params(self, **params: Any) -> Any:
        """Changes parameters; returns the estimator."""
        for name, value in params.items():
            if name not in self._parameter_names():
                raise ValueError(
                    f"Invalid parameter {name!r} for estimator {self}. "
                    f"Valid parameters are: {self._parameter_names()!r}."
                )
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        changed = [
            f"{name}={value!r}"
            for name, value in self.get_params().items()
            if value is not defaults[name].default and value != defaults[name].default
        ]
        return f"{type(self).__name__}({', '.join(changed)})"


class PlainTransformer:
    """What scikit-learn's mixins of transformers give."""

    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Any:
        """fit(X), then transform(X)."""
        return self.fit(X, y, **fit_params).transform(X)  # type: ignore[attr-defined]


if TYPE_CHECKING:
    EstimatorBase = PlainEstimator
    TransformerBase = PlainTransformer

    class NotFittedError(ValueError, AttributeError):
        """The estimator has not seen data yet."""

    class DataConversionWarning(UserWarning):
        """Data was reshaped."""

    HAS_SKLEARN: bool
else:
    try:
        from sklearn.base import BaseEstimator as EstimatorBase
        from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
        from sklearn.exceptions import DataConversionWarning, NotFittedError

        class TransformerBase(ClassNamePrefixFeaturesOutMixin, TransformerMixin):
            """Names of outputs, fit_transform and set_output."""

        HAS_SKLEARN = True
    except ImportError:
        EstimatorBase = PlainEstimator
        TransformerBase = PlainTransformer
        HAS_SKLEARN = False

        class NotFittedError(ValueError, AttributeError):
            """The estimator has not seen data yet."""

        class DataConversionWarning(UserWarning):
            """Data was reshaped."""


@lru_cache(maxsize=None)
def _parameters_of(constructor: Any) -> tuple[str, ...]:
    parameters = inspect.signature(constructor).parameters
    return tuple(name for name, one in parameters.items() if name != "self" and one.kind is not one.VAR_KEYWORD)


def parameters(estimator: Any) -> dict[str, Any]:
    """get_params(deep=False), without looking at the signature again each time."""
    return {name: getattr(estimator, name) for name in _parameters_of(estimator.__class__.__init__)}


def unfitted_copy(estimator: Any) -> Any:
    """A new estimator of the same parameters, without what it learned."""
    return type(estimator)(**estimator.get_params(deep=False))
