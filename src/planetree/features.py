"""The search for the best test of one node, one test a feature: symbols may branch many ways."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from planetree.errors import PlugInError
from planetree.nodetests import Category, NodeTest
from planetree.search import Found, OpenNode, best_cuts, found_test, with_missing
from planetree.stopping import ROUNDING
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

    With `fractional` rows that miss a feature have no part in its tests: gain is that among the
    known times their share, "missing" counts as one more branch in the split information, and such
    rows, like symbols the node has not seen, go down every branch in parts.

    Parameters
    ----------
    symbols : SymbolBranching or None
        How the values of a symbol become branches; None is one value against the rest.
    fractional : bool
        Whether a row whose value is missing goes down every branch in parts.
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

    symbols: SymbolBranching | None = None
    fractional: bool = False
    n_threads: int = 1
    parallel: ClassVar[bool] = False

    def __call__(self, node: OpenNode) -> Found | None:  # noqa: D102
        offers = self._cuts(node)
        if self.symbols is not None:
            for i, feature in enumerate(node.table.schema.features):
                if feature.kind == "symbolic":
                    offers += [(i, offer) for offer in self._branches(node, i, self.symbols)]
        if not offers:
            return None
        in_order = [offer for _, offer in sorted(offers, key=lambda each: each[0])]
        worth = node.merit.compete(
            np.array([offer.gain for offer in in_order]),
            np.array([offer.split_info for offer in in_order]),
        )
        return Found(float(worth.max()), in_order[int(worth.argmax())].test)

    def _cuts(self, node: OpenNode) -> list[tuple[int, Offer]]:
        """The best cut of every column that has one, with its feature."""
        schema = node.table.schema
        columns = [
            j for j, c in enumerate(schema.columns) if c.symbol is None or self.symbols is None
        ]
        if not columns:
            return []
        cuts = best_cuts(
            node, np.array(columns, np.int32), self.n_threads, fractional=self.fractional
        )
        return [
            (
                schema.columns[j].feature,
                Offer(
                    float(cuts["merit"][place]),
                    float(cuts["split_info"][place]),
                    found_test(schema, schema.columns[j], cuts, place, fractional=self.fractional),
                ),
            )
            for place, j in enumerate(columns)
            if cuts["found"][place]
        ]

    def _branches(self, node: OpenNode, feature: int, symbols: SymbolBranching) -> list[Offer]:
        table, rows = node.table, node.rows
        n_symbols, n_classes = len(table.schema.features[feature].symbols), len(table.classes)
        x = table.X[rows, feature]
        # A missing value is one more, behind the symbols.
        value = np.where(np.isnan(x), n_symbols, x).astype(np.intp)
        cell = value * n_classes + table.y[rows]
        weighed = np.bincount(cell, node.cases.weight(table), (n_symbols + 1) * n_classes)
        counts = weighed.astype(np.float64).reshape(-1, n_classes)
        n_rows = np.bincount(value, node.part, n_symbols + 1)
        seen = np.flatnonzero(np.bincount(value, minlength=n_symbols + 1)[:n_symbols])
        own = bool(n_rows[n_symbols]) and not self.fractional  # a branch for missing values
        if len(seen) + own < 2:
            return []
        branch_of = np.full(n_symbols + 1, -1)
        branch_of[seen] = 0
        if len(seen) > 1:
            branch_of[seen] = _checked(symbols, symbols.group(counts[seen], node.merit), len(seen))
        n_branches = int(branch_of.max()) + 1
        if own:
            branch_of[n_symbols] = n_branches
            n_branches += 1
        there = branch_of >= 0
        parted, sizes = np.zeros((n_branches, n_classes)), np.zeros(n_branches)
        np.add.at(parted, branch_of[there], counts[there])
        np.add.at(sizes, branch_of[there], n_rows[there])
        enough = sizes >= max(node.stop.min_leaf_rows, 1) - ROUNDING
        if n_branches < 2 or enough.sum() < 2:
            return []
        weights = parted.sum(axis=1)
        share = weights / weights.sum()
        gain = float(node.merit.gain(parted[None])[0])
        split_info = float(-(share * np.log2(share)).sum())
        if self.fractional:
            # Exactly 1 where none is missing: sums in two orders may differ.
            known = float(weights.sum() / counts.sum()) if n_rows[n_symbols] > 0 else 1.0
            gain, split_info = gain * known, float(with_missing(split_info, known))
            branches = [int(b) if b >= 0 else None for b in branch_of[:n_symbols]]
            test = Category(feature, tuple(branches), missing=None, unseen=None)
        else:
            other = n_branches - 1 if own else int(weights.argmax())
            resolved = np.where(there, branch_of, other)[:n_symbols].tolist()
            test = Category(feature, tuple(resolved), missing=other, unseen=other)
        return [Offer(gain, split_info, test)]


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
