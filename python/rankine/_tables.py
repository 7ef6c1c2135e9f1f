"""Results as tables: text of fixed columns, HTML for notebooks, data frames of pandas."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

_MOST_ROWS = 60


@dataclass(frozen=True)
class Table:
    """Named columns and rows of texts and numbers."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]
    note: str = ""

    def text(self) -> str:
        """Columns side by side, numbers to the right."""
        rows, note = self._shown()
        cells = [[_text(value) for value in row] for row in rows]
        names = [_text(name) for name in self.columns]
        widths = [max([len(name), *(len(row[k]) for row in cells)]) for k, name in enumerate(names)]
        right = [bool(rows) and all(isinstance(row[k], (int, float)) for row in rows) for k in range(len(self.columns))]
        lines = [
            "  ".join(cell.rjust(width) if to_right else cell.ljust(width)
                      for cell, width, to_right in zip(row, widths, right)).rstrip()
            for row in [names, *cells]
        ]
        return "\n".join(lines + ([note] if note else []))

    def html(self) -> str:
        """The same for a notebook; whatever stands in names and values is text, never markup."""
        rows, note = self._shown()
        head = "".join(f"<th>{html.escape(_text(name))}</th>" for name in self.columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(_text(value))}</td>" for value in row) + "</tr>" for row in rows
        )
        below = f"<p>{html.escape(note)}</p>" if note else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{below}"

    def _shown(self) -> tuple[list[Sequence[Any]], str]:
        rows = list(self.rows[:_MOST_ROWS])
        left = len(self.rows) - len(rows)
        notes = [f"... and {left} more rows: to_frame() has them" if left else "", self.note]
        return rows, "; ".join(filter(None, notes))


def _text(value: Any) -> str:
    if isinstance(value, float):
        return "-" if math.isnan(value) else f"{value:.6g}"
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in str(value))


def frame(columns: Any, index: Any = None) -> Any:
    """A data frame of pandas."""
    try:
        import pandas
    except ImportError:
        raise ImportError("to_frame() needs pandas") from None
    return pandas.DataFrame(columns, index=index)


class Tabular:
    """What results have in common: ``print`` and notebooks show a table."""

    def table(self) -> Table:
        """What is shown."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.table().text()

    def _repr_html_(self) -> str:
        return self.table().html()
