"""Cells on a Dask cluster.

Each thread of a Dask worker keeps one process that does the cells, as a run on one machine has:
so limits hold there too, and a cell that crashes takes no Dask worker with it.
"""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterable, Sequence
from itertools import islice
from typing import Any

from planetree.bench.cells import Outcome
from planetree.bench.seeds import seed_of
from planetree.bench.study import Cell, Study
from planetree.bench.worker import Worker
from planetree.errors import StudyError
from planetree.extras import require

__all__ = ["on_cluster"]

CELLS_A_THREAD = 4  # waiting at each thread, so that none waits for the next
PATIENCE = 30  # seconds to wait for the scheduler, and for a first worker

_workers: dict[tuple[int, str], Worker] = {}  # of this process, by thread and study


def on_cluster(
    address: str, packed: bytes, study: Study, cells: Sequence[Cell]
) -> Generator[Outcome]:
    """Do cells on a Dask cluster, whose machines need planetree and the systems' modules.

    Parameters
    ----------
    address : str
        The scheduler's.
    packed : bytes
        The pickled study.
    study : Study
        The same.
    cells : sequence of Cell
        What to do.

    Returns
    -------
    iterator of Outcome
        As they come. The cells of a Dask worker that goes away are done by the others.
    """
    distributed = require("distributed", extra="dask", purpose="--scheduler")
    try:
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise StudyError(f"no Dask scheduler answers at {address}: {error}") from None
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        client.close()
        raise StudyError(f"the Dask scheduler has no worker for {PATIENCE} seconds") from None
    return _through(client, distributed.as_completed, packed, study, cells)


def _through(
    client: Any, as_completed: Any, packed: bytes, study: Study, cells: Iterable[Cell]
) -> Generator[Outcome]:
    # A task and not scattered data: if the worker that holds it dies, it is made again.
    sent = client.submit(bytes, packed, pure=False)

    def submitted(cell: Cell) -> Any:
        future = client.submit(
            _do, sent, sent.key, study.seed, study.time_limit, tuple(cell), pure=False
        )
        waiting[future.key] = cell
        return future

    waiting: dict[str, Cell] = {}
    todo = iter(cells)
    first = islice(todo, CELLS_A_THREAD * sum(client.nthreads().values()))
    with client.as_current():
        futures = as_completed([submitted(cell) for cell in first])
    try:
        for future in futures:
            cell = waiting.pop(future.key)
            if future.status == "finished":
                yield future.result()
            elif isinstance(future.exception(), StudyError):
                raise future.exception()
            else:
                error = " ".join(str(future.exception()).split())[:500]
                yield Outcome(cell, seed_of(study.seed, "system", *cell), "failed", error)
            following = next(todo, None)
            if following is not None:
                futures.add(submitted(following))
    finally:
        client.cancel(list(futures.futures))
        client.run(_stop, sent.key, on_error="ignore")
        client.close()


def _do(
    packed: bytes, key: str, seed: int, time_limit: float | None, cell: tuple[Any, ...]
) -> Outcome:
    """Do one cell in this thread's process, on whatever machine this is."""
    at = threading.get_ident(), key
    if at not in _workers:
        _workers[at] = Worker(packed, seed, time_limit)
    outcome: Outcome = _workers[at].do(Cell(*cell))
    return outcome


def _stop(key: str) -> None:
    for at in [at for at in list(_workers) if at[1] == key]:
        _workers.pop(at).close()
