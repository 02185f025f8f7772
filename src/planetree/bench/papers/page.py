"""A paper's page: how it was done, what came out, table by table."""

from __future__ import annotations

from dataclasses import replace

from planetree.bench.papers.figures import LEGEND
from planetree.bench.papers.reproducing import Reproduction
from planetree.bench.tables import Table

__all__ = ["write_page"]


def write_page(found: Reproduction) -> str:
    """Write a paper's page.

    Parameters
    ----------
    found : Reproduction
        All of its tables.

    Returns
    -------
    str
        Markdown.
    """
    paper = found.paper
    misses = found.misses()
    parts = [
        f"# Paper {paper.number}: {paper.title}",
        f"{paper.reference}. Made by `planetree reproduce {paper.number} --write docs/papers`: "
        "the printed figures come from the files in `planetree/bench/papers/printed`, ours from "
        "a run.",
    ]
    if found.runs:
        parts.append(_list([f"{each}." for each in found.extent()]))
    parts += ["## How it was read", _list(paper.readings)]
    if found.runs:
        parts += ["## What came out", _body(found.totals)]
        parts += ["## What the paper concludes", _body(found.conclusions())]
    parts.append("## The tables")
    if any(each.cells for each in found.compared):
        parts.append(LEGEND)
    for each in found.compared:
        notes = [note for note in each.table.notes if note != LEGEND]
        parts += _section(replace(each.table, notes=notes))
    for table in paper.beside():
        parts += _section(table)
    if misses.rows:
        parts += ["## Cells that did not come out", _body(misses)]
    return "\n\n".join(parts) + "\n"


def _list(items: object) -> str:
    assert isinstance(items, list | tuple)
    return "\n".join(f"- {item}" for item in items)


def _section(table: Table) -> list[str]:
    return [f"### {table.title}", _body(table)]


def _body(table: Table) -> str:
    """The table without its title, which is the heading above it."""
    return table.to_markdown().split("\n", 2)[2]
