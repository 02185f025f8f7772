"""The Pocket algorithm, as Brodley and Utgoff (1995) have it in section 3.2."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

import numpy as np

from reference.machine import error, shares, winner, with_constant
from reference.rng import Random


def pocket(Z, y, weight, n_classes, seed, passes, epsilon, trace=None):
    """Weights of the machine; `trace` is told case, weights and run after every case."""
    Y, n = with_constant(Z), len(Z)
    random = Random(seed)
    reached = list(accumulate(shares(weight, n)))
    W = np.zeros((n_classes, Y.shape[1]))
    kept, longest, run = W.copy(), 0, None  # the zero weights have no run
    for _ in range(passes * n):
        i = bisect_right(reached, random.uniform() * reached[-1])
        best, values = winner(W, Y[i])
        if best != y[i]:
            c = error(values, y[i], best, Y[i]) + epsilon
            W[y[i]] += c * Y[i]
            W[best] -= c * Y[i]
            run = 0
        elif run is not None:
            run += 1
        if trace is not None and run is not None:
            trace(i, W.copy(), run)
        if run is not None and run > longest:
            longest, kept = run, W.copy()
        if run and run % n == 0 and all(winner(W, Y[j])[0] == y[j] for j in range(n)):
            return W
    return kept
