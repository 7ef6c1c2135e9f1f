"""What estimators remember of the features they were fitted on, and ask of those to come."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np
from numpy.typing import NDArray

from rankine._inputs import Features, features_of
from rankine._warnings import warn


def check_not_empty(features: Features) -> None:
    """Raises ValueError where there are no documents or no features."""
    if features.num_rows == 0:
        raise ValueError(f"Found array with 0 sample(s) (shape=(0, {features.num_columns})): X has no documents")
    if features.num_columns == 0:
        raise ValueError(
            f"Found array with 0 feature(s) (shape=({features.num_rows}, 0)) while a minimum of 1 is required."
        )


class FeatureChecks:
    """Number and names of the features, in the words of scikit-learn."""

    n_features_in_: int
    feature_names_in_: NDArray[np.object_]

    def _remember_features(self, num_features: int, names: Optional[list[str]]) -> None:
        self.n_features_in_ = num_features
        if names is not None:
            self.feature_names_in_ = np.asarray(names, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _features(self, X: Any) -> Features:
        """What X has of the features that were there in fit: by name where both have names, else by place."""
        known = getattr(self, "feature_names_in_", None)
        columns = None if known is None else [str(name) for name in known]
        features = features_of(X, columns, getattr(self, "missing", "error"))
        self._check_features(features)
        return features

    def _check_features(self, features: Features) -> None:
        name = type(self).__name__
        known = getattr(self, "feature_names_in_", None)
        if known is not None and features.names is None:
            warn(f"X does not have valid feature names, but {name} was fitted with feature names")
        if known is None and features.names is not None:
            warn(f"X has feature names, but {name} was fitted without feature names")
        check_not_empty(features)
        if features.num_columns != self.n_features_in_:
            raise ValueError(
                f"X has {features.num_columns} features, but {name} is expecting "
                f"{self.n_features_in_} features as input"
            )
