"""Trees as SQL queries.

A query walks the tree in stages, each of which takes every row some levels further down: SQLite's
parser takes no more than about twenty nested CASE, and a stage that computes the discriminants of
a machine must come before the one that compares them. Where rows go down several branches in parts
`planetree.export.sqlparts` does it in another way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from planetree.export.source import Model, tree_of
from planetree.export.sqlparts import PartsQuery
from planetree.export.sqlwords import DIALECTS, Dialect, Query, decimal, literal, quote
from planetree.planes import LinearMachine
from planetree.tree import Tree

__all__ = ["DIALECTS", "to_sql"]

LEVELS = 8  # a stage takes a row so far down


def to_sql(
    model: Model,
    *,
    table: str | tuple[str, ...] = "data",
    dialect: str = "ansi",
    keep: Sequence[str] | None = None,
    prediction: str = "prediction",
) -> str:
    """Write a tree as a query that predicts the rows of a table.

    Parameters
    ----------
    model : PlaneTreeClassifier or Tree
        A fitted one.
    table : str or tuple of str, default="data"
        The table with the features as columns; a tuple names what it lies in before it.
    dialect : {"ansi", "duckdb", "postgresql", "sqlite"}, default="ansi"
        Which database is to run it.
    keep : sequence of str, default=None
        Columns of the table that stand beside the predictions; None are the features.
    prediction : str, default="prediction"
        The name of the column of classes; those of the probabilities are ``proba_CLASS``.

    Returns
    -------
    str
        One SELECT, ready to run or to make a view of.

    Examples
    --------
    >>> import sqlite3
    >>> from planetree import export
    >>> from planetree.presets import CART
    >>> from planetree.pruners import Unpruned
    >>> tree = CART(pruner=Unpruned()).fit({"age": [20, 60]}, ["young", "old"])
    >>> database = sqlite3.connect(":memory:")
    >>> _ = database.execute("CREATE TABLE people (id INTEGER, age INTEGER)")
    >>> _ = database.execute("INSERT INTO people VALUES (1, 35), (2, 70)")
    >>> query = export.to_sql(tree, table="people", dialect="sqlite", keep=["id"])
    >>> database.execute(query).fetchall()
    [(1, 'young', 0.0, 1.0), (2, 'old', 1.0, 0.0)]
    """
    if dialect not in DIALECTS:
        raise ValueError(f"dialect must be one of {', '.join(DIALECTS)}, not {dialect!r}")
    if isinstance(keep, str):
        raise TypeError(f"keep must be a sequence of names, [{keep!r}], not a string")
    tree = tree_of(model, "SQL")
    place = (table,) if isinstance(table, str) else tuple(table)
    kind = PartsQuery if tree.shares else _LeafQuery
    query = kind(tree, DIALECTS[dialect], place[-1])
    kept = tree.schema.names if keep is None else list(keep)
    return query.text(".".join(map(quote, place)), kept, prediction)


class _LeafQuery(Query):
    """A column says at which node a row is."""

    def __init__(self, tree: Tree, dialect: Dialect, table: str) -> None:
        super().__init__(tree, dialect, table)
        self.node = self.fresh("node")
        machines = [test for test in tree.tests if isinstance(test, LinearMachine)]
        most = max((machine.n_branches for machine in machines), default=0)
        self.sums = [self.fresh(f"sum{b}") for b in range(most)]

    def answers(self) -> tuple[str, list[str]]:
        labels = [literal(self.tree.classes[c]) for c in self.tree.labels]
        shares = self.tree.probabilities.T.tolist()
        return self._by_leaf(labels), [self._by_leaf([*map(decimal, of)]) for of in shares]

    def _by_leaf(self, values: Sequence[str]) -> str:
        leaves = self.tree.is_leaf.nonzero()[0].tolist()
        cases = "".join(f"\n    WHEN {i} THEN {values[i]}" for i in leaves)
        return f"CASE {self.node}{cases} END"

    def walk(self) -> Iterator[list[str]]:
        tests = self.tree.tests
        open_nodes = [0]
        while True:
            machines = [i for i in open_nodes if isinstance(tests[i], LinearMachine)]
            if machines:
                node = [self.node] if open_nodes != [0] else []
                yield [*node, *self._discriminants(machines)]
            reached: list[int] = []
            ways = {i: self._down(i, LEVELS, reached) for i in open_nodes}
            if open_nodes == [0]:
                yield [f"{ways[0]} AS {self.node}"]
            else:
                cases = "".join(f"\n      WHEN {i} THEN {way}" for i, way in ways.items())
                # A row that is at its leaf stays there.
                yield [f"CASE {self.node}{cases} ELSE {self.node} END AS {self.node}"]
            open_nodes = reached
            if not open_nodes:
                return

    def _discriminants(self, machines: Sequence[int]) -> Iterator[str]:
        for b, name in enumerate(self.sums):
            totals = {}
            for i in machines:
                test = self.tree.tests[i]
                assert isinstance(test, LinearMachine)
                if b < test.n_branches:
                    totals[i] = self.sum(test.terms, test.weights[b], test.constants[b])
            if list(totals) == [0]:
                yield f"{totals[0]} AS {name}"
            elif totals:
                cases = "".join(f"\n      WHEN {i} THEN {total}" for i, total in totals.items())
                yield f"CASE {self.node}{cases} END AS {name}"

    def _down(self, node: int, levels: int, reached: list[int]) -> str:
        """Where a row goes from a node; `reached` gets the nodes from which it must go on."""
        test = self.tree.tests[node]
        if test is None:
            return str(node)
        if levels == 0 or (levels < LEVELS and isinstance(test, LinearMachine)):
            reached.append(node)
            return str(node)
        children = self.tree.node(node).children
        *ways, (_, otherwise) = [(c, b) for c, b in self.ways(test, self.sums) if b is not None]
        margin = "\n" + "  " * (LEVELS - levels + 3)
        cases = "".join(
            f"{margin}WHEN {condition} THEN {self._down(children[b], levels - 1, reached)}"
            for condition, b in ways
        )
        return f"CASE{cases}{margin}ELSE {self._down(children[otherwise], levels - 1, reached)} END"
