"""The contract of a pruner: from a tree and what is known of it to a smaller tree."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from planetree.errors import PlugInError, TableError
from planetree.grow import Listener
from planetree.linear import Linear
from planetree.nodetests import CutTests
from planetree.planes import LinearMachine, LinearThresholdUnit
from planetree.plans import Plan
from planetree.search import OpenNode
from planetree.surgery import levels_up
from planetree.table import Table
from planetree.tree import Tree

__all__ = ["Evidence", "Pruner", "bottom_up", "hold_out"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Evidence:
    """What a pruner may look at besides the tree; None where there is none.

    Parameters
    ----------
    training : Table or None
        The cases the tree was grown from.
    holdout : Table or None
        Cases it has not seen.
    grow : callable or None
        Grows a tree from a table as this one was grown.
    seed : int
        Where the pruner's random numbers begin.
    root : OpenNode or None
        The root as growth has searched it, for a pruner that learns tests anew.
    linear : Linear or None
        The search for linear tests that growth has used.
    plans : mapping of str to Plan
        Ways to make a tree from a table, for a pruner that chooses among them.
    listener : callable or None
        Is told how far a long work has come, in training cases.
    n_threads : int
        How many threads there may be.

    Examples
    --------
    >>> from planetree.pruners import Evidence
    >>> Evidence().holdout is None
    True
    """

    training: Table | None = None
    holdout: Table | None = None
    grow: Callable[[Table], Tree] | None = None
    seed: int = 0
    root: OpenNode | None = None
    linear: Linear | None = None
    plans: Mapping[str, Plan] = field(default_factory=dict)
    listener: Listener | None = None
    n_threads: int = 1


class Pruner(BaseEstimator, ABC):  # type: ignore[misc]
    """Makes a tree smaller.

    Attributes
    ----------
    reads : {"holdout", "training"} or None
        Which cases it counts: those it holds out from growth, those the tree was grown from, or
        none beyond the counts in the tree.
    linear : bool
        Whether it is about linear tests, and has no meaning for a tree without any.
    chooses : bool
        Whether it chooses among several plans of growth, and has a `path` of trees to show.
    rewrites : bool
        Whether nodes may get other tests or other cases. Without it every node of the result is one
        of the tree that was pruned, as it was or as a leaf.
    holdout : float
        The share of the training cases to hold out; 0 where none is.

    Examples
    --------
    >>> from planetree.presets import CART
    >>> from planetree.pruners import Pruner, Unpruned
    >>> class Stump(Pruner):
    ...     def prune(self, tree, evidence):
    ...         return tree.prune_at(tree.node(0).children)
    >>> tree = CART(pruner=Unpruned()).fit([[1], [2], [3]], ["a", "b", "a"]).tree_
    >>> tree.n_leaves, tree.prune(Stump()).n_leaves
    (3, 2)
    """

    reads: ClassVar[Literal["holdout", "training"] | None] = None
    linear: ClassVar[bool] = False
    chooses: ClassVar[bool] = False
    rewrites: ClassVar[bool] = False
    holdout: float = 0.0

    @property
    def held_share(self) -> float:
        """The share of the training cases to keep from growth."""
        return self.holdout

    @abstractmethod
    def prune(self, tree: Tree, evidence: Evidence) -> Tree:
        """Make the tree smaller, or give it back where it is best as it is.

        Parameters
        ----------
        tree : Tree
            The tree as it was grown.
        evidence : Evidence
            What may be looked at besides.

        Returns
        -------
        Tree
            Never a larger one.
        """

    def __call__(
        self,
        tree: Tree,
        cases: Table | None = None,
        training: Table | None = None,
        **grown: Any,
    ) -> Tree:
        """Prune a tree that is grown already; `cases` are what the pruner reads.

        `grown` is what `Evidence` has besides, of how the tree was grown.
        """
        self.check()
        name = type(self).__name__
        if self.reads is not None and cases is None:
            what = {
                "holdout": "cases that the tree was not grown from",
                "training": "the cases that the tree was grown from",
            }[self.reads]
            raise TableError(f"{name} counts {what}: give X and y")
        if self.linear and tree.n_tests > 0 and not _has_linear_tests(tree):
            raise ValueError(
                f"{name} works on linear tests, and this tree has none: take ReducedError or "
                "Pessimistic"
            )
        if self.linear and tree.shares:
            raise ValueError(
                f"{name} counts whole cases, and a test of this tree sends cases whose value is "
                "missing down every branch in parts: take ReducedError or PessimisticBound"
            )
        evidence = Evidence(
            training=cases if self.reads == "training" else training,
            holdout=cases if self.reads == "holdout" else None,
            **grown,
        )
        return checked(self, tree, self.prune(tree, evidence))

    def check(self) -> None:
        """Raise ValueError for a parameter that makes no sense."""
        share = self.holdout
        if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share < 1:
            raise ValueError(
                f"holdout of {type(self).__name__} must be a share of at least 0 and below 1, "
                f"not {share!r}"
            )

    def held_out(self, evidence: Evidence) -> Table:
        """The cases held out, of which there must be one a class at least.

        Parameters
        ----------
        evidence : Evidence
            Where they are.

        Returns
        -------
        Table
            The cases.
        """
        holdout = evidence.holdout
        name = type(self).__name__
        n_rows = 0 if holdout is None else holdout.n_rows
        if holdout is None or n_rows < len(holdout.classes):
            classes = "" if holdout is None else f" for {len(holdout.classes)} classes"
            raise TableError(
                f"{name} has {n_rows} holdout cases{classes}; it needs one a class at least: give "
                "more cases or a larger holdout, or take Pessimistic, which needs none"
            )
        return holdout


def checked(pruner: Pruner, tree: Tree, pruned: object) -> Tree:
    """Catch nonsense where it enters, by name."""
    if not isinstance(pruned, Tree):
        raise PlugInError(f"{pruner!r} must return a tree, not {pruned!r}")
    if pruned.schema != tree.schema or pruned.classes != tree.classes:
        raise PlugInError(f"{pruner!r} returned a tree of other features or classes")
    if pruned.n_nodes > tree.n_nodes:
        raise PlugInError(
            f"{pruner!r} made the tree larger: {pruned.n_nodes} nodes, from {tree.n_nodes}"
        )
    return pruned


def _has_linear_tests(tree: Tree) -> bool:
    return not isinstance(tree.tests, CutTests) and any(
        isinstance(test, LinearThresholdUnit | LinearMachine) for test in tree.tests
    )


def hold_out(table: Table, share: float, seed: int) -> tuple[Table, Table]:
    """Part a table at random: what to grow from, and a share to hold out."""
    n_held = min(round(share * table.n_rows), table.n_rows - 1)
    # The nodes draw from (seed, path); this stream is none of theirs.
    order = np.random.default_rng([seed, 1]).permutation(table.n_rows)
    return table.take(np.sort(order[n_held:])), table.take(np.sort(order[:n_held]))


def bottom_up(tree: Tree, as_leaf: Floats, slack: float) -> list[int]:
    """Inner nodes that are no worse as leaves than as what is left below them.

    A node is pruned where its own figure is at most the sum over its branches, pruned in the same
    way, plus `slack`.
    """
    best = as_leaf.copy()
    branches = np.zeros(tree.n_nodes)
    pruned: list[int] = []
    for level in levels_up(tree):
        nodes = np.arange(level.start, level.stop)
        inner = ~tree.is_leaf[level]
        leaf_is_best = as_leaf[level] <= branches[level] + slack
        best[level] = np.where(inner & ~leaf_is_best, branches[level], as_leaf[level])
        pruned.extend(nodes[inner & leaf_is_best].tolist())
        if level.start > 0:
            np.add.at(branches, tree.parent[level], best[level])
    return pruned
