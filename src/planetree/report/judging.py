"""How good a tree is, in a cross-validation beside what anybody would try first."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from planetree.errors import TableError
from planetree.estimator import PlaneTreeClassifier
from planetree.table import Table

__all__ = ["Judged", "Score", "cross_validated"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Score:
    """How one classifier did.

    Parameters
    ----------
    name : str
        What it is called.
    accuracy : ndarray
        Share of the cases' weight it got right, one number a fold.
    leaves : float or None
        How many leaves it had on average; None for what is no tree.
    """

    name: str
    accuracy: Floats
    leaves: float | None


@dataclass(frozen=True)
class Judged:
    """What a cross-validation found.

    Parameters
    ----------
    folds : int
        How many folds there were.
    scores : list of Score
        The tree's first, then those of the baselines.
    confusion : ndarray
        Weight of the cases of each class (rows) that the tree took for each (columns).
    """

    folds: int
    scores: list[Score]
    confusion: Floats

    @property
    def verdict(self) -> str:
        """What the figures say, in words."""
        ours, linear = self.scores[0], self.scores[1]
        gap = ours.accuracy - linear.accuracy
        error = gap.std(ddof=1) / np.sqrt(self.folds)
        said = (
            f"On cases it has not seen, the tree is right in {100 * ours.accuracy.mean():.1f} %; "
            f"a plain linear model, logistic regression, in {100 * linear.accuracy.mean():.1f} %. "
        )
        if gap.mean() > error:
            return said + "The tree is worth having."
        if gap.mean() >= -error:
            return said + "Within the chance of the folds they are equally good."
        return said + "Here a plain linear model is the better choice."


def cross_validated(
    model: PlaneTreeClassifier,
    cases: Table,
    *,
    folds: int = 10,
    seed: int = 0,
    progress: Callable[[float], object] | None = None,
) -> Judged:
    """Fit the tree and its baselines to all folds but one, again and again.

    Parameters
    ----------
    model : PlaneTreeClassifier
        How the tree is grown; fitted or not.
    cases : Table
        The cases.
    folds : int, default=10
        How many folds; fewer where no class has so many cases.
    seed : int, default=0
        Of the shuffling.
    progress : callable, default=None
        Is told the share of the folds that are done.

    Returns
    -------
    Judged
        The figures.
    """
    sizes = np.bincount(cases.y, minlength=len(cases.classes))
    if (sizes > 1).sum() < 2:
        raise TableError("a cross-validation needs two classes of two cases or more")
    folds = min(folds, int(sizes.max()))
    columns = _columns(cases)
    labels = np.array(cases.classes, dtype=object)[cases.y]
    weight = np.ones(cases.n_rows) if cases.weight is None else cases.weight
    encoded = cases.encoded
    numbers = make_pipeline(
        SimpleImputer(keep_empty_features=True), StandardScaler(), LogisticRegression(max_iter=2000)
    )
    baselines: dict[str, Any] = {
        "logistic regression": numbers,
        "scikit-learn's tree": DecisionTreeClassifier(random_state=seed),
        "always the largest class": DummyClassifier(),
    }
    right: dict[str, list[float]] = {name: [] for name in ("this tree", *baselines)}
    leaves: dict[str, list[int]] = {"this tree": [], "scikit-learn's tree": []}
    confusion = np.zeros((len(cases.classes), len(cases.classes)))
    place = {label: k for k, label in enumerate(cases.classes)}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        parts = [*StratifiedKFold(folds, shuffle=True, random_state=seed).split(encoded, cases.y)]
    for k, (train, test) in enumerate(parts):
        if progress is not None:
            progress(k / folds)
        known = {name: x for name, x in columns.items() if any(v is not None for v in x[train])}
        tree = clone(model).set_params(progress=False)
        tree.fit(
            {name: x[train] for name, x in known.items()},
            _alike(labels[train]),
            None if cases.weight is None else weight[train],
        )
        guessed = [place[v] for v in tree.predict({n: x[test] for n, x in known.items()}).tolist()]
        np.add.at(confusion, (cases.y[test], guessed), weight[test])
        right["this tree"].append(_share_right(np.array(guessed), cases.y[test], weight[test]))
        leaves["this tree"].append(tree.n_leaves_)
        for name, baseline in baselines.items():
            step = {"logisticregression__sample_weight": weight[train]}
            fitted = baseline.fit(
                encoded[train],
                cases.y[train],
                **(step if baseline is numbers else {"sample_weight": weight[train]}),
            )
            guessed_codes = fitted.predict(encoded[test])
            right[name].append(_share_right(guessed_codes, cases.y[test], weight[test]))
            if name in leaves:
                leaves[name].append(fitted.get_n_leaves())
    if progress is not None:
        progress(1.0)
    scores = [
        Score(name, np.array(share), float(np.mean(leaves[name])) if name in leaves else None)
        for name, share in right.items()
    ]
    return Judged(folds, scores, confusion)


def _columns(cases: Table) -> dict[str, NDArray[Any]]:
    """The user's table again; a symbol that training never saw is one for itself."""
    columns = {}
    for j, feature in enumerate(cases.schema.features):
        values = np.empty(cases.n_rows, dtype=object)
        values[:] = [
            "(another)" if feature.is_unseen(x) else feature.value(x) for x in cases.X[:, j]
        ]
        columns[feature.name] = values
    return columns


def _alike(labels: NDArray[Any]) -> NDArray[Any]:
    return np.array(labels.tolist())


def _share_right(guessed: NDArray[Any], y: NDArray[Any], weight: Floats) -> float:
    return float(np.average(guessed == y, weights=weight))
