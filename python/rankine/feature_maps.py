"""Transformers: feature maps for other learners, or for pipelines."""

from __future__ import annotations

from typing import Any, Optional, TypeVar

import numpy as np
from numpy.typing import NDArray

from rankine import _core
from rankine._dataset import dataset_of
from rankine._estimator import EstimatorBase, NotFittedError, TransformerBase
from rankine._feature_checks import FeatureChecks, check_not_empty
from rankine._inputs import Features, features_of
from rankine._options import option_texts, seed_of, threads_of
from rankine._queries import queries_of

Self = TypeVar("Self", bound="FeatureMap")


def _as_one_query(features: Features) -> _core.Dataset:
    return dataset_of(features, np.zeros(features.num_rows), queries_of(features.num_rows))


class FeatureMap(FeatureChecks, TransformerBase, EstimatorBase):
    """What all feature maps have in common; use one of them."""

    seed: int
    threads: int
    random_state: Any
    n_jobs: Optional[int]
    map_: _core.FeatureMap

    def _approximation(self) -> str:
        raise NotImplementedError

    def fit(self: Self, X: Any, y: Any = None) -> Self:
        """Draws landmarks or frequencies.

        Parameters
        ----------
        X : array, sparse matrix or table of shape (n_documents, n_features)
        y : ignored

        Returns
        -------
        self
        """
        features = features_of(X)
        check_not_empty(features)
        elsewhere = ("seed", "threads", "random_state", "n_jobs")
        options = {k: v for k, v in self.get_params(deep=False).items() if k not in elsewhere}
        seed, threads = seed_of(self.seed, self.random_state), threads_of(self.threads, self.n_jobs)
        texts = option_texts({**options, "approximation": self._approximation()})
        self.map_ = _core.fit_map(_as_one_query(features), texts, seed, threads)
        self._remember_features(features.num_columns, features.names)
        self.n_components_ = self._n_features_out = self.map_.num_components
        self.gamma_ = float(self.map_.report["gamma"])
        return self

    def transform(self, X: Any) -> NDArray[np.float32]:
        """The mapped features: products of their rows are about the kernel's values.

        Parameters
        ----------
        X : array, sparse matrix or table of shape (n_documents, n_features)

        Returns
        -------
        ndarray of float32, of shape (n_documents, n_components_)
        """
        if not hasattr(self, "map_"):
            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with appropriate arguments "
                "before using this estimator."
            )
        features = self._features(X)
        return self.map_.map(_as_one_query(features), threads_of(self.threads, self.n_jobs))

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "map_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float32"]
        return tags


class Nystroem(FeatureMap):
    """The Nystroem map: kernel values with landmarks, whitened.

    ``phi(x) . phi(z)`` is the kernel's best approximation by the landmarks. The map of
    ``RankSVM(approximation="nystroem")``, without its scaling of features.

    Parameters
    ----------
    kernel : {"rbf", "linear", "laplacian", "polynomial", "precomputed"}
    gamma : float
        0 derives it from the distances in the data.
    degree : int
        Of the polynomial kernel.
    coef0 : float
        Of the polynomial kernel.
    n_components : int
        Landmarks.
    landmarks : {"uniform", "kmeans", "rpcholesky"}
        How they are drawn among the documents.
    rank_tolerance : float
        Directions of the landmarks' kernel below this share of its trace are dropped.
    rank : int
        Keep this many directions, the largest; 0: by rank_tolerance.
    seed : int
    threads : int
        Worker threads; 0: one a core. The result does not depend on it.
    random_state, n_jobs : int, optional
        scikit-learn's names of seed and threads.

    Attributes
    ----------
    n_components_ : int
        Features that came of it.
    gamma_ : float
        As used.

    Examples
    --------
    >>> import numpy as np
    >>> import rankine
    >>> X = np.random.default_rng(1).normal(size=(50, 3))
    >>> mapped = rankine.Nystroem(gamma=0.5, n_components=50).fit_transform(X)
    >>> kernel = np.exp(-0.5 * ((X[:, None] - X[None]) ** 2).sum(axis=2))
    >>> bool(np.abs(mapped @ mapped.T - kernel).max() < 1e-2)
    True
    """

    def __init__(
        self,
        kernel: str = "rbf",
        *,
        gamma: float = 0,
        degree: int = 3,
        coef0: float = 1,
        n_components: int = 1000,
        landmarks: str = "uniform",
        rank_tolerance: float = 1e-8,
        rank: int = 0,
        seed: int = 1,
        threads: int = 0,
        random_state: Any = None,
        n_jobs: Optional[int] = None,
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.n_components = n_components
        self.landmarks = landmarks
        self.rank_tolerance = rank_tolerance
        self.rank = rank
        self.seed = seed
        self.threads = threads
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _approximation(self) -> str:
        return "nystroem"


class RandomFourier(FeatureMap):
    """Random Fourier features: waves whose products are the kernel on average.

    Parameters
    ----------
    kernel : {"rbf", "laplacian"}
    gamma : float
        0 derives it from the distances in the data.
    n_components : int
    fourier : {"plain", "paired", "orthogonal"}
        One cosine a frequency with a random phase; cosine and sine of each frequency; or these with
        frequencies orthogonal to each other.
    seed : int
    threads : int
        Worker threads; 0: one a core. The result does not depend on it.
    random_state, n_jobs : int, optional
        scikit-learn's names of seed and threads.

    Attributes
    ----------
    n_components_ : int
        Features that came of it.
    gamma_ : float
        As used.

    Examples
    --------
    >>> import numpy as np
    >>> import rankine
    >>> X = np.random.default_rng(1).normal(size=(50, 3))
    >>> rankine.RandomFourier(n_components=64, fourier="paired").fit_transform(X).shape
    (50, 64)
    """

    def __init__(
        self,
        kernel: str = "rbf",
        *,
        gamma: float = 0,
        n_components: int = 1000,
        fourier: str = "plain",
        seed: int = 1,
        threads: int = 0,
        random_state: Any = None,
        n_jobs: Optional[int] = None,
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.n_components = n_components
        self.fourier = fourier
        self.seed = seed
        self.threads = threads
        self.random_state = random_state
        self.n_jobs = n_jobs

    def _approximation(self) -> str:
        return "fourier"
