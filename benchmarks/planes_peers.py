"""Oblique trees of other packages: fits one of them and prints what came out, as JSON.

Run by the benchmark of planes in an environment that has the package, as `planes_peers.py NAME
FILE.npz LEAVES ROUNDS`: 0 leaves is the default of the package, and the file has X, y, X_test,
y_test (with noise) and y_true (without).
"""

from __future__ import annotations

import json
import re
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from typing import Any, NamedTuple

import numpy as np


class Fitted(NamedTuple):
    """What the table asks of every contestant."""

    predict: Callable[[Any], Any]
    n_leaves: int
    features_per_test: float  # mean over the tests


def depth(n_leaves: int) -> int | None:
    """The deepest tree that cannot have more leaves, for packages that know no other limit."""
    return n_leaves.bit_length() - 1 if n_leaves else None


def scikit_learn(X: Any, y: Any, n_leaves: int) -> Fitted:
    tree = import_module("sklearn.tree").DecisionTreeClassifier
    model = tree(max_leaf_nodes=n_leaves or None, random_state=0).fit(X, y)
    return Fitted(model.predict, int(model.get_n_leaves()), 1.0)


def obliquetree(X: Any, y: Any, n_leaves: int, **options: Any) -> Fitted:
    limit = {"max_depth": depth(n_leaves)} if n_leaves else {}
    model = import_module("obliquetree").Classifier(random_state=0, **limit, **options)
    model.fit(X, y)
    leaves = len(np.unique(model.apply(X)))
    sizes = list(_sizes(import_module("obliquetree.utils").export_tree(model)["tree"]))
    return Fitted(model.predict, leaves, statistics.fmean(sizes) if sizes else np.nan)


def _sizes(node: dict[str, Any]) -> Any:
    if node.get("is_leaf"):
        return
    yield len(node["features"]) if node.get("is_oblique") else 1
    for side in ("left", "right"):
        if node.get(side):
            yield from _sizes(node[side])


def stree(X: Any, y: Any, n_leaves: int) -> Fitted:
    model = import_module("stree").Stree(random_state=0, max_depth=depth(n_leaves)).fit(X, y)
    return Fitted(model.predict, int(model.nodes_leaves()[1]), float(X.shape[1]))


def treeple(X: Any, y: Any, n_leaves: int) -> Fitted:
    tree = import_module("treeple.tree").ObliqueDecisionTreeClassifier
    model = tree(max_leaf_nodes=n_leaves or None, random_state=0).fit(X, y)
    inner = model.tree_.children_left >= 0
    used = [int(np.count_nonzero(w)) for w in model.tree_.get_projection_matrix()[inner]]
    return Fitted(model.predict, int(model.get_n_leaves()), statistics.fmean(used))


def ydf(X: Any, y: Any, n_leaves: int, split_axis: str) -> Fitted:
    package = import_module("ydf")
    package.verbose(0)
    columns = {f"x{j}": np.ascontiguousarray(x) for j, x in enumerate(X.T)}
    limit = {"growing_strategy": "BEST_FIRST_GLOBAL", "max_num_nodes": n_leaves} if n_leaves else {}
    learner = package.CartLearner(label="y", split_axis=split_axis, **limit)
    model = learner.train(columns | {"y": y})
    tests = list(_ydf_conditions(model.get_tree(0).root))
    leaves = len(tests) + 1

    def predict(X: Any) -> Any:
        return model.predict({f"x{j}": np.ascontiguousarray(x) for j, x in enumerate(X.T)}) > 0.5

    return Fitted(predict, leaves, statistics.fmean(tests) if tests else np.nan)


def _ydf_conditions(node: Any) -> Any:
    condition = getattr(node, "condition", None)
    if condition is None:
        return
    yield len(getattr(condition, "attributes", [0]))
    yield from _ydf_conditions(node.pos_child)
    yield from _ydf_conditions(node.neg_child)


PEERS: dict[str, tuple[str, Callable[[Any, Any, int], Fitted]]] = {
    "scikit-learn": ("scikit-learn", scikit_learn),
    "obliquetree": ("obliquetree", obliquetree),
    "obliquetree, n_pair=5": ("obliquetree", lambda X, y, n: obliquetree(X, y, n, n_pair=5)),
    "STree": ("STree", stree),
    "treeple": ("treeple", treeple),
    "YDF sparse oblique": ("ydf", lambda X, y, n: ydf(X, y, n, "SPARSE_OBLIQUE")),
    "YDF MHLD oblique": ("ydf", lambda X, y, n: ydf(X, y, n, "MHLD_OBLIQUE")),
}


ENOUGH = 5  # seconds of fitting, after which a contestant is not fitted again


def measure(fit: Callable[[], Fitted], X_test: Any, y_test: Any, y_true: Any, rounds: int) -> Any:
    """Times and figures of a contestant, after one fit to warm up unless that took long."""
    seconds: list[float] = []
    while True:
        began = time.perf_counter()
        model = fit()
        seconds.append(time.perf_counter() - began)
        if len(seconds) > rounds or sum(seconds) > ENOUGH:
            break
    found = np.asarray(model.predict(X_test)).astype(int)
    return {
        "seconds": seconds[1:] or seconds,
        "accuracy": float((found == y_true).mean()),
        "accuracy_noisy": float((found == y_test).mean()),
        "leaves": model.n_leaves,
        "features": model.features_per_test,
    }


def main() -> None:
    name, file, n_leaves, rounds = sys.argv[1:]
    warnings.simplefilter("ignore")
    data = np.load(file)
    package, fit = PEERS[name]
    X, y = data["X"], data["y"]
    try:
        result = measure(
            lambda: fit(X, y, int(n_leaves)),
            data["X_test"],
            data["y_test"],
            data["y_true"],
            int(rounds),
        )
        result["version"] = f"{package} {version(package)}"
    except Exception as error:  # whatever a foreign package raises, the table says it
        result = {"error": re.sub(r"\s+", " ", f"{type(error).__name__}: {error}")[:200]}
    sys.stdout.write(json.dumps(result) + "\n")


if __name__ == "__main__":
    main()
