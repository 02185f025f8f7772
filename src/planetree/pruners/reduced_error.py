"""Reduced error pruning."""

from __future__ import annotations

from planetree.pruners.base import Evidence, Pruner, bottom_up
from planetree.surgery import prune_at, tally
from planetree.tree import Tree

__all__ = ["ROUNDING", "ReducedError"]

# Sums of the same weights in another order differ by less than this share of the total.
ROUNDING = 1e-12


class ReducedError(Pruner):
    """Makes a leaf of every node that makes no more errors as one on cases held out.

    From the leaves up, so that a node is compared with what pruning has left below it (Quinlan
    1987, the pruning of Brodley and Utgoff 1995). A tie becomes a leaf.

    Parameters
    ----------
    holdout : float, default=0.25
        The share of the training cases that growth does not see.

    Examples
    --------
    >>> from planetree.presets import CART
    >>> from planetree.pruners import ReducedError, Unpruned
    >>> tree = CART(pruner=Unpruned()).fit([[1], [2], [3], [4]], ["a", "b", "a", "b"]).tree_
    >>> print(tree.prune(ReducedError(), [[1], [2], [3], [4]], ["a", "b", "b", "b"]))
    ├─ x0 ≤ 1.5 → a (1)
    └─ x0 > 1.5 → b (2 of 3)
    """

    reads = "holdout"

    def __init__(self, holdout: float = 0.25) -> None:
        self.holdout = holdout

    def prune(self, tree: Tree, evidence: Evidence) -> Tree:  # noqa: D102
        held = tally(tree, self.held_out(evidence))
        slack = ROUNDING * float(held.counts[0].sum())
        return prune_at(tree, bottom_up(tree, held.errors(tree.labels), slack)).tree
