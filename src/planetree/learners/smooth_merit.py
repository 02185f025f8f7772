"""A plane found by climbing the merit of soft counts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh
from scipy.linalg.lapack import dposv

from planetree import _core
from planetree.learners.base import CoefficientLearner, LinearTest
from planetree.view import NodeView

__all__ = ["SmoothMerit"]

Floats = NDArray[np.float64]

RIDGE = 1e-4  # of a column's variance, so that columns that depend on each other can be solved for


class SmoothMerit(CoefficientLearner):
    """The plane whose soft split is worth most, found by gradient.

    Each case goes right with the share σ(w·z + c), which makes Gini's merit or the information
    gain of the soft counts smooth in the weights, for any number of classes: which classes belong
    together on a side emerges by itself. L-BFGS climbs it, first with a soft and then with a sharp
    sigmoid, from the best of several starts: least squares of each class against the others,
    discriminant directions (Fisher 1936; Rao 1948) and single columns. The cut is then found
    exactly. The plane is never worth less than the best of its starts, so never less than the best
    cut of a single column without gaps. Kin: the weighted oblique decision trees of Yang, Shen and
    Gao (AAAI 2019), whose splits are soft in the same way.

    Parameters
    ----------
    sharpness : tuple of float, default=(1.5, 6.0)
        How sharp the sigmoid is when the climb begins and each time it begins anew: the deviation
        of w·z.
    l2 : float, default=0.1
        What the squared weights cost, as in logistic regression: ``l2/2·|w|²`` against the merit
        times the number of cases.
    n_starts : int, default=3
        How many starts are climbed from, those of greatest merit.
    max_iterations : int, default=40
        The most steps at one sharpness.
    tolerance : float, default=1e-4
        The climb ends when a step gains less than this share of the merit.
    max_rows : int, default=20000
        In a node with more rows it learns from as many of them, evenly spaced; None from all.

    Examples
    --------
    >>> from planetree import PlaneTreeClassifier
    >>> from planetree.learners import SmoothMerit
    >>> X, y = [[1, 4], [2, 3], [4, 2], [3, 1]], ["a", "a", "b", "b"]
    >>> PlaneTreeClassifier(learner=SmoothMerit(), univariate=False).fit(X, y).n_leaves_
    2
    """

    scale_free = True
    parallel = True
    thins = True

    def __init__(
        self,
        sharpness: tuple[float, ...] = (1.5, 6.0),
        l2: float = 0.1,
        n_starts: int = 3,
        max_iterations: int = 40,
        tolerance: float = 1e-4,
        max_rows: int | None = 20_000,
    ) -> None:
        self.sharpness = sharpness
        self.l2 = l2
        self.n_starts = n_starts
        self.max_iterations = max_iterations
        self.tolerance = tolerance
        self.max_rows = max_rows

    def fit(self, view: NodeView) -> LinearTest | None:  # noqa: D102
        self._check()
        if view.n_classes < 2 or view.n_columns == 0:
            return None
        return self.refit(view, self.starts(view))

    def starts(self, view: NodeView) -> Floats:
        """Weights to climb from, the best first.

        Parameters
        ----------
        view : NodeView
            The node.

        Returns
        -------
        ndarray of shape (n_starts or fewer, n_columns)
            In standardised units.
        """
        W = np.concatenate([_discriminants(view), np.eye(view.n_columns)])
        search = view.search
        cuts = _core.value_cuts(
            values=view.Z @ W.T,
            merit=search["merit"],
            min_leaf_rows=search["min_leaf_rows"],
            **view.cases,
        )
        worth = np.where(cuts["found"], cuts["merit"], -1.0)
        best = np.argsort(-worth, kind="stable")[: self.n_starts]
        return W[best]

    def refit(self, view: NodeView, weights: Floats) -> LinearTest | None:
        """Climb from these weights alone.

        Parameters
        ----------
        view : NodeView
            The node.
        weights : array of shape (n_columns,) or (n_starts, n_columns)
            In standardised units; each row is a start.

        Returns
        -------
        LinearThresholdUnit or None
            None where no cut parts the cases.
        """
        self._check()
        return self._climb(view, np.atleast_2d(np.asarray(weights, np.float64)))

    def thinned(  # noqa: D102
        self, view: NodeView, *, price: float, ceiling: float, share: float, most_columns: int
    ) -> LinearTest | None:
        self._check()
        return self._climb(view, self.starts(view), (price, ceiling, share, most_columns))

    def _climb(
        self,
        view: NodeView,
        starts: Floats,
        thinning: tuple[float, float, float, int] | None = None,
    ) -> LinearTest | None:
        if view.n_classes < 2 or not len(starts):
            return None
        found = _core.smooth_merit(
            starts=np.concatenate([starts, np.zeros((len(starts), 1))], axis=1),
            sharpness=np.array(self.sharpness, np.float64),
            l2=self.l2 / view.n_rows,
            max_iterations=self.max_iterations,
            tolerance=self.tolerance,
            thinning=thinning,
            **view.kernel,
            **view.search,
        )
        return view.unit(found["weights"], -found["cut"]) if found["found"] else None

    def _check(self) -> None:
        self._require_at_least(l2=0.0, n_starts=1, max_iterations=1, tolerance=0.0)
        levels = self.sharpness
        if not (
            isinstance(levels, tuple | list)
            and levels
            and all(isinstance(level, int | float) and 0 < level < np.inf for level in levels)
        ):
            raise ValueError(
                "SmoothMerit: sharpness must be a tuple of numbers above 0 such as (1.5, 6.0), "
                f"not {levels!r}"
            )


def _discriminants(view: NodeView) -> Floats:
    """Least squares of each class against the others, and the three first discriminant directions.

    Rounded to a millionth, so that the last bits of the sums leave nothing behind.
    """
    A, B = view.sums.A, view.sums.B
    total = A[-1, -1]
    mean = A[:-1, -1] / total
    own = (B + A[:, -1:]) / 2
    share = own[-1] / total
    apart = (own[:-1] / own[-1]).T - mean  # the mean of each class, from that of all
    scatter = A[:-1, :-1] / total - np.outer(mean, mean)
    scatter.flat[:: len(scatter) + 1] += RIDGE
    if view.n_classes == 2:
        apart = apart[1:]
    _, W, failed = dposv(scatter, apart.T)
    if failed or not np.isfinite(W).all():
        return np.empty((0, view.n_columns))
    W = W.T
    if view.n_classes > 2:
        between = (apart.T * share) @ apart
        _, vectors = eigh(between, scatter)
        W = np.concatenate([W, vectors.T[::-1][:3]])
    size = np.abs(W).max(axis=1, keepdims=True)
    rounded: Floats = np.round(W / np.where(size > 0, size, 1.0), 6)
    return rounded
