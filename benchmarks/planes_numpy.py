"""CART-LC and OC1 in plain vectorised numpy, for two classes: what there is to beat.

The definitions in tests/reference try every step; these sort, as anybody would who writes the
searches in numpy. Both begin at the best univariate split.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Floats = np.ndarray[Any, np.dtype[np.float64]]
GAMMAS = (-0.25, 0.0, 0.25)


def gini(left: Floats, ones_left: Floats, n: int, ones: int) -> Floats:
    """Decrease of the Gini index for numbers of rows, and of rows of class 1, on the left."""
    right, ones_right = n - left, ones - ones_left
    with np.errstate(divide="ignore", invalid="ignore"):
        score = (ones_left**2 + (left - ones_left) ** 2) / left
        score += (ones_right**2 + (right - ones_right) ** 2) / right
    parent = (ones**2 + (n - ones) ** 2) / n
    result: Floats = np.where((left > 0) & (right > 0), (score - parent) / n, -np.inf)
    return result


def best_step(margin: Floats, slope: Floats, y: Floats) -> tuple[float, float]:
    """Merit and δ of the best ``margin - δ slope <= 0``."""
    moves = slope != 0
    u = margin[moves] / slope[moves]
    order = np.argsort(u)
    u, way = u[order], np.sign(slope[moves])[order]
    stays = margin[~moves] <= 0
    left = (way < 0).sum() + stays.sum() + np.cumsum(way)
    ones = y[moves][order]
    ones_left = ones[way < 0].sum() + y[~moves][stays].sum() + np.cumsum(way * ones)
    merit = gini(left[:-1], ones_left[:-1], len(y), int(y.sum()))
    merit[u[1:] == u[:-1]] = -np.inf
    at = int(merit.argmax())
    return float(merit[at]), float(u[at] / 2 + u[at + 1] / 2)


def best_univariate(Z: Floats, y: Floats) -> tuple[float, Floats, float]:
    """Merit, weights and cut."""
    one = np.ones(len(y))
    merit, cut, j = max((*best_step(z, one, y), j) for j, z in enumerate(Z.T))
    return merit, np.eye(Z.shape[1])[j], cut


def cart_lc(Z: Floats, y: Floats, max_cycles: int = 100) -> tuple[float, Floats, float]:
    """Cycles over the columns until one gains nothing."""
    merit, w, c = best_univariate(Z, y)
    one = np.ones(len(y))
    for _ in range(max_cycles):
        before = merit
        for j, z in enumerate(Z.T):
            margin = Z @ w - c
            found = [(*best_step(margin, z + gamma, y), gamma) for gamma in GAMMAS]
            best, delta, gamma = max(found)
            if best >= merit:
                merit, c = best, c + delta * gamma
                w = w - delta * np.eye(len(w))[j]
        best, delta = best_step(Z @ w - c, one, y)
        if best > merit:
            merit, c = best, c + delta
        if not merit > before:
            break
    return merit, w, c


def oc1(Z: Floats, y: Floats, restarts: int, jumps: int, seed: int = 0) -> float:
    """Sequential steps to a local optimum, random jumps from it, restarts: the merit found."""
    rng = np.random.default_rng(seed)
    V = np.c_[Z, -np.ones(len(y))]

    def climb(w: Floats) -> float:
        merit, left = -np.inf, jumps
        while True:
            before = merit
            for j in range(V.shape[1]):
                found, delta = best_step(V @ w, V[:, j], y)
                if found > merit:
                    merit, w = found, w - delta * np.eye(len(w))[j]
            if merit > before:
                continue
            while left > 0:
                left -= 1
                way = rng.uniform(-1, 1, len(w))
                found, delta = best_step(V @ w, V @ way, y)
                if found > merit:
                    merit, w = found, w - delta * way
                    break
            else:
                return float(merit)

    _, w, c = best_univariate(Z, y)
    starts = [np.append(w, c), *rng.uniform(-1, 1, (restarts, V.shape[1]))]
    return max(climb(start) for start in starts)
