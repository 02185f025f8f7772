"""One plane between two groups of classes: every cut of the order of the classes' means."""

from __future__ import annotations

import numpy as np

from reference.thresholds import all_cuts


def groupings(Z, y, weight, n_classes):
    """Which classes are in the second group, for every cut of their order along the means."""
    means = np.array(
        [np.average(Z[y == k], axis=0, weights=weight[y == k]) for k in range(n_classes)]
    )
    share = np.bincount(y, weight) / weight.sum()
    centred = means - share @ means
    scatter = centred.T @ (share[:, None] * centred)
    direction = np.linalg.eigh(scatter)[1][:, -1]
    order = np.argsort(centred @ direction)
    return [np.isin(np.arange(n_classes), order[n:]) for n in range(1, n_classes)]


def best_merit(Z, y, weight, n_classes, learn, merit):
    """The greatest merit of a cut along the weights that ``learn(Z, is_second, weight)`` finds."""
    weight = np.ones(len(y)) if weight is None else weight
    found = []
    for second in groupings(Z, y, weight, n_classes):
        w = learn(Z, second[y], weight)
        found += [cut[0] for cut in all_cuts(Z @ w, y, weight, n_classes, merit, 1)]
    return max(found)
