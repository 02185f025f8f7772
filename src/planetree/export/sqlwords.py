"""What every query needs: dialects, names and literals, the conditions of tests, stages.

A query is made of stages, each a common table expression. Where the database can, a stage is
materialized, or a planner writes its expression out wherever its value is asked for: stages
multiply then, and PostgreSQL needs all the memory there is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import frexp

from planetree.export.source import category_ways, summary, used_features
from planetree.nodetests import Category, Known, NodeTest, Threshold
from planetree.planes import LinearThresholdUnit, Term
from planetree.schema import Symbol
from planetree.tree import Tree

__all__ = ["DIALECTS", "DOUBLE", "Dialect", "Query", "decimal", "greatest", "literal", "quote"]

DOUBLE = "DOUBLE PRECISION"


@dataclass(frozen=True)
class Dialect:
    """What is particular to a database.

    Parameters
    ----------
    materialized : str
        How a stage is made to be computed once.
    fence : str
        Where there is no word for it, what no planner reaches past.
    has_nan : bool
        Whether a double may be NaN, which is missing too.
    reads_doubles : bool
        Whether a decimal literal is the nearest double, always.
    """

    materialized: str = ""
    fence: str = ""
    has_nan: bool = False
    reads_doubles: bool = True

    def number(self, value: float) -> str:
        """A double, to the last bit."""
        value = float(value)
        if self.reads_doubles or _is_exact(value):
            return decimal(value)
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
DIALECTS: Mapping[str, Dialect] = {
    "ansi": Dialect(fence=" OFFSET 0 ROWS"),
    "duckdb": Dialect(" MATERIALIZED", has_nan=True),
    "postgresql": Dialect(" MATERIALIZED", has_nan=True),
    "sqlite": Dialect(" MATERIALIZED", reads_doubles=False),
}


Way = tuple[str, int | None]  # a condition and a branch; None is every branch, in parts


class Query(ABC):
    """The stages of one query.

    Parameters
    ----------
    tree : Tree
        The tree.
    dialect : Dialect
        Which database is to run it.
    table : str
        The table's own name, which no stage may have.
    """

    def __init__(self, tree: Tree, dialect: Dialect, table: str) -> None:
        self.tree = tree
        self.dialect = dialect
        self.features = tree.schema.features
        self.used = used_features(tree)
        self.taken = {table.casefold(), *(self.features[f].name.casefold() for f in self.used)}
        self.stage = self.fresh("stage")

    @abstractmethod
    def walk(self) -> Iterable[list[str]]:
        """Columns of each stage beside those carried along."""

    @abstractmethod
    def answers(self) -> tuple[str, list[str]]:
        """The class, and the probability of each class, from the columns of the last stage."""

    def text(self, table: str, keep: list[str], prediction: str) -> str:
        """All of it."""
        kept = {self.fresh(f"kept{i}"): name for i, name in enumerate(keep)}
        carried = [*kept, *(self.name(f) for f in self.used)]
        first = [f"{quote(name)} AS {alias}" for alias, name in kept.items()]
        first += [f"{self._read(f)} AS {self.name(f)}" for f in self.used]
        stages = [first or ["1 AS one"], *([*carried, *walked] for walked in self.walk())]
        lines = [f"-- {summary(self.tree)}"]
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
        label, shares = self.answers()
        result = [f"{alias} AS {quote(name)}" for alias, name in kept.items()]
        result.append(f"{label} AS {quote(prediction)}")
        for name, share in zip(self.tree.classes, shares, strict=True):
            result.append(f"CAST({share} AS {DOUBLE}) AS {quote(f'proba_{name}')}")
        lines += ["SELECT " + ",\n  ".join(result), f"FROM {self.stage}{len(stages) - 1}", ""]
        return "\n".join(lines)

    def fresh(self, name: str) -> str:
        """A plain name that no column has."""
        while any(other.startswith(name) for other in self.taken):
            name += "_"
        self.taken.add(name)
        return name

    def name(self, feature: int) -> str:
        """The column of a feature."""
        return quote(self.features[feature].name)

    def _read(self, feature: int) -> str:
        """A column as the tests read it: text, or a double that is NULL where it is missing."""
        name, kind = self.name(feature), self.features[feature].kind
        if kind == "symbolic":
            return f"CAST({name} AS VARCHAR)"
        if kind == "boolean":
            return f"CAST(CAST({name} AS INTEGER) AS {DOUBLE})"
        number = f"CAST({name} AS {DOUBLE})"
        return f"NULLIF({number}, CAST('NaN' AS {DOUBLE}))" if self.dialect.has_nan else number

    # --- tests ----------------------------------------------------------------------------------

    def ways(self, test: NodeTest, sums: Sequence[str]) -> list[Way]:
        """Conditions and branches; the last is all else, and what is unknown.

        Parameters
        ----------
        test : NodeTest
            The test.
        sums : sequence of str
            The columns that hold the discriminants, if it is a linear machine.
        """
        if isinstance(test, Threshold):
            x, cut = self.name(test.feature), self.dialect.number(test.cut)
            if test.missing == 1:
                return [(f"{x} <= {cut}", 0), ("", 1)]
            shared: list[Way] = [(f"{x} IS NULL", None)] if test.missing is None else []
            return [*shared, (f"{x} > {cut}", 1), ("", 0)]
        if isinstance(test, Known):
            return [(f"{self.name(test.feature)} IS NULL", 1), ("", 0)]
        if isinstance(test, Category):
            return self._category_ways(test)
        if isinstance(test, LinearThresholdUnit):
            total = self.sum(test.terms, test.weights)
            return [(f"{total} <= {self.dialect.number(test.cut)}", 0), ("", 1)]
        return [*greatest(sums[: test.n_branches])]

    def _category_ways(self, test: Category) -> list[Way]:
        x = self.name(test.feature)

        def is_one_of(symbols: Sequence[int]) -> str:
            known = [_text(str(self.features[test.feature].symbols[s])) for s in symbols]
            return f"{x} = {known[0]}" if len(known) == 1 else f"{x} IN ({', '.join(known)})"

        return category_ways(test, f"{x} IS NULL", is_one_of, " OR ")

    def sum(self, terms: Sequence[Term], weights: Sequence[float], start: float = 0.0) -> str:
        """Terms in order, from the first to the last, as prediction adds them up."""
        parts = [self.dialect.double(start)] if start or not terms else []
        for term, weight in zip(terms, weights, strict=True):
            x = self.name(term.feature)
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


def greatest(names: Sequence[str]) -> Iterable[tuple[str, int]]:
    """Conditions that tell the first of the greatest: each is compared with later ones only."""
    for place, name in enumerate(names[:-1]):
        yield " AND ".join(f"{name} >= {other}" for other in names[place + 1 :]), place
    yield "", len(names) - 1


def quote(name: str) -> str:
    """A name, whatever it holds."""
    _check(name)
    return '"' + name.replace('"', '""') + '"'


def _text(value: str) -> str:
    _check(value)
    return "'" + value.replace("'", "''") + "'"


def _check(text: str) -> None:
    if "\0" in text:
        raise ValueError(f"SQL knows no null characters, so it cannot hold {text!r}")


def literal(label: Symbol) -> str:
    """A class label."""
    if isinstance(label, bool):
        return "TRUE" if label else "FALSE"
    if isinstance(label, int):
        return str(label)
    return _text(label) if isinstance(label, str) else f"CAST({decimal(label)} AS {DOUBLE})"


def decimal(value: float) -> str:
    """A number that no database takes for a whole one."""
    digits = repr(float(value))
    return digits if "e" in digits else f"{digits}E0"


def _is_exact(value: float) -> bool:
    """Whether any reader gets the decimal right: few digits, and nothing to round."""
    digits = Decimal(repr(value)).normalize().as_tuple()
    assert isinstance(digits.exponent, int)
    few = len(digits.digits) <= 15 and -15 <= digits.exponent <= 0
    return few and Fraction(repr(value)) == Fraction(value)
