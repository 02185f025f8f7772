"""The weakest-link path as a picture."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from planetree.estimator import PlaneTreeClassifier
from planetree.labels import read_cases
from planetree.pruners import cost_complexity_pruning_path
from planetree.pruners.cost_complexity import Risk, choose
from planetree.show.canvas import new_axes, the_tree
from planetree.surgery import tally
from planetree.tree import Tree

__all__ = ["pruning_path"]


def pruning_path(
    tree: Tree | PlaneTreeClassifier,
    X: Any = None,
    y: Any = None,
    sample_weight: ArrayLike | None = None,
    *,
    risk: Risk = "errors",
    ax: Any = None,
) -> Any:
    """Plot errors against leaves along the weakest-link path of a tree.

    Parameters
    ----------
    tree : Tree or PlaneTreeClassifier
        The whole tree, as it was grown.
    X, y : table and labels, default=None
        Cases that growth has not seen: a second line shows their errors, and a ring the smallest
        tree within one standard error of the best.
    sample_weight : array of shape (n_rows,), default=None
        Weight of each of these cases.
    risk : {"errors", "gini"}, default="errors"
        What a leaf costs (`planetree.pruners.cost_complexity_pruning_path`).
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Where it was drawn.

    Examples
    --------
    >>> from planetree import datasets, show
    >>> from planetree.presets import CART
    >>> from planetree.pruners import Unpruned
    >>> X, y = datasets.load_glass(return_X_y=True)
    >>> grown = CART(pruner=Unpruned()).fit(X[::2], y[::2])
    >>> show.pruning_path(grown, X[1::2], y[1::2]).get_xlabel()
    'leaves'
    """
    whole = the_tree(tree)
    path = cost_complexity_pruning_path(whole, risk)
    ax = new_axes(ax, 6.4, 4.8)
    counts = whole.counts.copy()
    counts[np.arange(whole.n_nodes), whole.labels] = 0.0
    training = path.along(counts.sum(axis=1)) / whole.counts[0].sum()
    ax.plot(path.n_leaves, 100 * training, ".-", label="training cases")
    if X is not None:
        cases = read_cases(whole.schema, whole.classes, X, y, sample_weight)
        total = cases.n_rows if cases.weight is None else cases.weight.sum()
        errors = path.errors(tally(whole, cases))
        chosen = choose(errors, cases, 1.0)
        ax.plot(path.n_leaves, 100 * errors / total, ".-", label="other cases")
        ax.plot(
            path.n_leaves[chosen],
            100 * errors[chosen] / total,
            "o",
            markersize=10,
            fillstyle="none",
            color="black",
            label=f"smallest within one standard error: {path.n_leaves[chosen]} leaves",
        )
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.set_xlabel("leaves")
    ax.set_ylabel("errors, %")
    ax.set_ylim(bottom=0)
    ax.legend()
    return ax
