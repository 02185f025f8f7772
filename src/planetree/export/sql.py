"""Trees as SQL queries.

A query walks the tree in stages, each a common table expression that takes every row some levels
further down: SQLite's parser takes no more than about twenty nested CASE, and a stage that computes
the discriminants of a machine must come before the one that compares them. Where the database can,
a stage is materialized, or a planner writes its expression out wherever its node is asked for:
stages multiply then, and PostgreSQL needs all the memory there is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import frexp

from planetree.export.source import Model, branch_symbols, certain, summary, tree_of, used_features
from planetree.nodetests import Category, Known, NodeTest, Threshold
from planetree.planes import LinearMachine, LinearThresholdUnit, Term
from planetree.schema import Symbol
from planetree.tree import Tree

__all__ = ["DIALECTS", "to_sql"]

LEVELS = 8  # a stage takes a row so far down
DOUBLE = "DOUBLE PRECISION"


@dataclass(frozen=True)
class _Dialect:
    materialized: str = ""
    fence: str = ""  # where there is no word for it, what no planner reaches past
    has_nan: bool = False  # whether a double may be NaN, which is missing too
    reads_doubles: bool = True  # whether a decimal literal is the nearest double, always

    def number(self, value: float) -> str:
        """A double, to the last bit."""
        value = float(value)
        if self.reads_doubles or _is_exact(value):
            return _decimal(value)
        mantissa, exponent = frexp(value)
        whole, exponent = int(mantissa * 2**53), exponent - 53
        while whole % 2 == 0:
            whole, exponent = whole // 2, exponent + 1
        # Every factor is exact, and so is every product: the number has no more bits than these.
        sign, size = ("*", exponent) if exponent > 0 else ("/", -exponent)
        steps = [60] * (size // 60) + [size % 60] * (size % 60 > 0)
        factors = "".join(f"{sign}{2**step}.0" for step in steps)
        return f"({whole}.0{factors} /*{value!r}*/)"

    def double(self, value: float) -> str:
        """A number where the database might take it for a decimal otherwise."""
        return f"CAST({self.number(value)} AS {DOUBLE})"


# What is written the same for all of them is ANSI SQL.
DIALECTS: Mapping[str, _Dialect] = {
    "ansi": _Dialect(fence=" OFFSET 0 ROWS"),
    "duckdb": _Dialect(" MATERIALIZED", has_nan=True),
    "postgresql": _Dialect(" MATERIALIZED", has_nan=True),
    "sqlite": _Dialect(" MATERIALIZED", reads_doubles=False),
}


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
    query = _Query(tree, DIALECTS[dialect], place[-1])
    kept = tree.schema.names if keep is None else list(keep)
    return query.text(".".join(map(_quote, place)), kept, prediction)


class _Query:
    """The stages of one query."""

    def __init__(self, tree: Tree, dialect: _Dialect, table: str) -> None:
        self.tree = tree
        self.dialect = dialect
        self.features = tree.schema.features
        self.used = used_features(tree)
        self.taken = {table.casefold(), *(self.features[f].name.casefold() for f in self.used)}
        self.node = self._fresh("node")
        machines = [test for test in tree.tests if isinstance(test, LinearMachine)]
        most = max((machine.n_branches for machine in machines), default=0)
        self.sums = [self._fresh(f"sum{b}") for b in range(most)]
        self.stage = self._fresh("stage")

    def text(self, table: str, keep: list[str], prediction: str) -> str:
        """All of it."""
        tree = self.tree
        kept = {self._fresh(f"kept{i}"): name for i, name in enumerate(keep)}
        carried = [*kept, *(self._name(f) for f in self.used)]
        first = [f"{_quote(name)} AS {alias}" for alias, name in kept.items()]
        first += [f"{self._read(f)} AS {self._name(f)}" for f in self.used]
        stages = [first or ["1 AS one"], *([*carried, *walked] for walked in self._walk())]
        lines = [f"-- {summary(tree)}"]
        for i, columns in enumerate(stages):
            source = f"{self.stage}{i - 1}" if i else table
            materialized = self.dialect.materialized if i else ""
            fence = self.dialect.fence if i else ""
            lines += [
                f"{', ' if i else 'WITH '}{self.stage}{i} AS{materialized} (",
                "  SELECT " + ",\n    ".join(columns),
                f"  FROM {source}{fence}",
                ")",
            ]
        labels = [_label(tree.classes[c]) for c in tree.labels]
        result = [f"{alias} AS {_quote(name)}" for alias, name in kept.items()]
        result.append(f"{self._by_leaf(labels)} AS {_quote(prediction)}")
        for label, shares in zip(tree.classes, tree.probabilities.T.tolist(), strict=True):
            share = self._by_leaf([_decimal(value) for value in shares])
            result.append(f"CAST({share} AS {DOUBLE}) AS {_quote(f'proba_{label}')}")
        lines += ["SELECT " + ",\n  ".join(result), f"FROM {self.stage}{len(stages) - 1}", ""]
        return "\n".join(lines)

    def _fresh(self, name: str) -> str:
        """A plain name that no column has."""
        while any(other.startswith(name) for other in self.taken):
            name += "_"
        self.taken.add(name)
        return name

    def _name(self, feature: int) -> str:
        return _quote(self.features[feature].name)

    def _read(self, feature: int) -> str:
        """A column as the tests read it: text, or a double that is NULL where it is missing."""
        name, kind = self._name(feature), self.features[feature].kind
        if kind == "symbolic":
            return f"CAST({name} AS VARCHAR)"
        if kind == "boolean":
            return f"CAST(CAST({name} AS INTEGER) AS {DOUBLE})"
        number = f"CAST({name} AS {DOUBLE})"
        return f"NULLIF({number}, CAST('NaN' AS {DOUBLE}))" if self.dialect.has_nan else number

    def _by_leaf(self, values: Sequence[str]) -> str:
        leaves = self.tree.is_leaf.nonzero()[0].tolist()
        cases = "".join(f"\n    WHEN {i} THEN {values[i]}" for i in leaves)
        return f"CASE {self.node}{cases} END"

    # --- the walk -------------------------------------------------------------------------------

    def _walk(self) -> Iterator[list[str]]:
        """Columns of each stage beside those carried along."""
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
                    totals[i] = self._sum(test.terms, test.weights[b], test.constants[b])
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
        *ways, last = self._ways(test)
        margin = "\n" + "  " * (LEVELS - levels + 3)
        cases = "".join(
            f"{margin}WHEN {condition} THEN {self._down(children[b], levels - 1, reached)}"
            for condition, b in ways
        )
        return f"CASE{cases}{margin}ELSE {self._down(children[last[1]], levels - 1, reached)} END"

    def _ways(self, test: NodeTest) -> list[tuple[str, int]]:
        """Conditions and branches; the last is all else, and what is unknown."""
        if isinstance(test, Threshold):
            x, cut = self._name(test.feature), self.dialect.number(test.cut)
            if test.missing:
                return [(f"{x} <= {cut}", 0), ("", 1)]
            return [(f"{x} > {cut}", 1), ("", 0)]
        if isinstance(test, Known):
            return [(f"{self._name(test.feature)} IS NULL", 1), ("", 0)]
        if isinstance(test, Category):
            return self._category_ways(test)
        if isinstance(test, LinearThresholdUnit):
            total = self._sum(test.terms, test.weights)
            return [(f"{total} <= {self.dialect.number(test.cut)}", 0), ("", 1)]
        sums = self.sums[: test.n_branches]
        # The first of the greatest: each needs to be compared with later ones only.
        greatest = [
            (" AND ".join(f"{name} >= {other}" for other in sums[b + 1 :]), b)
            for b, name in enumerate(sums[:-1])
        ]
        return [*greatest, ("", len(sums) - 1)]

    def _category_ways(self, test: Category) -> list[tuple[str, int]]:
        x = self._name(test.feature)
        ways = []
        if test.missing != test.unseen:
            ways.append((f"{x} IS NULL", certain(test.missing)))
        for branch, symbols in branch_symbols(test):
            known = [_text(str(self.features[test.feature].symbols[s])) for s in symbols]
            one = len(known) == 1
            ways.append((f"{x} = {known[0]}" if one else f"{x} IN ({', '.join(known)})", branch))
        return [*ways, ("", certain(test.unseen))]

    def _sum(self, terms: Sequence[Term], weights: Sequence[float], start: float = 0.0) -> str:
        """Terms in order, from the first to the last, as prediction adds them up."""
        parts = [self.dialect.double(start)] if start or not terms else []
        for term, weight in zip(terms, weights, strict=True):
            x = self._name(term.feature)
            number = self.dialect.number
            if term.symbol is None:
                parts.append(f"{number(weight)} * COALESCE({x}, {number(term.fill)})")
                continue
            symbol = _text(str(self.features[term.feature].symbols[term.symbol]))
            parts.append(
                f"CAST(CASE WHEN {x} IS NULL THEN {number(weight * term.fill)} "
                f"WHEN {x} = {symbol} THEN {number(weight)} ELSE {number(0.0)} END AS {DOUBLE})"
            )
        return " + ".join(parts)


def _quote(name: str) -> str:
    _check(name)
    return '"' + name.replace('"', '""') + '"'


def _text(value: str) -> str:
    _check(value)
    return "'" + value.replace("'", "''") + "'"


def _check(text: str) -> None:
    if "\0" in text:
        raise ValueError(f"SQL knows no null characters, so it cannot hold {text!r}")


def _label(label: Symbol) -> str:
    if isinstance(label, bool):
        return "TRUE" if label else "FALSE"
    if isinstance(label, int):
        return str(label)
    return _text(label) if isinstance(label, str) else f"CAST({_decimal(label)} AS {DOUBLE})"


def _decimal(value: float) -> str:
    digits = repr(float(value))
    return digits if "e" in digits else f"{digits}E0"


def _is_exact(value: float) -> bool:
    """Whether any reader gets the decimal right: few digits, and nothing to round."""
    digits = Decimal(repr(value)).normalize().as_tuple()
    assert isinstance(digits.exponent, int)
    few = len(digits.digits) <= 15 and -15 <= digits.exponent <= 0
    return few and Fraction(repr(value)) == Fraction(value)
