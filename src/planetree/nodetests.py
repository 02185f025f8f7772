"""The tests a node may ask, as frozen values.

A test looks at rows as the model keeps them (see `planetree.schema.Feature`) and sends each,
whatever it holds, down one of its branches; or, where the test says so, a row whose value is
missing down every branch, in parts (C4.5's fractional cases).
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from planetree.schema import Column, Feature, Schema

__all__ = [
    "EVERY",
    "Category",
    "CutTests",
    "FlatTests",
    "Known",
    "NodeTest",
    "Threshold",
    "cut_test",
]

Floats = NDArray[np.float64]
Branches = NDArray[np.int32]

EVERY = -1  # the "branch" of a row that goes down every branch


class FlatTests:
    """The flat arrays that `planetree._core.FlatTree` predicts from, filled one node at a time.

    Parameters
    ----------
    n_nodes : int
        How many nodes the tree has; all are leaves until said otherwise.

    Examples
    --------
    >>> from planetree.nodetests import FlatTests, Threshold
    >>> flat = FlatTests(3)
    >>> Threshold(feature=0, cut=2.5).flatten(flat, 0)
    >>> flat.arrays["cut"]
    array([2.5, 0. , 0. ])
    """

    LEAF, THRESHOLD, CATEGORY, LINEAR, MACHINE = range(5)

    def __init__(self, n_nodes: int) -> None:
        self.arrays: dict[str, NDArray[Any]] = {
            "kind": np.zeros(n_nodes, np.uint8),
            "cut": np.zeros(n_nodes),
        }
        for name in (
            *("feature", "missing", "n_branches", "table_start", "n_symbols", "unseen"),
            *("term_start", "n_terms", "weight_start"),
        ):
            self.arrays[name] = np.zeros(n_nodes, np.int32)
        self.branch_table: list[int] = []
        self.terms: list[tuple[int, int, float]] = []  # feature, symbol or -1, fill
        self.weights: list[float] = []  # a branch's constant, then one a term
        self.shares = False  # whether some row may go down every branch of some test

    def put(self, node: int, **entries: float) -> None:
        """Write one entry of each named array."""
        for name, value in entries.items():
            self.arrays[name][node] = value


@dataclass(frozen=True)
class NodeTest(ABC):
    """A question with two or more answers.

    Examples
    --------
    >>> from planetree.nodetests import NodeTest, Threshold
    >>> isinstance(Threshold(feature=0, cut=2.5), NodeTest)
    True
    """

    kind: ClassVar[str]  # the name in a model file

    @property
    @abstractmethod
    def n_branches(self) -> int:
        """How many branches there are."""

    @property
    @abstractmethod
    def features(self) -> tuple[int, ...]:
        """The features the test looks at."""

    @property
    def shares(self) -> bool:
        """Whether there may be rows that go down every branch."""
        return False

    @abstractmethod
    def route(self, X: Floats) -> Branches:
        """Branch of every row of `X`; `EVERY` for one that goes down all of them in parts."""

    @abstractmethod
    def describe(self, schema: Schema, digits: int = 6) -> tuple[str, ...]:
        """Say the condition of every branch in the table's own names."""

    @abstractmethod
    def margin(self, x: Floats) -> float | None:
        """How far one row is from the other side; None where there is no distance."""

    @abstractmethod
    def flatten(self, flat: FlatTests, node: int) -> None:
        """Write the test into the arrays that prediction runs on."""

    def rounded(self, digits: int) -> NodeTest:
        """The same test with cuts and weights of so many significant digits.

        Parameters
        ----------
        digits : int
            How many.

        Returns
        -------
        NodeTest
            Itself where there is nothing to round.
        """
        del digits
        return self


@dataclass(frozen=True)
class Threshold(NodeTest):
    """``x <= cut`` takes branch 0, ``x > cut`` branch 1.

    Parameters
    ----------
    feature : int
        Which feature.
    cut : float
        The greatest value of branch 0.
    missing : {0, 1} or None
        The branch of a missing value; None is every branch, in parts.

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.nodetests import Threshold
    >>> Threshold(feature=0, cut=2.5, missing=1).route(np.array([[1.0], [3.0], [np.nan]]))
    array([0, 1, 1], dtype=int32)
    """

    feature: int
    cut: float
    missing: int | None = 0
    kind: ClassVar[str] = "threshold"

    @property
    def n_branches(self) -> int:  # noqa: D102
        return 2

    @property
    def features(self) -> tuple[int, ...]:  # noqa: D102
        return (self.feature,)

    def route(self, X: Floats) -> Branches:  # noqa: D102
        x = X[:, self.feature]
        return np.where(np.isnan(x), _every(self.missing), x > self.cut).astype(np.int32)

    @property
    def shares(self) -> bool:  # noqa: D102
        return self.missing is None

    def describe(self, schema: Schema, digits: int = 6) -> tuple[str, ...]:  # noqa: D102
        feature = schema.features[self.feature]
        if feature.kind == "boolean" and 0 <= self.cut < 1:
            sides = [f"{feature.name} is false", f"{feature.name} is true"]
        else:
            sides = [f"{feature.name} {sign} {self.cut:.{digits}g}" for sign in "≤>"]
        return _with_missing(sides, feature, self.missing)

    def margin(self, x: Floats) -> float | None:  # noqa: D102
        distance = float(x[self.feature]) - self.cut
        return None if math.isnan(distance) else distance

    def flatten(self, flat: FlatTests, node: int) -> None:  # noqa: D102
        flat.shares |= self.shares
        flat.put(
            node,
            kind=flat.THRESHOLD,
            feature=self.feature,
            cut=self.cut,
            missing=_every(self.missing),
            n_branches=2,
        )

    def rounded(self, digits: int) -> Threshold:  # noqa: D102
        return replace(self, cut=float(f"{self.cut:.{digits}g}"))


@dataclass(frozen=True)
class Known(NodeTest):
    """A known value takes branch 0, a missing one branch 1.

    Parameters
    ----------
    feature : int
        Which feature.

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.nodetests import Known
    >>> Known(feature=0).route(np.array([[1.0], [np.nan]]))
    array([0, 1], dtype=int32)
    """

    feature: int
    kind: ClassVar[str] = "known"

    @property
    def n_branches(self) -> int:  # noqa: D102
        return 2

    @property
    def features(self) -> tuple[int, ...]:  # noqa: D102
        return (self.feature,)

    def route(self, X: Floats) -> Branches:  # noqa: D102
        return np.isnan(X[:, self.feature]).astype(np.int32)

    def describe(self, schema: Schema, digits: int = 6) -> tuple[str, ...]:  # noqa: D102
        name = schema.features[self.feature].name
        return f"{name} is known", f"{name} is missing"

    def margin(self, x: Floats) -> float | None:  # noqa: D102
        return None

    def flatten(self, flat: FlatTests, node: int) -> None:  # noqa: D102
        flat.put(
            node, kind=flat.THRESHOLD, feature=self.feature, cut=math.inf, missing=1, n_branches=2
        )


@dataclass(frozen=True)
class Category(NodeTest):
    """The symbol decides: several may share a branch, and a branch may be for missing values alone.

    Parameters
    ----------
    feature : int
        Which feature.
    branches : tuple of int
        The branch of each of the feature's symbols, in their order; None is every branch, in parts.
    missing : int or None
        The branch of a missing value; None is every branch.
    unseen : int or None
        The branch of a symbol that training never saw; None is every branch.

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.nodetests import Category
    >>> test = Category(feature=0, branches=(0, 1, 0), missing=1, unseen=0)
    >>> test.route(np.array([[0.0], [1.0], [2.0], [3.0], [np.nan]]))
    array([0, 1, 0, 0, 1], dtype=int32)
    """

    feature: int
    branches: tuple[int | None, ...]
    missing: int | None
    unseen: int | None
    kind: ClassVar[str] = "category"

    @property
    def n_branches(self) -> int:  # noqa: D102
        return max(map(_every, (*self.branches, self.missing, self.unseen))) + 1

    @property
    def features(self) -> tuple[int, ...]:  # noqa: D102
        return (self.feature,)

    def route(self, X: Floats) -> Branches:  # noqa: D102
        x = X[:, self.feature]
        known = ~np.isnan(x)
        branch = np.full(len(x), _every(self.missing), np.int32)
        # One more entry than there are symbols: `unseen` serves every stranger.
        code = np.clip(x[known], -1, len(self.branches)).astype(np.intp)
        branch[known] = np.array([_every(b) for b in (*self.branches, self.unseen)], np.int32)[code]
        return branch

    @property
    def shares(self) -> bool:  # noqa: D102
        return None in (*self.branches, self.missing, self.unseen)

    def describe(self, schema: Schema, digits: int = 6) -> tuple[str, ...]:  # noqa: D102
        feature = schema.features[self.feature]
        sides = []
        for branch in range(self.n_branches):
            symbols = [
                str(s) for s, b in zip(feature.symbols, self.branches, strict=True) if b == branch
            ]
            others = [
                str(s) for s, b in zip(feature.symbols, self.branches, strict=True) if b != branch
            ]
            if not symbols:
                sides.append(f"{feature.name} is missing")
            elif len(symbols) == 1:
                sides.append(f"{feature.name} = {symbols[0]}")
            elif len(others) == 1 and self.n_branches == 2:
                sides.append(f"{feature.name} ≠ {others[0]}")
            else:
                sides.append(f"{feature.name} in {{{', '.join(symbols)}}}")
        if self.missing is not None and self.missing not in self.branches:
            return tuple(sides)
        return _with_missing(sides, feature, self.missing)

    def margin(self, x: Floats) -> float | None:  # noqa: D102
        return None

    def flatten(self, flat: FlatTests, node: int) -> None:  # noqa: D102
        flat.shares |= self.shares
        flat.put(
            node,
            kind=flat.CATEGORY,
            feature=self.feature,
            missing=_every(self.missing),
            n_branches=self.n_branches,
            table_start=len(flat.branch_table),
            n_symbols=len(self.branches),
            unseen=_every(self.unseen),
        )
        flat.branch_table.extend(map(_every, self.branches))


def _every(branch: int | None) -> int:
    return EVERY if branch is None else branch


def _with_missing(sides: list[str], feature: Feature, branch: int | None) -> tuple[str, ...]:
    if feature.missing and branch is None:
        return tuple(f"{side} or missing in part" for side in sides)
    if feature.missing and branch is not None:
        sides[branch] += " or missing"
    return tuple(sides)


def cut_test(
    schema: Schema, column: Column, cut: float, *, known_test: bool, missing: int | None
) -> NodeTest:
    """Turn a cut on an encoded column into a test on the feature behind it.

    A symbol that training never saw is none of the symbols a column stands for; where a feature
    has only two, neither side can claim it, and it goes where a missing value goes.

    Parameters
    ----------
    schema : Schema
        The features.
    column : Column
        The encoded column.
    cut : float
        The greatest value of branch 0.
    known_test : bool
        Whether all known values take branch 0.
    missing : {0, 1} or None
        The branch of a missing value; None is both, in parts.

    Returns
    -------
    NodeTest
        A threshold, "is known", or one symbol against the rest.

    Examples
    --------
    >>> from planetree.nodetests import cut_test
    >>> from planetree.schema import Feature, Schema
    >>> schema = Schema((Feature("colour", "symbolic", ("blue", "green", "red")),))
    >>> cut_test(schema, schema.columns[1], 0.5, known_test=False, missing=0).describe(schema)
    ('colour ≠ green', 'colour = green')
    """
    if known_test:
        return Known(column.feature)
    if column.symbol is None:
        return Threshold(column.feature, cut, missing)
    n_symbols = len(schema.features[column.feature].symbols)
    branches = tuple(int(symbol == column.symbol) for symbol in range(n_symbols))
    return Category(
        column.feature, branches, missing=missing, unseen=missing if n_symbols == 2 else 0
    )


class CutTests(Sequence[NodeTest | None]):
    """The tests of a threshold tree, made one by one when somebody asks.

    A fused growth ends with arrays; a tree of a hundred thousand nodes should not wait for as many
    objects.

    Parameters
    ----------
    schema : Schema
        The features.
    column : ndarray of int
        The encoded column of each node's cut; -1 at a leaf.
    cut : ndarray of float
        The greatest value of branch 0.
    known_test, missing : ndarray of int
        Whether all known values take branch 0; the branch of a missing value.

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.nodetests import CutTests
    >>> from planetree.schema import Feature, Schema
    >>> schema = Schema((Feature("x"),))
    >>> zeros = np.zeros(3, int)
    >>> CutTests(schema, np.array([0, -1, -1]), np.array([2.5, 0, 0]), zeros, zeros)[0]
    Threshold(feature=0, cut=2.5, missing=0)
    """

    def __init__(
        self,
        schema: Schema,
        column: NDArray[Any],
        cut: Floats,
        known_test: NDArray[Any],
        missing: NDArray[Any],
    ) -> None:
        self._schema = schema
        self._arrays = column, cut, known_test, missing

    def __len__(self) -> int:
        return len(self._arrays[0])

    def __getitem__(self, node: Any) -> Any:
        if isinstance(node, slice):
            return [self[i] for i in range(*node.indices(len(self)))]
        column, cut, known_test, missing = (array[node] for array in self._arrays)
        if column < 0:
            return None
        return cut_test(
            self._schema,
            self._schema.columns[column],
            float(cut),
            known_test=bool(known_test),
            missing=int(missing),
        )

    def take(self, kept: NDArray[np.intp], leaves: Sequence[int]) -> CutTests:
        """The tests of the nodes kept, in their order; those of `leaves` go."""
        column, *others = self._arrays
        column = column.copy()
        column[list(leaves)] = -1
        return CutTests(self._schema, column[kept], *(array[kept] for array in others))

    def flatten(self) -> FlatTests:
        """Write all tests into the arrays that prediction runs on, without making them."""
        flat = FlatTests(len(self))
        column, cut, known_test, missing = self._arrays
        columns = self._schema.columns
        of_numbers = np.array([c.symbol is None for c in columns], bool)
        feature_of = np.array([c.feature for c in columns], np.int32)
        inner = np.flatnonzero(column >= 0)
        plain = of_numbers[column[inner]] | (known_test[inner] > 0)
        at = inner[plain]
        flat.arrays["kind"][at] = flat.THRESHOLD
        flat.arrays["feature"][at] = feature_of[column[at]]
        flat.arrays["cut"][at] = np.where(known_test[at] > 0, np.inf, cut[at])
        flat.arrays["missing"][at] = missing[at]
        flat.arrays["n_branches"][at] = 2
        for node in inner[~plain]:
            self[node].flatten(flat, int(node))
        return flat
