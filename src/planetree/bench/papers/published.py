"""The papers' tables as they are printed: one small reader."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

__all__ = ["FOLDER", "Printed", "PrintedTable", "read_cell", "read_published"]

FOLDER = Path(__file__).parent / "printed"


@dataclass(frozen=True)
class Printed:
    """One cell of a printed table.

    Parameters
    ----------
    text : str
        As it is in the paper; empty where the scan shows nothing.
    value : float or None
        Its figure.
    spread : float or None
        The deviation beside it.
    damaged : bool
        Whether the scan spoilt it, or another table contradicts it.
    """

    text: str
    value: float | None = None
    spread: float | None = None
    damaged: bool = False

    @property
    def digits(self) -> int:
        """How many digits stand after the point."""
        figure = self.text.split("±")[0]
        return len(figure.partition(".")[2].rstrip("?"))


def read_cell(text: str) -> Printed:
    """Read a cell: a figure, ± its deviation, ``?`` for a damaged one, or other words.

    Parameters
    ----------
    text : str
        The cell.

    Returns
    -------
    Printed
        What it says.

    Examples
    --------
    >>> from planetree.bench.papers.published import read_cell
    >>> read_cell("65.3±1.1")
    Printed(text='65.3±1.1', value=65.3, spread=1.1, damaged=False)
    >>> read_cell("8.4?").damaged, read_cell("na").value
    (True, None)
    """
    damaged = text.endswith("?")
    figure, _, spread = text.removesuffix("?").partition("±")
    try:
        return Printed(text, float(figure), float(spread) if spread else None, damaged)
    except ValueError:
        return Printed(text, damaged=damaged)


@dataclass(frozen=True)
class PrintedTable:
    """A printed table.

    Parameters
    ----------
    head : tuple of str
        The columns' names.
    rows : list of tuple of str
        The cells.
    """

    head: tuple[str, ...]
    rows: list[tuple[str, ...]]


def read_published(paper: str, table: int) -> PrintedTable:
    """Read one table of a paper.

    Parameters
    ----------
    paper : str
        Its number.
    table : int
        The table's.

    Returns
    -------
    PrintedTable
        The table.

    Examples
    --------
    >>> from planetree.bench.papers.published import read_published
    >>> read_published("001", 4).head
    ('data', 'ID3', 'CART', 'FSCART')
    """
    width = 2 if paper == "004" else 1
    path = FOLDER / f"{paper}-t{table:0{width}}.csv"
    with path.open(encoding="utf-8", newline="") as lines:
        head, *rows = (tuple(row) for row in csv.reader(lines))
    return PrintedTable(head, rows)
