"""BIT2 by trying every cut of every pair, as Bioch et al. (1997) have it in section 3.2."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from reference.thresholds import all_cuts


def pair_tests(n_columns):
    """Both tests of every pair as (i, j, sign), in the order in which equals are settled."""
    return [(i, j, sign) for i, j in combinations(range(n_columns), 2) for sign in (1.0, -1.0)]


def bit2(Z, y, weight, n_classes, merit, min_leaf_rows):
    """The best cut of every test that has one, as a dict of (i, j, sign) to (merit, cut)."""
    weight = np.ones(len(y)) if weight is None else weight
    best = {}
    for i, j, sign in pair_tests(Z.shape[1]):
        cuts = all_cuts(Z[:, i] + sign * Z[:, j], y, weight, n_classes, merit, min_leaf_rows)
        found = max(cuts, key=lambda cut: cut[0], default=None)  # of equals the first
        if found is not None:
            best[i, j, sign] = found[:2]
    return best
