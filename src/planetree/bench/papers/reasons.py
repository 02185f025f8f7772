"""Why figures differ from the printed ones, as far as is known: kept beside the printed tables."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass

from planetree.bench.papers.contract import Judged
from planetree.bench.papers.published import FOLDER

__all__ = ["Reason", "read_reasons", "reason_of"]

UNKNOWN = "Not explained."


@dataclass(frozen=True)
class Reason:
    """Why figures differ.

    Parameters
    ----------
    why : str
        The reason.
    tables : frozenset of str
        In which tables; none means in all.
    rows, columns : frozenset of str
        Words, one of which the row (the column) has; none means all.
    """

    why: str
    tables: frozenset[str]
    rows: frozenset[str]
    columns: frozenset[str]

    def explains(self, cell: Judged) -> bool:
        """Say whether it is about this cell."""
        return (
            (not self.tables or str(cell.table) in self.tables)
            and (not self.rows or any(word in cell.row for word in self.rows))
            and (not self.columns or any(word in cell.column for word in self.columns))
        )


def read_reasons(paper: str) -> list[Reason]:
    """Read why figures of a paper differ.

    Parameters
    ----------
    paper : str
        Its number.

    Returns
    -------
    list of Reason
        Of those that fit a cell the first holds.

    Examples
    --------
    >>> from planetree.bench.papers.reasons import read_reasons
    >>> sorted(read_reasons("001")[0].columns)
    ['CART']
    """
    path = FOLDER / f"{paper}-reasons.csv"
    with path.open(encoding="utf-8", newline="") as lines:
        return [
            Reason(row["why"], *(_words(row[key]) for key in ("tables", "rows", "columns")))
            for row in csv.DictReader(lines)
        ]


def reason_of(cell: Judged, reasons: Sequence[Reason]) -> str:
    """Say why a cell did not come out.

    Parameters
    ----------
    cell : Judged
        The cell.
    reasons : sequence of Reason
        Those of its paper.

    Returns
    -------
    str
        The first reason that fits.
    """
    return next((reason.why for reason in reasons if reason.explains(cell)), UNKNOWN)


def _words(text: str) -> frozenset[str]:
    """Words between semicolons."""
    return frozenset(filter(None, (word.strip() for word in text.split(";"))))
