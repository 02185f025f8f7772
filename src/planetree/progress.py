"""A progress bar for long fits."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Self

from planetree.grow import Listener

__all__ = ["Bar", "listening"]

# Characters of the bar. The whole line is no longer than the first one of a traceback, which may
# have to overwrite it.
LENGTH = 20


class Bar:
    """One line on standard error that says which share of a work is done, and is gone afterwards.

    Nothing appears in the first second, nor where standard error is neither a terminal nor a
    notebook. The line is removed by `close` or at the end of a ``with`` block.

    Parameters
    ----------
    what : str, default="growing"
        The word before the bar.
    delay : float, default=1.0
        Seconds before it appears.

    Examples
    --------
    >>> from planetree.presets import CART
    >>> from planetree.progress import Bar
    >>> from planetree.pruners import Unpruned
    >>> with Bar() as bar:
    ...     tree = CART(progress=bar, pruner=Unpruned()).fit([[1.0], [2.0]], ["a", "b"])
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


@contextmanager
def listening(progress: bool | Callable[[float], object], n_rows: int) -> Iterator[Listener | None]:
    """Listener of `planetree.grow.grow` for what the user asked for.

    Parameters
    ----------
    progress : bool or callable
        True draws a bar, a callable is told the share of rows that have reached their leaf.
    n_rows : int
        How many rows there are.

    Yields
    ------
    callable or None
        To be told the number of rows settled; the bar goes at the end of the block.

    Examples
    --------
    >>> from planetree.progress import listening
    >>> with listening(print, 100) as listener:
    ...     listener(40)
    0.4
    """
    if callable(progress):
        yield lambda settled: progress(settled / n_rows)
    elif progress:
        with Bar() as bar:
            yield lambda settled: bar(settled / n_rows)
    else:
        yield None


def _can_redraw_a_line(stream: object) -> bool:
    isatty = getattr(stream, "isatty", None)
    return bool(isatty and isatty()) or type(stream).__module__.startswith("ipykernel")
