"""The three concepts of *Pruning Multivariate Decision Trees by Hyperplane Merging*.

Each is a region of the unit cube. Rows are drawn uniformly until half of those wanted are inside
and half outside, then shuffled, so that any part of the table can be the test set.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ._random import Classes, Flags, Matrix, RandomState, at_least, stream

__all__ = ["TEST_ROWS", "make_apc", "make_nc", "make_oc"]

TEST_ROWS = {"apc": 320, "oc": 1200, "nc": 640}
"""How many rows of `make_apc`, `make_oc` and `make_nc`, the last ones, the paper tests on."""

# (feature counted from 0, cut, subtree if x <= cut, subtree if not); a leaf is its class.
# Of the cube's volume 0.274 is positive left of the root and 0.226 right of it: half in all.
_ApcTree = bool | tuple[int, float, "_ApcTree", "_ApcTree"]
_APC_TREE: _ApcTree = (
    0,
    0.5,
    (
        2,
        0.4,
        (1, 0.6, True, (4, 0.5, False, True)),
        (3, 0.6, (1, 0.3, True, False), (4, 0.5, True, False)),
    ),
    (
        1,
        0.5,
        (4, 0.2, True, (3, 0.5, False, (2, 0.5, True, False))),
        (3, 0.4, False, (2, 0.84, True, False)),
    ),
)


def make_apc(n: int = 800, *, random_state: RandomState = None) -> tuple[Matrix, Classes]:
    """Make the axis-parallel concept: a univariate tree over five features.

    The paper's authors drew a tree by hand and did not print it. This one is ours, with thirteen
    tests and half of the cube positive::

        x1 ≤ 0.5
        ├─ x3 ≤ 0.4
        │  ├─ x2 ≤ 0.6:  1;  else  x5 ≤ 0.5: 0, else 1
        │  └─ x4 ≤ 0.6:  x2 ≤ 0.3: 1, else 0;  else  x5 ≤ 0.5: 1, else 0
        └─ x2 ≤ 0.5
           ├─ x5 ≤ 0.2:  1;  else  x4 ≤ 0.5: 0, else  x3 ≤ 0.5: 1, else 0
           └─ x4 ≤ 0.4:  0;  else  x3 ≤ 0.84: 1, else 0

    Parameters
    ----------
    n : int, default=800
        Number of rows, half of them positive. The paper tests on 320: `X[-320:]`, see
        `TEST_ROWS`.
    random_state : int, Generator or None
        Source of the rows; the concept is always the same.

    Returns
    -------
    X : ndarray of shape (n, 5)
    y : ndarray of shape (n,)

    References
    ----------
    M. Kubat and D. Flotzinger, *Pruning Multivariate Decision Trees by Hyperplane Merging*, 1995.

    Examples
    --------
    >>> X, y = make_apc(random_state=0)
    >>> X.shape, np.bincount(y)
    ((800, 5), array([400, 400]))
    """
    return _half_inside(lambda X: _follow(_APC_TREE, X), n, 5, random_state)


def make_oc(n: int = 3000, *, random_state: RandomState = None) -> tuple[Matrix, Classes]:
    """Make the oblique concept: the space between two planes in a cube of three dimensions.

    The paper does not print its planes. Ours are x1 + x2 + x3 = 1.147 and x1 + x2 + x3 = 1.853,
    which have half of the cube between them. They are parallel, because planes that are not make
    trees two to four times as large as the paper prints.

    Parameters
    ----------
    n : int, default=3000
        Number of rows, half of them positive. The paper tests on 1200: `X[-1200:]`, see
        `TEST_ROWS`.
    random_state : int, Generator or None
        Source of the rows; the concept is always the same.

    Returns
    -------
    X : ndarray of shape (n, 3)
    y : ndarray of shape (n,)

    References
    ----------
    M. Kubat and D. Flotzinger, *Pruning Multivariate Decision Trees by Hyperplane Merging*, 1995.

    Examples
    --------
    >>> X, y = make_oc(random_state=0)
    >>> X.shape, np.bincount(y)
    ((3000, 3), array([1500, 1500]))
    """

    def between(X: Matrix) -> Flags:
        x1, x2, x3 = X.T
        total = x1 + x2 + x3
        inside: Flags = (total > 1.147) & (total <= 1.853)
        return inside

    return _half_inside(between, n, 3, random_state)


def make_nc(n: int = 2000, *, random_state: RandomState = None) -> tuple[Matrix, Classes]:
    """Make the nonlinear concept: the inside of a sphere centred in a cube.

    The paper does not give the radius. Ours is 0.4, with which trees come out as accurate and as
    large as there; a sphere of half of the cube's volume makes trees two points less accurate.

    Parameters
    ----------
    n : int, default=2000
        Number of rows, half of them positive. The paper tests on 640: `X[-640:]`, see
        `TEST_ROWS`.
    random_state : int, Generator or None
        Source of the rows; the concept is always the same.

    Returns
    -------
    X : ndarray of shape (n, 3)
    y : ndarray of shape (n,)

    References
    ----------
    M. Kubat and D. Flotzinger, *Pruning Multivariate Decision Trees by Hyperplane Merging*, 1995.

    Examples
    --------
    >>> X, y = make_nc(random_state=0)
    >>> X.shape, np.bincount(y)
    ((2000, 3), array([1000, 1000]))
    """

    def inside(X: Matrix) -> Flags:
        x1, x2, x3 = X.T - 0.5
        within: Flags = x1 * x1 + x2 * x2 + x3 * x3 <= 0.4**2
        return within

    return _half_inside(inside, n, 3, random_state)


def _follow(tree: _ApcTree, X: Matrix) -> Flags:
    if isinstance(tree, bool):
        return np.full(len(X), tree)
    feature, cut, low, high = tree
    return np.where(X[:, feature] <= cut, _follow(low, X), _follow(high, X))


def _half_inside(
    concept: Callable[[Matrix], Flags], n: int, n_features: int, random_state: RandomState
) -> tuple[Matrix, Classes]:
    at_least(2, n=n)
    rng = stream(random_state)
    wanted = (n - n // 2, n // 2)
    kept = [np.empty((0, n_features)) for _ in wanted]
    while any(len(rows) < count for rows, count in zip(kept, wanted, strict=True)):
        X = rng.random((n, n_features))
        y = concept(X)
        kept = [np.vstack([kept[0], X[~y]]), np.vstack([kept[1], X[y]])]
    order = rng.permutation(n)
    X = np.vstack([rows[:count] for rows, count in zip(kept, wanted, strict=True)])
    return X[order], np.repeat(np.array([0, 1], dtype=np.int64), wanted)[order]
