"""How many threads there may be, and works done side by side."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import AbstractContextManager
from functools import cache
from typing import Any, TypeVar

from threadpoolctl import ThreadpoolController

__all__ = ["WORTH_THREADS", "resolve_threads", "side_by_side", "single_blas"]

T = TypeVar("T")
R = TypeVar("R")

WORTH_THREADS = 10_000  # rows of nodes; searches of fewer are over before a thread has started
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


@cache
def _libraries() -> ThreadpoolController:
    """Those loaded by now; looking for them takes ten milliseconds."""
    return ThreadpoolController()


def single_blas() -> AbstractContextManager[Any]:
    """One thread for BLAS: a node's products are small, and their sums must not depend on threads.

    Measured: a default tree of 20 000 x 20 on two busy cores took 11.0 s with BLAS's own threads
    and 6.4 s without.
    """
    limits: AbstractContextManager[Any] = _libraries().limit(limits=1, user_api="blas")
    return limits


def side_by_side(
    act: Callable[[T], R],
    items: Sequence[T],
    n_threads: int,
    done: Callable[[int], object] = lambda n: None,
) -> list[R]:
    """Do something with each item; `done` hears how many are finished.

    Worth it where the works are long and mostly in kernels, which let other threads run.
    """
    if n_threads == 1:
        results = []
        for item in items:
            results.append(act(item))
            done(len(results))
        return results
    with ThreadPoolExecutor(n_threads) as pool:
        futures = [pool.submit(act, item) for item in items]
        try:
            for n, _ in enumerate(as_completed(futures), 1):
                done(n)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
        return [future.result() for future in futures]
