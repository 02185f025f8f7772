"""A progress bar for long fits."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self

from planetree.grow import Listener

__all__ = ["Bar", "bar"]

# Characters of the bar. The whole line is no longer than the first one of a traceback, which may
# have to overwrite it.
LENGTH = 20


class Bar:
    """One line on standard error that says which share of a work is done, and is gone afterwards.

    Nothing appears in the first second, nor where standard error is neither a terminal nor a
    notebook. The line is removed by `close`, at the end of a ``with`` block, or when nobody holds
    the bar any more.

    Parameters
    ----------
    what : str, default="growing"
        The word before the bar.
    delay : float, default=1.0
        Seconds before it appears.

    Examples
    --------
    >>> from planetree import PlaneTreeClassifier
    >>> from planetree.progress import Bar
    >>> with Bar() as bar:
    ...     tree = PlaneTreeClassifier(progress=bar).fit([[1.0], [2.0]], ["a", "b"])
    """

    def __init__(self, what: str = "growing", *, delay: float = 1.0) -> None:
        self._shown = ""
        self._what = what
        self._from = time.monotonic() + delay
        self._stream = sys.stderr
        self._draws = _can_redraw_a_line(sys.stderr)

    def __call__(self, share: float) -> None:
        """Show that this share, 0 to 1, is done."""
        if not self._draws or time.monotonic() < self._from:
            return
        share = min(max(share, 0.0), 1.0)
        done = int(LENGTH * share)
        line = f"{self._what} {int(100 * share):3d}% {'#' * done}{'.' * (LENGTH - done)}"
        if line != self._shown:
            self._shown = line  # before it is, lest an interruption between the two leave it there
            # The cursor waits at the beginning, so that whatever comes next overwrites the bar.
            self._stream.write(f"\r{line}\r")
            self._stream.flush()

    def close(self) -> None:
        """Remove the line."""
        if self._shown:
            self._stream.write(f"\r{' ' * len(self._shown)}\r")
            self._stream.flush()
            self._shown = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()


def bar(n_rows: int) -> Listener:
    """Listener of `planetree.grow.grow` that draws how many of the rows have reached their leaf.

    Parameters
    ----------
    n_rows : int
        How many rows there are.

    Returns
    -------
    callable
        To be told the number of rows settled; the bar goes with it.

    Examples
    --------
    >>> from planetree.progress import bar
    >>> listener = bar(100)
    >>> listener(40)
    """
    draw = Bar()
    return lambda settled: draw(settled / n_rows)


def _can_redraw_a_line(stream: object) -> bool:
    isatty = getattr(stream, "isatty", None)
    return bool(isatty and isatty()) or type(stream).__module__.startswith("ipykernel")
