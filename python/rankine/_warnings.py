"""Warnings that point at the user's line, however deep in the package they arise."""

from __future__ import annotations

import os
import sys
import warnings

_FOLDER = os.path.dirname(os.path.abspath(__file__)) + os.sep


class MissingQueriesWarning(UserWarning):
    """Documents of several grades came without queries, and are taken for one list."""


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warns at the first caller outside the package."""
    level = 2
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_FOLDER):
        frame = frame.f_back
        level += 1
    warnings.warn(message, category, stacklevel=level)
