"""Recursive least squares, without the recursion."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dposv

from planetree.learners.base import SumsLearner
from planetree.view import Sums

__all__ = ["RLS"]


class RLS(SumsLearner):
    """Recursive Least Squares (Young 1984; Brodley and Utgoff 1995, section 3.1).

    Each visit of a case corrects the weights by its error times P, which shrinks as evidence
    grows. `passes` visits of every case from zero weights lead, in whatever order, to the solution
    of ``(passes·XᵀX + P₀⁻¹) w = passes·Xᵀy``; that is what is solved here. With more than two
    classes the targets are 1 and -1 for each class and its others: a linear machine.

    Parameters
    ----------
    passes : int, default=3
        How often each case is visited.
    p0 : float, default=1e6
        The diagonal of P₀: how little the first weights, zero, are trusted.

    Examples
    --------
    >>> from planetree import PlaneTreeClassifier
    >>> from planetree.learners import RLS
    >>> X, y = [[1, 4], [2, 3], [4, 2], [3, 1]], ["a", "a", "b", "b"]
    >>> PlaneTreeClassifier(learner=RLS(), univariate=False).fit(X, y).n_leaves_
    2
    """

    scale_free = True

    def __init__(self, passes: int = 3, p0: float = 1e6) -> None:
        self.passes = passes
        self.p0 = p0

    def solve(self, sums: Sums) -> NDArray[np.float64] | None:  # noqa: D102
        A = self.passes * sums.A
        A.flat[:: len(A) + 1] += 1 / self.p0
        # LAPACK itself: scipy.linalg.solve spends five times as long on checks at this size.
        _, W, failed = dposv(A, self.passes * sums.B, overwrite_a=True, overwrite_b=True)
        return None if failed else W.T
