"""BIT1: planes over two features."""

from __future__ import annotations

import numpy as np

from planetree import _core
from planetree.learners.base import CoefficientLearner, LinearTest
from planetree.learners.bit2 import best_threshold
from planetree.learners.cart_lc import check_gammas
from planetree.scaling import Quartiles, Scaling
from planetree.view import NodeView

__all__ = ["BIT1"]


class BIT1(CoefficientLearner):
    """The best plane over two columns that CART's search finds (Bioch et al. 1997, section 3.1).

    For every ordered pair (i, j) both weights and the cut are moved as `CARTLC` moves them, from
    the best cut of column i. Of equals the first pair wins. With ``univariate=True`` a pair is
    taken only where it is better than every cut of one feature. Of a single column it finds the
    best cut.

    Parameters
    ----------
    scaling : Scaling, default=None
        How the columns are brought to one scale; None is `planetree.scaling.Quartiles`, as in
        CART's search. It matters for `gammas`, which are measured from its centre.
    gammas : tuple of float, default=(-0.25, 0.0, 0.25)
        γ, tried for each weight.
    epsilon : float, default=0.0
        ε: a cycle that gains less merit is the last.
    max_cycles : int, default=100
        The end in any case.

    Examples
    --------
    >>> from planetree import PlaneTreeClassifier
    >>> from planetree.learners import BIT1
    >>> X, y = [[1, 2], [2, 3], [3, 4], [2, 1], [3, 2], [4, 3]], ["a", "a", "a", "b", "b", "b"]
    >>> PlaneTreeClassifier(learner=BIT1()).fit(X, y).n_leaves_
    2
    """

    scale_free = True
    default_scaling = Quartiles()
    most_columns = 2

    def __init__(
        self,
        scaling: Scaling | None = None,
        gammas: tuple[float, ...] = (-0.25, 0.0, 0.25),
        epsilon: float = 0.0,
        max_cycles: int = 100,
    ) -> None:
        self.scaling = scaling
        self.gammas = gammas
        self.epsilon = epsilon
        self.max_cycles = max_cycles

    def fit(self, view: NodeView) -> LinearTest | None:  # noqa: D102
        self._require_at_least(epsilon=0.0, max_cycles=1)
        gammas = check_gammas("BIT1", self.gammas)
        if view.n_classes < 2 or not view.n_columns:
            return None
        if view.n_columns == 1:
            return best_threshold(view)
        found = _core.bit1(
            **view.kernel,
            **view.search,
            gammas=gammas,
            epsilon=self.epsilon,
            max_cycles=self.max_cycles,
        )
        if found is None:
            return None
        i, j, *weights = found
        everywhere = np.zeros(view.n_columns)
        everywhere[[i, j]] = weights
        best = view.best_unit(everywhere)
        return None if best is None else best[1]
