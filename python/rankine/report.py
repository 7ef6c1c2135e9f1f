"""How training went."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rankine._tables import Table, Tabular, frame


@dataclass(frozen=True)
class TrainReport(Tabular):
    """How a training went: ``ranker.report_``.

    Attributes
    ----------
    termination : str
        ``"converged"``, ``"iteration limit"``, ``"time limit"``, ``"interrupted"``, ...
    solver : str
        Where the method chooses between several: which.
    iterations, products, hessians : int
        Iterations of the solver, Hessian products and whole Hessians it took.
    objective, gap : float
        The objective at the end, and a certified bound on its distance from the minimum
        (infinite where there is no certificate).
    seconds_scaling, seconds_mapping, seconds_preparing, seconds_solving : float
        The time of each phase.
    gamma : float
        Of the kernel, as used.
    components, rank : int
        Landmarks or random features drawn, and features that training saw; 0 without a feature map.
    unexplained : float
        With landmarks: the share of their kernel (its trace) that was left out.
    peak_memory : int
        Of the process, in bytes.
    constant_columns : list of int
        Columns, from 0, that are constant in the training data: their weight is 0.
    warnings : list of str
        What the data had that one should know of.
    objectives, gradient_norms, steps : ndarray
        By iteration.
    """

    termination: str
    solver: str
    iterations: int
    products: int
    hessians: int
    objective: float
    gap: float
    seconds_scaling: float
    seconds_mapping: float
    seconds_preparing: float
    seconds_solving: float
    gamma: float
    components: int
    rank: int
    unexplained: float
    peak_memory: int
    constant_columns: list[int]
    warnings: list[str]
    objectives: NDArray[np.float64]
    gradient_norms: NDArray[np.float64]
    steps: NDArray[np.float64]

    @classmethod
    def of(cls, report: dict[str, Any]) -> TrainReport:
        """From what the library tells, whatever else it tells."""
        return cls(**{field.name: report[field.name] for field in fields(cls)})

    def _single_values(self) -> dict[str, Any]:
        told = {field.name: getattr(self, field.name) for field in fields(self)}
        told["constant_columns"] = len(self.constant_columns)
        return {name: value for name, value in told.items() if not isinstance(value, (list, np.ndarray))}

    def table(self) -> Table:
        """Name and value; of constant columns their number."""
        rows = [[name, value] for name, value in self._single_values().items() if value != ""]
        return Table(["report", "value"], rows, "; ".join(self.warnings))

    def to_frame(self, *, steps: bool = False) -> Any:
        """A data frame of pandas: a row a figure, or a row an iteration.

        Parameters
        ----------
        steps : bool
            Objective, gradient's norm and step by iteration.

        Returns
        -------
        pandas.DataFrame
        """
        if steps:
            made = frame({"objective": self.objectives, "gradient_norm": self.gradient_norms, "step": self.steps})
            made.index.name = "iteration"
            return made
        values = self._single_values()
        made = frame({"value": list(values.values())}, index=list(values))
        made.index.name = "report"
        return made
