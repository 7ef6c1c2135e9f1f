"""How training tells where it stands: a callback of the user's, a bar of tqdm's, or lines."""

from __future__ import annotations

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
    """

    stage: str
    done: int
    total: int
    unit: str


#: Called now and then; returning False ends training with the best model so far.
Callback = Callable[[Progress], Optional[bool]]
RawCallback = Callable[[str, int, int, str], Optional[bool]]


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
                print(f"{progress.stage}: {progress.done} {progress.unit}", file=sys.stderr)
            return
        if self._bar is None:
            self._bar = tqdm(desc=progress.stage, unit=f" {progress.unit}", total=progress.total or None)
        self._bar.update(progress.done - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


class Watch:
    """The callback that the library is given, or None when nobody wants to know."""

    def __init__(self, callback: Optional[Callback], verbose: bool) -> None:
        self._callback = callback
        self._bar = _Bar() if verbose else None

    @property
    def function(self) -> Optional[RawCallback]:
        if self._callback is None and self._bar is None:
            return None
        return self._call

    def _call(self, stage: str, done: int, total: int, unit: str) -> Optional[bool]:
        progress = Progress(stage, done, total, unit)
        if self._bar is not None:
            self._bar.show(progress)
        return None if self._callback is None else self._callback(progress)

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
