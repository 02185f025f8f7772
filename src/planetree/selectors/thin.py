"""Thinning a test while its columns are not worth their price."""

from __future__ import annotations

import numpy as np

from planetree.selectors.base import FeatureSelector, Proposal, Propose
from planetree.view import NodeView

__all__ = ["Thin"]


class Thin(FeatureSelector):
    """Drops the columns that move a test least, a share of them at a time, and keeps the best buy.

    Each step drops the columns of least weight and climbs on from the weights that are left, which
    costs little. Of all tests on the way that one is taken whose merit is greatest after its
    columns are paid for.

    Parameters
    ----------
    price : float, default=1.0
        What a column costs: it must explain so many cases' worth of the merit that a test parting
        all classes would have. In a node of a hundred cases, a price of 1 asks for one per cent.
    share : float, default=0.25
        The share of the columns that goes at each step; one column at least.

    Examples
    --------
    >>> from planetree import PlaneTreeClassifier
    >>> from planetree.learners import SmoothMerit
    >>> from planetree.selectors import Thin
    >>> PlaneTreeClassifier(learner=SmoothMerit(), selector=Thin())
    PlaneTreeClassifier(learner=SmoothMerit(), selector=Thin())
    """

    def __init__(self, price: float = 1.0, share: float = 0.25) -> None:
        self.price = price
        self.share = share

    def select(self, view: NodeView, propose: Propose) -> Proposal | None:  # noqa: D102
        self._check()
        price = self.price / view.n_rows
        if propose.thins:
            found = propose.thinned(price, self.share)
            return found if found is not None and found.allowed else None
        best: Proposal | None = None
        most = -np.inf
        current = propose(tuple(range(view.n_columns)))
        while current is not None:
            n_columns = len(view.places(current.test))
            worth = current.explained - price * n_columns
            if current.allowed and worth >= most:  # of equals the smaller test, which is the later
                best, most = current, worth
            # What is left could not pay for itself even if it explained as much as this test does.
            if n_columns < 2 or (best is not None and current.explained - price < most):
                break
            size = view.magnitudes(current.test)
            order = np.argsort(-size, kind="stable")
            kept = order[: n_columns - max(1, int(self.share * n_columns))]
            places = tuple(sorted(kept.tolist()))
            current = propose.again(view.weights(current.test), places)
        return best

    def _check(self) -> None:
        if not isinstance(self.price, int | float) or not 0 <= self.price < np.inf:
            raise ValueError(f"price must be a number of at least 0, not {self.price!r}")
        if not isinstance(self.share, int | float) or not 0 <= self.share < 1:
            raise ValueError(f"share must be at least 0 and below 1, not {self.share!r}")
