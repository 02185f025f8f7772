"""How much each feature tells."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from planetree.merits import Gini
from planetree.tree import Tree

__all__ = ["impurity_importance"]


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
