"""Queries for trees in which a row may go down several branches, in parts.

The stages follow the levels of the tree. A level has a column for each of its nodes, the part of
the row that is there, and the leaves are added to the probabilities level by level: that is the
order of their numbers, in which prediction adds them up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from planetree.errors import TableError
from planetree.export.sqlwords import DOUBLE, Dialect, Query, greatest, literal
from planetree.planes import LinearMachine
from planetree.tree import Tree

__all__ = ["PartsQuery"]

# SQLite adds up no more than 1000 terms, and PostgreSQL has no more than 1664 columns.
MOST_NODES = 800
EVERY = -1


class PartsQuery(Query):
    """Columns say how much of a row is at each node of a level."""

    def __init__(self, tree: Tree, dialect: Dialect, table: str) -> None:
        super().__init__(tree, dialect, table)
        self.part, self.way = self.fresh("part"), self.fresh("way")
        self.sum_of = self.fresh("sum")
        self.share = self.fresh("share")
        self.shares = [f"{self.share}{k}" for k in range(len(tree.classes))]

    def answers(self) -> tuple[str, list[str]]:  # noqa: D102
        labels = [*map(literal, self.tree.classes)]
        *first, (_, last) = greatest(self.shares)
        cases = "".join(f"\n    WHEN {condition} THEN {labels[k]}" for condition, k in first)
        return (f"CASE{cases} ELSE {labels[last]} END" if first else labels[last]), self.shares

    def walk(self) -> Iterator[list[str]]:  # noqa: D102
        tree, level = self.tree, [0]
        before: list[str] = [f"{self.dialect.double(0.0)} AS {share}" for share in self.shares]
        above: list[str] = []  # columns of the level above, to be carried past the discriminants
        while level:
            if len(level) > MOST_NODES:
                raise TableError(
                    f"SQL has no room for the {len(level)} nodes that lie {tree.depth[level[0]]} "
                    f"tests deep, where rows are shared out; {MOST_NODES} is the most"
                )
            inner = [i for i in level if not tree.is_leaf[i]]
            machines = [i for i in inner if isinstance(tree.tests[i], LinearMachine)]
            if machines:
                sums = [column for i in machines for column in self._discriminants(i)]
                yield [*above, *(self.shares if above else []), *sums]
            yield [
                *before,
                *(f"{self._part(i)} AS {self.part}{i}" for i in level),
                *(f"{self._way(i)} AS {self.way}{i}" for i in inner),
            ]
            leaves = [i for i in level if tree.is_leaf[i]]
            before = [*self._added(leaves)]
            above = [f"{self.part}{i}" for i in level] + [f"{self.way}{i}" for i in inner]
            level = [child for i in inner for child in tree.node(i).children]
        yield before

    def _added(self, leaves: Sequence[int]) -> Iterator[str]:
        """The probabilities, with those of more leaves."""
        number = self.dialect.double
        for k, share in enumerate(self.shares):
            more = [
                f"\n      + {self.part}{i} * {number(self.tree.probabilities[i, k])}"
                for i in leaves
            ]
            yield f"{share}{''.join(more)} AS {share}" if more else share

    def _part(self, node: int) -> str:
        """How much of a row is at a node, from its part at the node above and the way it took."""
        if node == 0:
            return self.dialect.double(1.0)
        parent = int(self.tree.parent[node])
        part, branch = f"{self.part}{parent}", node - self.tree.node(parent).children.start
        share = self.dialect.double(float(self.tree.branch_share[node]))
        return (
            f"CASE {self.way}{parent} WHEN {branch} THEN {part} WHEN {EVERY} THEN {part} * {share} "
            f"ELSE {self.dialect.double(0.0)} END"
        )

    def _if_there(self, node: int, value: str) -> str:
        """What is asked only where a row gets to the node, and unknown elsewhere."""
        if node == 0:
            return value
        parent = int(self.tree.parent[node])
        branch = node - self.tree.node(parent).children.start
        return f"CASE WHEN {self.way}{parent} IN ({branch}, {EVERY}) THEN {value} END"

    def _way(self, node: int) -> str:
        """The branch that a row takes from a node."""
        test = self.tree.tests[node]
        assert test is not None
        sums = [f"{self.sum_of}{node}_{b}" for b in range(test.n_branches)]
        *ways, (_, last) = self.ways(test, sums)
        cases = "".join(f" WHEN {c} THEN {EVERY if b is None else b}" for c, b in ways)
        return self._if_there(node, f"CASE{cases} ELSE {EVERY if last is None else last} END")

    def _discriminants(self, node: int) -> Iterator[str]:
        test = self.tree.tests[node]
        assert isinstance(test, LinearMachine)
        for b in range(test.n_branches):
            total = self.sum(test.terms, test.weights[b], test.constants[b])
            value = self._if_there(node, f"CAST({total} AS {DOUBLE})")
            yield f"{value} AS {self.sum_of}{node}_{b}"
