"""The Pocket algorithm."""

from __future__ import annotations

import numpy as np

from planetree import _core
from planetree.learners.base import CoefficientLearner, LinearTest
from planetree.view import NodeView

__all__ = ["Pocket"]


class Pocket(CoefficientLearner):
    """The Pocket algorithm (Gallant 1986; Brodley and Utgoff 1995, section 3.2).

    Cases are drawn at random, in proportion to their weights. A wrong one moves the discriminants
    of its class and of the class that won until it is right (the absolute error correction); the
    weights that answered right most often in a row are kept. With more than two classes they are
    a linear machine.

    Parameters
    ----------
    passes : int, default=30
        How many cases are drawn: so many times the number of rows. Fewer, if the weights are
        found to be right on all rows.
    epsilon : float, default=0.1
        ε, by how much a correction goes beyond the place where both discriminants are equal.

    Examples
    --------
    >>> from planetree import PlaneTreeClassifier
    >>> from planetree.learners import Pocket
    >>> X, y = [[1, 4], [2, 3], [4, 2], [3, 1]], ["a", "a", "b", "b"]
    >>> PlaneTreeClassifier(learner=Pocket(), univariate=False).fit(X, y).n_leaves_
    2
    """

    separates = True
    scale_free = True

    def __init__(self, passes: int = 30, epsilon: float = 0.1) -> None:
        self.passes = passes
        self.epsilon = epsilon

    def fit(self, view: NodeView) -> LinearTest | None:  # noqa: D102
        self._require_at_least(passes=1, epsilon=0.0)
        W = _core.pocket(**view.kernel, seed=view.seed, passes=self.passes, epsilon=self.epsilon)
        return view.machine(W) if np.isfinite(W).all() else None
