"""The contract of a refiner: from a tree to one of the same shape, or smaller, with other tests."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from sklearn.base import BaseEstimator

from planetree.search import Candidate, OpenNode
from planetree.tree import Tree

__all__ = ["Refiner"]


class Refiner(BaseEstimator, ABC):  # type: ignore[misc]
    """Learns the tests of a grown tree anew.

    Growth chooses a test before it knows what will stand below it. A refiner comes afterwards: it
    keeps the shape, and may leave out what no case needs.

    Examples
    --------
    >>> from planetree import PlaneTreeClassifier
    >>> from planetree.refiners import Refiner
    >>> class Rounded(Refiner):
    ...     def refine(self, tree, root, candidates, n_threads=1):
    ...         table = root.table
    ...         labels = [table.classes[k] for k in table.y]
    ...         return tree.rounded(2, table.X, labels, table.weight)
    >>> tree = PlaneTreeClassifier(refiner=Rounded()).fit([[1.24], [2.31]], ["a", "b"])
    >>> print(tree.to_text())
    ├─ x0 ≤ 1.8 → a (1)
    └─ x0 > 1.8 → b (1)
    """

    @abstractmethod
    def refine(
        self, tree: Tree, root: OpenNode, candidates: Sequence[Candidate], n_threads: int = 1
    ) -> Tree:
        """Learn the tests anew, or give the tree back where they are best as they are.

        Parameters
        ----------
        tree : Tree
            The tree as it was grown, or pruned.
        root : OpenNode
            The training cases, and the merit and the limits of growth.
        candidates : sequence of Candidate
            The families of tests that growth searched.
        n_threads : int, default=1
            How many threads there may be.

        Returns
        -------
        Tree
            Never one with more leaves. It may err on more training cases only where its tests look
            at fewer features.
        """

    def check(self) -> None:
        """Raise ValueError for a parameter that makes no sense."""
