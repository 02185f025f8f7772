"""Thermal training."""

from __future__ import annotations

import numpy as np

from planetree import _core
from planetree.learners.base import CoefficientLearner, LinearTest
from planetree.view import NodeView

__all__ = ["Thermal"]


class Thermal(CoefficientLearner):
    """Thermal training (Frean 1990; Brodley and Utgoff 1995, section 3.3 and Table 1).

    The cases are visited in turn, in an order drawn from the seed. A wrong one moves the
    discriminants of its class and of the class that won by β²/(β + k), where k is the move that
    would make them equal, plus ε; where k is β or more it is left alone. β cools down as the
    machine stops growing. With more than two classes the result is a linear machine.

    Parameters
    ----------
    beta : float, default=2.0
        β at the beginning: how much error is still looked at.
    a : float, default=0.999
        β becomes aβ − b when the machine shrank at this correction and grew at the one before.
    b : float, default=0.0005
        See `a`.
    epsilon : float, default=0.1
        ε, what is added to k.
    alpha : float, default=0.01
        α: training ends when the corrections of the last 2n cases, for n columns, were less than
        this share of the machine at its largest. 0 goes on until nothing is corrected.
    whole_pass : bool, default=True
        Whether that must hold for a whole pass at least. In the paper 2n cases are enough, which
        often ends before data that can be separated are.
    max_passes : int, default=1000
        The end in any case.

    Examples
    --------
    >>> from planetree import PlaneTreeClassifier
    >>> from planetree.learners import Thermal
    >>> X, y = [[1, 4], [2, 3], [4, 2], [3, 1]], ["a", "a", "b", "b"]
    >>> PlaneTreeClassifier(learner=Thermal(), univariate=False).fit(X, y).n_leaves_
    2
    """

    separates = True
    scale_free = True

    def __init__(
        self,
        beta: float = 2.0,
        a: float = 0.999,
        b: float = 0.0005,
        epsilon: float = 0.1,
        alpha: float = 0.01,
        whole_pass: bool = True,
        max_passes: int = 1000,
    ) -> None:
        self.beta = beta
        self.a = a
        self.b = b
        self.epsilon = epsilon
        self.alpha = alpha
        self.whole_pass = whole_pass
        self.max_passes = max_passes

    def fit(self, view: NodeView) -> LinearTest | None:  # noqa: D102
        self._require_at_least(beta=0.0, a=0.0, b=0.0, epsilon=0.0, alpha=0.0, max_passes=1)
        if not isinstance(self.whole_pass, bool | np.bool_):
            raise ValueError(f"Thermal: whole_pass must be True or False, not {self.whole_pass!r}")
        W = _core.thermal(
            **view.kernel,
            seed=view.seed,
            beta=self.beta,
            a=self.a,
            b=self.b,
            epsilon=self.epsilon,
            alpha=self.alpha,
            whole_pass=bool(self.whole_pass),
            max_passes=self.max_passes,
        )
        return view.machine(W) if np.isfinite(W).all() else None
