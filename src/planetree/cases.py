"""Which training cases are at a node, whole or in part."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from planetree.nodetests import EVERY, NodeTest
from planetree.table import Table

__all__ = ["Cases"]

Floats = NDArray[np.float64]


class Cases(NamedTuple):
    """Rows of a table, and how much of each is here.

    A test may send a row down every one of its branches in parts: each branch gets the share that
    it has of the rows which the test can tell apart.

    Parameters
    ----------
    rows : ndarray of int
        Which rows, rising.
    part : ndarray of float64 or None
        How much of each; None where all are here whole.

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.cases import Cases
    >>> from planetree.nodetests import Threshold
    >>> from planetree.schema import Feature, Schema
    >>> from planetree.table import Table
    >>> X, y = np.array([[1.0], [2.0], [9.0], [np.nan]]), np.array([0, 0, 1, 1], np.int32)
    >>> table = Table(Schema((Feature("x"),)), X, y, ("a", "b"))
    >>> low, high = Cases(np.arange(4)).down(Threshold(0, 5.0, missing=None), table)
    >>> low.rows, low.part.round(2)
    (array([0, 1, 3]), array([1.  , 1.  , 0.67]))
    >>> high.counts(table).round(2)
    array([0.  , 1.33])
    """

    rows: NDArray[Any]
    part: Floats | None = None

    @classmethod
    def all_of(cls, table: Table) -> Cases:
        """Every row of a table, whole."""
        return cls(np.arange(table.n_rows))

    @property
    def size(self) -> float:
        """How many cases that makes."""
        return float(len(self.rows) if self.part is None else self.part.sum())

    def weight(self, table: Table) -> Floats | None:
        """What each row weighs here; None where every one counts 1."""
        weight = None if table.weight is None else table.weight[self.rows]
        if self.part is None:
            return weight
        return self.part if weight is None else weight * self.part

    def counts(self, table: Table) -> Floats:
        """Weight of each class."""
        labels = table.y[self.rows]
        return np.bincount(labels, self.weight(table), len(table.classes)).astype(np.float64)

    def take(self, chosen: NDArray[np.bool_]) -> Cases:
        """Keep some."""
        return Cases(self.rows[chosen], None if self.part is None else self.part[chosen])

    def down(
        self, test: NodeTest, table: Table, taken: NDArray[np.int32] | None = None
    ) -> list[Cases]:
        """Part them among the branches of a test; `taken` says which each takes, if it is known."""
        taken = test.route(table.X[self.rows]) if taken is None else taken
        branches = range(test.n_branches)
        every = taken == EVERY if test.shares else np.zeros(0, bool)
        if not every.any():
            return [self.take(taken == branch) for branch in branches]
        weight = self.weight(table)
        told = None if weight is None else weight[~every]
        known = np.bincount(taken[~every], told, test.n_branches)
        # Where no row can be told apart, the branches share alike.
        share = known / known.sum() if known.sum() > 0 else np.full(len(known), 1 / len(known))
        part = np.ones(len(self.rows)) if self.part is None else self.part
        reached = [(taken == branch) | (every & (share[branch] > 0)) for branch in branches]
        return [
            Cases(self.rows[here], np.where(every, part * share[branch], part)[here])
            for branch, here in enumerate(reached)
        ]
