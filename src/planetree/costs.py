"""What a change to a tree costs: its size and its errors, before and after."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from planetree.table import Table

if TYPE_CHECKING:
    from planetree.tree import Tree

__all__ = ["Cost", "Size", "cost_of"]


@dataclass(frozen=True)
class Size:
    """How large a tree is, and how often it is wrong.

    Parameters
    ----------
    n_tests : int
        Its tests.
    n_leaves : int
        Its leaves.
    mean_features_per_test : float
        How many features a test looks at.
    errors : float
        Weight of the cases it gets wrong.
    accuracy : float
        Share of the weight of the cases it gets right.

    Examples
    --------
    >>> from planetree.presets import CART
    >>> from planetree.pruners import Unpruned
    >>> tree = CART(pruner=Unpruned()).fit([[1], [2], [3]], ["a", "b", "a"]).tree_
    >>> tree.cost(tree.prune_at([0])).after.accuracy
    0.666...
    """

    n_tests: int
    n_leaves: int
    mean_features_per_test: float
    errors: float
    accuracy: float


@dataclass(frozen=True)
class Cost:
    """What a change to a tree costs; ``str`` of it is a table.

    Parameters
    ----------
    before, after : Size
        The tree as it was, and as it is then.
    weight : float
        Weight of the cases that were counted.
    changed : float or None
        Weight of those that get another class; None where only the counts in the leaves are known.

    Examples
    --------
    >>> from planetree.presets import CART
    >>> from planetree.pruners import Unpruned
    >>> X, y = [[1], [2], [3], [4]], ["a", "b", "a", "a"]
    >>> tree = CART(pruner=Unpruned()).fit(X, y).tree_
    >>> print(tree.cost(tree.prune_at([1]), X, y))
            tests  leaves  features a test  errors  accuracy
    before      2       3                1  0 of 4  100 %
    after       1       2                1  1 of 4  75 %
    1 of 4 cases gets another class
    """

    before: Size
    after: Size
    weight: float
    changed: float | None

    def __str__(self) -> str:
        lines = [f"{'':6}  tests  leaves  features a test  errors  accuracy"]
        errors = [f"{size.errors:.6g} of {self.weight:.6g}" for size in (self.before, self.after)]
        width = max(6, *map(len, errors))
        lines[0] = f"{'':6}  tests  leaves  features a test  {'errors':<{width}}  accuracy"
        for name, size, wrong in zip(("before", "after"), (self.before, self.after), errors):
            lines.append(
                f"{name:<6}  {size.n_tests:5}  {size.n_leaves:6}  "
                f"{size.mean_features_per_test:15.3g}  {wrong:<{width}}  "
                f"{100 * size.accuracy:.3g} %"
            )
        if self.changed is not None:
            get = "gets" if self.changed == 1 else "get"
            lines.append(f"{self.changed:.6g} of {self.weight:.6g} cases {get} another class")
        return "\n".join(lines)


def cost_of(tree: Tree, changed: Tree, table: Table | None = None) -> Cost:
    """Compare two trees on cases; without any, by the training cases counted in their leaves."""
    if table is None:
        weight = float(tree.counts[0].sum())
        return Cost(_by_counts(tree), _by_counts(changed), weight, None)
    labels = [one.labels[one.apply(table.X)] for one in (tree, changed)]
    weights = np.ones(table.n_rows) if table.weight is None else table.weight
    weight = float(weights.sum())
    sizes = [
        _size(one, float(weights[label != table.y].sum()), weight)
        for one, label in zip((tree, changed), labels, strict=True)
    ]
    return Cost(sizes[0], sizes[1], weight, float(weights[labels[0] != labels[1]].sum()))


def _by_counts(tree: Tree) -> Size:
    leaves = tree.counts[tree.is_leaf]
    total = float(leaves.sum())
    return _size(tree, total - float(leaves.max(axis=1).sum()), total)


def _size(tree: Tree, errors: float, weight: float) -> Size:
    return Size(
        tree.n_tests, tree.n_leaves, tree.mean_features_per_test, errors, 1 - errors / weight
    )
