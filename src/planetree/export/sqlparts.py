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
        zero = self.dialect.double(0.0)
        yield [
            f"{self.dialect.double(1.0)} AS {self.part}0",
            *(f"{zero} AS {share}" for share in self.shares),
        ]
        while level:
            if len(level) > MOST_NODES:
                raise TableError(
                    f"SQL has no room for the {len(level)} nodes that lie {tree.depth[level[0]]} "
                    f"tests deep, where rows are shared out; {MOST_NODES} is the most"
                )
            inner = [i for i in level if not tree.is_leaf[i]]
            machines = [i for i in level if isinstance(tree.tests[i], LinearMachine)]
            if machines:
                parts = [f"{self.part}{i}" for i in level]
                sums = [column for i in machines for column in self._discriminants(i)]
                yield [*parts, *self.shares, *sums]
            yield [
                *(f"{self.part}{i}" for i in inner),
                *self._added([i for i in level if tree.is_leaf[i]]),
                *(f"{self._way(i)} AS {self.way}{i}" for i in inner),
            ]
            if inner:
                yield [*self.shares, *(c for i in inner for c in self._parts_below(i))]
            level = [child for i in inner for child in tree.node(i).children]

    def _added(self, leaves: Sequence[int]) -> Iterator[str]:
        """The probabilities, with those of more leaves."""
        number = self.dialect.double
        for k, share in enumerate(self.shares):
            more = [
                f"\n      + {self.part}{i} * {number(self.tree.probabilities[i, k])}"
                for i in leaves
            ]
            yield f"{share}{''.join(more)} AS {share}" if more else share

    def _way(self, node: int) -> str:
        """The branch that a row takes from a node; nothing where no part of it is there."""
        test = self.tree.tests[node]
        assert test is not None
        sums = [f"{self.sum_of}{node}_{b}" for b in range(test.n_branches)]
        *ways, (_, last) = self.ways(test, sums)
        there = f"WHEN {self.part}{node} > 0 THEN"
        cases = "".join(f" WHEN {c} THEN {EVERY if b is None else b}" for c, b in ways)
        return f"CASE {there} CASE{cases} ELSE {EVERY if last is None else last} END END"

    def _parts_below(self, node: int) -> Iterator[str]:
        part, way = f"{self.part}{node}", f"{self.way}{node}"
        for b, child in enumerate(self.tree.node(node).children):
            share = self.dialect.double(float(self.tree.branch_share[child]))
            yield (
                f"CASE {way} WHEN {b} THEN {part} WHEN {EVERY} THEN {part} * {share} "
                f"ELSE {self.dialect.double(0.0)} END AS {self.part}{child}"
            )

    def _discriminants(self, node: int) -> Iterator[str]:
        test = self.tree.tests[node]
        assert isinstance(test, LinearMachine)
        for b in range(test.n_branches):
            total = self.sum(test.terms, test.weights[b], test.constants[b])
            there = f"CASE WHEN {self.part}{node} > 0 THEN CAST({total} AS {DOUBLE}) END"
            yield f"{there} AS {self.sum_of}{node}_{b}"
