"""The exact best plane over two features, by turning a line about every row."""

from __future__ import annotations

import numpy as np

from planetree import _core
from planetree.learners.base import CoefficientLearner, LinearTest
from planetree.learners.bit2 import best_threshold
from planetree.scaling import Scaling
from planetree.view import NodeView

__all__ = ["ExactPair"]


class ExactPair(CoefficientLearner):
    """The best plane over two columns, of all that there are.

    For every pair of columns a line is turned about each row of the node: of n rows it meets all
    the ways in which a line can part them, in O(n² log n). BIT1 and BIT2 search the same planes in
    part (Bioch et al. 1997, section 3). Of equals the first pair wins, the first row and the least
    slope; of a single column it finds the best cut. Under the gain ratio it takes the plane of the
    greatest gain.

    Parameters
    ----------
    max_rows : int or None, default=300
        In a node with more rows it searches among as many of them, evenly spaced, and the plane is
        then cut by all; None has no limit.
    scaling : Scaling, default=None
        How the columns are brought to one scale; None is `planetree.scaling.Deviations`. The
        partition does not depend on it, only where in the gap between the rows the plane lies.

    Examples
    --------
    >>> from planetree import PlaneTreeClassifier
    >>> from planetree.learners import ExactPair
    >>> X, y = [[1, 4], [2, 3], [4, 2], [3, 1]], ["a", "a", "b", "b"]
    >>> PlaneTreeClassifier(learner=ExactPair(), univariate=False).fit(X, y).n_leaves_
    2
    """

    scale_free = True
    most_columns = 2

    def __init__(self, max_rows: int | None = 300, scaling: Scaling | None = None) -> None:
        self.max_rows = max_rows
        self.scaling = scaling

    def fit(self, view: NodeView) -> LinearTest | None:  # noqa: D102
        if self.max_rows is not None:
            self._require_at_least(max_rows=2)
        if view.n_columns == 1:
            return best_threshold(view)
        found = _core.exact_pair(**view.kernel, **view.search)
        if found is None:
            return None
        i, j, *weights, _ = found
        everywhere = np.zeros(view.n_columns)
        everywhere[[i, j]] = weights
        best = view.best_unit(everywhere)
        return None if best is None else best[1]
