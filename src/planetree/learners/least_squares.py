"""Least squares by the pseudoinverse."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lstsq

from planetree.learners.base import SumsLearner
from planetree.scaling import Scaling
from planetree.view import Sums

__all__ = ["LeastSquares"]


class LeastSquares(SumsLearner):
    """The least squares fit of minimum norm to targets 1 and -1 (Kubat and Flotzinger 1995).

    With more than two classes each has its own targets, 1 for its rows and -1 for the others, and
    the greatest fit wins: a linear machine.

    Parameters
    ----------
    balanced : bool, default=False
        Targets n / n₊ and -n / n₋ instead, for n₊ cases of the class and n₋ others: the plane then
        passes through the mean of the cases, and cannot leave all of them on one side.
    scaling : Scaling, default=None
        How a node's columns are brought to one scale; None is `planetree.scaling.Deviations`. It
        matters only where the columns depend on each other.

    Examples
    --------
    >>> from planetree import PlaneTreeClassifier
    >>> from planetree.learners import LeastSquares
    >>> X, y = [[1, 4], [2, 3], [4, 2], [3, 1]], ["a", "a", "b", "b"]
    >>> PlaneTreeClassifier(learner=LeastSquares(), univariate=False).fit(X, y).n_leaves_
    2
    """

    scale_free = True

    def __init__(self, balanced: bool = False, scaling: Scaling | None = None) -> None:
        self.balanced = balanced
        self.scaling = scaling

    def solve(self, sums: Sums) -> NDArray[np.float64] | None:  # noqa: D102
        B = sums.B
        if self.balanced:
            everything = sums.A[:, -1:]
            own = (B + everything) / 2
            n, n_own = everything[-1], own[-1]
            B = own * (n / n_own) - (everything - own) * (n / (n - n_own))
        # B lies in the range of A, so the shortest solution is the pseudoinverse's.
        W: NDArray[np.float64] = lstsq(sums.A, B, lapack_driver="gelsd")[0].T
        return W
