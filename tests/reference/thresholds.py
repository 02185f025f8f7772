"""Univariate tests by trying them all."""

from __future__ import annotations

from itertools import pairwise

import numpy as np


def gini(counts):
    p = counts / counts.sum()
    return 1 - (p**2).sum()


def entropy(counts):
    p = counts[counts > 0] / counts.sum()
    return -(p * np.log2(p)).sum()


def minority(counts):
    return counts.sum() - counts.max()


def decrease(impurity, left, right):
    n = left.sum() + right.sum()
    return (
        impurity(left + right) - (left.sum() * impurity(left) + right.sum() * impurity(right)) / n
    )


def twoing(left, right):
    n = left.sum() + right.sum()
    distance = np.abs(left / left.sum() - right / right.sum()).sum()
    return left.sum() * right.sum() / n**2 / 4 * distance**2


MERITS = {
    "gini": lambda left, right: decrease(gini, left, right),
    "information_gain": lambda left, right: decrease(entropy, left, right),
    "twoing": twoing,
    "max_minority": lambda left, right: (
        minority(left + right) - max(minority(left), minority(right))
    ),
    "sum_minority": lambda left, right: minority(left + right) - minority(left) - minority(right),
    "misclassification": lambda left, right: (
        (minority(left + right) - minority(left) - minority(right)) / (left.sum() + right.sum())
    ),
}


def all_cuts(x, y, weight, n_classes, merit, min_leaf_rows):
    """Every test of one column as (merit, cut, known_test, missing_right).

    The first of equals wins: missing values to the right by rising cut, then "known", then
    missing values to the left by rising cut.
    """
    known = ~np.isnan(x)
    values = np.unique(x[known])
    cuts = [(low / 2 + high / 2, low) for low, high in pairwise(values)]
    tests = [(x <= low, cut, False, True) for cut, low in cuts]
    if not known.all():
        if known.any():
            tests.append((known, 0.0, True, True))
        tests += [((x <= low) | ~known, cut, False, False) for cut, low in cuts]
    for left, cut, known_test, missing_right in tests:
        if min(left.sum(), (~left).sum()) < max(min_leaf_rows, 1):
            continue
        sides = [np.bincount(y[side], weight[side], n_classes) for side in (left, ~left)]
        yield MERITS[merit](*sides), cut, known_test, missing_right if not known.all() else None


def best_merit(x, y, weight, n_classes, merit, min_leaf_rows):
    """The greatest merit of a column, or None."""
    return max(
        (m for m, *_ in all_cuts(x, y, weight, n_classes, merit, min_leaf_rows)), default=None
    )
