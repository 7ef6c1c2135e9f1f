"""Options as text: what the tables of the C++ library read."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from rankine import _core


@cache
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
