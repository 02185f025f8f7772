"""Pessimistic pruning: the training cases themselves, with their errors made larger."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from planetree.binomial import added_errors
from planetree.cases import Cases
from planetree.errors import TableError
from planetree.pruners.base import Evidence, Pruner, bottom_up
from planetree.pruners.reduced_error import ROUNDING
from planetree.surgery import Draft, draft, finish, levels_up, prune_at
from planetree.table import Table
from planetree.tree import Tree

__all__ = ["Pessimistic", "PessimisticBound"]

Floats = NDArray[np.float64]

# Release 8 of C4.5 prunes where that costs less than a tenth of an error more.
SLACK = 0.1


def training_errors(tree: Tree) -> Floats:
    """Weight of the training cases at each node outside its largest class."""
    wrong = tree.counts.copy()
    wrong[np.arange(tree.n_nodes), tree.labels] = 0.0
    errors: Floats = wrong.sum(axis=1)
    return errors


class Pessimistic(Pruner):
    """Counts half an error more for each leaf, and allows a standard error (Quinlan 1987).

    From the root down, a node becomes a leaf where its training errors plus 1/2 are within
    `standard_errors` of what its leaves make together, each with 1/2 added. No cases are needed
    besides the counts in the tree.

    Parameters
    ----------
    standard_errors : float, default=1.0
        How many standard errors a leaf may be worse by.

    Examples
    --------
    >>> from planetree.presets import CART
    >>> from planetree.pruners import Pessimistic, Unpruned
    >>> X, y = [[i] for i in range(10)], [0, 0, 0, 0, 0, 1, 1, 1, 0, 1]
    >>> tree = CART(pruner=Unpruned()).fit(X, y).tree_
    >>> tree.n_leaves, tree.prune(Pessimistic()).n_leaves
    (4, 2)
    """

    def __init__(self, standard_errors: float = 1.0) -> None:
        self.standard_errors = standard_errors

    def check(self) -> None:  # noqa: D102
        if not isinstance(self.standard_errors, int | float) or not self.standard_errors >= 0:
            raise ValueError(
                "standard_errors of Pessimistic must be a number of at least 0, "
                f"not {self.standard_errors!r}"
            )

    def prune(self, tree: Tree, evidence: Evidence) -> Tree:  # noqa: D102
        own = training_errors(tree) + 0.5
        leaves = np.where(tree.is_leaf, own, 0.0)
        for level in levels_up(tree):
            if level.start > 0:
                np.add.at(leaves, tree.parent[level], leaves[level])
        n = tree.counts.sum(axis=1)
        spread = np.sqrt(np.maximum(leaves * (n - leaves), 0.0) / n)
        bound = leaves + self.standard_errors * spread + ROUNDING * n
        return prune_at(tree, np.flatnonzero(~tree.is_leaf & (own <= bound))).tree


class PessimisticBound(Pruner):
    """Counts as errors the upper end of what a leaf's training errors allow (C4.5; Quinlan 1993).

    A leaf with E errors among N cases is charged N times the error rate that would give so few
    only with probability `confidence`. From the leaves up, a node becomes a leaf, or with `raising`
    its largest branch, where that is charged no more than a tenth above the node as it is.

    Parameters
    ----------
    confidence : float, default=0.25
        The probability CF; a smaller one prunes more.
    raising : bool, default=False
        Whether a node may be replaced by its largest branch, which then takes all its cases.

    Examples
    --------
    >>> from planetree.presets import CART
    >>> from planetree.pruners import PessimisticBound, Unpruned
    >>> X, y = [[i] for i in range(10)], [0, 0, 0, 0, 0, 1, 1, 1, 0, 1]
    >>> tree = CART(pruner=Unpruned()).fit(X, y).tree_
    >>> tree.n_leaves, tree.prune(PessimisticBound()).n_leaves
    (4, 2)
    """

    def __init__(self, confidence: float = 0.25, raising: bool = False) -> None:
        self.confidence = confidence
        self.raising = raising

    @property
    def reads(self) -> str | None:  # type: ignore[override]
        """Raising moves cases to other nodes, so it needs them."""
        return "training" if self.raising else None

    @property
    def rewrites(self) -> bool:  # type: ignore[override]
        """Raising moves cases to other nodes."""
        return self.raising

    def check(self) -> None:  # noqa: D102
        if not isinstance(self.confidence, int | float) or not 0 < self.confidence <= 0.5:
            raise ValueError(
                "confidence of PessimisticBound must be above 0 and at most 0.5, "
                f"not {self.confidence!r}"
            )

    def prune(self, tree: Tree, evidence: Evidence) -> Tree:  # noqa: D102
        if not self.raising:
            return prune_at(tree, bottom_up(tree, self._charge(tree.counts), SLACK)).tree
        if evidence.training is None:
            raise TableError("PessimisticBound needs the training cases to raise branches")
        root = draft(tree)[0]
        if not root.count(evidence.training, Cases.all_of(evidence.training)):
            raise TableError("these are not the cases the tree was grown from: branches are empty")
        self._raise_from(root, evidence.training)
        return finish(tree, root).tree

    def _raise_from(self, root: Draft, table: Table) -> None:
        """Leaf, largest branch or as it is: for every node, from the leaves up."""
        charges: dict[int, float] = {}
        waiting = [iter(reversed(root.walk()))]
        while waiting:
            node = next(waiting[-1], None)
            if node is None:
                waiting.pop()
                continue
            as_leaf = float(self._charge(node.counts[None, :])[0])
            if node.test is not None:
                as_tree = sum(charges[id(child)] for child in node.children)
                largest = max(node.children, key=lambda child: child.cases.size)
                raised = self._charge_cases(largest, table, node.cases)
                if as_leaf <= min(raised, as_tree) + SLACK:
                    node.test, node.children = None, []
                elif raised <= as_tree + SLACK:
                    cases = node.cases
                    node.become(largest)
                    node.count(table, cases)
                    # Its nodes have more cases now, and are looked at again.
                    waiting.append(iter(reversed(node.walk())))
                    continue
                else:
                    as_leaf = as_tree
            charges[id(node)] = as_leaf

    def _charge_cases(self, node: Draft, table: Table, cases: Cases) -> float:
        """What a subtree is charged for these cases."""
        counts = []
        stack = [(node, cases)]
        while stack:
            node, cases = stack.pop()
            if node.test is None:
                counts.append(cases.counts(table))
            else:
                stack.extend(zip(node.children, cases.down(node.test, table), strict=True))
        return float(self._charge(np.array(counts)).sum())

    def _charge(self, counts: Floats) -> Floats:
        wrong = counts.copy()
        wrong[np.arange(len(counts)), counts.argmax(axis=1)] = 0.0
        errors = wrong.sum(axis=1)
        charge: Floats = errors + added_errors(errors, counts.sum(axis=1), self.confidence)
        return charge
