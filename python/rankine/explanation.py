"""Why one document stands above another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rankine._tables import Table, Tabular, frame

_MOST_COLUMNS = 8


class Reason(NamedTuple):
    """One feature's part in a difference of scores."""

    feature: str
    contribution: float
    value: float
    other_value: float


@dataclass(frozen=True)
class Explanation(Tabular):
    """What each feature, or each landmark of a kernel, adds to each score.

    ``scores = base + contributions.sum(axis=1)``, up to rounding.

    Attributes
    ----------
    contributions : ndarray of shape (n_documents, n_features)
        A feature's weight times its value, measured from the training data's mean where the model
        scales so.
    scores : ndarray of shape (n_documents,)
    base : float
        What all documents have in common.
    values : ndarray of shape (n_documents, n_features)
        The features themselves; for landmarks, how alike document and landmark are.
    feature_names : list of str
    """

    contributions: NDArray[np.float64]
    scores: NDArray[np.float64]
    base: float
    values: NDArray[np.float32]
    feature_names: list[str]

    def why(self, above: int, below: int, top: int = 10) -> list[Reason]:
        """Why document ``above`` scores higher than ``below``: the largest differences first.

        Parameters
        ----------
        above, below : int
            Rows of the documents that were explained.
        top : int
            At most this many reasons.

        Returns
        -------
        list of Reason
            Feature, what it adds to the difference of the two scores, and its value in both.
        """
        difference = self.contributions[above] - self.contributions[below]
        order = np.argsort(-np.abs(difference), kind="stable")[:top]
        return [
            Reason(
                self.feature_names[k],
                float(difference[k]),
                float(self.values[above, k]),
                float(self.values[below, k]),
            )
            for k in order
            if difference[k] != 0
        ]

    def importance(self) -> dict[str, float]:
        """Each feature's mean absolute contribution, measured from its mean; the largest first."""
        centred = self.contributions - self.contributions.mean(axis=0)
        sizes = np.abs(centred).mean(axis=0)
        return {self.feature_names[k]: float(sizes[k]) for k in np.argsort(-sizes, kind="stable")}

    def table(self) -> Table:
        """The score of each document and what the most important features add to it."""
        names = list(self.importance())
        place = {name: k for k, name in enumerate(self.feature_names)}
        shown = names[:_MOST_COLUMNS]
        rows = [
            [row, float(score), *(float(self.contributions[row, place[name]]) for name in shown)]
            for row, score in enumerate(self.scores)
        ]
        left = len(names) - len(shown)
        note = f"the {len(shown)} most important of {len(names)} features: to_frame() has all" if left else ""
        return Table(["row", "score", *shown], rows, note)

    def to_frame(self) -> Any:
        """A data frame of pandas: by document score, base, and what each feature adds.

        Returns
        -------
        pandas.DataFrame
        """
        made = frame({"score": self.scores, "base": np.full(len(self.scores), self.base)})
        parts = frame({k: self.contributions[:, k] for k in range(self.contributions.shape[1])})
        parts.columns = list(self.feature_names)
        return made.join(parts) if not {"score", "base"} & set(parts.columns) else made.join(parts, lsuffix="_")
