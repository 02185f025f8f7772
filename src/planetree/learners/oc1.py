"""OC1's search for an oblique split."""

from __future__ import annotations

from planetree import _core
from planetree.learners.base import CoefficientLearner, LinearTest
from planetree.learners.starts import best_plane, best_univariate, check_starts, directions
from planetree.view import NodeView

__all__ = ["OC1"]

ORDERS = ("sequential", "best_first", "random")


class OC1(CoefficientLearner):
    """OC1's search for an oblique split (Murthy, Kasif and Salzberg 1994).

    As in CART one coefficient after another is moved to where the merit is greatest, until none
    can be moved. Then random directions are tried; if one makes the plane better, the climb goes
    on from there. The whole is begun again from random planes, and the best plane of all wins. It
    is never worse than the best univariate split.

    Parameters
    ----------
    restarts : int, default=20
        R, how many searches there are in all: first those of `starts`, then from random planes.
    jumps : int, default=5
        J, the most random directions tried at a local optimum.
    starts : tuple of str, default=("univariate",)
        Where the first searches begin: "univariate" is the best univariate split, "least_squares"
        the plane that fits targets of 1 and -1 best.
    order : str, default="sequential"
        "sequential" moves the coefficients in turn, "best_first" always the one that gains most,
        "random" 50 times one drawn at random.

    Examples
    --------
    >>> from planetree import PlaneTreeClassifier
    >>> from planetree.learners import OC1
    >>> X, y = [[1, 4], [2, 3], [4, 2], [3, 1]], ["a", "a", "b", "b"]
    >>> PlaneTreeClassifier(learner=OC1(), univariate=False).fit(X, y).n_leaves_
    2
    """

    scale_free = True

    def __init__(
        self,
        restarts: int = 20,
        jumps: int = 5,
        starts: tuple[str, ...] = ("univariate",),
        order: str = "sequential",
    ) -> None:
        self.restarts = restarts
        self.jumps = jumps
        self.starts = starts
        self.order = order

    def fit(self, view: NodeView) -> LinearTest | None:  # noqa: D102
        check_starts("OC1", self.starts)
        self._require_at_least(restarts=1, jumps=0)
        if self.order not in ORDERS:
            raise ValueError(f"OC1: no order {self.order!r}; known: {', '.join(map(repr, ORDERS))}")
        univariate = best_univariate(view) if view.n_classes > 1 else None
        if univariate is None:
            return None
        found = _core.oc1(
            **view.kernel,
            **view.search,
            starts=directions(view, self.starts, univariate),
            seed=view.seed,
            restarts=self.restarts,
            jumps=self.jumps,
            order=self.order,
        )
        return best_plane(view, [univariate, *([found] if len(found) else [])])
