"""The commands `bench` and `tables`: run a study, and say what came of it."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich import progress
from rich.table import Table as RichTable
from rich.text import Text

from planetree.bench.comparisons import COMPARISONS, Question, compare
from planetree.bench.figures import accuracy_against_size, critical_differences, save
from planetree.bench.measures import MEASURES
from planetree.bench.results import Results
from planetree.bench.run import Listener, run
from planetree.bench.studyfile import read_study
from planetree.bench.tables import FORMATS, Spread, Table, scores
from planetree.choices import choose
from planetree.cli import output
from planetree.cli.options import Json, option
from planetree.cli.shared import as_json
from planetree.text import counted

__all__ = ["bench", "print_tables", "shown_progress", "tables"]

PLAIN_EVERY = 10.0  # seconds between two lines of progress where there is no terminal

StudyArgument = Annotated[
    str, typer.Argument(metavar="STUDY", help="A study file (TOML).", show_default=False)
]
ResultsArgument = Annotated[
    str,
    typer.Argument(
        metavar="RESULTS", help="A results file, or the study file it is of.", show_default=False
    ),
]
ResultsOutput = Annotated[
    str | None,
    option(
        "--results",
        metavar="FILE",
        help="Keep the results here. [dim]By default as the study file says, or beside it.[/dim]",
    ),
]
Jobs = Annotated[
    int | None,
    option("--jobs", "-j", metavar="N", min=1, help="Processes. [dim]By default all cores.[/dim]"),
]
Scheduler = Annotated[
    str | None,
    option("--scheduler", metavar="ADDRESS", help="Run on the Dask cluster of tcp://HOST:PORT."),
]
Retry = Annotated[bool, option("--retry", metavar="", help="Do again what went wrong.")]
TableFormat = Annotated[
    str,
    option(
        "--format",
        metavar="FORMAT",
        help=f"{', '.join(FORMATS)}.",
        known=FORMATS,
        show_default=True,
    ),
]
TablesOutput = Annotated[
    str | None,
    option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write the tables here. [dim]By default to standard output.[/dim]",
    ),
]
MeasureNames = Annotated[
    list[str] | None,
    option(
        "--measure",
        "-m",
        metavar="NAME",
        help="Which measure; may be repeated. [dim]By default all of the study.[/dim]",
        known=MEASURES,
    ),
]
Tests = Annotated[
    list[str] | None,
    option(
        "--test",
        metavar="NAME",
        help=f"Also put the measures through a test: {', '.join(COMPARISONS)}; may be repeated.",
        known=COMPARISONS,
    ),
]
Control = Annotated[
    str | None,
    option("--control", metavar="SYSTEM", help="Compare this system with each of the others."),
]
Alpha = Annotated[
    float,
    option(
        "--alpha",
        metavar="P",
        min=0,
        max=1,
        help="Level of the tests.",
        show_default=True,
    ),
]
Rope = Annotated[
    float,
    option(
        "--rope",
        metavar="D",
        min=0,
        help="Differences up to this are practically none; 0.01 is a point of accuracy.",
        show_default=True,
    ),
]
Contrasts = Annotated[
    list[str] | None,
    option(
        "--contrast",
        metavar="A,B:C,D",
        help="In the analysis of variance, compare these systems with those; may be repeated.",
    ),
]
Runs = Annotated[
    bool,
    option(
        "--repetitions",
        metavar="",
        help="Deviations between means of repetitions, not between cells.",
    ),
]
Diagram = Annotated[
    str | None,
    option(
        "--diagram", metavar="FILE", help="Draw the critical-difference diagram (svg, pdf, png)."
    ),
]
Plot = Annotated[
    str | None,
    option("--plot", metavar="FILE", help="Draw accuracy against leaves (svg, pdf, png)."),
]


def bench(
    study: StudyArgument,
    results: ResultsOutput = None,
    jobs: Jobs = None,
    scheduler: Scheduler = None,
    retry: Retry = False,
    format: TableFormat = "text",
    out: TablesOutput = None,
    json: Json = False,
) -> None:
    """Run a study: systems on data sets, and what came of it as tables.

    Example:

      $ planetree bench study.toml
      $ planetree bench study.toml --format markdown -o tables.md

    The results are kept in one SQLite file, a row a cell, as they come. However it
    ended, the same command goes on where it was. planetree tables has statistics.
    """
    choose("format", format, FORMATS)
    read = read_study(study)
    kept = Path(results) if results is not None else read.results
    output.check_output(str(kept), [study])
    output.check_output(out, [study, str(kept)])
    with shown_progress() as listener:
        done = run(
            read.study,
            kept,
            jobs=jobs,
            scheduler=scheduler,
            retry=retry,
            listener=listener,
        )
    made = [scores(done, measure) for measure in done.measures]
    print_tables(made, format, out, json=json)
    told = output.console(stderr=True)
    told.print(output.visible(f"results in {kept}"))


def tables(
    results: ResultsArgument,
    measure: MeasureNames = None,
    test: Tests = None,
    control: Control = None,
    alpha: Alpha = 0.05,
    rope: Rope = 0.01,
    contrast: Contrasts = None,
    repetitions: Runs = False,
    format: TableFormat = "text",
    out: TablesOutput = None,
    diagram: Diagram = None,
    plot: Plot = None,
    json: Json = False,
) -> None:
    """Make tables, statistics and pictures of a study's results, without running anything.

    Examples
    --------
      $ planetree tables study.sqlite --measure accuracy --test friedman
      $ planetree tables study.sqlite --test corrected-t --control cart --format latex
      $ planetree tables study.sqlite --diagram ranks.svg --plot sizes.svg

    It may be done while the study runs.
    """
    choose("format", format, FORMATS)
    where = read_study(results).results if results.lower().endswith(".toml") else Path(results)
    found = Results.read(where)
    for name in (out, diagram, plot):
        output.check_output(name, [str(where)])
    measures = measure or found.measures
    question = Question(control, alpha, rope, [_contrast(text) for text in contrast or []])
    if control is not None:
        found.place("system", control)
    spread: Spread = "repetitions" if repetitions else "cells"
    made = []
    for name in measures:
        found.values(name)
        made.append(scores(found, name, spread=spread))
        if MEASURES[name].better is not None:
            made += [table for word in test or [] for table in compare(found, name, word, question)]
    first = measures[0]
    if diagram is not None:
        save(critical_differences(found, first, alpha), diagram)
    if plot is not None:
        sizes = [name for name in ("leaves", "size", "tests", "nodes") if name in found.measures]
        if not sizes or "accuracy" not in found.measures:
            raise ValueError("--plot needs accuracy and leaves, size, tests or nodes in the study")
        save(accuracy_against_size(found, sizes[0]), plot)
    print_tables(made, format, out, json=json)


def _contrast(text: str) -> tuple[Sequence[str], Sequence[str]]:
    first, colon, second = text.partition(":")
    groups = [
        [name.strip() for name in part.split(",") if name.strip()] for part in (first, second)
    ]
    if not colon or not all(groups):
        raise typer.BadParameter(
            f"two groups of systems are needed, A,B:C, not {text}", param_hint="--contrast"
        )
    return groups[0], groups[1]


def print_tables(
    made: Sequence[Table], format: str, out: str | None, *, json: bool = False
) -> None:
    """Print tables, or write them to a file.

    Parameters
    ----------
    made : sequence of Table
        The tables.
    format : str
        One of `planetree.bench.tables.FORMATS`.
    out : str or None
        The file; None and ``-`` are standard output.
    json : bool, default=False
        Write JSON, whatever the format.
    """
    if json:
        output.write_output(out, as_json([table.facts() for table in made]))
        return
    screen = output.console()
    if format == "text" and out is None and screen.is_terminal:
        for table in made:
            _print_table(table)
        return
    write = choose("format", format, FORMATS)
    output.write_output(out, "\n\n".join(map(write, made)) + "\n")


def _print_table(table: Table) -> None:
    screen = output.console()
    drawn = RichTable(
        title=output.visible(table.title),
        title_justify="left",
        title_style="bold",
        box=None,
        pad_edge=False,
        padding=(0, 2, 0, 0),
    )
    for j, name in enumerate(table.head):
        drawn.add_column(Text(output.visible(name)), justify="right" if j else "left")
    for i, row in enumerate(table.cells()):
        drawn.add_row(
            *(
                Text(output.visible(cell), "bold green" if (i, j) in table.best else "")
                for j, cell in enumerate(row)
            )
        )
    screen.print(drawn)
    for note in table.notes:
        screen.print(output.visible(note))
    screen.print()


@contextmanager
def shown_progress(title: str = "cells") -> Iterator[Listener]:
    """Show how far a study is: a line that changes on a terminal, a line now and then elsewhere.

    Parameters
    ----------
    title : str, default="cells"
        What stands before the bar on a terminal.

    Yields
    ------
    callable
        To be told how many cells are done.
    """
    screen = output.console(stderr=True)
    if not screen.is_terminal:
        yield _Lines()
        return
    with progress.Progress(
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TextColumn("{task.fields[wrong]}"),
        progress.TimeRemainingColumn(elapsed_when_finished=True),
        console=screen,
        transient=True,
        refresh_per_second=4,
        speed_estimate_period=300,
    ) as shown:
        task = shown.add_task(title, total=None, wrong="")

        def listener(done: int, total: int, wrong: int) -> None:
            said = f"{wrong} went wrong" if wrong else ""
            shown.update(task, completed=done, total=total, wrong=said)

        yield listener


class _Lines:
    """Progress as lines of plain text."""

    def __init__(self) -> None:
        self._begun = self._told = time.monotonic()
        self._first: int | None = None

    def __call__(self, done: int, total: int, wrong: int) -> None:
        now = time.monotonic()
        if self._first is None:
            self._first = done
            kept = f", {done} of them done already" if done else ""
            self._tell(f"{counted(total, 'cell')}{kept}")
            return
        if done < total and now < self._told + PLAIN_EVERY:
            return
        self._told = now
        left = (now - self._begun) / (done - self._first) * (total - done)
        time_left = f", about {_duration(left)} left" if done < total else ""
        told_wrong = f", {wrong} went wrong" if wrong else ""
        self._tell(f"{done} of {total} done{told_wrong}{time_left}")

    def _tell(self, line: str) -> None:
        print(line, file=sys.stderr, flush=True)


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}"
