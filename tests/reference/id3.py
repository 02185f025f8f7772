"""ID3 by trying every test of a node; symbols branch into the values seen there."""

from __future__ import annotations

from itertools import pairwise

import numpy as np


def entropy(counts):
    p = counts[counts > 0] / counts.sum()
    return -(p * np.log2(p)).sum()


def gain(y, weight, branch, n_classes):
    """Entropy of the node less that of its branches."""
    whole = np.bincount(y, weight, n_classes)
    parts = [np.bincount(y[branch == b], weight[branch == b], n_classes) for b in np.unique(branch)]
    return entropy(whole) - sum(p.sum() * entropy(p) for p in parts) / whole.sum()


def ways(x, *, symbolic, min_leaf_rows=1):
    """Every way in which tests on one column part the rows: a branch a row."""
    missing = np.isnan(x)
    if symbolic:
        found = [np.where(missing, -1.0, x)]  # a missing value is one value more
    else:
        values = np.unique(x[~missing])
        found = [x > low for low, _ in pairwise(values)]
        if missing.any():
            # The comparison has sent them left; each cut with them on the right as well.
            found += [way | missing for way in found] + [missing]
    for way in found:
        sizes = np.unique(way, return_counts=True)[1]
        enough = sizes >= min_leaf_rows
        if enough.sum() >= 2 and (symbolic or enough.all()):
            yield np.unique(way, return_inverse=True)[1]


def same_parts(one, other):
    """Whether two ways part the rows alike, whatever the branches are called."""
    pairs = np.unique(np.stack([one, other]), axis=1).shape[1]
    return pairs == len(np.unique(one)) == len(np.unique(other))
