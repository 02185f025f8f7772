"""How results are written: files whole or not at all, trees in colour where there is some."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from planetree.textfile import write_text
from planetree.tree import Tree

if TYPE_CHECKING:
    from planetree.cli.compare import Score

__all__ = [
    "check_output",
    "console",
    "depth_that_fits",
    "print_path",
    "print_scores",
    "print_tree",
    "visible",
    "write_bytes",
    "write_output",
]

COLOURS = ("green", "magenta", "yellow", "cyan", "red", "blue")
# What steers a terminal; line ends and tabs are text.
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def visible(text: str) -> str:
    r"""Write control characters out, so that text from a file cannot steer the terminal.

    Parameters
    ----------
    text : str
        Any text.

    Returns
    -------
    str
        The same without control characters other than line ends and tabs.

    Examples
    --------
    >>> from planetree.cli.output import visible
    >>> visible("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    return CONTROL.sub(lambda match: f"\\x{ord(match[0]):02x}", text)


def console(*, stderr: bool = False) -> Console:
    """Make a console for the standard stream as it is now.

    Parameters
    ----------
    stderr : bool, default=False
        Standard error instead of standard output.

    Returns
    -------
    rich.console.Console
        One that colours only what it is told to, and leaves lines as long as they are.
    """
    stream = sys.stderr if stderr else sys.stdout
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")  # where there is no ≤, a ? is better than an error
    return Console(file=stream, highlight=False, markup=False, emoji=False, soft_wrap=True)


def check_output(path: str | None, inputs: Iterable[str | None]) -> None:
    """See before the work that its result can be written, and over none of the inputs.

    Parameters
    ----------
    path : str or None
        Where the result shall go; None and ``-`` are standard output.
    inputs : iterable of str or None
        The files that are read; None is not a file.

    Raises
    ------
    OSError
        If the file cannot be written.
    ValueError
        If it is one of the inputs.
    """
    if path is None or path == "-":
        return
    if not path:
        raise ValueError("an output file needs a name")
    for source in inputs:
        with suppress(OSError):  # one of them does not exist, so they are not the same
            if source is not None and os.path.samefile(path, source):
                raise ValueError(f"{path} is read here, write to another file")
    folder = os.path.dirname(os.path.realpath(path))
    if os.path.isdir(path):
        raise IsADirectoryError(f"{path} cannot be written: it is a directory")
    if not os.path.isdir(folder):
        raise FileNotFoundError(
            f"{path} cannot be written: there is no directory {os.path.dirname(path) or '.'}"
        )
    if not os.access(path if os.path.exists(path) else folder, os.W_OK):
        raise PermissionError(f"{path} cannot be written: permission denied")


def write_output(path: str | None, text: str) -> None:
    """Write a whole file, or leave what was there as it was.

    Parameters
    ----------
    path : str or None
        Where to; None and ``-`` are standard output.
    text : str
        What to write, as UTF-8.
    """
    if path is None or path == "-":
        write_bytes(text.encode())
        return
    write_text(path, text)


def write_bytes(data: bytes) -> None:
    """Write to standard output.

    Parameters
    ----------
    data : bytes
        What.
    """
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def print_tree(
    out: Console,
    tree: Tree,
    *,
    digits: int = 6,
    max_depth: int | None = None,
    numbers: bool = False,
) -> None:
    """Print a tree, in colour and with lines cut to fit on a terminal, as plain text elsewhere.

    Parameters
    ----------
    out : rich.console.Console
        Where to.
    tree : Tree
        What.
    digits : int, default=6
        Significant digits of the cuts.
    max_depth : int or None
        Nodes deeper than this are counted, not shown.
    numbers : bool
        Show the numbers of the nodes.
    """
    lines = visible(tree.to_text(digits=digits, max_depth=max_depth, numbers=numbers))
    if not out.is_terminal:
        out.print(lines)
        return
    colour = {visible(str(c)): COLOURS[i % len(COLOURS)] for i, c in enumerate(tree.classes)}
    for line in lines.split("\n"):
        bars = re.match(r"[│├└─ ]*", line)
        assert bars is not None
        condition, arrow, verdict = line[bars.end() :].rpartition("→ ")
        label, _, cases = verdict.rpartition(" (")
        text = Text.assemble(condition, (arrow, "dim"))
        if arrow:
            text.append(label, f"bold {colour.get(label, '')}").append(f" ({cases}", "dim")
        else:
            text.append(verdict)
        below = bars[0].replace("├─", "│ ").replace("└─", "  ") + "   "
        wrapped = text.wrap(out, max(out.width - len(below), 20))
        for i, piece in enumerate(wrapped):
            out.print(Text.assemble((below if i else bars[0], "dim"), piece))


def depth_that_fits(tree: Tree, lines: int) -> int | None:
    """Depth to which a tree can be shown in so many lines; None if that is all of it.

    Parameters
    ----------
    tree : Tree
        The tree.
    lines : int
        How many lines there may be.

    Returns
    -------
    int or None
        For `Tree.to_text`.
    """
    shown = np.bincount(tree.depth).cumsum() - 1
    return None if shown[-1] <= lines else max(1, int((shown <= lines).sum()) - 1)


def print_path(out: Console, columns: Mapping[str, Sequence[float]]) -> None:
    """Print the table of a weakest-link path.

    Parameters
    ----------
    out : rich.console.Console
        Where to.
    columns : dict of str to sequence
        The figures of each step; errors are shares.
    """
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for name in columns:
        table.add_column(name.replace("_", " "), justify="right")
    for row in zip(*columns.values(), strict=True):
        table.add_row(
            *(
                f"{100 * value:.1f} %" if name.endswith("errors") else f"{value:.4g}"
                for name, value in zip(columns, row, strict=True)
            )
        )
    out.print(table)


def print_scores(out: Console, scores: Iterable[Score]) -> None:
    """Print the table of a cross-validation.

    Parameters
    ----------
    out : rich.console.Console
        Where to.
    scores : iterable of Score
        One line each.
    """
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("")
    for heading in ("accuracy", "± sd", "leaves"):
        table.add_column(heading, justify="right")
    for score in scores:
        table.add_row(
            score.name,
            f"{100 * score.accuracy.mean():.1f} %",
            f"{100 * score.accuracy.std(ddof=1):.1f}",
            f"{score.leaves.mean():.1f}",
        )
    out.print(table)
