"""What Pocket and Thermal cost beside their definitions, and what one test of theirs finds."""

from __future__ import annotations

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
from report import Run
from timing import number

sys.path.append(str(Path(__file__).parent.parent / "tests"))

from reference.pocket import pocket
from reference.thermal import thermal


def node(X: Any, y: Any, seed: int = 0) -> NodeView:
    schema = Schema(tuple(Feature(f"x{j}") for j in range(X.shape[1])))
    classes, codes = np.unique(y, return_inverse=True)
    table = Table(schema, X, codes.astype(np.int32), tuple(classes.tolist()))
    return NodeView(table, np.arange(len(X), dtype=np.uint32), Deviations(), seed=seed)


def twins(run: Run) -> None:
    """Both learners beside their definitions in plain Python."""
    n = run.rows(1_000, 200)
    data = tables.noisy(n, 10)
    view = node(data.X, data.y)
    run.report.section(
        "Pocket and Thermal beside their definitions",
        f"One test, {n} × 10, 2 classes, as a node's learner gets it.",
    )
    for name, learner, twin in (
        ("Pocket", Pocket(), pocket),
        ("Thermal", Thermal(), thermal),
    ):
        plain = partial(twin, **view.kernel, seed=view.seed, **learner.get_params())
        samples = run.race({"definition": plain, "planetree": partial(learner.fit, view)}, rounds=3)
        run.report.say(f"{name}:")
        run.report.times(f"{name} beside its definition", samples, ["planetree"])


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
