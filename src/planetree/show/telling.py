"""How much each feature tells, as a picture."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from planetree.importance import impurity_importance, permutation_importance
from planetree.show.canvas import new_axes, the_tree, wrapped
from planetree.tree import Tree

__all__ = ["importances"]


def importances(
    model: Any,
    X: Any = None,
    y: Any = None,
    sample_weight: ArrayLike | None = None,
    *,
    n_repeats: int = 10,
    random_state: int = 0,
    most: int = 20,
    ax: Any = None,
) -> Any:
    """Draw how much each feature tells the tree.

    With cases, by how much the accuracy falls when the values of a feature are shuffled among them
    (`planetree.importance.permutation_importance`), with the deviation over the shuffles; without,
    each feature's share in the decrease of the Gini index over the training cases.

    Parameters
    ----------
    model : Tree or fitted PlaneTreeClassifier
        The tree.
    X, y : table and labels, default=None
        Cases; those that growth has not seen tell most.
    sample_weight : array of shape (n_rows,), default=None
        Weight of each case.
    n_repeats : int, default=10
        How often each feature is shuffled.
    random_state : int, default=0
        Of the shuffling.
    most : int, default=20
        The features that tell most are drawn, so many at most.
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
    >>> iris = datasets.load_iris(as_frame=True)
    >>> tree = CART(max_depth=2).fit(iris.data[::2], iris.target[::2])
    >>> ax = show.importances(tree, iris.data[1::2], iris.target[1::2])
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['petal_length', 'petal_width', 'sepal_length', 'sepal_width']
    """
    tree: Tree = the_tree(model)
    spread = None
    if X is None:
        told, axis = 100 * impurity_importance(tree), "share in the decrease of the Gini index, %"
    else:
        falls = 100 * permutation_importance(
            tree, X, y, sample_weight, n_repeats=n_repeats, random_state=random_state
        )
        told, spread = falls.mean(axis=1), falls.std(axis=1)
        axis = "fall of the accuracy when shuffled, percentage points"
    shown = np.argsort(-told, kind="stable")[:most]
    names = [wrapped(tree.schema.names[j], 28) for j in shown]
    n_lines = sum(max(1.6, name.count("\n") + 1.2) for name in names)
    ax = new_axes(ax, 6.0, 0.9 + 0.15 * n_lines)
    error = None if spread is None else spread[shown]
    ax.barh(range(len(shown)), told[shown], xerr=error, color="0.45", ecolor="0.15", capsize=2)
    ax.set_yticks(range(len(shown)), names, fontsize=8, parse_math=False)
    ax.invert_yaxis()
    ax.axvline(0, color="black", linewidth=0.8)
    ax.set_xlabel(axis, fontsize=9)
    if len(shown) < len(told):
        ax.set_title(f"the {len(shown)} that tell most of {len(told)} features", fontsize=9)
    return ax
