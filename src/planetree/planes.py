"""The tests that look at several features at once, as frozen values.

Both project a row onto weights, adding up from the first term to the last in double precision, so
that training, prediction and every export agree to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from planetree.nodetests import FlatTests, NodeTest
from planetree.schema import Schema

__all__ = ["LinearMachine", "LinearThresholdUnit", "Term", "project"]

Floats = NDArray[np.float64]
Branches = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Term:
    """One input of a linear test.

    Parameters
    ----------
    feature : int
        Which feature.
    symbol : int or None
        None for the feature's number; else the input is 1 where the feature is this symbol and 0
        where it is another.
    fill : float
        What a missing value counts as, in the input's own units.

    Examples
    --------
    >>> from planetree.planes import Term
    >>> Term(feature=0, symbol=None, fill=36.6)
    Term(feature=0, symbol=None, fill=36.6)
    """

    feature: int
    symbol: int | None
    fill: float

    def read(self, X: Floats) -> Floats:
        """Input of every row."""
        x = X[:, self.feature]
        values = x if self.symbol is None else (x == self.symbol).astype(np.float64)
        return np.where(np.isnan(x), self.fill, values)

    def name(self, schema: Schema) -> str:
        """What the input is called."""
        feature = schema.features[self.feature]
        if self.symbol is None:
            return feature.name
        return f"[{feature.name} = {feature.symbols[self.symbol]}]"


def project(
    X: Floats, terms: Sequence[Term], weights: Sequence[float], start: float = 0.0
) -> Floats:
    """Weighted sum of the terms for every row.

    Parameters
    ----------
    X : ndarray of float64
        Rows as the model keeps them.
    terms : sequence of Term
        The inputs.
    weights : sequence of float
        One a term.
    start : float, default=0.0
        Where the sum begins.

    Returns
    -------
    ndarray of float64
        One number a row.

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.planes import Term, project
    >>> terms = Term(0, None, fill=0.0), Term(1, None, fill=5.0)
    >>> project(np.array([[1.0, 2.0], [1.0, np.nan]]), terms, (1.0, -0.5))
    array([ 0. , -1.5])
    """
    return _summed((term.read(X) for term in terms), weights, np.full(len(X), start))


def _summed(inputs: Iterable[Floats], weights: Sequence[float], total: Floats) -> Floats:
    """Add the weighted inputs to `total`, one after the other."""
    with np.errstate(over="ignore", invalid="ignore"):
        for values, weight in zip(inputs, weights, strict=True):
            total += weight * values
    return total


@dataclass(frozen=True)
class LinearThresholdUnit(NodeTest):
    """``w·x <= cut`` takes branch 0, everything else branch 1.

    Parameters
    ----------
    terms : tuple of Term
        The inputs.
    weights : tuple of float
        One a term.
    cut : float
        The greatest sum of branch 0.

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.planes import LinearThresholdUnit, Term
    >>> from planetree.schema import Feature, Schema
    >>> terms = Term(0, None, fill=0.0), Term(1, None, fill=0.0)
    >>> test = LinearThresholdUnit(terms, (1.345, -0.633), cut=0.888)
    >>> test.route(np.array([[1.0, 1.0], [2.0, 1.0], [np.nan, 1.0]]))
    array([0, 1, 0], dtype=int32)
    >>> test.describe(Schema((Feature("petal_length"), Feature("sepal_width"))))[0]
    '1.345·petal_length − 0.633·sepal_width ≤ 0.888'
    """

    terms: tuple[Term, ...]
    weights: tuple[float, ...]
    cut: float
    kind: ClassVar[str] = "linear"

    @property
    def n_branches(self) -> int:  # noqa: D102
        return 2

    @property
    def features(self) -> tuple[int, ...]:  # noqa: D102
        return tuple(dict.fromkeys(term.feature for term in self.terms))

    def project(self, X: Floats) -> Floats:
        """Weighted sum of every row.

        Parameters
        ----------
        X : ndarray of float64
            Rows as the model keeps them.

        Returns
        -------
        ndarray of float64
            What is compared with the cut.
        """
        return project(X, self.terms, self.weights)

    def route(self, X: Floats) -> Branches:  # noqa: D102
        # A sum that is no number, when huge inputs cancel, is not below the cut either.
        return (~(self.project(X) <= self.cut)).astype(np.int32)

    def describe(self, schema: Schema, digits: int = 6) -> tuple[str, ...]:  # noqa: D102
        left = _formula(schema, self.terms, self.weights, digits)
        cut = _signed(self.cut, digits)
        return f"{left} ≤ {cut}", f"{left} > {cut}"

    def margin(self, x: Floats) -> float | None:  # noqa: D102
        return float(self.project(x[None, :])[0]) - self.cut

    def flatten(self, flat: FlatTests, node: int) -> None:  # noqa: D102
        flat.put(node, kind=flat.LINEAR, cut=self.cut, n_branches=2)
        _put_terms(flat, node, self.terms, [[0.0, *self.weights]])

    def rounded(self, digits: int) -> Self:  # noqa: D102
        weights = tuple(_round(w, digits) for w in self.weights)
        return type(self)(self.terms, weights, _round(self.cut, digits))

    def problem(self, schema: Schema) -> str | None:
        """What is wrong with the test on this table, or None.

        Parameters
        ----------
        schema : Schema
            The table's features.

        Returns
        -------
        str or None
            In words.
        """
        return _problem(schema, self.terms, [self.weights], [self.cut])


@dataclass(frozen=True)
class LinearMachine(NodeTest):
    """The branch is that of the greatest discriminant, a constant and a weighted sum.

    Of equal discriminants the first wins.

    Parameters
    ----------
    terms : tuple of Term
        The inputs, the same for all discriminants.
    weights : tuple of tuple of float
        One tuple a branch, one number a term.
    constants : tuple of float
        One a branch.

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.planes import LinearMachine, Term
    >>> term = Term(0, None, fill=0.0)
    >>> machine = LinearMachine((term,), ((0.0,), (1.0,), (2.0,)), (0.0, -1.0, -3.0))
    >>> machine.route(np.array([[0.0], [1.5], [9.0]]))
    array([0, 1, 2], dtype=int32)
    """

    terms: tuple[Term, ...]
    weights: tuple[tuple[float, ...], ...]
    constants: tuple[float, ...]
    kind: ClassVar[str] = "machine"

    @property
    def n_branches(self) -> int:  # noqa: D102
        return len(self.weights)

    @property
    def features(self) -> tuple[int, ...]:  # noqa: D102
        return tuple(dict.fromkeys(term.feature for term in self.terms))

    def discriminants(self, X: Floats) -> Floats:
        """Value of every discriminant for every row.

        Parameters
        ----------
        X : ndarray of float64
            Rows as the model keeps them.

        Returns
        -------
        ndarray of shape (n_rows, n_branches)
            The greatest wins.
        """
        inputs = [term.read(X) for term in self.terms]
        values = np.empty((self.n_branches, len(X)))
        for of_branch, weights, constant in zip(values, self.weights, self.constants, strict=True):
            of_branch[:] = constant
            _summed(inputs, weights, of_branch)
        return values.T

    def route(self, X: Floats) -> Branches:  # noqa: D102
        values = self.discriminants(X)
        winner: Branches = np.where(np.isnan(values), -np.inf, values).argmax(axis=1)
        return winner.astype(np.int32)

    def describe(self, schema: Schema, digits: int = 6) -> tuple[str, ...]:  # noqa: D102
        return tuple(
            f"{_formula(schema, self.terms, weights, digits, constant)} is greatest"
            for weights, constant in zip(self.weights, self.constants, strict=True)
        )

    def margin(self, x: Floats) -> float | None:
        """How far the greatest discriminant is ahead of the next.

        Parameters
        ----------
        x : ndarray of float64
            One row.

        Returns
        -------
        float
            0 or more.
        """
        second, first = np.sort(self.discriminants(x[None, :])[0])[-2:]
        return float(first - second)

    def flatten(self, flat: FlatTests, node: int) -> None:  # noqa: D102
        flat.put(node, kind=flat.MACHINE, n_branches=self.n_branches)
        rows = zip(self.constants, self.weights, strict=True)
        _put_terms(flat, node, self.terms, [[constant, *weights] for constant, weights in rows])

    def rounded(self, digits: int) -> Self:  # noqa: D102
        weights = tuple(tuple(_round(w, digits) for w in row) for row in self.weights)
        return type(self)(self.terms, weights, tuple(_round(c, digits) for c in self.constants))

    def problem(self, schema: Schema) -> str | None:
        """What is wrong with the test on this table, or None.

        Parameters
        ----------
        schema : Schema
            The table's features.

        Returns
        -------
        str or None
            In words.
        """
        if len(self.weights) < 2 or len(self.weights) != len(self.constants):
            return (
                f"{len(self.weights)} rows of weights and {len(self.constants)} constants; a "
                "machine has as many of both, two at least"
            )
        return _problem(schema, self.terms, self.weights, self.constants)

    def without(self, branch: int) -> LinearMachine | LinearThresholdUnit | None:
        """Same test without one branch, whose rows go where the next discriminant sends them.

        Parameters
        ----------
        branch : int
            The branch that goes.

        Returns
        -------
        LinearMachine, LinearThresholdUnit or None
            Of two discriminants, the plane between them; None where they do not differ.
        """
        kept = [b for b in range(self.n_branches) if b != branch]
        weights = tuple(self.weights[b] for b in kept)
        constants = tuple(self.constants[b] for b in kept)
        if len(kept) > 2:
            return LinearMachine(self.terms, weights, constants)
        difference = [second - first for first, second in zip(*weights, strict=True)]
        largest = max(map(abs, difference))
        if not 0 < largest < np.inf:
            return None
        terms = tuple(t for t, d in zip(self.terms, difference, strict=True) if d)
        cut = (constants[0] - constants[1]) / largest
        unit = LinearThresholdUnit(terms, tuple(d / largest for d in difference if d), cut)
        return unit if np.isfinite(cut) else None


def _put_terms(
    flat: FlatTests, node: int, terms: Sequence[Term], rows: Sequence[Sequence[float]]
) -> None:
    flat.put(node, term_start=len(flat.terms), n_terms=len(terms), weight_start=len(flat.weights))
    flat.terms.extend((t.feature, -1 if t.symbol is None else t.symbol, t.fill) for t in terms)
    for row in rows:
        flat.weights.extend(row)


def _problem(
    schema: Schema,
    terms: Sequence[Term],
    weights: Sequence[Sequence[float]],
    others: Sequence[float],
) -> str | None:
    columns = {(column.feature, column.symbol) for column in schema.columns}
    if not terms:
        return "it looks at nothing"
    for term in terms:
        if (term.feature, term.symbol) not in columns:
            return f"there is no column for {term}"
        if not np.isfinite(term.fill):
            return f"the fill of {term.name(schema)} is {term.fill}"
    if any(len(row) != len(terms) for row in weights):
        return f"there are not {len(terms)} weights for {len(terms)} terms"
    if not np.isfinite([*others, *(w for row in weights for w in row)]).all():
        return "a weight, constant or cut is not a finite number"
    return None


def _round(value: float, digits: int) -> float:
    return float(f"{value:.{digits}g}")


def _signed(value: float, digits: int) -> str:
    return f"{value:.{digits}g}".replace("-", "−")


def _formula(
    schema: Schema,
    terms: Sequence[Term],
    weights: Sequence[float],
    digits: int,
    constant: float = 0.0,
) -> str:
    """Sum as a reader writes it: no weight of 1, no term of weight 0."""
    text = ""
    for term, weight in zip(terms, weights, strict=True):
        size = f"{abs(weight):.{digits}g}"
        if float(size) == 0:
            continue
        factor = "" if float(size) == 1 else f"{size}·"
        sign = ("− " if text else "−") if weight < 0 else ("+ " if text else "")
        text += f"{' ' if text else ''}{sign}{factor}{term.name(schema)}"
    if not text:
        return _signed(constant, digits)
    size = f"{abs(constant):.{digits}g}"
    return text if float(size) == 0 else f"{text} {'−' if constant < 0 else '+'} {size}"
