"""Least squares by the pseudoinverse."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import lstsq

from planetree.learners.base import LinearTest, SumsLearner
from planetree.scaling import Scaling
from planetree.view import NodeView, Sums

__all__ = ["LeastSquares"]

LEAST_APART = 1e-9  # of targets 1 and -1


class LeastSquares(SumsLearner):
    """The least squares fit of minimum norm to targets 1 and -1 (Kubat and Flotzinger 1995).

    With more than two classes each has its own targets, 1 for its rows and -1 for the others, and
    the greatest fit wins: a linear machine.

    Parameters
    ----------
    balanced : bool, default=False
        Targets n / n₊ and -n / n₋ instead, for n₊ cases of the class and n₋ others: the plane then
        passes through the mean of the cases, and cannot leave all of them on one side.
    mid : bool, default=False
        Move a plane between two classes that leaves all cases on one side, and no other: to the
        middle between the means of both classes.
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

    def __init__(
        self, balanced: bool = False, scaling: Scaling | None = None, *, mid: bool = False
    ) -> None:
        self.balanced = balanced
        self.scaling = scaling
        self.mid = mid

    @property
    def needs_rows(self) -> bool:  # noqa: D102
        return self.mid

    def fit(self, view: NodeView) -> LinearTest | None:  # noqa: D102
        W = self.solve(view.sums)
        if W is None:
            return None
        if not self.mid or view.n_classes > 2:
            return view.machine(W)
        weights, constant = W[1, :-1] - W[0, :-1], W[1, -1] - W[0, -1]
        values = view.Z @ weights
        means = np.bincount(view.y, values * view.row_weight) / view.class_weight
        # The fit explains nothing where both means are equal but for rounding.
        if len(np.unique(values + constant <= 0)) == 1 and means[1] - means[0] > LEAST_APART:
            constant = -means.mean()
        return view.unit(weights, float(constant))

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
