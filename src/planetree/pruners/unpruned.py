"""No pruning, said aloud."""

from __future__ import annotations

from planetree.pruners.base import Evidence, Pruner
from planetree.tree import Tree

__all__ = ["Unpruned"]


class Unpruned(Pruner):
    """Leaves the tree as it was grown.

    Examples
    --------
    >>> from planetree import PlaneTreeClassifier
    >>> from planetree.pruners import Unpruned
    >>> X, y = [[1], [2], [3], [4]], ["a", "b", "a", "b"]
    >>> PlaneTreeClassifier(max_features_per_test=1, pruner=Unpruned()).fit(X, y).n_leaves_
    4
    """

    def prune(self, tree: Tree, evidence: Evidence) -> Tree:  # noqa: D102
        del evidence
        return tree
