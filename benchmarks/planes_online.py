"""What Pocket and Thermal cost and find: two sections of the benchmark of planes.

`python benchmarks/planes_online.py` writes both as Markdown (--quick: smaller tables).
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import tables
from planetree import datasets
from planetree.learners import Pocket, Thermal
from planetree.scaling import Deviations
from planetree.schema import Feature, Schema
from planetree.table import Table
from planetree.view import NodeView
from report import Report, Run
from timing import machine, number, seconds, tell

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from reference.pocket import pocket
from reference.thermal import thermal

LEARNERS = {
    "Pocket": Pocket(),
    "Thermal": Thermal(),
    "Thermal, whole_pass=False": Thermal(whole_pass=False),
}


def node(X: Any, y: Any, seed: int = 0) -> NodeView:
    schema = Schema(tuple(Feature(f"x{j}") for j in range(X.shape[1])))
    classes, codes = np.unique(y, return_inverse=True)
    table = Table(schema, X, codes.astype(np.int32), tuple(classes.tolist()))
    return NodeView(table, np.arange(len(X), dtype=np.uint32), Deviations(), seed=seed)


def cost(run: Run) -> None:
    """Time of one fit as rows, features and classes grow, and beside the plain twins."""
    report = run.report
    report.section(
        "Pocket and Thermal: time of one test",
        "A node as its learner gets it, standardised; noise of 5 % in the classes. Thermal decides "
        "itself how many passes it needs.",
    )
    rows, columns = run.rows(20_000, 2_000), run.rows(20, 10)
    shapes = [
        *((n, columns, 2) for n in (rows // 16, rows // 4, rows, 4 * rows)),
        *((rows, p, 2) for p in (columns // 4, columns * 2, columns * 4)),
        *((rows, columns, k) for k in (4, 8, 16)),
    ]
    lines = []
    for n, p, k in shapes:
        data = tables.many_classes(n, p, k)
        view = node(data.X, data.y)
        tell(data.what)
        samples = run.race({name: partial(a.fit, view) for name, a in LEARNERS.items()})
        report.raw(f"online, {n} {p} {k}", {name: s.seconds for name, s in samples.items()})
        size = f"{n:,} × {p}".replace(",", " ") + f", {k} classes"
        lines.append([size, *(seconds(s.median) for s in samples.values())])
    report.table(["rows × features", *LEARNERS], lines)

    n = run.rows(1_000, 200)
    view = node(*(lambda d: (d.X, d.y))(tables.noisy(n, 10)))
    for name, learner, twin in (
        ("Pocket", Pocket(), pocket),
        ("Thermal", Thermal(), thermal),
    ):
        plain = partial(twin, **view.kernel, seed=view.seed, **learner.get_params())
        samples = run.race({"definition": plain, "planetree": partial(learner.fit, view)}, rounds=3)
        report.say(f"{name} beside its definition in plain Python, {n} × 10, 2 classes:")
        report.times(f"{name} beside its definition", samples, ["planetree"])


SETS = ("breast", "bupa", "glass", "ionosphere", "iris", "pima", "segment", "vowel", "wine")
QUALITY = {
    **{f"Pocket({passes})": Pocket(passes) for passes in (3, 10, 30, 100, 300)},
    "Thermal, whole_pass=False": Thermal(whole_pass=False),
    "Thermal": Thermal(),
    "Thermal, alpha=0": Thermal(alpha=0.0),
}


def accuracy(run: Run) -> None:
    """Of a single test, on data it has not seen."""
    splits = 3 if run.quick else 10
    run.report.section(
        "Pocket and Thermal: accuracy of one test",
        f"One linear test, no tree: trained on two thirds of the rows, tried on the rest, mean of "
        f"{splits} splits, in per cent.",
    )
    lines = []
    for name in SETS:
        data = datasets.load(name)
        X, y = np.asarray(data.data, float), np.asarray(data.target)
        X = np.where(np.isnan(X), np.nanmean(X, axis=0), X)
        shares: dict[str, list[float]] = {learner: [] for learner in QUALITY}
        for seed in range(splits):
            order = np.random.default_rng(seed).permutation(len(X))
            train, test = np.split(order, [len(X) * 2 // 3])
            view = node(X[train], y[train], seed)
            for learner, a in QUALITY.items():
                found = a.fit(view)
                branch = np.zeros(len(test), int) if found is None else found.route(X[test])
                shares[learner].append(float((np.unique(y[train])[branch] == y[test]).mean()))
        lines.append([name, *(number(100 * float(np.mean(s))) for s in shares.values())])
    run.report.table(["", *QUALITY], lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller tables")
    run = Run(
        Report("Pocket and Thermal", machine(["planetree", "numpy"])), parser.parse_args().quick
    )
    cost(run)
    accuracy(run)
    sys.stdout.write(run.report.markdown())


if __name__ == "__main__":
    main()
