"""A progress bar for long fits."""

from __future__ import annotations

import sys
import time

from planetree.grow import Listener

__all__ = ["bar"]


def bar(n_rows: int) -> Listener:
    """Draw on standard error how many of the rows have reached their leaf; nothing in the first second."""
    start = time.monotonic()

    def draw(settled: int) -> None:
        if time.monotonic() - start < 1:
            return
        share = settled / n_rows
        filled = int(40 * share)
        done = settled >= n_rows
        sys.stderr.write(f"\rgrowing [{'#' * filled}{'.' * (40 - filled)}] {share:4.0%}{chr(10) if done else ''}")
        sys.stderr.flush()

    return draw
