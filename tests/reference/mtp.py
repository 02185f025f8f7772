"""Multivariate tree pruning as Brodley and Utgoff tell it (1995, section 5): recursive.

A tree is None, a leaf, or (test, places, [trees]); `learn(rows, path, places)` is the test learned
from these rows over these columns, its merit, and whether it may be used, or None.
"""

from __future__ import annotations

import numpy as np


def label(y, rows):
    return np.bincount(y[rows]).argmax()


def errors(tree, rows, held, training, holdout):
    X, y = training
    X_held, y_held = holdout
    if tree is None:
        return int((y_held[held] != label(y, rows)).sum())
    taken, taken_held = tree[0].route(X[rows]), tree[0].route(X_held[held])
    return sum(
        errors(child, rows[taken == b], held[taken_held == b], training, holdout)
        for b, child in enumerate(tree[2])
    )


def prune(tree, rows, held, training, holdout, learn, path=()):
    def wrong(tree):
        return errors(tree, rows, held, training, holdout)

    if tree is None:
        return None
    test, places, children = tree
    taken, taken_held = test.route(training[0][rows]), test.route(holdout[0][held])
    children = [
        prune(child, rows[taken == b], held[taken_held == b], training, holdout, learn, (*path, b))
        for b, child in enumerate(children)
    ]
    best = test, places, children
    if wrong(None) <= wrong(best):
        return None
    if any(child is not None for child in children) or places is None:
        return best
    while len(places) > 1:
        # SBE: without which column is the test, learned anew, worth most?
        smaller = [tuple(p for p in places if p != gone) for gone in places]
        learned = [(learn(rows, path, some), some) for some in smaller]
        learned = [(test, merit, fine, some) for (test, merit, fine), some in learned if test]
        if not learned:
            break
        new, _, fine, places = max(learned, key=lambda one: one[1])
        candidate = new, places, [None] * new.n_branches
        if not fine or new.n_branches > test.n_branches or wrong(candidate) > wrong(best):
            break
        best = None if wrong(None) <= wrong(candidate) else candidate
        if best is None:
            break
    return best
