"""What the bench costs a cell, and whether kills lose or double any: docs/benchmarks/bench.md.

python benchmarks/bench.py [--quick]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

import numpy as np

import planetree
from planetree.bench import RepeatedKFold, Study, run
from planetree.bench.studyfile import read_study
from planetree.bench.tables import scores

RAW = Path(__file__).parent.parent / "docs" / "benchmarks" / "bench.json"
OUT = RAW.with_suffix(".md")
MOST_MS = 2.0

KILLED_STUDY = """
data = ["bundled:iris", "wave"]
measures = ["accuracy", "leaves"]
protocol = {{ repeats = {repeats}, folds = 10 }}
[systems]
cart = {{ preset = "cart", pruner = "unpruned" }}
"""


def cpu_seconds() -> float:
    """CPU time of this process and of all its processes that have ended."""
    own, children = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def tiny_cells(n: int, folder: Path) -> dict[str, float]:
    """Run n cells of a stump on thirty rows; CPU time that is not the system's is the bench's."""
    rng = np.random.default_rng(0)
    X, y = rng.random((30, 2)), rng.integers(0, 2, 30)
    study = Study(
        data={"tiny": (X, y)},
        systems={"stump": {"preset": "cart", "pruner": "unpruned", "max_depth": 1}},
        protocol=RepeatedKFold(repeats=n // 10, folds=10),
        measures=["accuracy", "leaves", "fit_seconds", "predict_seconds"],
        baselines=False,
    )
    begun, cpu = time.perf_counter(), cpu_seconds()
    results = run(study, folder / "tiny.sqlite")
    wall, cpu = time.perf_counter() - begun, cpu_seconds() - cpu
    assert results.n_done == n, results.n_done
    assert not results.wrong
    system = sum(results.values(name).sum() for name in ("fit_seconds", "predict_seconds"))
    return {"wall": wall, "cpu": cpu, "system": float(system), "n": n}


def rows(path: Path) -> set[tuple[object, ...]]:
    if not path.exists():
        return set()
    with closing(sqlite3.connect(path)) as db:
        return set(db.execute("SELECT data, system, repetition, fold, run, finished FROM cells"))


def kills(n: int, folder: Path) -> dict[str, int]:
    """Kill a running study n times at random moments, then let it finish, and compare."""
    study, kept = folder / "killed.toml", folder / "killed.sqlite"
    study.write_text(KILLED_STUDY.format(repeats=200 * n // 10))
    rng = random.Random(0)
    command = [sys.executable, "-m", "planetree", "bench", str(study)]
    seen: set[tuple[object, ...]] = set()
    lost = changed = before_cells = in_cells = 0
    for _ in range(n):
        with subprocess.Popen(
            command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        ) as started:
            if rng.random() < 0.8:  # the other times at the start, when nothing new is done yet
                while started.poll() is None and rows(kept) <= seen:
                    time.sleep(0.01)
            time.sleep(rng.uniform(0, 1.0))
            started.send_signal(signal.SIGKILL)
        now = rows(kept)
        lost += len({row[:4] for row in seen} - {row[:4] for row in now})
        changed += len(seen - now)
        in_cells, before_cells = (
            (in_cells + 1, before_cells) if now > seen else (in_cells, before_cells + 1)
        )
        seen = now
    read = read_study(study)
    finished = run(read.study, kept)
    whole = run(read.study, folder / "whole.sqlite")
    with closing(sqlite3.connect(kept)) as db:
        (cells,) = db.execute("SELECT count(*) FROM cells").fetchone()
        (distinct,) = db.execute(
            "SELECT count(*) FROM (SELECT DISTINCT data, system, repetition, fold FROM cells)"
        ).fetchone()
    same = all(
        scores(finished, name).to_csv() == scores(whole, name).to_csv()
        for name in finished.measures
    )
    return {
        "kills": n,
        "in_cells": in_cells,
        "before_cells": before_cells,
        "done_by_then": len(seen),
        "lost": lost,
        "changed": changed + len(seen - rows(kept)),
        "expected": read.study.n_cells,
        "cells": cells,
        "doubled": cells - distinct,
        "same_tables": int(same),
    }


def report(cost: dict[str, float], killed: dict[str, int]) -> str:
    n = int(cost["n"])
    own = 1000 * (cost["cpu"] - cost["system"]) / n
    met = "met" if own < MOST_MS else "NOT met"
    kept = killed["lost"] == killed["changed"] == killed["doubled"] == 0
    whole = killed["cells"] == killed["expected"] and killed["same_tables"] == 1
    made_with = (
        f"planetree {planetree.__version__}, Python {platform.python_version()}, "
        f"SQLite {sqlite3.sqlite_version}"
    )
    return f"""# What the bench costs

Made by `make bench-bench` on {os.cpu_count()} cores ({platform.system()} {platform.machine()}):
{made_with}.

## A cell's own cost

A study of {n} cells: a stump on thirty rows with two features, ten folds, one process a core. CPU
time is that of all processes, the start of the workers included; it is less disturbed than the
clock by what else the machine does. The bench's own is what is left of it after fitting and
predicting.

| | a cell, ms |
|---|---:|
| CPU time, all | {1000 * cost["cpu"] / n:.3f} |
| fitting and predicting | {1000 * cost["system"] / n:.3f} |
| **the bench's own** | **{own:.3f}** |
| on the clock | {1000 * cost["wall"] / n:.3f} |

Target: under {MOST_MS:g} ms. **{met}**.

## Killed at random moments

A study of {killed["expected"]} cells was started and killed with SIGKILL {killed["kills"]} times:
{killed["in_cells"]} times after new cells had come in, {killed["before_cells"]} times before. It
was then run to its end, and once more in one go to another file.

| | |
|---|---:|
| cells done when it was last killed | {killed["done_by_then"]} |
| cells that a kill lost | {killed["lost"]} |
| cells done again or changed | {killed["changed"]} |
| cells in the file at the end | {killed["cells"]} of {killed["expected"]} |
| cells that are there twice | {killed["doubled"]} |
| tables equal to those of the run in one go | {"yes" if killed["same_tables"] else "NO"} |

Target: none lost, none doubled. **{"met" if kept and whole else "NOT met"}**.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="1,000 cells, 3 kills; write nothing")
    parser.add_argument("--only", choices=("cost", "kills"), help="keep the other part as it was")
    options = parser.parse_args()
    found = json.loads(RAW.read_text()) if options.only and RAW.exists() else {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if options.only != "kills":
            found["cost"] = tiny_cells(1_000 if options.quick else 100_000, folder)
        if options.only != "cost":
            found["kills"] = kills(3 if options.quick else 50, folder)
    print(json.dumps(found, indent=1))
    if not options.quick:
        RAW.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        if len(found) == 2:
            OUT.write_text(report(found["cost"], found["kills"]), encoding="utf-8")


if __name__ == "__main__":
    main()
