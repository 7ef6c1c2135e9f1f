"""Options as text: what the tables of the C++ library read."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from rankine import _core


@lru_cache(maxsize=None)
def option_types(table: str) -> dict[str, str]:
    """The options of a method (or of read, synth, folds, rules) and their types."""
    return {row["name"]: row["type"] for row in _core.option_tables()[table]}


def option_text(name: str, value: Any) -> str:
    """The text of an option's value; numbers keep every bit."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple, np.ndarray)):
        return ",".join(option_text(name, part) for part in value)
    raise ValueError(f"{name} = {value!r} is neither a number nor a text")


def option_texts(options: Mapping[str, Any]) -> dict[str, str]:
    """The texts of all options but those that are None, which keep the library's default."""
    return {name: option_text(name, value) for name, value in options.items() if value is not None}


def seed_of(seed: Any, random_state: Any) -> Any:
    """The seed: scikit-learn's random_state where it is given."""
    if random_state is None:
        return seed
    if seed not in (1, random_state):
        raise ValueError(f"seed = {seed} and random_state = {random_state}: give one of them")
    if hasattr(random_state, "randint"):  # numpy.random.RandomState
        return int(random_state.randint(2**31))
    if hasattr(random_state, "integers"):  # numpy.random.Generator
        return int(random_state.integers(2**31))
    return random_state


def threads_of(threads: Any, n_jobs: Any) -> Any:
    """The number of threads: joblib's n_jobs where it is given; -1 is one per core, -2 all but one."""
    if n_jobs is None:
        return threads
    if threads not in (0, n_jobs):
        raise ValueError(f"threads = {threads} and n_jobs = {n_jobs}: give one of them")
    if n_jobs == 0:
        raise ValueError("n_jobs = 0 has no meaning: give a number of threads, or -1 for one per core")
    if n_jobs == -1:
        return 0
    return n_jobs if n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + n_jobs)
