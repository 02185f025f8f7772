"""The command `planetree`: fit, predict, show and explain trees from a shell.

- `app`, `options`: the commands, and what typer is told of their options
- `guard`: what turns an error into one line and an exit code
- `studies`: the commands that run studies and make their tables
- `models`: trees and rules in files
- `work`, `compare`: what the commands do, as functions that return values
- `output`: how it is written, to the terminal and to files

typer and rich are needed by this package alone, so they are imported only when the command runs.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    arguments : sequence of str, default=None
        What follows ``planetree`` on the command line; None takes it from there.

    Returns
    -------
    int
        The exit code: 0 fine, 1 the data or the model is at fault, 2 the usage is, 130 interrupted.

    Examples
    --------
    >>> from planetree.cli import main
    >>> main(["--version"])
    planetree ...
    0
    """
    try:
        from planetree.cli.app import app
    except ImportError as error:
        if (error.name or "").partition(".")[0] == "planetree":
            raise
        print(
            'planetree\'s command line needs rich and typer: pip install "planetree[cli]"',
            file=sys.stderr,
        )
        return 2
    try:
        app(None if arguments is None else list(arguments), prog_name="planetree")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    return 0
