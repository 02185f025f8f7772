"""The systems of the frontier, each at its defaults: how to fit one, and how large it became."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from frontier_data import Array, Data

ROOT = Path(__file__).parent.parent
TREEPLE = ROOT / ".venvs/treeple/bin/python"  # treeple needs a scikit-learn of its own
WEKA = ROOT / "build/weka"  # its jars
ALPHAS = 50  # of a pruning path, evenly spaced along it, are tried in scikit-learn's search


class Fitted:
    """What is asked of a fitted model: answers, leaves (0: not a tree), features a test.

    `seconds` is what another process says of the time it took.
    """

    def __init__(
        self,
        predict: Callable[[], Array],
        leaves: int = 0,
        features: float | None = None,
        seconds: float | None = None,
    ) -> None:
        self.predict = predict
        self.leaves = leaves
        self.features = features
        self.seconds = seconds


def measure(system: str, data: Data, train: Array, test: Array) -> dict[str, Any]:
    """Accuracy, size and processor seconds of one fit."""
    warnings.simplefilter("ignore")
    if system in AS_THEY_ARE:
        X, T = data.frame.iloc[train], data.frame.iloc[test]
    else:
        X, T = data.plain(train, test)
    y = data.y[train]
    began, wall = time.process_time(), time.perf_counter()
    fitted = SYSTEMS[system](X, y, T)
    seconds, wall = time.process_time() - began, time.perf_counter() - wall
    answers = np.asarray(fitted.predict()).astype(np.int64)
    return {
        "accuracy": float((answers == data.truth[test]).mean()),
        "leaves": int(fitted.leaves),
        "features": fitted.features,
        "seconds": seconds if fitted.seconds is None else fitted.seconds,
        "wall": wall,
    }


def planetree(X: Any, y: Array, T: Any) -> Fitted:
    from planetree import presets

    tree = presets.Default(n_threads=1).fit(X, y)
    return Fitted(lambda: tree.predict(T), tree.n_leaves_, tree.mean_features_per_test_)


def sklearn_pruned(X: Array, y: Array, T: Array) -> Fitted:
    from sklearn.model_selection import GridSearchCV
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(random_state=0)
    alphas = np.unique(np.maximum(tree.cost_complexity_pruning_path(X, y).ccp_alphas, 0.0))
    tried = alphas[np.unique(np.linspace(0, len(alphas) - 1, ALPHAS).astype(int))]
    best = GridSearchCV(tree, {"ccp_alpha": tried}, cv=5).fit(X, y).best_estimator_
    return Fitted(lambda: best.predict(T), best.get_n_leaves(), 1.0)


def sklearn_unpruned(X: Array, y: Array, T: Array) -> Fitted:
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(random_state=0).fit(X, y)
    return Fitted(lambda: tree.predict(T), tree.get_n_leaves(), 1.0)


def logistic(X: Array, y: Array, T: Array) -> Fitted:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000)).fit(X, y)
    return Fitted(lambda: model.predict(T))


def stree(X: Array, y: Array, T: Array) -> Fitted:
    from stree import Stree

    tree = Stree(random_state=0).fit(X, y)
    return Fitted(lambda: tree.predict(T), tree.nodes_leaves()[1], float(X.shape[1]))


def obliquetree(X: Array, y: Array, T: Array) -> Fitted:
    from obliquetree import Classifier

    tree = Classifier(random_state=0).fit(X, y)
    # Its leaves are those that its training cases reach.
    return Fitted(lambda: tree.predict(T), len(np.unique(tree.apply(X))))


def _ydf(X: Array, y: Array, T: Array, **options: Any) -> Fitted:
    import ydf

    ydf.verbose(0)
    columns = {f"x{j}": X[:, j] for j in range(X.shape[1])}
    model = ydf.CartLearner(label="y", num_threads=1, **options).train({**columns, "y": y})
    asked = {f"x{j}": T[:, j] for j in range(T.shape[1])}
    classes = np.array(model.label_classes()).astype(int)

    def predict() -> Array:
        p = model.predict(asked)
        return classes[p.argmax(axis=1) if p.ndim == 2 else (p > 0.5).astype(int)]

    return Fitted(predict, (model.num_nodes() + 1) // 2)


def ydf_cart(X: Array, y: Array, T: Array) -> Fitted:
    return _ydf(X, y, T)


def ydf_sparse_oblique(X: Array, y: Array, T: Array) -> Fitted:
    return _ydf(X, y, T, split_axis="SPARSE_OBLIQUE")


def treeple(X: Array, y: Array, T: Array) -> Fitted:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "fold.npz"
        np.savez(file, X=X, y=y, T=T)
        command = [str(TREEPLE), str(Path(__file__)), str(file)]
        out = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    found = json.loads(out.splitlines()[-1])
    return Fitted(lambda: np.array(found["answers"]), found["leaves"], seconds=found["seconds"])


def _run_treeple(file: str) -> None:
    from treeple.tree import ObliqueDecisionTreeClassifier

    data = np.load(file)
    began = time.process_time()
    tree = ObliqueDecisionTreeClassifier(random_state=0).fit(data["X"], data["y"])
    seconds = time.process_time() - began
    answers = tree.predict(data["T"]).tolist()
    print(json.dumps({"answers": answers, "leaves": int(tree.tree_.n_leaves), "seconds": seconds}))


def _weka(name: str, X: Any, y: Array, T: Any) -> Fitted:
    """Train in one run and ask in another: each prints only one of size and answers."""
    from j48 import JAVA, arff
    from planetree.table import read_like, read_training, split

    with tempfile.TemporaryDirectory() as folder:
        files = {part: f"{folder}/{part}" for part in ("train.arff", "test.arff", "model")}
        schema, values = read_training(split(X))
        classes = np.arange(y.max() + 1)
        asked = read_like(split(T), schema)
        for j, feature in enumerate(schema.features):
            if feature.kind == "symbolic":  # Weka knows no symbol that training did not declare
                asked[asked[:, j] >= len(feature.symbols), j] = np.nan
        for part, cases, labels in (
            ("train.arff", values, y),
            ("test.arff", asked, np.zeros(len(T), int)),
        ):
            Path(files[part]).write_text(arff(schema, cases, labels, classes), encoding="utf-8")

        def run(*options: str) -> str:
            command = [*JAVA, f"{WEKA}/*", f"weka.classifiers.trees.{name}", *options]
            return subprocess.run(command, capture_output=True, check=True, text=True).stdout

        printed = run("-t", files["train.arff"], "-no-cv", "-d", files["model"])
        listed = run("-l", files["model"], "-T", files["test.arff"], "-p", "0")
    leaves = re.search(r"Number of Leaves\s*:\s*(\d+)", printed)
    took = re.search(r"Time taken to build model: ([\d.]+) seconds", printed)
    answers = re.findall(r"^\s*\d+\s+\d+:c\d+\s+\d+:c(\d+)", listed, re.MULTILINE)
    if leaves is None or took is None or len(answers) != len(T):
        raise ValueError(f"Weka printed {printed[:200]!r} and {len(answers)} answers")
    return Fitted(lambda: np.array(answers, int), int(leaves[1]), seconds=float(took[1]))


def j48(X: Any, y: Array, T: Any) -> Fitted:
    return _weka("J48", X, y, T)


def lmt(X: Any, y: Array, T: Any) -> Fitted:
    return _weka("LMT", X, y, T)


def preload() -> None:
    """Import what the systems need once, before processes are made for the fits."""
    import obliquetree
    import sklearn.linear_model
    import sklearn.model_selection
    import sklearn.tree
    import stree
    import ydf

    import planetree.learners
    import planetree.pruners

    del obliquetree, sklearn, stree, ydf, planetree


def missing(system: str) -> bool:
    """Whether what the system runs in is not here."""
    if system == "treeple":
        return not TREEPLE.exists()
    return "Weka" in system and (shutil.which("java") is None or not WEKA.exists())


SYSTEMS: dict[str, Callable[[Any, Array, Any], Fitted]] = {
    "planetree": planetree,
    "scikit-learn, pruned by CV": sklearn_pruned,
    "scikit-learn": sklearn_unpruned,
    "STree": stree,
    "obliquetree": obliquetree,
    "YDF CART": ydf_cart,
    "YDF sparse oblique": ydf_sparse_oblique,
    "treeple": treeple,
    "Weka J48": j48,
    "Weka LMT": lmt,
    "logistic regression": logistic,
}
AS_THEY_ARE = ("planetree", "Weka J48", "Weka LMT")  # read symbols and missing values

if __name__ == "__main__":
    _run_treeple(sys.argv[1])
