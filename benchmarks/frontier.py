"""Accuracy against size, ours and its peers': `make bench-frontier`.

Every fit is kept in build/benchmarks/frontier.sqlite, so that the run can be stopped and taken up
again; ARGS="--again planetree" forgets a system's results, ARGS="--only wine iris" takes some sets.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sqlite3
import sys
import time
from pathlib import Path
from typing import Any

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

from frontier_data import FOLDS, NAMES, load
from frontier_report import write
from frontier_systems import SYSTEMS, measure, missing, preload

ROOT = Path(__file__).parent.parent
STORE = ROOT / "build/benchmarks/frontier.sqlite"


class Store:
    """Results by set, system and fold."""

    def __init__(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        self._base = sqlite3.connect(file)
        self._base.execute(
            "create table if not exists results "
            "(data text, system text, fold int, found text, primary key (data, system, fold))"
        )

    def forget(self, systems: list[str]) -> None:
        for system in systems:
            self._base.execute("delete from results where system = ?", (system,))
        self._base.commit()

    def has(self, data: str, system: str, fold: int) -> bool:
        query = "select 1 from results where data = ? and system = ? and fold = ?"
        return self._base.execute(query, (data, system, fold)).fetchone() is not None

    def put(self, data: str, system: str, fold: int, found: dict[str, Any]) -> None:
        row = (data, system, fold, json.dumps(found))
        self._base.execute("insert or replace into results values (?, ?, ?, ?)", row)
        self._base.commit()

    def rows(self) -> list[tuple[str, str, int, dict[str, Any]]]:
        rows = self._base.execute("select data, system, fold, found from results").fetchall()
        return [(data, system, fold, json.loads(found)) for data, system, fold, found in rows]


def _fit(data: Any, system: str, fold: int, answer: Any) -> None:
    try:
        answer.send(measure(system, data, *data.folds()[fold]))
    except Exception as error:
        answer.send({"error": f"{type(error).__name__}: {error}"[:300]})


def run(data: Any, system: str, fold: int, limit: float) -> dict[str, Any]:
    """One fit in a process of its own, which is ended at the limit."""
    here, there = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=_fit, args=(data, system, fold, there))
    process.start()
    there.close()
    try:
        if not here.poll(limit):
            return {"error": f"no answer within {limit:.0f} s"}
        return dict(here.recv())
    except EOFError:
        return {"error": "the process died"}
    finally:
        process.kill()
        process.join()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=NAMES, default=list(NAMES), help="these sets")
    parser.add_argument("--systems", nargs="+", choices=SYSTEMS, default=list(SYSTEMS))
    parser.add_argument("--again", nargs="+", choices=SYSTEMS, default=[], help="measure anew")
    parser.add_argument("--limit", type=float, default=300.0, help="seconds a fit may take")
    parser.add_argument("--report", action="store_true", help="only write what is there")
    parser.add_argument("--busy", action="store_true", help="say that others were at work")
    options = parser.parse_args()
    store = Store(STORE)
    store.forget(options.again)
    began = time.perf_counter()
    if not options.report:
        preload()
    for name in [] if options.report else options.only:
        data = load(name)
        for system in options.systems:
            if missing(system):
                print(f"{system} cannot run here, and is left out", file=sys.stderr)
                continue
            failed = False
            for fold in range(FOLDS):
                if failed or store.has(name, system, fold):
                    continue
                found = run(data, system, fold, options.limit)
                store.put(name, system, fold, found)
                failed = "error" in found
                if failed:
                    print(f"{name}, {system}: {found['error']}", file=sys.stderr)
        print(f"{name} ({time.perf_counter() - began:.0f} s)", file=sys.stderr, flush=True)
    write(store.rows(), ROOT / "docs/benchmarks", busy=options.busy)


if __name__ == "__main__":
    main()
