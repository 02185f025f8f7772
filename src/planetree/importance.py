"""How much each feature tells."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from planetree.labels import read_cases
from planetree.merits import Gini
from planetree.tree import Tree

__all__ = ["impurity_importance", "permutation_importance"]


def impurity_importance(tree: Tree) -> NDArray[np.float64]:
    """Share of each feature in the decrease of the Gini index over the training rows.

    The decrease at a test over several features is divided equally among them.

    Parameters
    ----------
    tree : Tree
        A grown tree.

    Returns
    -------
    ndarray of float
        One number a feature; they sum to 1, or are all 0 if no test tells anything.

    Examples
    --------
    >>> from planetree.presets import CART
    >>> from planetree.pruners import Unpruned
    >>> from planetree.importance import impurity_importance
    >>> tree = CART(pruner=Unpruned()).fit([[0.0, 1.0], [0.0, 2.0]], ["a", "b"]).tree_
    >>> impurity_importance(tree)
    array([0., 1.])
    """
    importance = np.zeros(len(tree.schema.features))
    gini = Gini()
    for i in np.flatnonzero(~tree.is_leaf):
        node = tree.node(int(i))
        assert node.test is not None
        decrease = gini(tree.counts[None, node.children.start : node.children.stop])[0]
        importance[list(node.test.features)] += (
            decrease * node.counts.sum() / len(node.test.features)
        )
    total = importance.sum()
    return importance / total if total > 0 else importance


def permutation_importance(
    model: Any,
    X: Any,
    y: Any,
    sample_weight: ArrayLike | None = None,
    *,
    n_repeats: int = 10,
    random_state: int = 0,
) -> NDArray[np.float64]:
    """By how much the accuracy falls when the values of one feature are shuffled (Breiman 2001).

    A feature that no test looks at tells nothing: its falls are 0.

    Parameters
    ----------
    model : Tree or fitted PlaneTreeClassifier
        The tree.
    X, y : table and labels
        Cases; those that growth has not seen tell most.
    sample_weight : array of shape (n_rows,), default=None
        Weight of each case.
    n_repeats : int, default=10
        How often each feature is shuffled.
    random_state : int, default=0
        Of the shuffling.

    Returns
    -------
    ndarray of shape (n_features, n_repeats)
        The falls of the accuracy.

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.importance import permutation_importance
    >>> from planetree.presets import CART
    >>> X = np.column_stack([np.arange(100) % 2, np.arange(100)])
    >>> tree = CART().fit(X, X[:, 0])
    >>> permutation_importance(tree, X, X[:, 0]).mean(axis=1).round(1)
    array([0.5, 0. ])
    """
    tree = model if isinstance(model, Tree) else getattr(model, "tree_", None)
    if not isinstance(tree, Tree):
        raise ValueError(f"a tree or a fitted estimator is asked, not {model!r}: fit it first")
    if isinstance(n_repeats, bool) or not isinstance(n_repeats, int) or n_repeats < 1:
        raise ValueError(f"n_repeats must be a whole number of at least 1, not {n_repeats!r}")
    cases = read_cases(tree.schema, tree.classes, X, y, sample_weight)
    rng = np.random.default_rng(random_state)

    def accuracy(rows: NDArray[np.float64]) -> float:
        return float(np.average(tree.predict(rows) == cases.y, weights=cases.weight))

    falls = np.zeros((len(tree.schema.features), n_repeats))
    whole = accuracy(cases.X)
    for j in sorted({f for test in tree.tests if test is not None for f in test.features}):
        rows = cases.X.copy()
        for k in range(n_repeats):
            rows[:, j] = rng.permutation(cases.X[:, j])
            falls[j, k] = whole - accuracy(rows)
    return falls
