"""BIT1: CART's search over every ordered pair of columns, as Bioch et al. (1997) have it."""

from __future__ import annotations

from itertools import permutations

from reference.plane_search import NOTHING, Search, cart_lc


def bit1(Z, y, n_classes, min_leaf_rows, gammas, epsilon, max_cycles):
    """Score and (i, j, w_i, w_j) of the best pair, or None; of equals the first."""
    best = NOTHING, None
    for i, j in permutations(range(Z.shape[1]), 2):
        search = Search(Z[:, [i, j]], y, n_classes, min_leaf_rows)
        w = cart_lc(search, [1.0, 0.0], gammas, epsilon, max_cycles)
        if search.start(w) and search.score > best[0]:
            best = search.score, (i, j, *w)
    return best[1]
