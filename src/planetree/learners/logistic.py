"""Multinomial logistic regression."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from planetree import _core
from planetree.learners.base import CoefficientLearner, LinearTest
from planetree.view import NodeView

__all__ = ["Logistic"]


class Logistic(CoefficientLearner):
    """Multinomial logistic regression (Cox 1966), as a plane or a linear machine.

    Each class has a discriminant, and the greatest wins: the branches of the test are the classes.
    At the root of a tree that is pruned to it, this is the linear model itself.

    Parameters
    ----------
    l2 : float, default=1.0
        What the squared weights cost: ``l2/2·|W|²`` against the sum of -ln p over the cases.
    max_iterations : int, default=200
        The most steps of L-BFGS.
    tolerance : float, default=1e-6
        It ends when a step gains less than this share of the loss.
    max_rows : int, default=20000
        In a node with more rows it learns from as many of them, evenly spaced; None from all.

    Examples
    --------
    >>> from planetree import PlaneTreeClassifier
    >>> from planetree.learners import Logistic
    >>> X, y = [[1, 4], [2, 3], [4, 2], [3, 1]], ["a", "a", "b", "b"]
    >>> PlaneTreeClassifier(learner=Logistic(), univariate=False).fit(X, y).n_leaves_
    2
    """

    scale_free = True
    parallel = True

    def __init__(
        self,
        l2: float = 1.0,
        max_iterations: int = 200,
        tolerance: float = 1e-6,
        max_rows: int | None = 20_000,
    ) -> None:
        self.l2 = l2
        self.max_iterations = max_iterations
        self.tolerance = tolerance
        self.max_rows = max_rows

    def fit(self, view: NodeView) -> LinearTest | None:  # noqa: D102
        return self.refit(view, np.zeros((view.n_classes, view.n_columns)))

    def refit(self, view: NodeView, weights: NDArray[np.float64]) -> LinearTest | None:
        """Descend from these weights.

        Parameters
        ----------
        view : NodeView
            The node.
        weights : array of shape (n_columns,) or (n_classes, n_columns)
            In standardised units; one row is that of the second class against the first.

        Returns
        -------
        LinearThresholdUnit, LinearMachine or None
            None where there is one class only.
        """
        self._require_at_least(l2=0.0, max_iterations=1, tolerance=0.0)
        if view.n_classes < 2:
            return None
        W = np.atleast_2d(np.asarray(weights, np.float64))
        if len(W) != (n_discriminants := 1 if view.n_classes == 2 else view.n_classes):
            W = np.zeros((n_discriminants, view.n_columns))  # a branch has been given up
        found: NDArray[np.float64] = _core.logistic(
            start=np.concatenate([W, np.zeros((len(W), 1))], axis=1),
            l2=self.l2 / view.n_rows,
            max_iterations=self.max_iterations,
            tolerance=self.tolerance,
            **view.kernel,
        )
        if not np.isfinite(found).all():
            return None
        if view.n_classes == 2:
            return view.unit(found[0, :-1], float(found[0, -1]))
        return view.machine(found)
