"""Tables as values, written as text, Markdown, LaTeX, CSV or HTML."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from planetree.bench.measures import MEASURES
from planetree.bench.results import Results
from planetree.text import counted

__all__ = ["FORMATS", "Figure", "Spread", "Table", "deviations", "scores", "state"]

Spread = Literal["cells", "repetitions"]


@dataclass(frozen=True)
class Figure:
    """A number in a table, perhaps with how far it spreads.

    Parameters
    ----------
    value : float
        The number; NaN is shown as a dash.
    spread : float or None
        Its deviation.
    digits : int
        How many digits are shown after the point.
    mark : str
        What is shown after it.

    Examples
    --------
    >>> from planetree.bench.tables import Figure
    >>> str(Figure(94.04, 2.5)), str(Figure(0.031, digits=3, mark="*"))
    ('94.0 ± 2.5', '0.031*')
    """

    value: float
    spread: float | None = None
    digits: int = 1
    mark: str = ""

    def __str__(self) -> str:
        if np.isnan(self.value):
            return f"–{self.mark}"
        spread = "" if self.spread is None else f" ± {self.spread:.{self.digits}f}"
        value = round(self.value, self.digits) + 0.0  # no minus before a zero
        return f"{value:.{self.digits}f}{spread}{self.mark}"


@dataclass(frozen=True)
class Table:
    """A table with a title and notes.

    Parameters
    ----------
    title : str
        What it is about.
    head : sequence of str
        The columns' names; the first is that of the rows' names.
    rows : sequence of sequences of str or Figure
        The cells.
    notes : sequence of str
        What its reader should know.
    best : frozenset of pairs of int
        Row and column of cells that stand out.

    Examples
    --------
    >>> from planetree.bench.tables import Figure, Table
    >>> table = Table("accuracy, %", ["data", "cart"], [["iris", Figure(94.0, 1.5)]])
    >>> print(table.to_markdown())
    **accuracy, %**
    <BLANKLINE>
    | data | cart |
    |---|---:|
    | iris | 94.0 ± 1.5 |
    """

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str | Figure]]
    notes: Sequence[str] = ()
    best: frozenset[tuple[int, int]] = frozenset()

    def cells(self) -> list[list[str]]:
        """All cells as they are shown."""
        return [[str(cell) for cell in row] for row in self.rows]

    def facts(self) -> dict[str, Any]:
        """Tell it with numbers in full, ready for JSON; a number that is not there is None."""
        return {
            "title": self.title,
            "head": list(self.head),
            "rows": [[_fact(cell) for cell in row] for row in self.rows],
            "notes": list(self.notes),
        }

    def to_text(self) -> str:
        """Write it as aligned columns; a star stands at the best of each row."""
        shown = [
            [cell + (" *" if (i, j) in self.best else "") for j, cell in enumerate(row)]
            for i, row in enumerate(self.cells())
        ]
        starred = {j for _, j in self.best}
        for i, row in enumerate(shown):
            shown[i] = [
                cell + ("  " if j in starred and (i, j) not in self.best else "")
                for j, cell in enumerate(row)
            ]
        widths = [max(map(len, column)) for column in zip(self.head, *shown, strict=True)]
        lines = [self.title, ""]
        for row in (list(self.head), *shown):
            first, *others = (
                cell.ljust(width) if j == 0 else cell.rjust(width)
                for j, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            lines.append("  ".join([first, *others]).rstrip())
        return "\n".join([*lines, *([""] if self.notes else []), *self.notes])

    def to_markdown(self) -> str:
        """Write it as Markdown."""
        shown = self._marked(lambda text: text.replace("|", "\\|"), lambda text: f"**{text}**")
        lines = [
            *(f"**{self.title}**", ""),
            "| " + " | ".join(name.replace("|", "\\|") for name in self.head) + " |",
            "|---|" + "---:|" * (len(self.head) - 1),
            *("| " + " | ".join(row) + " |" for row in shown),
        ]
        return "\n".join([*lines, *(part for note in self.notes for part in ("", note))])

    def to_latex(self) -> str:
        """Write it as a LaTeX table that needs no packages."""
        shown = self._marked(_latex, lambda text: f"\\textbf{{{text}}}")
        lines = [
            "\\begin{table}",
            f"\\caption{{{_latex(self.title)}}}",
            f"\\begin{{tabular}}{{l{'r' * (len(self.head) - 1)}}}",
            "\\hline",
            " & ".join(map(_latex, self.head)) + " \\\\",
            "\\hline",
            *(" & ".join(row) + " \\\\" for row in shown),
            "\\hline",
            "\\end{tabular}",
            *(f"\\par {_latex(note)}" for note in self.notes),
            "\\end{table}",
        ]
        return "\n".join(lines)

    def to_csv(self) -> str:
        """Write it as CSV with numbers in full; a deviation has a column of its own."""
        spread = {
            j
            for row in self.rows
            for j, cell in enumerate(row)
            if isinstance(cell, Figure) and cell.spread is not None
        }
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        head = [
            name
            for j, column in enumerate(self.head)
            for name in ([column, f"{column} ±"] if j in spread else [column])
        ]
        writer.writerow(["table", *head])
        for row in self.rows:
            written: list[str | float | None] = [self.title]
            for j, cell in enumerate(row):
                if isinstance(cell, Figure):
                    written.append(None if np.isnan(cell.value) else cell.value)
                    written += [cell.spread] if j in spread else []
                else:
                    written += [cell, None] if j in spread else [cell]
            writer.writerow(written)
        return out.getvalue().rstrip("\n")

    def to_html(self) -> str:
        """Write it as an HTML table."""
        shown = self._marked(html.escape, lambda text: f"<strong>{text}</strong>")
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self.head)
        body = "\n".join(
            "<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in shown
        )
        notes = "".join(f"\n<p>{html.escape(note)}</p>" for note in self.notes)
        return (
            f"<table>\n<caption>{html.escape(self.title)}</caption>\n"
            f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>{notes}"
        )

    def _marked(
        self, escape: Callable[[str], str], strong: Callable[[str], str]
    ) -> list[list[str]]:
        return [
            [
                strong(escape(cell)) if (i, j) in self.best else escape(cell)
                for j, cell in enumerate(row)
            ]
            for i, row in enumerate(self.cells())
        ]


def _fact(cell: str | Figure) -> Any:
    if isinstance(cell, str):
        return cell
    value = cell.value if np.isfinite(cell.value) else None
    spread = cell.spread if cell.spread is not None and np.isfinite(cell.spread) else None
    return {"value": value, "spread": spread, "mark": cell.mark}


FORMATS: Mapping[str, Callable[[Table], str]] = {
    "text": Table.to_text,
    "markdown": Table.to_markdown,
    "latex": Table.to_latex,
    "csv": Table.to_csv,
    "html": Table.to_html,
}
_LATEX = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "\\": "\\textbackslash{}",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
    "±": "$\\pm$",
    "–": "--",
    "−": "$-$",
    "≥": "$\\geq$",
    "≤": "$\\leq$",
    "²": "$^2$",
    "χ": "$\\chi$",
    "×": "$\\times$",
    "→": "$\\rightarrow$",
    "✓": "$\\surd$",
    "✗": "$\\dagger$",
    "▲": "$\\triangle$",
}


def _latex(text: str) -> str:
    return "".join(_LATEX.get(sign, sign) for sign in text)


def scores(results: Results, measure: str, *, spread: Spread = "cells") -> Table:
    """Make the table of a measure: data down, systems across, mean ± deviation.

    Parameters
    ----------
    results : Results
        What came of a study.
    measure : str
        Which measure.
    spread : {"cells", "repetitions"}, default="cells"
        The deviation is that over all cells, or that over the means of the repetitions.

    Returns
    -------
    Table
        With mean and mean rank below, if there are several data sets.
    """
    what = MEASURES[measure]
    values, means = what.scale * results.values(measure), what.scale * results.means(measure)
    over = deviations(values, spread)
    rows: list[list[str | Figure]] = []
    best = set()
    for i, data in enumerate(results.data):
        row: list[str | Figure] = [data]
        for j, system in enumerate(results.systems):
            deviation = None if np.isnan(over[i, j]) else float(over[i, j])
            mark = _mark(results, data, system)
            row.append(Figure(float(means[i, j]), deviation, what.digits, mark))
        rows.append(row)
        best |= {(i, j + 1) for j in _best(means[i], what.better)}
    if len(rows) > 1:
        whole = ~np.isnan(means).any(axis=0)
        average = np.where(whole, np.where(whole, means, 0.0).mean(axis=0), np.nan)
        rows.append(["mean", *(Figure(float(v), None, what.digits) for v in average)])
        if what.better is not None and whole.sum() > 1:
            ranks = np.full(means.shape[1], np.nan)
            sign = -1 if what.better == "high" else 1
            ranks[whole] = rankdata(sign * means[:, whole], axis=1).mean(axis=0)
            rows.append(["mean rank", *(Figure(float(v), None, 2) for v in ranks)])
    return Table(what.title, ["data", *results.systems], rows, state(results), frozenset(best))


def state(results: Results) -> list[str]:
    """Say what a reader of any table should know: what is missing, what went wrong.

    Parameters
    ----------
    results : Results
        What came of a study.

    Returns
    -------
    list of str
        Sentences.
    """
    notes = []
    if results.n_done < results.n_cells:
        notes.append(f"Not complete: {results.n_done} of {results.n_cells} cells are done.")
    if results.wrong:
        (data, system, repetition, fold), (_, error) = next(iter(results.wrong.items()))
        notes.append(
            f"† Without {counted(len(results.wrong), 'cell')} that went wrong; the first: {system} "
            f"on {data}, repetition {repetition}, fold {fold}: {error}"
        )
    if len({str(sorted(v.items())) for v in results.versions}) > 1:
        notes.append("The cells were done with more than one version of planetree or its parts.")
    return notes


def _mark(results: Results, data: str, system: str) -> str:
    return "†" if any(key[:2] == (data, system) for key in results.wrong) else ""


def deviations(values: NDArray[np.float64], spread: Spread) -> NDArray[np.float64]:
    """Deviation over all cells, or over the means of whole repetitions.

    Parameters
    ----------
    values : ndarray of shape (n_data, n_systems, n_repetitions, n_folds)
        NaN where there is none.
    spread : {"cells", "repetitions"}
        Which.

    Returns
    -------
    ndarray of shape (n_data, n_systems)
        NaN where there are fewer than two.
    """
    if spread == "repetitions":
        values = values.mean(axis=3)[..., None]  # a repetition that is not whole has no mean
    n = (~np.isnan(values)).sum(axis=(2, 3))
    known = np.where(np.isnan(values), 0.0, values)
    mean = known.sum(axis=(2, 3)) / np.maximum(n, 1)
    squares = np.where(np.isnan(values), 0.0, (values - mean[..., None, None]) ** 2)
    variance = squares.sum(axis=(2, 3)) / np.maximum(n - 1, 1)
    return np.where(n > 1, np.sqrt(variance), np.nan)


def _best(means: NDArray[np.float64], better: str | None) -> list[int]:
    if better is None or np.isnan(means).all() or len(means) == 1:
        return []
    top = np.nanmax(means) if better == "high" else np.nanmin(means)
    return [int(j) for j in np.flatnonzero(means == top)]
