"""What the trees are worth: their Gini index, and the precision of their cuts."""

from __future__ import annotations

import statistics
from typing import Any

import numpy as np
import sklearn.datasets

import contestants as peers
import tables
from contestants import SKLEARN
from report import Run
from tables import Data
from timing import tell


def _gini_of(tree: Any) -> float:
    """Impurity of the leaves, weighted by their share of the training rows."""
    counts = tree.tree_.counts[tree.tree_.is_leaf]
    weight = counts.sum(axis=1)
    return float((weight - (counts**2).sum(axis=1) / weight).sum() / weight.sum())


def _gini_of_sklearn(tree: Any) -> float:
    leaf = tree.tree_.children_left < 0
    weight = tree.tree_.weighted_n_node_samples[leaf]
    return float((weight * tree.tree_.impurity[leaf]).sum() / weight.sum())


def _cut_gini(left: np.ndarray[Any, Any], right: np.ndarray[Any, Any]) -> float:
    weights = left.sum(), right.sum()
    squares = (left**2).sum() / weights[0] + (right**2).sum() / weights[1]
    return float(1 - squares / sum(weights))


def _compare_nodes(data: Data, most: int) -> list[float]:
    """At nodes of our tree: impurity of the branches we made, less that of scikit-learn's best cut.

    Equally good cuts count alike here, so chance has no part in it.
    """
    tree = peers.fit_planetree(data, 12).tree_
    passes = tree.decision_path(tree.apply(data.X)).tocsc()
    inner = np.flatnonzero(~tree.is_leaf)
    chosen = inner[np.linspace(0, len(inner) - 1, min(most, len(inner))).astype(int)]
    differences = []
    for node in chosen:
        rows = passes[:, node].indices
        weight = None if data.weight is None else data.weight[rows]
        stump = peers.fit_sklearn(Data("", data.X[rows], data.y[rows], weight), 1)
        child = tree.first_child[node]
        ours = _cut_gini(tree.counts[child], tree.counts[child + 1])
        differences.append(ours - _gini_of_sklearn(stump))
    return differences


def training_gini(run: Run) -> None:
    """Which of the two separates the training rows better: node by node, and at every depth."""
    digits = sklearn.datasets.load_digits(return_X_y=True)
    cancer = sklearn.datasets.load_breast_cancer(return_X_y=True)
    n = run.rows(3_000, 1_000)
    kinds = [
        tables.noisy(n),
        tables.many_classes(n),
        tables.ties(n),
        tables.missing(n),
        tables.weighted(n),
        Data("digits, 1 797 × 64, 10 classes", *digits),
        Data("breast cancer, 569 × 30, 2 classes", *cancer),
    ]
    n_orders = 3 if run.quick else 10
    depths = [*range(1, 13), None]
    report = run.report
    report.section("Gini index of the training rows")

    most = 50 if run.quick else 400
    found = []
    for data in kinds:
        tell(f"  nodes of {data.what}")
        gaps = _compare_nodes(data, most)
        better = sum(gap < -1e-9 for gap in gaps)
        worse = sum(gap > 1e-9 for gap in gaps)
        found.append([data.what, len(gaps), better, len(gaps) - better - worse, worse])
    report.say(
        "Node by node: at nodes of our trees (12 levels, evenly chosen), the impurity of the two "
        "branches against that of the cut scikit-learn finds in the same rows."
    )
    report.table(["table", "nodes", "ours is better", "same", "ours is worse"], found)
    n_worse = sum(row[-1] for row in found)
    n_nodes = sum(row[1] for row in found)
    report.target(
        n_worse == 0,
        f"Gini index of a node never worse than scikit-learn's: {n_worse} of {n_nodes} nodes are",
    )

    rows, raw = [], []
    n_worse = 0
    for data in kinds:
        tell(f"  depths of {data.what}")
        cells = []
        for depth in depths:
            pairs = []
            for seed in range(n_orders):
                columns = np.random.default_rng(seed).permutation(data.X.shape[1])
                mixed = Data(data.what, data.X[:, columns], data.y, data.weight)
                ours = _gini_of(peers.fit_planetree(mixed, depth))
                pairs.append((ours, _gini_of_sklearn(peers.fit_sklearn(mixed, depth, seed))))
            raw.append({"table": data.what, "depth": depth, "planetree, scikit-learn": pairs})
            gaps = [ours - theirs for ours, theirs in pairs]
            gap, error = statistics.mean(gaps), statistics.stdev(gaps) / n_orders**0.5
            same = abs(gap) < max(1e-9, 3 * error)
            n_worse += not same and gap > 0
            mark = "=" if same else f"{gap:+.5f}"
            cells.append(f"{abs(statistics.mean(ours for ours, _ in pairs)):.4f} {mark}")
        rows.append([data.what, *cells])
    report.raw("gini", raw)
    report.say(
        "The whole tree at equal depth: our mean impurity of the leaves, and how far it is from "
        f"scikit-learn's. Where several cuts are equally good, scikit-learn draws one and we take "
        f"the first, so both grow {n_orders} trees, each on another order of the columns; = is a "
        "difference within three standard errors of that chance."
    )
    heads = [f"depth {depth}" if depth else "unpruned" for depth in depths]
    transposed = [[head, *(row[i + 1] for row in rows)] for i, head in enumerate(heads)]
    report.table(["", *(row[0] for row in rows)], transposed)
    report.target(
        n_worse == 0,
        "Gini index of a tree not worse than scikit-learn's at equal depth: "
        f"{n_worse} of {len(raw)} are",
    )


def precision(run: Run) -> None:
    """Two values that single precision cannot tell apart."""
    X = np.tile([[1.0], [1.0 + 1e-12]], (50, 1))
    data = Data("", X, np.tile([0, 1], 50))
    ours, theirs = peers.fit_planetree(data), peers.fit_sklearn(data)
    columns = peers.ydf_columns(data)
    ydf = peers.fit_ydf(columns)
    right = {
        "planetree": ours.score(X, data.y),
        SKLEARN: theirs.score(X, data.y),
        "YDF": float(((ydf.predict(columns) > 0.5) == data.y).mean()),
    }
    leaves = [ours.n_leaves_, theirs.get_n_leaves(), peers.ydf_leaves(ydf)]
    report = run.report
    report.section(
        "Double precision",
        "One column, 50 rows of 1 and class 0, 50 rows of 1 + 1e-12 and class 1.",
    )
    rows = [[name, n, f"{share:.0%}"] for (name, share), n in zip(right.items(), leaves)]
    report.table(["", "leaves", "training rows right"], rows)
    report.raw("precision", right)
    told_apart = right["planetree"] == 1 and right[SKLEARN] < 1 and right["YDF"] < 1
    report.target(told_apart, "planetree tells two values 1e-12 apart, scikit-learn and YDF do not")
