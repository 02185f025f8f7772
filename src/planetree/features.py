"""The search for the best test of one node, one test a feature: symbols may branch many ways."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planetree.errors import PlugInError
from planetree.nodetests import Category, NodeTest
from planetree.search import Found, OpenNode, best_cuts, test_of
from planetree.symbols import SymbolBranching

__all__ = ["ByFeature"]


class Offer(NamedTuple):
    """The best test of one feature, before they compete."""

    gain: float
    split_info: float
    test: NodeTest


@dataclass(frozen=True)
class ByFeature:
    """The best test of every feature: cuts of numbers, branches of symbols.

    A symbol's values seen at the node become branches as `symbols` says; where rows of the node
    miss it they are one value more, with a branch of their own. What training saw elsewhere only,
    a stranger or a missing value goes there, or, where the node misses none, with the heaviest
    branch. Two branches at least must have ``min_leaf_rows`` rows.

    Parameters
    ----------
    symbols : SymbolBranching
        How the values of a symbol become branches.
    n_threads : int
        Threads to share the columns out to.

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.features import ByFeature
    >>> from planetree.merits import Gini
    >>> from planetree.schema import Feature, Schema
    >>> from planetree.search import OpenNode
    >>> from planetree.stopping import Stop
    >>> from planetree.symbols import Multiway
    >>> from planetree.table import Table
    >>> schema = Schema((Feature("sky", "symbolic", ("black", "blue", "grey")),))
    >>> table = Table(schema, np.array([[0.0], [2.0]]), np.array([0, 1], np.int32), ("a", "b"))
    >>> node = OpenNode(table, np.arange(2, dtype=np.uint32), Gini(), Stop())
    >>> ByFeature(Multiway())(node).test
    Category(feature=0, branches=(0, 0, 1), missing=0, unseen=0)
    """

    symbols: SymbolBranching
    n_threads: int = 1

    def __call__(self, node: OpenNode) -> Found | None:  # noqa: D102
        schema = node.table.schema
        offers: dict[int, Offer] = self._cuts(node)
        for i, feature in enumerate(schema.features):
            if feature.kind == "symbolic" and (offer := self._branches(node, i)):
                offers[i] = offer
        if not offers:
            return None
        in_order = [offers[i] for i in sorted(offers)]
        worth = node.merit.compete(
            np.array([offer.gain for offer in in_order]),
            np.array([offer.split_info for offer in in_order]),
        )
        return Found(float(worth.max()), in_order[int(worth.argmax())].test)

    def _cuts(self, node: OpenNode) -> dict[int, Offer]:
        """The best cut of every column of numbers that has one."""
        columns = node.table.schema.columns
        numbers = np.array([j for j, c in enumerate(columns) if c.symbol is None], np.int32)
        if not len(numbers):
            return {}
        cuts = best_cuts(node, numbers, self.n_threads)
        return {
            columns[j].feature: Offer(
                float(cuts["merit"][place]),
                float(cuts["split_info"][place]),
                test_of(node.table.schema, columns[j], cuts, place),
            )
            for place, j in enumerate(numbers)
            if cuts["found"][place]
        }

    def _branches(self, node: OpenNode, feature: int) -> Offer | None:
        table, rows = node.table, node.rows
        n_symbols, n_classes = len(table.schema.features[feature].symbols), len(table.classes)
        x = table.X[rows, feature]
        # A missing value is one more, behind the symbols.
        value = np.where(np.isnan(x), n_symbols, x).astype(np.intp)
        cell = value * n_classes + table.y[rows]
        weight = None if table.weight is None else table.weight[rows]
        counts = np.bincount(cell, weight, (n_symbols + 1) * n_classes).astype(np.float64)
        counts = counts.reshape(-1, n_classes)
        n_rows = np.bincount(value, minlength=n_symbols + 1)
        seen = np.flatnonzero(n_rows[:n_symbols])
        misses = bool(n_rows[n_symbols])
        if len(seen) + misses < 2:
            return None
        group = np.zeros(len(seen), np.intp)
        if len(seen) > 1:
            group = _checked(self.symbols, self.symbols.group(counts[seen], node.merit), len(seen))
        n_branches = int(group.max()) + 1 + misses
        branch_of = np.full(n_symbols + 1, -1)
        branch_of[seen] = group
        branch_of[n_symbols] = n_branches - 1 if misses else -1

        parted = np.zeros((n_branches, n_classes))
        sizes = np.zeros(n_branches)
        there = branch_of >= 0
        np.add.at(parted, branch_of[there], counts[there])
        np.add.at(sizes, branch_of[there], n_rows[there])
        if n_branches < 2 or (sizes >= max(node.stop.min_leaf_rows, 1)).sum() < 2:
            return None
        weights = parted.sum(axis=1)
        other = n_branches - 1 if misses else int(weights.argmax())
        branches = np.where(there, branch_of, other)[:n_symbols]
        share = weights / weights.sum()
        return Offer(
            float(node.merit.gain(parted[None])[0]),
            float(-(share * np.log2(share)).sum()),
            Category(feature, tuple(branches.tolist()), missing=other, unseen=other),
        )


def _checked(symbols: SymbolBranching, group: object, n_values: int) -> NDArray[np.intp]:
    """Catch nonsense where it enters, by name."""
    found = np.asarray(group)
    if (
        found.shape != (n_values,)
        or found.dtype.kind not in "iu"
        or not np.array_equal(np.unique(found), np.arange(int(found.max()) + 1))
    ):
        raise PlugInError(
            f"{symbols!r} must return a branch for each of {n_values} values, from 0 on without "
            f"gaps, not {group!r}"
        )
    return found.astype(np.intp)
