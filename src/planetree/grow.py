"""How a tree grows."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from planetree import _core
from planetree.cases import Cases
from planetree.merits import Merit
from planetree.nodetests import CutTests
from planetree.search import Candidate, Found, OpenNode, Univariate
from planetree.stopping import Stop
from planetree.table import Table
from planetree.threads import WORTH_THREADS, side_by_side
from planetree.tree import Tree

__all__ = ["Listener", "grow", "grow_fused", "grow_node_by_node"]

Listener = Callable[[int], object]  # is told, now and then, how many rows have reached their leaf


@dataclass(eq=False)
class _Growing:
    cases: Cases
    counts: np.ndarray[tuple[int], np.dtype[np.float64]]
    path: tuple[int, ...]
    found: Found | None = None
    children: list[_Growing] = field(default_factory=list)


def grow(
    table: Table,
    merit: Merit,
    stop: Stop,
    candidates: Sequence[Candidate] = (Univariate(),),
    *,
    max_leaves: int | None = None,
    n_threads: int = 1,
    seed: int = 0,
    listener: Listener | None = None,
) -> Tree:
    """Grow a tree, the fast way where there is one.

    Thresholds alone by a merit with a kernel go to the fused grower, and pairs to `grow_pairs`; all
    ways give the same tree.
    """
    thresholds_only = all(isinstance(candidate, Univariate) for candidate in candidates)
    if (
        thresholds_only
        and merit.native
        and not merit.charges
        and _core.fits(table.n_rows, len(table.classes))
    ):
        return grow_fused(
            table, merit, stop, max_leaves=max_leaves, n_threads=n_threads, listener=listener
        )
    if max_leaves is None and hasattr(candidates[-1], "learner"):
        from planetree.grow_pairs import grow_pairs, only_pairs

        if only_pairs(table, merit, candidates):
            return grow_pairs(table, merit, stop, candidates, listener=listener)
    return grow_node_by_node(
        table,
        merit,
        stop,
        candidates,
        max_leaves=max_leaves,
        n_threads=n_threads,
        seed=seed,
        listener=listener,
    )


def grow_node_by_node(
    table: Table,
    merit: Merit,
    stop: Stop,
    candidates: Sequence[Candidate],
    *,
    max_leaves: int | None = None,
    n_threads: int = 1,
    seed: int = 0,
    listener: Listener | None = None,
) -> Tree:
    """Split the best open node until none is left: this is the definition."""
    frontier: list[tuple[float, int, _Growing]] = []  # best first; the older of equals
    born = settled = 0

    def look(node: _Growing) -> Found | None:
        if stop.before_search(node.counts, node.cases.size, len(node.path)):
            return None
        here = OpenNode(table, node.cases.rows, merit, stop, node.path, seed, node.cases.part)
        offers = [offer for search in candidates if (offer := search(here))]
        best = max(offers, key=lambda offer: offer.merit, default=None)
        return None if best is None or stop.after_search(best.merit) else best

    def open_or_settle(nodes: list[_Growing]) -> None:
        nonlocal born, settled
        pays = n_threads > 1 and sum(len(node.cases.rows) for node in nodes) > WORTH_THREADS
        pays = pays and all(search.parallel for search in candidates)
        for node, found in zip(nodes, side_by_side(look, nodes, n_threads if pays else 1)):
            node.found = found
            if found is None:
                settled += len(node.cases.rows)
            else:
                heapq.heappush(frontier, (-found.merit * _weight(table, node.cases), born, node))
            born += 1

    def branch(cases: Cases, path: tuple[int, ...]) -> _Growing:
        return _Growing(cases, cases.counts(table), path)

    root = branch(Cases(np.arange(table.n_rows, dtype=np.uint32)), ())
    open_or_settle([root])
    n_leaves = 1
    while frontier and (max_leaves is None or n_leaves < max_leaves):
        _, _, node = heapq.heappop(frontier)
        assert node.found is not None
        test = node.found.test
        if max_leaves is not None and n_leaves + test.n_branches - 1 > max_leaves:
            continue  # a test with fewer branches may still fit
        parts = node.cases.down(test, table)
        node.children = [branch(part, (*node.path, b)) for b, part in enumerate(parts)]
        open_or_settle(node.children)
        n_leaves += test.n_branches - 1
        if listener is not None:
            listener(settled)
    return _freeze(table, root)


def grow_fused(
    table: Table,
    merit: Merit,
    stop: Stop,
    *,
    max_leaves: int | None = None,
    n_threads: int = 1,
    listener: Listener | None = None,
) -> Tree:
    """Grow a threshold tree in one native call, for a merit that has a kernel."""
    assert merit.native is not None
    grown = _core.grow_thresholds(
        X=table.encoded,
        y=table.y,
        weight=table.weight,
        n_classes=len(table.classes),
        merit=merit.native,
        choice=merit.choice,
        max_depth=2**62 if stop.max_depth is None else stop.max_depth,
        min_rows=stop.min_rows,
        min_leaf_rows=stop.min_leaf_rows,
        min_merit=stop.min_merit,
        max_leaves=max_leaves or 0,
        n_threads=n_threads,
        listener=listener,
    )
    cuts = (grown[name] for name in ("column", "cut", "known_test", "missing_right"))
    tests = CutTests(table.schema, *cuts)
    return Tree(table.schema, table.classes, tests, grown["counts"], grown["n_rows"])


def _weight(table: Table, cases: Cases) -> float:
    weight = cases.weight(table)
    return float(len(cases.rows)) if weight is None else float(weight.cumsum()[-1])


def _freeze(table: Table, root: _Growing) -> Tree:
    """Number the nodes breadth first."""
    order = [root]
    for node in order:
        order.extend(node.children)
    tests = tuple(node.found.test if node.children and node.found else None for node in order)
    counts = np.array([node.counts for node in order])
    n_rows = np.array([len(node.cases.rows) for node in order], np.int64)
    return Tree(table.schema, table.classes, tests, counts, n_rows)
