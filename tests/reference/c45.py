"""C4.5's choice of a test, with fractional cases, by trying every test; and its prediction.

`part` is how much of each row is at the node. Weights of rows are in `w`, parts included.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from reference.id3 import entropy, gain

EPSILON = 1e-9


def ways(x, part, *, symbolic, min_leaf):
    """Every way to part the rows whose value is known: a branch a row, -1 for the others."""
    known = ~np.isnan(x)
    values = np.unique(x[known])
    found = [x > low for low, _ in pairwise(values)]
    if symbolic:
        found = [np.searchsorted(values, np.where(known, x, 0))] if len(values) > 1 else []
    for way in found:
        way = np.where(known, way, -1).astype(int)
        sizes = np.bincount(way[known], part[known])
        if (sizes >= min_leaf - EPSILON).sum() >= 2:
            yield way


def judge(y, w, way, n_classes):
    """Gain among the known times their share, and split information with "missing" a branch."""
    known = way >= 0
    share = w[known].sum() / w.sum()
    split_info = entropy(np.bincount(way + 1, w))
    return share * gain(y[known], w[known], way[known], n_classes), split_info


def offers(X, y, w, part, symbolic, n_classes, *, min_leaf, penalty):
    """The best test of each feature that has one, as (gain, split information)."""
    best = {}
    for j, x in enumerate(X.T):
        judged = [
            judge(y, w, way, n_classes)
            for way in ways(x, part, symbolic=symbolic[j], min_leaf=min_leaf)
        ]
        if not judged:
            continue
        most = max(gain for gain, _ in judged)
        # Of cuts with the same gain any may stand for the feature: the one of least ratio here.
        split_info = max(info for gain, info in judged if gain >= most - EPSILON)
        if penalty and not symbolic[j]:
            charge = np.log2(len(judged)) / part.sum()
            if charge > 0 and most - charge <= 0:
                continue
            most -= charge
        best[j] = most, split_info
    return best


def distribution(tree, x, node=0):
    """Class distribution of one row: the sum over the leaves it reaches."""
    here = tree.node(node)
    if here.test is None:
        return here.counts / here.counts.sum()
    branch = here.test.route(x[None])[0]
    if branch >= 0:
        return distribution(tree, x, here.children[branch])
    weights = np.array([tree.counts[child].sum() for child in here.children])
    below = [distribution(tree, x, child) for child in here.children]
    return weights / weights.sum() @ np.array(below)
