"""CART's search for a linear combination."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from planetree import _core
from planetree.learners.base import CoefficientLearner, LinearTest
from planetree.learners.starts import best_plane, best_univariate, check_starts, directions
from planetree.scaling import Quartiles
from planetree.view import NodeView

__all__ = ["CARTLC", "check_gammas"]


def check_gammas(who: str, gammas: object) -> NDArray[np.float64]:
    """Pivots as an array, or refuse what is none.

    Parameters
    ----------
    who : str
        The learner, for the message.
    gammas : object
        What the user gave.

    Returns
    -------
    ndarray of float64
        The same numbers.
    """
    array = np.array(gammas, np.float64)
    if array.ndim != 1 or not array.size or not np.isfinite(array).all():
        raise ValueError(
            f"{who}: gammas must be a tuple of numbers such as (-0.25, 0.0, 0.25), not {gammas!r}"
        )
    return array


class CARTLC(CoefficientLearner):
    """CART's search for a linear combination (Breiman et al. 1984, section 5.2).

    From the best univariate split, one weight after another is moved to where the merit is
    greatest, together with the cut as the pivot -γ of the column has it. After each cycle through
    the columns the cut alone is moved. It learns from the cases that miss no value. The result is
    never worse on them than the best univariate split.

    Parameters
    ----------
    starts : tuple of str, default=("univariate",)
        Where the search begins; of several starts the best end wins. "univariate" is the best
        univariate split, "least_squares" the plane that fits targets of 1 and -1 best.
    gammas : tuple of float, default=(-0.25, 0.0, 0.25)
        γ, tried for each weight.
    epsilon : float, default=0.0
        ε: a cycle that gains less merit is the last.
    max_cycles : int, default=100
        The end in any case.

    Examples
    --------
    >>> from planetree import PlaneTreeClassifier
    >>> from planetree.learners import CARTLC
    >>> X, y = [[1, 4], [2, 3], [4, 2], [3, 1]], ["a", "a", "b", "b"]
    >>> PlaneTreeClassifier(learner=CARTLC(), univariate=False).fit(X, y).n_leaves_
    2
    """

    scale_free = True
    default_scaling = Quartiles()

    def __init__(
        self,
        starts: tuple[str, ...] = ("univariate",),
        gammas: tuple[float, ...] = (-0.25, 0.0, 0.25),
        epsilon: float = 0.0,
        max_cycles: int = 100,
    ) -> None:
        self.starts = starts
        self.gammas = gammas
        self.epsilon = epsilon
        self.max_cycles = max_cycles

    def fit(self, view: NodeView) -> LinearTest | None:  # noqa: D102
        check_starts("CARTLC", self.starts)
        self._require_at_least(epsilon=0.0, max_cycles=1)
        gammas = check_gammas("CARTLC", self.gammas)
        view = view.complete()
        univariate = best_univariate(view) if view.n_classes > 1 else None
        if univariate is None:
            return None
        found = _core.cart_lc(
            **view.kernel,
            **view.search,
            starts=directions(view, self.starts, univariate),
            gammas=gammas,
            epsilon=self.epsilon,
            max_cycles=self.max_cycles,
        )
        return best_plane(view, [univariate, *found])
