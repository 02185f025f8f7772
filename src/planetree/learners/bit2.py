"""BIT2: sums and differences of two features."""

from __future__ import annotations

import numpy as np

from planetree import _core
from planetree.learners.base import CoefficientLearner, LinearTest
from planetree.scaling import Scaling, TableRange
from planetree.view import NodeView

__all__ = ["BIT2", "best_threshold"]


def best_threshold(view: NodeView) -> LinearTest | None:
    """Cut the only column of a view: all that is left where a selector leaves no pair."""
    merit, least = view.search["merit"], view.search["min_leaf_rows"]
    cuts = _core.value_cuts(values=view.Z, merit=merit, min_leaf_rows=least, **view.cases)
    return view.unit([1.0], -float(cuts["cut"][0])) if cuts["found"][0] else None


class BIT2(CoefficientLearner):
    """The best cut of x + y or x - y over all pairs of columns (Bioch et al. 1997, section 3.2).

    What 45 degrees are depends on the scale of the columns. Of equals the first pair wins, and the
    sum before the difference. With ``univariate=True`` a pair is taken only where it is better
    than every cut of one feature. Of a single column it finds the best cut.

    Parameters
    ----------
    scaling : Scaling, default=None
        How the columns are brought to one scale; None is `planetree.scaling.TableRange`, [0, 1]
        over the training table, as in the paper.

    Examples
    --------
    >>> from planetree import PlaneTreeClassifier
    >>> from planetree.learners import BIT2
    >>> X, y = [[1, 2], [2, 3], [3, 4], [2, 1], [3, 2], [4, 3]], ["a", "a", "a", "b", "b", "b"]
    >>> print(PlaneTreeClassifier(learner=BIT2()).fit(X, y).tree_)
    ├─ x0 − x1 ≤ 0 → a (3)
    └─ x0 − x1 > 0 → b (3)
    """

    default_scaling = TableRange()
    most_columns = 2

    def __init__(self, scaling: Scaling | None = None) -> None:
        self.scaling = scaling

    def fit(self, view: NodeView) -> LinearTest | None:  # noqa: D102
        if view.n_columns == 1:
            return best_threshold(view)
        best = _core.bit2(**view.kernel, **view.search, choice=view.choice)
        if best is None:
            return None
        i, j, sign, cut, _ = best
        weights = np.zeros(view.n_columns)
        weights[[i, j]] = 1.0, sign
        return view.unit(weights, -cut)
