"""How training tells where it stands: a callback of the user's, a bar of tqdm's, or lines."""

from __future__ import annotations

import math
import sys
import time
from typing import Any, Callable, NamedTuple, Optional


class Progress(NamedTuple):
    """Where long work stands.

    Attributes
    ----------
    stage : str
        What is going on: ``"training"``.
    done : int
        In units; never falls within a stage.
    total : int
        0 when it is not known.
    unit : str
        ``"iterations"``, ``"bytes"``, ...
    phase : str
        Of training: ``"preparing"`` or ``"solving"``.
    objective : float
        Of the best model so far, where the solver goes by iterations; NaN where it is not known.
    measure : float
        While tuning: the deciding measure of the best setting so far; NaN elsewhere.
    """

    stage: str
    done: int
    total: int
    unit: str
    phase: str = ""
    objective: float = math.nan
    measure: float = math.nan

    @property
    def iteration(self) -> int:
        """Iterations done; 0 where the work is not counted in them."""
        return self.done if self.unit == "iterations" else 0


#: Called now and then; returning False ends training with the best model so far.
Callback = Callable[[Progress], Optional[bool]]
RawCallback = Callable[[str, int, int, str, str, float, float], Optional[bool]]


class _Bar:
    def __init__(self) -> None:
        self._bar: Any = None
        self._told = 0.0

    def show(self, progress: Progress) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            if time.monotonic() - self._told > 1:
                self._told = time.monotonic()
                objective = "" if math.isnan(progress.objective) else f", objective {progress.objective:.6g}"
                print(f"{progress.stage}: {progress.done} {progress.unit}{objective}", file=sys.stderr)
            return
        if self._bar is None:
            self._bar = tqdm(desc=progress.stage, unit=f" {progress.unit}", total=progress.total or None)
        told = {"objective": progress.objective, "measure": progress.measure}
        known = {name: f"{value:.6g}" for name, value in told.items() if not math.isnan(value)}
        if known:
            self._bar.set_postfix(known, refresh=False)
        self._bar.update(progress.done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


class Watch:
    """The callback that the library is given, or None when nobody wants to know."""

    def __init__(self, callback: Optional[Callback], verbose: Any) -> None:
        self._callback = callback
        self._bar = _Bar() if verbose > 0 else None  # -1 is quiet, as in LightGBM

    @property
    def function(self) -> Optional[RawCallback]:
        if self._callback is None and self._bar is None:
            return None
        return self._call

    def _call(
        self, stage: str, done: int, total: int, unit: str, phase: str, objective: float, measure: float
    ) -> Optional[bool]:
        progress = Progress(stage, done, total, unit, phase, objective, measure)
        if self._bar is not None:
            self._bar.show(progress)
        return None if self._callback is None else self._callback(progress)

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
