"""Generators of the papers' artificial data sets, and one for benchmarks.

Each returns `(X, y)`: a float64 array of rows and features, and an int64 array of classes counted
from 0, as scikit-learn's generators do. An integer `random_state` gives the same table on every
platform. For that reason linear combinations are summed column by column here, in an order that
no BLAS changes.
"""

from __future__ import annotations

import numpy as np

from ._concepts import TEST_ROWS, make_apc, make_nc, make_oc
from ._random import Classes, Matrix, RandomState, at_least, share, stream, turn

__all__ = [
    "TEST_ROWS",
    "make_apc",
    "make_bivariate_example",
    "make_led",
    "make_monk",
    "make_nc",
    "make_oc",
    "make_planes",
    "make_sum_plane",
    "make_wave",
]

_MONK_VALUES = (3, 3, 2, 3, 4, 2)
_MONK_TRAINING_ROWS = {1: 124, 2: 169, 3: 122}

# One row a digit: top, upper left, upper right, middle, lower left, lower right, bottom.
_LED_SEGMENTS = np.array(
    [
        [1, 1, 1, 0, 1, 1, 1],
        [0, 0, 1, 0, 0, 1, 0],
        [1, 0, 1, 1, 1, 0, 1],
        [1, 0, 1, 1, 0, 1, 1],
        [0, 1, 1, 1, 0, 1, 0],
        [1, 1, 0, 1, 0, 1, 1],
        [1, 1, 0, 1, 1, 1, 1],
        [1, 0, 1, 0, 0, 1, 0],
        [1, 1, 1, 1, 1, 1, 1],
        [1, 1, 1, 1, 0, 1, 1],
    ],
    dtype=np.bool_,
)


def make_monk(
    problem: int, *, training: bool = False, random_state: RandomState = None
) -> tuple[Matrix, Classes]:
    """Make one of the three MONK's problems.

    Six features with the values 1 to 3, 3, 2, 3, 4 and 2. The class is 1 if, in problem 1,
    x1 = x2 or x5 = 1; in problem 2, exactly two features are 1; in problem 3, x5 = 3 and x4 = 1,
    or x5 ≠ 4 and x2 ≠ 3.

    Parameters
    ----------
    problem : {1, 2, 3}
        Which rule.
    training : bool, default=False
        False lists all 432 combinations, the last feature changing fastest, without noise. True
        draws as many of them as the published training sets have (124, 169 and 122), and in
        problem 3 turns the class of 5 % of them.
    random_state : int, Generator or None
        Source of the drawing.

    Returns
    -------
    X : ndarray of shape (n, 6)
    y : ndarray of shape (n,)

    See Also
    --------
    load_monks1 : The published training and test rows; likewise 2 and 3.

    References
    ----------
    J. C. Bioch, O. van der Meer and R. Potharst, *Bivariate Decision Trees*, 1997, section 4, use
    problem 1. The problems are those of S. Thrun et al., *The MONK's Problems: A Performance
    Comparison of Different Learning Algorithms*, 1991.

    Examples
    --------
    >>> X, y = make_monk(1)
    >>> X.shape, int(y.sum())
    ((432, 6), 216)
    """
    if problem not in _MONK_TRAINING_ROWS:
        raise ValueError(f"problem={problem!r}: choose 1, 2 or 3")
    rng = stream(random_state)
    X = np.indices(_MONK_VALUES).reshape(len(_MONK_VALUES), -1).T.astype(np.float64) + 1.0
    _, x2, _, x4, x5, _ = X.T
    if problem == 1:
        y = (X[:, 0] == x2) | (x5 == 1)
    elif problem == 2:
        y = (X == 1).sum(axis=1) == 2
    else:
        y = ((x5 == 3) & (x4 == 1)) | ((x5 != 4) & (x2 != 3))
    if training:
        drawn = np.sort(rng.choice(len(X), _MONK_TRAINING_ROWS[problem], replace=False))
        X, y = X[drawn], y[drawn]
        y = turn(y, 0.05 if problem == 3 else 0.0, rng)
    return X, y.astype(np.int64)


def make_bivariate_example(
    n: int = 500, *, random_state: RandomState = None
) -> tuple[Matrix, Classes]:
    """Make the second example of *Bivariate Decision Trees*.

    Six features, uniform in [0, 1]. The class is 1 ("yes") if x1 ≤ x2 and x4 ≤ x6, so three
    leaves with two tests of two features each say all. The paper prints neither the number of
    rows nor the distribution; with 500 rows a univariate tree takes about the 40 leaves it
    reports.

    Parameters
    ----------
    n : int, default=500
        Number of rows.
    random_state : int, Generator or None
        Source of the drawing.

    Returns
    -------
    X : ndarray of shape (n, 6)
    y : ndarray of shape (n,)

    References
    ----------
    J. C. Bioch, O. van der Meer and R. Potharst, *Bivariate Decision Trees*, 1997, section 4.

    Examples
    --------
    >>> X, y = make_bivariate_example(random_state=0)
    >>> bool((y == ((X[:, 0] <= X[:, 1]) & (X[:, 3] <= X[:, 5]))).all())
    True
    """
    at_least(1, n=n)
    X = stream(random_state).random((n, 6))
    return X, ((X[:, 0] <= X[:, 1]) & (X[:, 3] <= X[:, 5])).astype(np.int64)


def make_wave(n: int = 300, *, random_state: RandomState = None) -> tuple[Matrix, Classes]:
    """Make the wave data: three classes of noisy mixtures of triangles.

    The triangles are 6 high, 12 wide at the base and centred at features 7, 11 and 15 of 21. A row
    of a class is `u * a + (1 - u) * b` with u uniform in [0, 1], plus standard normal noise at
    every feature. The pair (a, b) is centred at 11 and 15 in class 0, at 11 and 7 in class 1, at
    15 and 7 in class 2. The classes are equally likely; the best accuracy possible is about 0.86.

    Parameters
    ----------
    n : int, default=300
        Number of rows.
    random_state : int, Generator or None
        Source of the drawing.

    Returns
    -------
    X : ndarray of shape (n, 21)
    y : ndarray of shape (n,)

    References
    ----------
    L. Breiman, J. Friedman, R. Olshen and C. Stone, *Classification and Regression Trees*, 1984,
    pages 49 to 55; used by J. C. Bioch, O. van der Meer and R. Potharst, *Bivariate Decision
    Trees*, 1997.

    Examples
    --------
    >>> X, y = make_wave(random_state=0)
    >>> X.shape, np.unique(y)
    ((300, 21), array([0, 1, 2]))
    """
    at_least(1, n=n)
    rng = stream(random_state)
    triangles = np.maximum(6.0 - np.abs(np.arange(1, 22) - np.array([[11], [15], [7]])), 0.0)
    y = rng.integers(3, size=n, dtype=np.int64)
    first, second = np.array([[0, 1], [0, 2], [1, 2]])[y].T
    u = rng.random((n, 1))
    # The tails of the normal distribution use the platform's logarithm: its last bit is cut off.
    noise = np.round(rng.standard_normal((n, 21)), 12)
    return u * triangles[first] + (1.0 - u) * triangles[second] + noise, y


def make_led(
    n: int = 1000, *, noise: float = 0.1, random_state: RandomState = None
) -> tuple[Matrix, Classes]:
    """Make the LED data: digits on a display of seven segments, some of them inverted.

    The features are 1 where a segment is lit, in the order top, upper left, upper right, middle,
    lower left, lower right, bottom. The ten classes are equally likely; with the default noise
    the best accuracy possible is about 0.74.

    Parameters
    ----------
    n : int, default=1000
        Number of rows.
    noise : float, default=0.1
        Probability that a segment shows the opposite, each for itself.
    random_state : int, Generator or None
        Source of the drawing.

    Returns
    -------
    X : ndarray of shape (n, 7)
    y : ndarray of shape (n,)

    References
    ----------
    L. Breiman, J. Friedman, R. Olshen and C. Stone, *Classification and Regression Trees*, 1984,
    pages 43 to 49; used by C. E. Brodley and P. E. Utgoff, *Multivariate Decision Trees*, 1995.

    Examples
    --------
    >>> X, y = make_led(noise=0, random_state=0)
    >>> X[y == 7][0]
    array([1., 0., 1., 0., 0., 1., 0.])
    """
    at_least(1, n=n)
    share(noise=noise)
    rng = stream(random_state)
    y = rng.integers(10, size=n, dtype=np.int64)
    inverted = rng.random((n, 7)) < noise
    return (_LED_SEGMENTS[y] ^ inverted).astype(np.float64), y


def make_sum_plane(n: int = 200, *, random_state: RandomState = None) -> tuple[Matrix, Classes]:
    """Make the first example of *Multivariate Decision Trees*, whether x + y ≤ 8.

    Two features, uniform in [0, 8]; the class is 0 ("-") if their sum is at most 8 and 1 ("+")
    if it is more, which one linear test says and a univariate tree only approximates. The paper
    shows the figure and the rule, not the points.

    Parameters
    ----------
    n : int, default=200
        Number of rows.
    random_state : int, Generator or None
        Source of the drawing.

    Returns
    -------
    X : ndarray of shape (n, 2)
    y : ndarray of shape (n,)

    References
    ----------
    C. E. Brodley and P. E. Utgoff, *Multivariate Decision Trees*, 1995, Figure 1.

    Examples
    --------
    >>> X, y = make_sum_plane(random_state=0)
    >>> bool((y == (X.sum(axis=1) > 8)).all())
    True
    """
    at_least(1, n=n)
    X = 8.0 * stream(random_state).random((n, 2))
    return X, (X[:, 0] + X[:, 1] > 8.0).astype(np.int64)


def make_planes(
    n: int = 20000,
    n_features: int = 20,
    n_planes: int = 5,
    features_per_plane: int | None = 5,
    noise: float = 0.1,
    *,
    random_state: RandomState = None,
) -> tuple[Matrix, Classes]:
    """Make a table of any size whose classes an oblique tree separates, but for noise.

    Rows are uniform in [-1, 1]. The classes are those of a tree of `n_planes` linear tests, filled
    level by level: each has random weights over features of its own and sends half of its rows to
    each side; the low side of a last test is class 0, the high side class 1. For benchmarks; no
    paper uses it.

    The noise is drawn last: the same state and sizes without noise give the same rows and planes
    and the classes as they are, to test on.

    Parameters
    ----------
    n : int, default=20000
        Number of rows, at least twice the number of planes.
    n_features : int, default=20
        Number of features.
    n_planes : int, default=5
        Number of tests in the tree.
    features_per_plane : int or None, default=5
        Number of features a test weighs, of those there are; None for all.
    noise : float, default=0.1
        Share of the rows that get the wrong class.
    random_state : int, Generator or None
        Source of the rows, the planes and the noise.

    Returns
    -------
    X : ndarray of shape (n, n_features)
    y : ndarray of shape (n,)

    Examples
    --------
    >>> X, y = make_planes(1000, n_features=3, random_state=0)
    >>> X.shape, np.unique(y)
    ((1000, 3), array([0, 1]))
    >>> same, truth = make_planes(1000, n_features=3, noise=0.0, random_state=0)
    >>> bool((same == X).all()), int((truth != y).sum())
    (True, 100)
    """
    at_least(1, n_planes=n_planes)
    at_least(2 * n_planes, n=n)
    at_least(1, n_features=n_features)
    if features_per_plane is None:
        features_per_plane = n_features
    at_least(1, features_per_plane=features_per_plane)
    share(noise=noise)
    rng = stream(random_state)
    X = 2.0 * rng.random((n, n_features)) - 1.0
    weighed = min(features_per_plane, n_features)
    planes = []
    for _ in range(n_planes):
        features = rng.choice(n_features, weighed, replace=False)
        planes.append((features, 2.0 * rng.random(weighed) - 1.0))
    y = np.zeros(n, dtype=np.bool_)
    # Test k sends its rows to 2k + 1 and 2k + 2; where those are no tests, its sides are leaves.
    reached = [np.arange(n)]
    for k, plane in enumerate(planes):
        rows = reached[k]
        projection = np.zeros(len(rows))
        for feature, weight in zip(*plane, strict=True):
            projection += weight * X[rows, feature]
        high = projection > np.median(projection)
        y[rows] = high  # overwritten where a test follows
        reached += [rows[~high], rows[high]]
    return X, turn(y, noise, rng).astype(np.int64)
