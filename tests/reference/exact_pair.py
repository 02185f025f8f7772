"""The best plane over two columns, by every direction in which two rows are level.

Between two such directions the rows stand in one order along the normal, so one of them will do.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from reference.thresholds import all_cuts


def directions(points):
    """One angle of the normal for each order in which lines of one slope meet the points."""
    apart = [b - a for a, b in combinations(np.unique(points, axis=0), 2)]
    # The normal at which both are level, as an angle in [0, pi).
    level = np.sort([(np.arctan2(d[1], d[0]) + np.pi / 2) % np.pi for d in apart])
    ends = np.append(level, level[0] + np.pi)
    gaps = np.diff(ends) > 1e-9
    return (ends[:-1] + ends[1:])[gaps] / 2


def exact_pair(Z, y, weight, n_classes, merit, min_leaf_rows):
    """The greatest merit of each pair of columns that has a plane."""
    weight = np.ones(len(y)) if weight is None else weight
    best = {}
    for i, j in combinations(range(Z.shape[1]), 2):
        found = [
            cut[0]
            for angle in directions(Z[:, [i, j]])
            for cut in all_cuts(
                Z[:, [i, j]] @ [np.cos(angle), np.sin(angle)],
                y, weight, n_classes, merit, min_leaf_rows,
            )
        ]  # fmt: skip
        if found:
            best[i, j] = max(found)
    return best
