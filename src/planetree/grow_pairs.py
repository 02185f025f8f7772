"""How a tree of pairs (BIT2) grows, a level at a time with one native call each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from planetree import _core
from planetree.learners import BIT2
from planetree.linear import Linear
from planetree.merits import Merit
from planetree.nodetests import NodeTest, cut_test
from planetree.planes import LinearThresholdUnit, Term
from planetree.scaling import Scale, TableRange
from planetree.search import Candidate, Judged, Univariate
from planetree.selectors import All
from planetree.stopping import Stop
from planetree.table import Table
from planetree.tree import Tree
from planetree.view import LEAST_SPREAD

__all__ = ["grow_pairs", "only_pairs"]

Floats = NDArray[np.float64]
Rows = NDArray[np.uint32]
Found = dict[str, NDArray[Any]]  # an array a field of `NodeTests` in the kernels, an entry a node

MOST_DISTINCT = 64  # rows that a node may be asked to tell apart


def only_pairs(table: Table, merit: Merit, candidates: Sequence[Candidate]) -> bool:
    """Whether `grow_pairs` grows this tree: the pairs of BIT2, alone or against univariate cuts.

    Parameters
    ----------
    table : Table
        The training cases.
    merit : Merit
        What makes a test good.
    candidates : sequence of Candidate
        The families of tests.

    Returns
    -------
    bool
        False too where a value is missing or a row weighted: that is left to the definition.
    """
    *rivals, search = candidates
    return (
        isinstance(search, Linear)
        and type(search.learner) is BIT2
        and type(search.selector) is All
        and type(search.learner.scaling or search.learner.default_scaling) is TableRange
        and (search.max_features is None or search.max_features >= 2)
        and 2 * search.min_rows_per_feature <= MOST_DISTINCT
        and len(rivals) <= 1
        and all(isinstance(r, Judged) and isinstance(r.search, Univariate) for r in rivals)
        and merit.native is not None
        and merit.choice == "merit"
        and not merit.charges
        and table.weight is None
        and _core.fits(table.n_rows, len(table.classes))
        and not np.isnan(table.X).any()
        # Halves, since the distance of two enormous numbers may be none.
        and all(a == b or b / 2 - a / 2 > LEAST_SPREAD for a, b in table.encoded_range.T)
    )


def grow_pairs(
    table: Table,
    merit: Merit,
    stop: Stop,
    candidates: Sequence[Candidate],
    *,
    listener: Callable[[int], object] | None = None,
) -> Tree:
    """Grow the tree that `planetree.grow.grow_node_by_node` grows, where `only_pairs` holds.

    Parameters
    ----------
    table : Table
        The training cases.
    merit : Merit
        What makes a test good.
    stop : Stop
        The limits of growth.
    candidates : sequence of Candidate
        The families of tests.
    listener : callable or None
        Is told how many rows have reached their leaf.

    Returns
    -------
    Tree
        Unpruned.
    """
    search = candidates[-1]
    assert isinstance(search, Linear)
    low, high = table.encoded_range
    with np.errstate(over="ignore"):
        spread = np.minimum(high - low, np.finfo(np.float64).max)
    scale = Scale(low, np.where(spread > 0, spread, 1.0), low)
    options: dict[str, Any] = {
        "X": table.encoded,
        "Z": scale.apply(table.encoded),
        "center": scale.center,
        "spread": scale.spread,
        "y": table.y,
        "n_classes": len(table.classes),
        "merit": merit.native,
        "min_leaf_rows": stop.min_leaf_rows,
        "min_rows_per_feature": search.min_rows_per_feature,
        "univariate": len(candidates) > 1,
        "n_threads": search.n_threads,
    }
    tests: list[NodeTest | None] = []
    counts: list[Floats] = []
    sizes: list[NDArray[np.int64]] = []
    level = _Level(np.arange(table.n_rows, dtype=np.uint32), np.array([0, table.n_rows]))
    while level.n_nodes:
        of_level = level.counts(table, np.zeros(len(level.rows), np.intp), 1)[:, 0]
        is_open = np.array(
            [
                not stop.before_search(node, size, len(sizes))
                for node, size in zip(of_level, level.sizes.tolist(), strict=True)
            ]
        )
        counts.append(of_level)
        sizes.append(level.sizes)
        made: list[NodeTest | None] = [None] * level.n_nodes
        places = np.flatnonzero(is_open).tolist()
        level = level.keep(is_open)
        if places:
            found = _core.bit2_level(rows=level.rows, starts=level.starts, **options)
            right = {name: found.pop(f"{name}_right") for name in ("pair", "cut")}
            takes = _choose(level, table, merit, stop, found, right)
            for m in np.flatnonzero(takes.any_test).tolist():
                test = _pair_test if takes.pair[m] else _cut_test
                of_node = {name: values[m] for name, values in found.items()}
                made[places[m]] = test(table, level.node(m), of_node)
            level = level.part(takes.right, takes.any_test)
        tests.extend(made)
        if listener is not None:
            listener(table.n_rows - len(level.rows))
    return Tree(
        table.schema, table.classes, tuple(tests), np.concatenate(counts), np.concatenate(sizes)
    )


class _Level(NamedTuple):
    """The nodes of a level: node m has the rows from ``starts[m]`` up to ``starts[m + 1]``."""

    rows: Rows
    starts: NDArray[np.int64]

    @property
    def n_nodes(self) -> int:
        return len(self.starts) - 1

    @property
    def sizes(self) -> NDArray[np.int64]:
        return np.diff(self.starts)

    def node(self, m: int) -> Rows:
        return self.rows[self.starts[m] : self.starts[m + 1]]

    def counts(self, table: Table, branch: NDArray[Any], n_branches: int) -> Floats:
        """Rows of each node, branch and class."""
        shape = self.n_nodes, n_branches, len(table.classes)
        node = np.repeat(np.arange(self.n_nodes), self.sizes)
        cell = (node * n_branches + branch) * shape[2] + table.y[self.rows]
        rows = np.bincount(cell, minlength=shape[0] * shape[1] * shape[2])
        return rows.reshape(shape).astype(np.float64)

    def keep(self, kept: NDArray[np.bool_]) -> _Level:
        """Some of the nodes."""
        starts = np.append(0, self.sizes[kept].cumsum())
        return _Level(self.rows[np.repeat(kept, self.sizes)], starts)

    def part(self, right: NDArray[np.bool_], is_split: NDArray[np.bool_]) -> _Level:
        """The branches of the nodes that are split."""
        split, right = self.keep(is_split), right[np.repeat(is_split, self.sizes)]
        reached = np.append(0, right.cumsum())
        n_right = np.diff(reached[split.starts])
        sizes = np.stack([split.sizes - n_right, n_right], axis=1)
        starts = np.append(0, sizes.ravel().cumsum())
        # How many rows of the same branch stand before each row.
        first = np.repeat(split.starts[:-1], split.sizes)
        before = reached[:-1] - reached[first]
        before = np.where(right, before, np.arange(len(right)) - first - before)
        branch = 2 * np.repeat(np.arange(split.n_nodes), split.sizes) + right
        rows = np.empty_like(split.rows)
        rows[starts[branch] + before] = split.rows
        return _Level(rows, starts)


class _Choice(NamedTuple):
    right: NDArray[np.bool_]  # which rows go right
    pair: NDArray[np.bool_]  # which nodes take the pair
    any_test: NDArray[np.bool_]  # which take a test at all


def _choose(
    level: _Level, table: Table, merit: Merit, stop: Stop, found: Found, right: Found
) -> _Choice:
    worth = {
        name: np.where(found[there] >= 0, merit(level.counts(table, right[name], 2)), -np.inf)
        for name, there in (("pair", "i"), ("cut", "column"))
    }
    pair = worth["pair"] > worth["cut"]
    best = np.maximum(worth["pair"], worth["cut"])
    any_test = (best > -np.inf) & ~np.array([stop.after_search(value) for value in best], bool)
    goes_right = np.where(np.repeat(pair, level.sizes), right["pair"], right["cut"]) > 0
    return _Choice(goes_right, pair, any_test)


def _cut_test(table: Table, rows: Rows, found: dict[str, Any]) -> NodeTest:
    del rows
    return cut_test(
        table.schema,
        table.schema.columns[found["column"]],
        float(found["cut"]),
        known_test=False,
        missing=int(found["missing"]),
    )


def _pair_test(table: Table, rows: Rows, found: dict[str, Any]) -> NodeTest:
    places = [j for j in (found["i"], found["j"]) if j >= 0]
    share = 1.0 / len(rows)
    terms = []
    for j in places:
        column, parts = table.schema.columns[j], table.encoded[rows, j] * share
        # Added up in the order in which numpy adds up several columns, or one (`scaling._mean`).
        fill = parts.cumsum()[-1] if len(places) > 1 else parts.sum()
        terms.append(Term(column.feature, column.symbol, float(fill)))
    weights = float(found["weight_i"]), float(found["weight_j"])
    return LinearThresholdUnit(tuple(terms), weights[: len(terms)], float(found["pair_cut"]))
