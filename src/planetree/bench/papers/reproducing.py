"""Running a paper's studies, and all its tables as they stand."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from planetree.bench.papers.contract import Compared, Finding, Paper, PaperTable, Runs
from planetree.bench.papers.figures import FigureTable, accurate_places, totals
from planetree.bench.papers.reasons import read_reasons, reason_of
from planetree.bench.results import Results
from planetree.bench.run import Listener, run
from planetree.bench.tables import Table
from planetree.errors import StudyError
from planetree.text import counted

__all__ = ["Reproduction", "reproduce", "results_file"]

Watched = Callable[[str], AbstractContextManager[Listener | None]]


def results_file(paper: Paper, study: str, folder: Path) -> Path:
    """Tell where the results of a study are kept.

    Parameters
    ----------
    paper : Paper
        The paper.
    study : str
        The study's name.
    folder : Path
        The folder.

    Returns
    -------
    Path
        Named after the paper, and after the study where it has several.
    """
    name = f"{paper.number}-{study}" if len(paper.plans) > 1 else paper.number
    return folder / f"paper-{name}.sqlite"


@dataclass(frozen=True)
class Reproduction:
    """A paper's tables beside ours, as far as the studies are done.

    Parameters
    ----------
    paper : Paper
        The paper.
    runs : mapping of str to Results
        What was run.
    compared : list of Compared
        The tables asked for.
    """

    paper: Paper
    runs: Runs
    compared: list[Compared]

    @property
    def totals(self) -> Table:
        """How many cells came out as printed."""
        return totals(self.compared)

    def findings(self) -> list[tuple[str, Finding]]:
        """Tell what our figures say of each of the paper's conclusions.

        Returns
        -------
        list of tuple
            The conclusion, and what was found.
        """
        return [(c.says, c.judge(self.runs)) for c in self.paper.conclusions]

    def conclusions(self) -> Table:
        """Make the table of the conclusions.

        Returns
        -------
        Table
            One row a conclusion.
        """
        rows = [[says, found.verdict, found.because] for says, found in self.findings()]
        return Table("Conclusions", ["the paper says", "ours", "because"], rows)

    def misses(self) -> Table:
        """Name the cells that did not come out, by the reason.

        Returns
        -------
        Table
            One row a reason and table.
        """
        cells = [cell for each in self.compared if each.counted for cell in each.cells]
        missed = [cell for cell in cells if cell.met is False]
        reasons = read_reasons(self.paper.number) if missed else []
        named: dict[tuple[str, int], list[str]] = {}
        for cell in missed:
            ours = f"{cell.ours:.{max(cell.printed.digits, 1)}f}"
            place = f"{cell.row}, {cell.column} {cell.printed.text} → {ours}"
            named.setdefault((reason_of(cell, reasons), cell.table), []).append(place)
        rows = [
            [why, str(table), str(len(places)), "; ".join(places)]
            for (why, table), places in sorted(named.items())
        ]
        return Table("Cells that did not come out", ["reason", "table", "cells", "which"], rows)

    def extent(self) -> list[str]:
        """Say how much of each study is done.

        Returns
        -------
        list of str
            A sentence a study.
        """
        return [_extent(name, results, self.paper) for name, results in self.runs.items()]


def _extent(name: str, results: Results, paper: Paper) -> str:
    done = ~np.isnan(results.values("accuracy"))
    run_at_all = done.any(axis=(2, 3))
    repetitions = done.all(axis=3).sum(axis=2)[run_at_all]
    least, most = (int(f(repetitions)) if len(repetitions) else 0 for f in (np.min, np.max))
    of = paper.plans[name].protocol.repeats
    held = f"{least}" if least == most else f"{least} to {most}"
    wrong = f"; {counted(len(results.wrong), 'cell')} went wrong" if results.wrong else ""
    minutes = float(np.nansum(results.values("fit_seconds"))) / 60
    return (
        f"study {name}: {held} of {of} repetitions, {int(run_at_all.sum())} of {run_at_all.size} "
        f"pairs of data and system, {minutes:.1f} CPU minutes of fitting{wrong}"
    )


def reproduce(
    paper: Paper,
    *,
    table: int | None = None,
    quick: bool = False,
    repeats: int | None = None,
    folder: Path | str = ".",
    jobs: int | None = None,
    retry: bool = False,
    watched: Watched | None = None,
) -> Reproduction:
    """Do a paper's studies, or what is left of them, and set the figures beside the printed ones.

    Parameters
    ----------
    paper : Paper
        The paper.
    table : int, default=None
        Only what this table of the paper needs.
    quick : bool, default=False
        Only the smaller data, and few repetitions.
    repeats : int, default=None
        So many repetitions; None is all of the paper's, or the quick ones.
    folder : path, default="."
        Where results are kept. Those that are there count, and are not done again.
    jobs : int, default=None
        Processes to use; None is one a core.
    retry : bool, default=False
        Do those cells again that went wrong.
    watched : callable, default=None
        Gives, for a study's title, a context whose listener is told how far it is.

    Returns
    -------
    Reproduction
        The tables.

    Examples
    --------
    >>> import tempfile
    >>> from planetree.bench.papers import PAPERS, reproduce
    >>> reproduce(PAPERS["001"], table=5)
    Traceback (most recent call last):
    planetree.errors.StudyError: paper 001 has no results table 5: it has 2, 3, 4
    """
    tables = _chosen(paper, table)
    places = {place for each in tables for place in each.places()}
    if table is None:
        places |= set(paper.also)
    runs = {}
    for name, plan in paper.plans.items():
        wanted = [place for place in places if place.study == name]
        file = results_file(paper, name, Path(folder))
        if not wanted:
            continue
        title = f"{paper.number}, study {name}"
        with (watched or (lambda _: nullcontext()))(title) as listener:
            runs[name] = run(
                plan.study(title),
                file,
                jobs=jobs,
                retry=retry,
                listener=listener,
                only=plan.picks(wanted, quick=quick, repeats=repeats),
            )
    figures = [each for each in paper.tables if isinstance(each, FigureTable)]
    accurate = accurate_places(figures, runs)
    return Reproduction(paper, runs, [each.compare(runs, accurate) for each in tables])


def _chosen(paper: Paper, table: int | None) -> list[PaperTable]:
    if table is None:
        return list(paper.tables)
    chosen = [each for each in paper.tables if each.number == table]
    if not chosen:
        known = ", ".join(dict.fromkeys(str(each.number) for each in paper.tables)) or "none"
        raise StudyError(f"paper {paper.number} has no results table {table}: it has {known}")
    return chosen
