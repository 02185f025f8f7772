"""The search for the best test of one node."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from planetree import _core
from planetree.cases import Cases
from planetree.merits import Merit
from planetree.nodetests import NodeTest, cut_test
from planetree.schema import Column, Schema
from planetree.stopping import ROUNDING, Stop
from planetree.table import Table

__all__ = [
    "Candidate",
    "Cut",
    "Found",
    "Judged",
    "OpenNode",
    "Univariate",
    "best_cut",
    "best_cuts",
    "found_test",
    "with_missing",
]

Floats = NDArray[np.float64]
Rows = NDArray[np.uint32]
Branches = NDArray[np.int32]


@dataclass(frozen=True)
class OpenNode:
    """A node that may be split, and by what rules.

    Parameters
    ----------
    table : Table
        The training table.
    rows : ndarray of uint32
        The node's rows, rising.
    merit : Merit
        What makes a split good.
    stop : Stop
        The limits a test must keep.
    path : tuple of int
        The branches that lead here from the root.
    tree_seed : int
        Seed of the tree's random numbers.
    part : ndarray of float64 or None
        How much of each row is here; None where all are whole.
    """

    table: Table
    rows: Rows
    merit: Merit
    stop: Stop
    path: tuple[int, ...] = ()
    tree_seed: int = 0
    part: Floats | None = None

    @property
    def cases(self) -> Cases:
        """The rows and their parts."""
        return Cases(self.rows, self.part)

    @property
    def ceiling(self) -> float:
        """Merit of a test that gives every class a branch of its own."""
        weight = None if self.table.weight is None else self.table.weight[self.rows]
        counts = np.bincount(self.table.y[self.rows], weight).astype(np.float64)
        return self.merit.ceiling(counts[counts > 0])

    @property
    def seed(self) -> int:
        """Seed of the node's own random numbers: it depends on where the node is, not on when."""
        sequence = np.random.SeedSequence(self.tree_seed, spawn_key=self.path)
        return int(sequence.generate_state(1, np.uint64)[0])

    def judge(self, test: NodeTest, taken: Branches | None = None) -> Found:
        """Say what a test is worth here, by how it parts the rows.

        Parameters
        ----------
        test : NodeTest
            The test.
        taken : ndarray of int32, optional
            The branch of every row, where it is known.

        Returns
        -------
        Found
            The test and its merit.
        """
        parts = self.cases.down(test, self.table, taken)
        by_branch = np.array([[part.counts(self.table) for part in parts]])
        return Found(float(self.merit(by_branch)[0]), test)


class Found(NamedTuple):
    """A test and what it is worth.

    Parameters
    ----------
    merit : float
        The merit of how it parts the node's rows.
    test : NodeTest
        The test.
    """

    merit: float
    test: NodeTest


class Candidate(Protocol):
    """A family of tests: finds its best for one node, or None.

    Attributes
    ----------
    parallel : bool
        Whether two nodes may be searched at once, from two threads, and it pays.
    """

    @property
    def parallel(self) -> bool:
        """Whether two nodes may be searched at once."""

    def __call__(self, node: OpenNode) -> Found | None:
        """Search this node."""


@dataclass(frozen=True)
class Univariate:
    """Every cut of every encoded column, with missing values on either side.

    Where the node misses values of a column, each cut is tried with them left and right, and so is
    "known" against "missing"; where it misses none, a value missing later goes with the heavier
    branch.

    Parameters
    ----------
    n_threads : int
        Threads to share the columns out to.

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.merits import Gini
    >>> from planetree.schema import Feature, Schema
    >>> from planetree.search import OpenNode, Univariate
    >>> from planetree.stopping import ROUNDING, Stop
    >>> from planetree.table import Table
    >>> X, y = np.array([[1.0], [2.0]]), np.array([0, 1], np.int32)
    >>> table = Table(Schema((Feature("x"),)), X, y, ("a", "b"))
    >>> Univariate()(OpenNode(table, np.arange(2, dtype=np.uint32), Gini(), Stop()))
    Found(merit=0.5, test=Threshold(feature=0, cut=1.5, missing=0))
    """

    n_threads: int = 1
    parallel: ClassVar[bool] = True

    def __call__(self, node: OpenNode) -> Found | None:  # noqa: D102
        columns = node.table.schema.columns
        cuts = best_cuts(node, np.arange(len(columns), dtype=np.int32), self.n_threads)
        found = np.flatnonzero(cuts["found"])
        if not len(found):
            return None
        worth = node.merit.compete(cuts["merit"][found], cuts["split_info"][found])
        j = found[worth.argmax()]
        return Found(float(worth.max()), found_test(node.table.schema, columns[j], cuts, j))


def best_cuts(
    node: OpenNode, columns: NDArray[np.int32], n_threads: int, *, fractional: bool = False
) -> dict[str, NDArray[Any]]:
    """The best cut of each of these encoded columns: an array a field of `Cut`.

    With `fractional` the rows that miss a column have no part in its cuts, which are worth the less
    the more rows those are.
    """
    cuts = _among_known(node, columns, n_threads) if fractional else _cuts(node, columns, n_threads)
    of_numbers = np.array([node.table.schema.columns[j].symbol is None for j in columns], bool)
    charge = of_numbers * node.merit.charge(cuts["n_cuts"], node.cases.size)
    merit = cuts["merit"] - charge
    return {**cuts, "merit": merit, "found": (cuts["found"] > 0) & ((charge == 0) | (merit > 0))}


def _cuts(node: OpenNode, columns: NDArray[np.int32], n_threads: int) -> dict[str, NDArray[Any]]:
    table, merit = node.table, node.merit
    if merit.native is None or node.part is not None:
        rows, weight = node.rows, node.cases.weight(table)
        n_classes = len(table.classes)
        best = [
            best_cut(
                table.encoded[rows, j],
                table.y[rows],
                weight,
                n_classes,
                merit,
                node.stop,
                part=node.part,
            )
            for j in columns
        ]
        return {name: np.array([getattr(cut, name) for cut in best]) for name in Cut._fields}
    return _core.best_cuts(
        X=table.encoded,
        y=table.y,
        weight=table.weight,
        rows=node.rows,
        columns=columns,
        n_classes=len(table.classes),
        merit=merit.native,
        min_leaf_rows=node.stop.min_leaf_rows,
        n_threads=n_threads,
    )


def _among_known(
    node: OpenNode, columns: NDArray[np.int32], n_threads: int
) -> dict[str, NDArray[Any]]:
    table = node.table
    known = ~np.isnan(table.encoded[node.rows][:, columns])
    full = known.all(axis=0)
    if full.all():
        return _cuts(node, columns, n_threads)
    found = {name: np.zeros(len(columns)) for name in Cut._fields}
    groups = [np.flatnonzero(full)] if full.any() else []
    groups += [np.array([j]) for j in np.flatnonzero(~full & known.any(axis=0))]
    weight = node.cases.weight(table)
    for places in groups:
        told = known[:, places[0]]
        cases = node.cases.take(told)
        part_of = replace(node, rows=cases.rows, part=cases.part)
        share = told.mean() if weight is None else weight[told].sum() / weight.sum()
        cuts = _cuts(part_of, columns[places], n_threads)
        for name, values in cuts.items():
            found[name][places] = values
        found["merit"][places] *= share
        found["split_info"][places] = with_missing(found["split_info"][places], share)
    return found


def with_missing(split_info: Any, share: float) -> Any:
    """Entropy of some branches' shares, in bits, if "missing" is one more and they have `share`."""
    rest = 1 - share
    if not 0 < rest < 1:
        return split_info
    return share * split_info - share * np.log2(share) - rest * np.log2(rest)


def found_test(
    schema: Schema,
    column: Column,
    cuts: dict[str, NDArray[Any]],
    place: int | np.intp,
    *,
    fractional: bool = False,
) -> NodeTest:
    """The test that one of the cuts found stands for."""
    return cut_test(
        schema,
        column,
        float(cuts["cut"][place]),
        known_test=bool(cuts["known_test"][place]),
        missing=None if fractional else int(cuts["missing_right"][place]),
    )


@dataclass(frozen=True)
class Judged:
    """The test of another family, with its merit worked out as `OpenNode.judge` does for all.

    Kernels add up in another order and round otherwise. Rivals of linear tests are judged anew, so
    that equal merit is equal, and goes to the simpler test.

    Parameters
    ----------
    search : Candidate
        The other family.

    Examples
    --------
    >>> from planetree.search import Judged, Univariate
    >>> Judged(Univariate())
    Judged(search=Univariate(n_threads=1))
    """

    search: Candidate

    @property
    def parallel(self) -> bool:  # noqa: D102
        return self.search.parallel

    def __call__(self, node: OpenNode) -> Found | None:  # noqa: D102
        found = self.search(node)
        return None if found is None else node.judge(found.test)


class Cut(NamedTuple):
    """The best cut of one column, as the kernels answer it."""

    found: bool = False
    merit: float = 0.0
    split_info: float = 0.0
    cut: float = 0.0
    known_test: bool = False
    missing_right: bool = False
    n_cuts: int = 0


def best_cut(
    x: Floats,
    y: NDArray[np.int32],
    weight: Floats | None,
    n_classes: int,
    merit: Merit,
    stop: Stop,
    *,
    part: Floats | None = None,
) -> Cut:
    """Find the best cut of one column by a merit written in Python: all candidates at once.

    `weight` includes `part`, by which the rows of a branch are counted.
    """
    missing = np.isnan(x)
    order = np.argsort(x, kind="stable")[: len(x) - missing.sum()]
    values, known = x[order], len(order)
    one_hot = np.zeros((len(x), n_classes))
    one_hot[np.arange(len(x)), y] = 1.0 if weight is None else weight
    total, absent = one_hot.sum(axis=0), one_hot[missing].sum(axis=0)

    # Positions after which the values rise; after the last known value stands the test "known"
    # against "missing".
    position = np.flatnonzero(values[1:] > values[:-1]) + 1
    with_known = np.append(position, known) if 0 < known < len(x) else position
    left_known = np.concatenate([np.zeros((1, len(total))), one_hot[order].cumsum(axis=0)])
    positions = np.concatenate([with_known, position]) if missing.any() else position
    goes_left = np.arange(len(positions)) >= len(with_known)
    left = left_known[positions] + goes_left[:, None] * absent
    one = np.ones(len(x)) if part is None else part
    rows_left = np.append(0, one[order].cumsum())[positions] + goes_left * one[missing].sum()
    enough = np.minimum(rows_left, one.sum() - rows_left) >= max(stop.min_leaf_rows, 1) - ROUNDING
    if not enough.any():
        return Cut()
    counts = np.stack([left, total - left], axis=1)[enough]
    merits = np.asarray(merit.gain(counts), float)
    if merits.shape != (len(counts),) or np.isnan(merits).any():
        raise ValueError(
            f"{merit!r} must return {len(counts)} numbers for as many candidates, not {merits}"
        )
    best = int(merits.argmax())
    at = np.flatnonzero(enough)[best]
    left_weight, right_weight = counts[best].sum(axis=1)
    share = np.array([left_weight, right_weight]) / total.sum()
    known_test = positions[at] == known
    below, above = (0.0, 0.0) if known_test else values[positions[at] - 1 : positions[at] + 1]
    middle = below / 2 + above / 2
    return Cut(
        True,
        float(merits[best]),
        float(-(share * np.log2(share)).sum()),
        float(middle if below <= middle < above else below),
        bool(known_test),
        bool(not goes_left[at] if missing.any() else right_weight > left_weight),
        len(counts),
    )
