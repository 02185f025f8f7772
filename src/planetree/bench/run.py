"""Running a study: what is not done yet is done, on this machine's cores or on a cluster."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread

from planetree.bench.cells import Outcome
from planetree.bench.memory import check_limit
from planetree.bench.results import Results
from planetree.bench.store import Store, locked
from planetree.bench.study import Cell, Study
from planetree.bench.worker import Worker
from planetree.errors import StudyError

__all__ = ["Listener", "on_this_machine", "run"]

Listener = Callable[[int, int, int], object]
"""Is told how many cells are done, of how many, and how many of them went wrong."""


def run(
    study: Study,
    results: str | Path,
    *,
    jobs: int | None = None,
    scheduler: str | None = None,
    retry: bool = False,
    listener: Listener | None = None,
    only: Callable[[Cell], bool] | None = None,
) -> Results:
    """Run what is left of a study.

    Parameters
    ----------
    study : Study
        The study.
    results : str or path
        The file of its results. If there are some of the same study, they are kept and only the
        other cells are done.
    jobs : int, default=None
        Processes to use; None is one a core.
    scheduler : str, default=None
        Address of a Dask scheduler whose workers do the cells instead.
    retry : bool, default=False
        Do those cells again that went wrong.
    listener : callable, default=None
        Is told ``(done, total, wrong)``.
    only : callable, default=None
        Says of a cell whether to do it now; what it leaves out may be done by another run.

    Returns
    -------
    Results
        All there is, to be made into tables.

    Examples
    --------
    >>> import tempfile
    >>> from planetree.bench import RepeatedKFold, Study, run
    >>> study = Study(
    ...     data={"iris": "bundled:iris"},
    ...     systems={"cart": "cart"},
    ...     protocol=RepeatedKFold(repeats=1, folds=3),
    ...     baselines=False,
    ... )
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     results = run(study, f"{folder}/iris.sqlite", jobs=1)
    >>> results.values("accuracy").shape
    (1, 1, 1, 3)
    """
    check_limit(study.memory_limit)
    if jobs is not None and jobs < 1:
        raise StudyError(f"jobs must be at least 1, not {jobs}")
    packed = _packed(study)
    with locked(results), closing(Store.of(results, study)) as store:
        kept = store.done(failed=not retry)
        wanted = [cell for cell in study.cells() if only is None or only(cell)]
        left = [cell for cell in wanted if cell not in kept]
        if left:
            if scheduler is None:
                n = min(jobs or _n_cores(), len(left))
                outcomes = on_this_machine(packed, study, left, n)
            else:
                from planetree.bench.cluster import on_cluster

                outcomes = on_cluster(scheduler, packed, study, left)
            with closing(outcomes):
                _keep(store, outcomes, len(wanted) - len(left), len(wanted), listener)
    return Results.read(results)


def _n_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _packed(study: Study) -> bytes:
    try:
        packed = pickle.dumps(study)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise StudyError(f"the study cannot be sent to other processes: {error}") from None
    if b"__main__" in packed:
        raise StudyError(
            "a system or its parameters are defined in the main program, where other processes "
            "cannot find them: put them in a module"
        )
    return packed


def _keep(
    store: Store,
    outcomes: Iterable[Outcome],
    done: int,
    total: int,
    listener: Listener | None,
) -> None:
    run_number = store.begin_run()
    wrong = 0
    if listener is not None:
        listener(done, total, wrong)
    for outcome in outcomes:
        store.write(run_number, outcome)
        done += 1
        wrong += outcome.status != "ok"
        if listener is not None:
            listener(done, total, wrong)


def on_this_machine(
    packed: bytes, study: Study, cells: Iterable[Cell], jobs: int
) -> Generator[Outcome]:
    """Do cells in processes of their own.

    Parameters
    ----------
    packed : bytes
        The pickled study.
    study : Study
        The same.
    cells : iterable of Cell
        What to do.
    jobs : int
        How many processes.

    Yields
    ------
    Outcome
        As they come.
    """
    todo, lock = iter(cells), Lock()
    outcomes: SimpleQueue[Outcome | BaseException | None] = SimpleQueue()
    workers = [Worker(packed, study.seed, study.time_limit) for _ in range(jobs)]

    def drive(worker: Worker) -> None:
        try:
            while True:
                with lock:
                    cell = next(todo, None)
                if cell is None:
                    return
                outcomes.put(worker.do(cell))
        except BaseException as error:  # told to whoever waits, who would wait for ever otherwise
            outcomes.put(error)
        finally:
            outcomes.put(None)

    threads = [Thread(target=drive, args=(worker,), daemon=True) for worker in workers]
    for thread in threads:
        thread.start()
    try:
        running = jobs
        while running:
            outcome = outcomes.get()
            if isinstance(outcome, BaseException):
                raise outcome
            if outcome is None:
                running -= 1
            else:
                yield outcome
    finally:
        with lock:
            todo = iter(())
        for worker in workers:
            worker.close()
