"""How many threads the kernels may use."""

from __future__ import annotations

import os

__all__ = ["resolve_threads"]

MOST_THREADS = 256  # a mistyped number, or one in a stranger's model file, exhausts no machine


def resolve_threads(n_threads: int | None) -> int:
    """Turn the parameter `n_threads` into a number.

    None means every core this process may use, but no more than ``OMP_NUM_THREADS``: joblib sets
    that in its worker processes, so that a cross-validation with ``n_jobs=8`` does not run 64
    threads.
    """
    if n_threads is not None:
        return min(n_threads, MOST_THREADS)
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    limit = os.environ.get("OMP_NUM_THREADS", "")
    return max(1, min(cores, int(limit))) if limit.isdecimal() else cores
