"""The smallest change of one row that gets it another class.

The rows of a leaf form a box of the univariate tests on its path, cut by the planes of the linear
ones: a polyhedron once the symbols are chosen. So for every leaf of the wanted class a linear
programme finds the nearest row, with a binary variable a symbol where a linear test reads it
(SciPy's HiGHS), and the nearest leaf wins. A leaf whose box alone is farther than the best row
found is not looked at.

Inequalities are closed for the solver, so its optimum is a proven bound: no row of the wanted class
is nearer. The row given back lies a little within the open ones, no farther than the tree itself
needs to predict it: it has. A region with no row that is 1e-5 of a plane's largest term within all
its planes is taken for empty.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from planetree.counterfactual.programme import Programme
from planetree.counterfactual.region import Region, differs
from planetree.counterfactual.values import Change, Counterfactual, Price
from planetree.errors import TableError
from planetree.tree import Tree

__all__ = ["nearest"]

Floats = NDArray[np.float64]
# How far within open inequalities a row is looked for, relative to each plane's largest term.
STEPS = (0.0, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5)


def nearest(tree: Tree, x: Floats, wanted: frozenset[int], price: Price) -> Counterfactual | None:
    """The nearest row of a wanted class.

    Parameters
    ----------
    tree : Tree
        The tree.
    x : ndarray of float64
        One row as `planetree.table.read_like` makes it.
    wanted : frozenset of int
        The classes that will do, as places in ``tree.classes``.
    price : Price
        What changes cost.

    Returns
    -------
    Counterfactual or None
        None where no allowed change reaches a wanted class.
    """
    if any(getattr(test, "shares", False) for test in tree.tests):
        raise TableError(
            "this tree sends missing values down every branch in parts; the nearest row of a class "
            "is known for trees that send each row to one leaf"
        )
    best: tuple[float, Floats, Region, list[str]] | None = None
    bound = math.inf
    for box_cost, region in _regions(tree, x, wanted, price):
        if best is not None and box_cost >= best[0]:
            break
        least, row, binding = _nearest_in(region, wanted)
        bound = min(bound, least)
        if row is not None:
            cost = float(region.costs(row).sum())
            if best is None or cost < best[0]:
                best = cost, row, region, binding
    if best is None:
        return None
    cost, row, region, binding = best
    features = tree.schema.features
    before, leaf = tree.apply(np.stack([x, row])).tolist()
    costs = region.costs(row)
    return Counterfactual(
        tree.classes[tree.labels[before]],
        tree.classes[tree.labels[leaf]],
        tuple(
            Change(f.name, f.value(x[i]), f.value(row[i]), float(costs[i]))
            for i, f in enumerate(features)
            if differs(x[i], row[i])
        ),
        {f.name: f.value(v) for f, v in zip(features, row, strict=True)},
        cost,
        min(bound, cost),
        leaf,
        tuple(binding),
        dict(zip(tree.classes, tree.probabilities[leaf].tolist(), strict=True)),
    )


def _regions(
    tree: Tree, x: Floats, wanted: frozenset[int], price: Price
) -> list[tuple[float, Region]]:
    """The regions of all wanted leaves, the one whose box is nearest first."""
    used = {f for test in tree.tests if test is not None for f in test.features}
    numbers = [i for i, f in enumerate(tree.schema.features) if f.kind == "numeric"]
    missing = [i for i in numbers if math.isnan(x[i]) and i in used & price.fill - price.frozen]
    ways = [frozenset(c) for n in range(len(missing) + 1) for c in combinations(missing, n)]
    found = []
    for leaf in np.flatnonzero(tree.is_leaf).tolist():
        if int(tree.labels[leaf]) not in wanted:
            continue
        for filled in ways:
            region = Region.of(tree, leaf, x, price, filled)
            if region is not None:
                found.append((float(region.costs(region.box()).sum()), region))
    return sorted(found, key=lambda item: item[0])


def _nearest_in(region: Region, wanted: frozenset[int]) -> tuple[float, Floats | None, list[str]]:
    """What every row of a leaf costs at least; a row the tree has predicted; what binds."""
    tree, start = region.tree, region.box()
    if not region.planes:
        return float(region.costs(start).sum()), start, list(region.binding(start).values())
    programme = Programme(region, start)
    bound, binding = math.inf, list[str]()
    for step in STEPS:
        solved = programme.solve(step)
        if solved is None:
            break
        least, row, now_binding = solved
        if step == 0:
            bound, binding = least, now_binding
        if int(tree.labels[tree.apply(row[None, :])[0]]) in wanted:
            # Symbols step over what numbers only approach: the row on the plane was refuted then.
            if least - bound > 1e-7 * (1 + least):
                bound, binding = least, now_binding
            return bound, row, binding
    return math.inf, None, binding
