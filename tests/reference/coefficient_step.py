"""The best step of a plane along one direction, by trying them all."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from reference.thresholds import MERITS


def half_way(low, high):
    middle = low / 2 + high / 2
    return middle if low <= middle < high else low


def all_steps(margin, x, gamma, y, weight, n_classes, merit, min_leaf_rows):
    """Every (merit, δ), δ half-way between two neighbouring u = margin / (x + γ)."""
    weight = np.ones(len(y)) if weight is None else weight
    slope = x + gamma
    moves = slope != 0
    u = np.divide(margin, slope, out=np.zeros(len(y)), where=moves)
    for low, high in pairwise(np.unique(u[moves])):
        left = np.where(slope > 0, u <= low, u >= high)
        left[~moves] = margin[~moves] <= 0
        if min(left.sum(), (~left).sum()) < max(min_leaf_rows, 1):
            continue
        sides = [np.bincount(y[side], weight[side], n_classes) for side in (left, ~left)]
        yield MERITS[merit](*sides), half_way(low, high)


def best_step(*node):
    """The greatest merit and its shortest δ, or None."""
    steps = list(all_steps(*node))
    return max(steps, key=lambda step: (step[0], -abs(step[1])), default=None)
