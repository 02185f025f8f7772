"""Trees of falling size that come out of one plan."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from planetree.plans import Plan
from planetree.pruners.cost_complexity import (
    PruningPath,
    cost_complexity_pruning_path,
    test_sizes,
)
from planetree.surgery import prune_at
from planetree.table import Table
from planetree.tree import Tree

__all__ = ["Family", "Pruned", "Refined", "Shape", "families_of"]

Floats = NDArray[np.float64]

# On its way down a tree is refined first where a leaf saves so many cases at least (smaller ones
# fit noise), then whenever so large a share of the leaves is left.
FIRST_WORTH = 2.0
RUNG = 0.7


class Shape(NamedTuple):
    """What it takes to read a tree.

    Parameters
    ----------
    n_leaves, n_tests, n_features : int
        How many leaves and tests it has, and how many features its tests look at in all.
    size : float
        Leaves but one, and features at their price.
    """

    n_leaves: int
    n_tests: int
    n_features: int
    size: float

    @classmethod
    def of(cls, tree: Tree, feature_price: float) -> Shape:
        """Measure a tree."""
        size = float(test_sizes(tree, feature_price).sum())
        return cls(tree.n_leaves, tree.n_tests, int(tree.n_features.sum()), size)


class Family(ABC):
    """Trees from the largest to a single leaf.

    Attributes
    ----------
    shapes : sequence of Shape
        What it takes to read each.
    """

    shapes: Sequence[Shape]

    def __len__(self) -> int:
        return len(self.shapes)

    @abstractmethod
    def tree(self, place: int) -> Tree:
        """One of the trees."""

    @abstractmethod
    def answers(self, X: Floats) -> NDArray[np.intp]:
        """The class that each tree gives each row: an array of shape (n_trees, n_rows)."""

    @abstractmethod
    def like(self, whole: Any) -> NDArray[np.intp]:
        """For each tree of the same family of all cases, the place of its counterpart here."""


class Pruned(Family):
    """The weakest-link sequence of a tree."""

    def __init__(self, tree: Tree, feature_price: float) -> None:
        path = cost_complexity_pruning_path(tree, feature_price=feature_price)
        self._path = path
        sizes = test_sizes(tree, feature_price)
        self.shapes = []
        for place, n_leaves in enumerate(path.n_leaves.tolist()):
            kept = ~tree.is_leaf & (path.first > place)
            n_features = int(tree.n_features[kept].sum())
            self.shapes.append(
                Shape(n_leaves, int(kept.sum()), n_features, float(sizes[kept].sum()))
            )

    def tree(self, place: int) -> Tree:  # noqa: D102
        return self._path.tree(place)

    def answers(self, X: Floats) -> NDArray[np.intp]:  # noqa: D102
        return self._path.labels(self._path.whole.apply(X))

    def like(self, whole: Pruned) -> NDArray[np.intp]:
        """By price: a tree stands for those between its own and that of the next smaller one."""
        alphas = whole._path.alphas
        between = np.append(np.sqrt(alphas[:-1] * alphas[1:]), np.inf)
        return np.array([self._path.step(alpha) for alpha in between])


class Refined(Family):
    """Trees refined at one size after the other, each begun from the one before, pruned."""

    def __init__(
        self,
        tree: Tree,
        table: Table,
        refine: Callable[[Tree, Table], Tree],
        feature_price: float,
    ) -> None:
        self._trees: list[Tree] = []
        links = _links(tree, feature_price)
        tree = links.tree(links.step(FIRST_WORTH / table.n_rows))
        while tree.n_leaves > 1:
            links = _links(refine(tree, table), feature_price)
            self._trees.append(links.tree(0))
            fewer = links.n_leaves <= max(RUNG * self._trees[-1].n_leaves, 1.0)
            tree = links.tree(int(np.flatnonzero(fewer)[0]))
        self._trees.append(prune_at(tree, [0]).tree)
        self.shapes = [Shape.of(rung, feature_price) for rung in self._trees]

    def tree(self, place: int) -> Tree:  # noqa: D102
        return self._trees[place]

    def answers(self, X: Floats) -> NDArray[np.intp]:  # noqa: D102
        return np.stack([tree.labels[tree.apply(X)] for tree in self._trees])

    def like(self, whole: Refined) -> NDArray[np.intp]:
        """By leaves, the largest with no more: trees not parts of each other have no price."""
        leaves = -np.array([shape.n_leaves for shape in self.shapes])
        return np.searchsorted(leaves, [-shape.n_leaves for shape in whole.shapes])


def families_of(plan: Plan, table: Table, feature_price: float) -> list[Family]:
    """What a plan makes of a table: its tree pruned, and refined on the way where it refines."""
    tree = plan.grow(table, None)
    families: list[Family] = [Pruned(tree, feature_price)]
    if plan.refine is not None:
        families.append(Refined(tree, table, plan.refine, feature_price))
    return families


def _links(tree: Tree, feature_price: float) -> PruningPath:
    return cost_complexity_pruning_path(tree, feature_price=feature_price)
