"""Surgery on trees: the cuts and grafts that every pruner is made of.

A tree is a value, so each operation gives a new one, and says which old node each of its nodes was.
Counts are kept where they stay true and counted again from the rows where they do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from planetree.cases import Cases
from planetree.nodetests import CutTests, NodeTest
from planetree.planes import LinearMachine
from planetree.table import Table

if TYPE_CHECKING:
    from planetree.tree import Tree

__all__ = [
    "Draft",
    "Operated",
    "Tally",
    "draft",
    "finish",
    "graft",
    "levels_up",
    "prune_at",
    "recount",
    "subtree",
    "tally",
]

Floats = NDArray[np.float64]
Nodes = NDArray[np.intp]


class Operated(NamedTuple):
    """A tree made from another.

    Parameters
    ----------
    tree : Tree
        The new tree.
    origin : ndarray of int
        The old number of each of its nodes; -1 for one that the old tree did not have.
    """

    tree: Tree
    origin: Nodes


class Tally(NamedTuple):
    """The rows of a table that reach each node.

    Parameters
    ----------
    counts : ndarray of shape (n_nodes, n_classes)
        Their weight in each class.
    n_rows : ndarray of int64
        How many there are.
    leaves : ndarray of int32
        The leaf that each row reaches; of a row in parts, that of the greatest.
    """

    counts: Floats
    n_rows: NDArray[np.int64]
    leaves: NDArray[np.int32]

    def errors(self, labels: NDArray[np.intp]) -> Floats:
        """Weight of the rows at each node that are not of its label."""
        wrong = self.counts.copy()
        # Summed without the label's own class: what is right cannot leave a rounding error behind.
        wrong[np.arange(len(labels)), labels] = 0.0
        total: Floats = wrong.sum(axis=1)
        return total


# --- along the levels -----------------------------------------------------------------------------


def levels_up(tree: Tree) -> Iterator[slice]:
    """The nodes of each level, from the deepest to the root."""
    ends = np.searchsorted(tree.depth, np.arange(tree.max_depth + 2))
    for level in range(tree.max_depth, -1, -1):
        yield slice(int(ends[level]), int(ends[level + 1]))


def tally(tree: Tree, table: Table) -> Tally:
    """Count the rows of a table at every node."""
    if tree.shares:
        return _tally_parts(tree, table)
    leaves = tree.apply(table.X)
    counts = np.zeros((tree.n_nodes, len(tree.classes)))
    np.add.at(counts, (leaves, table.y), 1.0 if table.weight is None else table.weight)
    n_rows = np.bincount(leaves, minlength=tree.n_nodes)
    for level in levels_up(tree):
        if level.start > 0:
            np.add.at(counts, tree.parent[level], counts[level])
            np.add.at(n_rows, tree.parent[level], n_rows[level])
    return Tally(counts, n_rows.astype(np.int64), leaves)


def _tally_parts(tree: Tree, table: Table) -> Tally:
    """The same where rows may be in parts: counts are of parts, rows of all that have a part."""
    ways = tree.decision_path(np.arange(tree.n_nodes, dtype=np.int32))
    reached = tree.parts(table.X) @ ways
    one_hot = np.zeros((table.n_rows, len(tree.classes)))
    one_hot[np.arange(table.n_rows), table.y] = 1.0 if table.weight is None else table.weight
    n_rows = reached.getnnz(axis=0).astype(np.int64)
    return Tally(reached.T @ one_hot, n_rows, tree.apply(table.X))


def below(tree: Tree, nodes: Iterable[int]) -> NDArray[np.bool_]:
    """Which nodes have one of these above them."""
    chosen = np.zeros(tree.n_nodes, bool)
    chosen[list(nodes)] = True
    under = np.zeros(tree.n_nodes, bool)
    for level in reversed([*levels_up(tree)][:-1]):
        parents = tree.parent[level]
        under[level] = chosen[parents] | under[parents]
    return under


# --- cutting --------------------------------------------------------------------------------------


def prune_at(tree: Tree, nodes: Iterable[int]) -> Operated:
    """Make leaves of these nodes."""
    chosen = _check_nodes(tree, nodes)
    kept = np.flatnonzero(~below(tree, chosen))
    return _take(tree, kept, chosen)


def subtree(tree: Tree, node: int) -> Operated:
    """Take a node and all below it as a tree of its own."""
    (node,) = _check_nodes(tree, [node])
    inside = below(tree, [node])
    inside[node] = True
    return _take(tree, np.flatnonzero(inside), [])


def _take(tree: Tree, kept: Nodes, leaves: list[int]) -> Operated:
    """Keep these nodes: leaving out whole branches keeps the order breadth first."""
    tests: CutTests | tuple[NodeTest | None, ...]
    if isinstance(tree.tests, CutTests):
        tests = tree.tests.take(kept, leaves)
    else:
        bare = set(leaves)
        tests = tuple(None if i in bare else tree.tests[i] for i in kept.tolist())
    return Operated(
        replace(tree, tests=tests, counts=tree.counts[kept], n_rows=tree.n_rows[kept]), kept
    )


def _check_nodes(tree: Tree, nodes: Iterable[int]) -> list[int]:
    chosen = sorted({int(node) for node in nodes})
    for node in chosen:
        if not 0 <= node < tree.n_nodes:
            raise IndexError(f"the tree has nodes 0 to {tree.n_nodes - 1}, not {node}")
    return chosen


# --- rebuilding -----------------------------------------------------------------------------------


@dataclass(eq=False)
class Draft:
    """A node under the knife.

    Parameters
    ----------
    test : NodeTest or None
        None at a leaf.
    counts : ndarray of float64
        Weight of its rows in each class.
    n_rows : int
        How many there are.
    origin : int
        Its number in the old tree; -1 for a new node.
    children : list of Draft
        One a branch.
    cases : Cases
        Which they are, where they have been counted.
    """

    test: NodeTest | None
    counts: Floats
    n_rows: int
    origin: int = -1
    children: list[Draft] = field(default_factory=list)
    cases: Cases = field(default_factory=lambda: Cases(np.empty(0, np.intp)))

    @property
    def rows(self) -> Nodes:
        """The rows of its cases."""
        return self.cases.rows

    def become(self, other: Draft) -> None:
        """Take the place, and be all, of another."""
        self.test, self.counts, self.n_rows = other.test, other.counts, other.n_rows
        self.origin, self.children, self.cases = other.origin, other.children, other.cases

    def copy(self) -> Draft:
        """The node and all below it once more."""
        top = replace(self)
        for node in (order := [top]):
            node.children = [replace(child) for child in node.children]
            order.extend(node.children)
        return top

    def walk(self) -> list[Draft]:
        """The node and all below it, breadth first."""
        order = [self]
        for node in order:
            order.extend(node.children)
        return order

    def count(self, table: Table, cases: Cases) -> bool:
        """Count the cases anew from here down; a branch that none of them takes goes.

        A test left with one branch gives its place to it. False where a branch cannot go: one of
        several of a test that is no linear machine.
        """
        stack = [(self, cases)]
        while stack:
            node, cases = stack.pop()
            while node.test is not None:
                ways = cases.down(node.test, table)
                reached = [b for b, way in enumerate(ways) if len(way.rows)]
                if len(reached) == node.test.n_branches:
                    stack.extend(zip(node.children, ways, strict=True))
                    break
                if len(reached) == 1:
                    node.become(node.children[reached[0]])
                    continue
                gone = int(np.setdiff1d(np.arange(node.test.n_branches), reached)[-1])
                machine = node.test if isinstance(node.test, LinearMachine) else None
                smaller = None if machine is None else machine.without(gone)
                if smaller is None:
                    return False
                node.test = smaller
                node.children = node.children[:gone] + node.children[gone + 1 :]
            node.counts = cases.counts(table)
            node.n_rows, node.cases = len(cases.rows), cases
        return True


def draft(tree: Tree) -> list[Draft]:
    """Every node of a tree as one that can be changed, the root first."""
    nodes = [
        Draft(test, counts, n_rows, i)
        for i, (test, counts, n_rows) in enumerate(
            zip(tree.tests, tree.counts, tree.n_rows.tolist(), strict=True)
        )
    ]
    for node, parent in zip(nodes[1:], tree.parent[1:].tolist()):
        nodes[parent].children.append(node)
    return nodes


def finish(tree: Tree, root: Draft) -> Operated:
    """Freeze a draft into a tree of the same features and classes."""
    order = root.walk()
    made = replace(
        tree,
        tests=tuple(node.test for node in order),
        counts=np.array([node.counts for node in order]),
        n_rows=np.array([node.n_rows for node in order], np.int64),
    )
    return Operated(made, np.array([node.origin for node in order], np.intp))


def recount(tree: Tree, table: Table) -> Operated:
    """Count the rows of another table; a branch that none of them reaches goes, with its test."""
    nodes = draft(tree)
    if not nodes[0].count(table, Cases.all_of(table)):
        raise ValueError("the cases leave some branches of a test of several branches empty")
    return finish(tree, nodes[0])


def graft(tree: Tree, node: int, branch: Tree, table: Table | None = None) -> Operated:
    """Put a tree in the place of a node.

    Without a table the branch must hold the rows of the node it replaces.
    """
    (node,) = _check_nodes(tree, [node])
    if branch.schema != tree.schema or branch.classes != tree.classes:
        what = "features" if branch.schema != tree.schema else "classes"
        raise ValueError(f"the graft has other {what} than the tree: grow both from one table")
    nodes = draft(tree)
    scion = draft(branch)
    for part in scion:
        part.origin = -1
    same_rows = int(branch.n_rows[0]) == nodes[node].n_rows and np.allclose(
        branch.counts[0], nodes[node].counts, rtol=1e-9, atol=0.0
    )  # sums of the same weights, perhaps in another order
    if table is None and not same_rows:
        raise ValueError(
            f"node {node} holds {nodes[node].n_rows} cases and the graft {branch.n_rows[0]} others;"
            " give X and y, the cases to count again"
        )
    nodes[node].become(scion[0])
    made = finish(tree, nodes[0])
    if table is None:
        return made
    counted = recount(made.tree, table)
    return Operated(counted.tree, made.origin[counted.origin])
