"""Printed tables cell by cell beside ours: the difference, and whether that is the same figure."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from planetree.bench.measures import MEASURES
from planetree.bench.papers.contract import Compared, Judged, Kind, Place, Runs
from planetree.bench.papers.published import (
    Printed,
    PrintedTable,
    read_cell,
    read_published,
)
from planetree.bench.tables import Spread, Table, deviations

__all__ = ["LEGEND", "FigureTable", "accurate_places", "share_met", "totals"]

LEGEND = (
    "printed → ours (difference in printed deviations). ✓ as printed: accuracy within the larger "
    "of two printed deviations and 2 points, a size within a third. ▲ better by more than that: "
    "more accurate; or a smaller tree, where its accuracy is as printed or better. ✗ neither. "
    "? damaged in the scan or contradicted by another table, not judged. – not run."
)
SIZES_OF_TREES = {"leaves", "nodes", "tests", "size"}
"""Of these less is better; fewer tests of one kind may be more of the other."""


@dataclass(frozen=True)
class FigureTable:
    """A table of figures that ours are set beside one by one.

    Parameters
    ----------
    paper : str
        The paper's number.
    number : int
        The table's.
    caption : str
        What it shows.
    keys : int
        How many of its first columns name a row.
    find : callable
        From the row's names and the column's to the place of our figure, or to the reason why
        there is none.
    spread : {"cells", "repetitions"}
        What the printed deviations are over.
    counted : bool
        Whether it counts in the totals; where a table is shown in several readings, one does.
    """

    paper: str
    number: int
    caption: str
    keys: int
    find: Callable[[Sequence[str], str], Place | str]
    spread: Spread = "repetitions"
    counted: bool = True

    @cached_property
    def printed(self) -> PrintedTable:
        """The table as it is printed."""
        return read_published(self.paper, self.number)

    def places(self) -> Iterable[Place]:
        """Tell what must be run for it.

        Yields
        ------
        Place
            Of each cell that we can have.
        """
        for row in self.printed.rows:
            for column in self.printed.head[self.keys :]:
                place = self.find(row[: self.keys], column)
                if isinstance(place, Place):
                    yield place

    def compare(self, runs: Runs, accurate: Container[Place]) -> Compared:
        """Set it beside what was run.

        Parameters
        ----------
        runs : mapping of str to Results
            What was run.
        accurate : container of Place
            Where the accuracy is as printed or better.

        Returns
        -------
        Compared
            The table and its cells.
        """
        printed, rows, cells = self.printed, [], []
        without: dict[str, dict[str, None]] = {}  # names in order, each once
        for row in printed.rows:
            keys = row[: self.keys]
            shown = list(keys)
            for column, text in zip(printed.head[self.keys :], row[self.keys :], strict=True):
                place = self.find(keys, column)
                if isinstance(place, str):
                    without.setdefault(place, {})[", ".join(keys)] = None
                    shown.append(text or "–")
                    continue
                cell = read_cell(text)
                judged = judge(self.number, ", ".join(keys), column, cell, place, runs, accurate)
                cells.append(judged)
                shown.append(_shown(judged, _deviation_of(runs, place, self.spread)))
            rows.append(shown)
        title = f"Table {self.number}: {self.caption}"
        notes = [f"{'; '.join(names)}: {why}." for why, names in without.items()]
        table = Table(title, printed.head, rows, [LEGEND, *notes])
        return Compared(table, cells, self.counted)


def judge(
    table: int,
    row: str,
    column: str,
    printed: Printed,
    place: Place,
    runs: Runs,
    accurate: Container[Place] = (),
) -> Judged:
    """Hold our figure beside a printed one.

    Parameters
    ----------
    table : int
        The table's number.
    row, column : str
        Where the figure stands.
    printed : Printed
        The figure.
    place : Place
        Where ours is.
    runs : mapping of str to Results
        What was run.
    accurate : container of Place
        Where the accuracy is as printed or better.

    Returns
    -------
    Judged
        With a verdict where both are there.
    """
    ours = mean_of(runs, place)
    kind: Kind = "accuracy" if place.measure == "accuracy" else "size"
    judged = partial(Judged, table, row, column, kind, place, printed, ours)
    if printed.value is None or printed.damaged or np.isnan(ours):
        return judged(None)
    difference = ours - printed.value
    if kind == "size":
        # A size is printed to within half its last digit.
        near = abs(difference) <= printed.value / 3 + 0.5 * 10.0**-printed.digits
        smaller = place.measure in SIZES_OF_TREES and difference < 0
        better = smaller and place.accuracy in accurate
    else:
        near = abs(difference) <= max(2 * (printed.spread or 0.0), 2.0)
        better = difference > 0
    return judged(near or better, not near and better)


def accurate_places(tables: Iterable[FigureTable], runs: Runs) -> set[Place]:
    """Find where the accuracy is as printed or better, in every table that has it.

    Parameters
    ----------
    tables : iterable of FigureTable
        All of a paper, so that a table of sizes can ask one of accuracies.
    runs : mapping of str to Results
        What was run.

    Returns
    -------
    set of Place
        Places of accuracies.
    """
    cells = [cell for table in tables for cell in table.compare(runs, ()).cells]
    of = [cell for cell in cells if cell.kind == "accuracy"]
    return {c.place for c in of if c.met} - {c.place for c in of if c.met is False}


def mean_of(runs: Runs, place: Place) -> float:
    """Our figure in the papers' unit; NaN where it was not run."""
    if not _is_there(runs, place):
        return float("nan")
    results = runs[place.study]
    at = results.place("data", place.data), results.place("system", place.system)
    return float(MEASURES[place.measure].scale * results.means(place.measure)[at])


def _deviation_of(runs: Runs, place: Place, spread: Spread) -> float:
    if not _is_there(runs, place):
        return float("nan")
    results = runs[place.study]
    at = results.place("data", place.data), results.place("system", place.system)
    values = MEASURES[place.measure].scale * results.values(place.measure)[at]
    return float(deviations(values[None, None], spread)[0, 0])


def _is_there(runs: Runs, place: Place) -> bool:
    results = runs.get(place.study)
    return results is not None and place.data in results.data and place.system in results.systems


def _shown(cell: Judged, deviation: float) -> str:
    printed = cell.printed
    if np.isnan(cell.ours):
        return f"{printed.text} → –"
    digits = max(printed.digits, 1)
    text = f"{printed.text} → {cell.ours:.{digits}f}"
    if printed.spread is not None and not np.isnan(deviation):
        text += f"±{deviation:.{digits}f}"
    if cell.met is None:
        return text
    if printed.spread:
        text += f" ({(cell.ours - (printed.value or 0)) / printed.spread:+.1f})"
    return f"{text} {'▲' if cell.better else '✓' if cell.met else '✗'}"


def share_met(cells: Iterable[Judged], kind: str) -> tuple[int, int, int]:
    """Count what came out.

    Parameters
    ----------
    cells : iterable of Judged
        Cells of any tables.
    kind : {"accuracy", "size"}
        Which to count.

    Returns
    -------
    tuple of int
        How many are met, how many of these only because ours is better, how many were judged.
    """
    of = [cell for cell in cells if cell.kind == kind and cell.met is not None]
    return sum(bool(c.met) for c in of), sum(c.better for c in of), len(of)


def totals(compared: Sequence[Compared]) -> Table:
    """Make the table of how many cells came out as printed.

    Parameters
    ----------
    compared : sequence of Compared
        The paper's tables.

    Returns
    -------
    Table
        One row a table, and all.
    """
    rows = []
    whole = [cell for each in compared if each.counted for cell in each.cells]
    parts = [
        (each.table.title + ("" if each.counted else " (another reading, not counted)"), each.cells)
        for each in compared
        if each.cells
    ]
    for title, cells in [*parts, ("all", whole)]:
        row = [title]
        for kind in ("accuracy", "size"):
            met, better, n = share_met(cells, kind)
            row += [_share(met, n), _share(met - better, n)]
        rows.append(row)
    head = ["table", "accuracy as printed or better", "as printed"]
    head += ["size as printed or better", "within a third"]
    return Table("Cells that came out", head, rows)


def _share(met: int, n: int) -> str:
    return f"{met} of {n} ({100 * met / n:.0f} %)" if n else ""
