"""The merit of soft counts, and the plane found by climbing it, with SciPy's optimiser."""

from __future__ import annotations

import numpy as np
from scipy.optimize import minimize


def soft_merit(Z, y, weight, n_classes, entropy, v, l2):
    """Minus the merit, plus the price of the weights; `v` has the constant last."""
    Z = np.rint(Z * 2.0**20) * 2.0**-20
    share = np.ones(len(y)) if weight is None else np.asarray(weight)
    share = share / share.sum()
    right = 1 / (1 + np.exp(-np.clip(Z @ v[:-1] + v[-1], -700, 700)))
    classes = np.eye(n_classes)[y] * share[:, None]
    merit = 0.0
    for side in (classes.T @ right, classes.T @ (1 - right)):
        total = max(side.sum(), 1e-12)
        if entropy:
            merit += (side * (np.log(np.maximum(side, 1e-12)) - np.log(total))).sum()
        else:
            merit += (side**2).sum() / total
    return l2 / 2 * (v[:-1] ** 2).sum() - merit


def gradient(value, v, h=1e-6):
    """By central differences."""
    steps = h * np.eye(len(v))
    return np.array([(value(v + step) - value(v - step)) / (2 * h) for step in steps])


def climb(Z, y, weight, n_classes, entropy, start, sharpness, l2):
    """Weights from one start, the constant last."""
    share = np.ones(len(y)) if weight is None else np.asarray(weight)
    v = np.array(start, float)
    for level in sharpness:
        projected = Z @ v[:-1]
        mean = np.average(projected, weights=share)
        deviation = np.sqrt(np.average((projected - mean) ** 2, weights=share))
        v = v * level / deviation
        v = minimize(
            lambda v: soft_merit(Z, y, weight, n_classes, entropy, v, l2), v, method="BFGS"
        ).x
    return v


def gini(counts):
    """Decrease of the Gini index for counts[branch, class]."""
    share = counts.sum(axis=1) / counts.sum()

    def impurity(of_class):
        return 1 - ((of_class / max(of_class.sum(), 1e-300)) ** 2).sum()

    return impurity(counts.sum(axis=0)) - sum(
        s * impurity(side) for s, side in zip(share, counts, strict=True)
    )


def best_cut_merit(projected, y, weight, n_classes):
    """Gini's merit of the best cut along a projection, by trying them all."""
    share = np.ones(len(y)) if weight is None else np.asarray(weight)
    classes = np.eye(n_classes)[y] * share[:, None]
    values = np.unique(projected)
    merits = [
        gini(
            np.array(
                [classes[projected <= value].sum(axis=0), classes[projected > value].sum(axis=0)]
            )
        )
        for value in values[:-1]
    ]
    return max(merits, default=None)
