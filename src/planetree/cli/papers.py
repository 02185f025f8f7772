"""The command `reproduce`: published comparisons, done again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from planetree.bench.papers import PAPERS, reproduce, write_page
from planetree.bench.tables import FORMATS
from planetree.choices import choose
from planetree.cli import output
from planetree.cli.options import Json, option, starting
from planetree.cli.studies import (
    Jobs,
    Retry,
    TableFormat,
    TablesOutput,
    print_tables,
    shown_progress,
)

__all__ = ["reproduce_paper"]

PaperArgument = Annotated[
    str,
    typer.Argument(
        metavar="PAPER",
        help=f"{', '.join(PAPERS)}.",
        show_default=False,
        autocompletion=starting(PAPERS),
    ),
]
TableNumber = Annotated[
    int | None,
    option("--table", metavar="N", help="Only this table of the paper."),
]
Quick = Annotated[
    bool, option("--quick", metavar="", help="Few repetitions of the smaller data sets only.")
]
Repetitions = Annotated[
    int | None,
    option(
        "--repetitions",
        metavar="N",
        min=1,
        help="Do the first N repetitions. [dim]By default all of the paper's.[/dim]",
    ),
]
Cache = Annotated[
    str,
    option(
        "--cache",
        metavar="FOLDER",
        help="Keep the results here, in files named after the paper.",
        show_default=True,
    ),
]
Write = Annotated[
    str | None,
    option("--write", metavar="FOLDER", help="Write the paper's page, PAPER.md, into this folder."),
]


def reproduce_paper(
    paper: PaperArgument,
    table: TableNumber = None,
    quick: Quick = False,
    repetitions: Repetitions = None,
    cache: Cache = ".",
    jobs: Jobs = None,
    retry: Retry = False,
    write: Write = None,
    format: TableFormat = "text",
    out: TablesOutput = None,
    json: Json = False,
) -> None:
    """Do a published comparison again, and set its tables beside the printed ones.

    Examples
    --------
      $ planetree reproduce 001 --quick
      $ planetree reproduce 000 --table 2 --repetitions 1
      $ planetree reproduce 001 --write docs/papers

    Results are kept as they come: the same command goes on where it was, and a full
    run takes over what a quick one has done.
    """
    choose("format", format, FORMATS)
    chosen = choose("paper", paper, PAPERS)
    for folder in filter(None, (cache, write)):
        if not Path(folder).is_dir():
            raise NotADirectoryError(20, "no such folder", folder)
    output.check_output(out, [])
    if write is not None and table is not None:
        raise typer.BadParameter("a page has all tables; leave --table out", param_hint="--write")
    found = reproduce(
        chosen,
        table=table,
        quick=quick,
        repeats=repetitions,
        folder=cache,
        jobs=jobs,
        retry=retry,
        watched=shown_progress,
    )
    made = [each.table for each in found.compared]
    if any(each.cells for each in found.compared):
        made.append(found.totals)
    if table is None:
        made += chosen.beside()
        made += [found.conclusions()] if chosen.conclusions else []
    print_tables(made, format, out, json=json)
    told = output.console(stderr=True)
    for line in found.extent():
        told.print(output.visible(line))
    if write is not None:
        page = Path(write) / f"{chosen.number}.md"
        page.write_text(write_page(found), encoding="utf-8")
        told.print(output.visible(f"page written to {page}"))
