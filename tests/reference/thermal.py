"""Thermal training, as Brodley and Utgoff (1995) have it in Table 1."""

from __future__ import annotations

from math import sqrt

import numpy as np

from reference.machine import dot, error, shares, winner, with_constant
from reference.rng import Random


def magnitude(W):
    total = 0.0
    for w in W:
        total += sqrt(dot(w, w))
    return total


def thermal(
    Z,
    y,
    weight,
    n_classes,
    seed,
    beta,
    a,
    b,
    epsilon,
    alpha,
    whole_pass,
    max_passes,
    order=None,
    trace=None,
):
    """Weights of the machine; `trace` is told case, k, c, W and β after every correction."""
    Y, n = with_constant(Z), len(Z)
    if order is None:
        order = list(range(n))
        Random(seed).shuffle(order)
    share = shares(weight, n)
    total = 0.0
    for s in share:
        total += s
    W = np.zeros((n_classes, Y.shape[1]))
    size = lmag = 0.0
    rose, quiet = False, 0
    enough = max(2 * Z.shape[1], n if whole_pass else 0)
    for _ in range(max_passes):
        corrected = False
        for i in order:
            emag = 0.0
            best, values = winner(W, Y[i])
            k = error(values, y[i], best, Y[i]) + epsilon
            if best != y[i] and k < beta:
                c = share[i] / (total / n) * (beta * beta / (beta + k))
                W[y[i]] += c * Y[i]
                W[best] -= c * Y[i]
                emag = 2.0 * c * sqrt(dot(Y[i], Y[i]))
                before, size = size, magnitude(W)
                lmag = max(lmag, size)
                if size < before and rose:
                    beta = a * beta - b
                rose = size > before
                corrected = True
                if trace is not None:
                    trace(i, k, c, W.copy(), beta)
            quiet = quiet + 1 if emag < alpha * lmag else 0
        if not corrected or quiet >= enough:
            break
    return W
