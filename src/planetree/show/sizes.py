"""Accuracy against size as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold

from planetree.errors import TableError
from planetree.estimator import PlaneTreeClassifier
from planetree.labels import read_labels, read_weight
from planetree.pruners import cost_complexity_pruning_path
from planetree.show.canvas import OKABE_ITO, add_key, new_axes
from planetree.table import as_array, split
from planetree.text import one_line

__all__ = ["accuracy_against_size"]

Floats = NDArray[np.float64]
MOST_SIZES = 40  # points of a curve
MARKERS = "osD^vP*"


def accuracy_against_size(
    models: PlaneTreeClassifier | Mapping[str, PlaneTreeClassifier],
    X: Any,
    y: Any,
    sample_weight: ArrayLike | None = None,
    *,
    cv: int = 10,
    random_state: int = 0,
    ax: Any = None,
) -> Any:
    """Plot cross-validated accuracy against the number of leaves.

    A model is fitted to all folds but one and made smaller step by step: along its `path_` if it
    has one, else by weakest links. The fold left out judges each size. A band shows the standard
    error over the folds, a ring the size and accuracy of the trees as they were fitted.

    Parameters
    ----------
    models : PlaneTreeClassifier, or dict of str to PlaneTreeClassifier
        How trees are grown; fitted or not. Several are drawn in one picture, with their names.
    X, y : table and labels
        The cases.
    sample_weight : array of shape (n_rows,), default=None
        Weight of each case.
    cv : int, default=10
        How many folds.
    random_state : int, default=0
        Shuffles the cases into folds.
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Where it was drawn.

    Examples
    --------
    >>> from planetree import PlaneTreeClassifier, datasets, show
    >>> from planetree.learners import RLS
    >>> from planetree.presets import CART
    >>> X, y = datasets.load_wine(return_X_y=True)
    >>> trees = {"thresholds": CART(), "planes": PlaneTreeClassifier(learner=RLS())}
    >>> ax = show.accuracy_against_size(trees, X, y, cv=3)
    >>> ax.get_xlabel(), [text.get_text() for text in ax.get_legend().get_texts()]
    ('leaves', ['thresholds', 'planes'])
    """
    named = dict(models) if isinstance(models, Mapping) else {"": models}
    for model in named.values():
        if not isinstance(model, PlaneTreeClassifier):
            raise ValueError(f"the sizes of a PlaneTreeClassifier are drawn, not of {model!r}")
    if not named:
        raise ValueError("models is empty: there is nothing to draw")
    if isinstance(cv, bool) or not isinstance(cv, int) or cv < 2:
        raise ValueError(f"cv must be a whole number of at least 2, not {cv!r}")
    columns, labels = split(X), read_labels(y)
    n_rows = len(columns) if isinstance(columns, np.ndarray) else len(next(iter(columns.values())))
    if n_rows != len(labels):
        raise TableError(f"X and y differ in length: {n_rows} rows, {len(labels)} labels")
    weight = np.ones(len(labels))
    if sample_weight is not None:
        weight = read_weight(sample_weight, len(labels))
    if np.unique(labels, return_counts=True)[1].min() < cv:
        raise TableError(f"a class has fewer cases than there are folds, {cv}")
    folds = StratifiedKFold(cv, shuffle=True, random_state=random_state)
    parts = [*folds.split(np.zeros(len(labels)), labels)]
    ax = new_axes(ax, 6.4, 4.4)
    for k, (name, model) in enumerate(named.items()):
        curves = [
            _curve(model, *(_taken(columns, labels, weight, rows) for rows in part))
            for part in parts
        ]
        _draw(ax, curves, one_line(name), k)
    ax.set_xscale("log")
    ticks = [
        n for n in (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000, 5000) if n <= ax.get_xlim()[1]
    ]
    ax.set_xticks(ticks, [str(n) for n in ticks])
    ax.minorticks_off()
    ax.set_xlabel("leaves")
    ax.set_ylabel(f"accuracy, %, in {cv} folds")
    if not isinstance(models, PlaneTreeClassifier):
        add_key(ax, loc="lower right")
    return ax


def _taken(columns: Any, labels: Any, weight: Floats, rows: NDArray[np.intp]) -> tuple[Any, ...]:
    if isinstance(columns, np.ndarray):
        return columns[rows], labels[rows], weight[rows]
    taken = {name: as_array(values)[rows] for name, values in columns.items()}
    return taken, labels[rows], weight[rows]


def _curve(
    model: PlaneTreeClassifier, known: tuple[Any, ...], new: tuple[Any, ...]
) -> list[tuple[int, float]]:
    """Leaves and accuracy of one fold's trees, the fitted one first, then the largest of them."""
    fitted = clone(model).set_params(progress=False)
    X, y, weight = known
    fitted.fit(X, y, None if (weight == weight[0]).all() else weight)
    trees = [fitted]
    if hasattr(fitted, "path_"):
        sizes = sorted({step.n_leaves for step in fitted.path_}, reverse=True)
        trees += [fitted.sized(n) for n in sizes]
    else:
        path = cost_complexity_pruning_path(fitted.tree_)
        wanted = np.unique(np.geomspace(1, path.n_leaves[0], MOST_SIZES).round())[::-1]
        steps = np.unique([(path.n_leaves > n).sum() for n in wanted])
        trees += [fitted.with_tree(path.tree(int(step))) for step in steps]
    X, y, weight = new
    right = [float(np.average(tree.predict(X) == y, weights=weight)) for tree in trees]
    return [(tree.n_leaves_, share) for tree, share in zip(trees, right, strict=True)]


def _draw(ax: Any, curves: list[list[tuple[int, float]]], name: str, k: int) -> None:
    """Means over the folds: a fold's accuracy at a size is that of its largest tree within it."""
    sizes = np.unique([n for curve in curves for n, _ in curve[1:]])
    shares = np.array([_within(curve[1:], sizes) for curve in curves]) * 100
    mean, error = shares.mean(axis=0), shares.std(axis=0, ddof=1) / np.sqrt(len(curves))
    color = OKABE_ITO[k % len(OKABE_ITO)]
    ax.fill_between(sizes, mean - error, mean + error, color=color, alpha=0.2, linewidth=0)
    marker = MARKERS[k % len(MARKERS)]
    ax.plot(sizes, mean, color=color, marker=marker, markersize=3.5, label=name or None)
    leaves, share = np.mean([curve[0] for curve in curves], axis=0)
    ax.plot(leaves, 100 * share, "o", markersize=11, fillstyle="none", color=color, zorder=4)


def _within(curve: list[tuple[int, float]], sizes: NDArray[np.intp]) -> Floats:
    ordered = sorted(curve)
    leaves = np.array([n for n, _ in ordered])
    place = np.maximum(np.searchsorted(leaves, sizes, side="right") - 1, 0)
    found: Floats = np.array([share for _, share in ordered])[place]
    return found
