"""A linear machine that learns case by case: what Pocket and Thermal share."""

from __future__ import annotations

import numpy as np


def dot(a, b):
    """Four sums side by side, as the kernel adds."""
    sums = [0.0] * 4
    for j, product in enumerate(a * b):
        sums[j % 4] += product
    return (sums[0] + sums[1]) + (sums[2] + sums[3])


def with_constant(Z):
    """Columns rounded to a millionth of a deviation, and the constant."""
    with np.errstate(over="ignore"):
        rounded = np.rint(Z * 2.0**20) * 2.0**-20
    return np.hstack([rounded, np.ones((len(Z), 1))])


def winner(W, Y):
    """The first of the greatest discriminants, and all of them."""
    values = [dot(w, Y) for w in W]
    best = 0
    for k, value in enumerate(values):
        if value > values[best]:
            best = k
    return best, values


def error(values, own, other, Y):
    return (values[other] - values[own]) / (2.0 * dot(Y, Y))


def shares(weight, n_rows):
    """Weights, the largest of them 1."""
    return [1.0] * n_rows if weight is None else [w / max(weight) for w in weight]
