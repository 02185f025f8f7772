"""Trading quality for simplicity, as CART does."""

from __future__ import annotations

import numpy as np

from planetree.learners.base import LinearTest
from planetree.planes import LinearMachine
from planetree.selectors.base import FeatureSelector, Places, Proposal, Propose
from planetree.view import NodeView

__all__ = ["FSCART", "CARTDiscard"]


class CARTDiscard(FeatureSelector):
    """CART's discarding of columns (Breiman et al. 1984, chapter 5; Brodley and Utgoff 1995, 4.5).

    What a column is good for is how much merit is lost without it, the other weights as they are
    and the cut found anew. The least useful column goes while its loss is less than `beta` times
    the greatest; then the weights of those that are left are learned once more. For tests with one
    plane only.

    Parameters
    ----------
    beta : float, default=0.2
        0 drops what does no good at all; the greater, the simpler the test.

    Examples
    --------
    >>> from planetree import PlaneTreeClassifier
    >>> from planetree.learners import RLS
    >>> from planetree.selectors import CARTDiscard
    >>> PlaneTreeClassifier(learner=RLS(), selector=CARTDiscard(beta=0.1))
    PlaneTreeClassifier(learner=RLS(), selector=CARTDiscard(beta=0.1))
    """

    machines = False

    def __init__(self, beta: float = 0.2) -> None:
        self.beta = beta

    def select(self, view: NodeView, propose: Propose) -> Proposal | None:  # noqa: D102
        current = propose(tuple(range(view.n_columns)))
        learned = current
        while current is not None:
            smaller = _discard(view, propose, current, self.beta)
            if smaller is None:
                break
            current = smaller
        if current is None:
            return None
        if current is not learned:
            learned = propose(current.places) or current
        return learned if learned is not None and learned.allowed else None


class FSCART(FeatureSelector):
    """Feature selection before CART's linear combinations (Yıldız and Alpaydın 2000, section 4.6).

    As `CARTDiscard`, but all weights are learned anew after each column that goes.

    Parameters
    ----------
    c : float, default=0.1
        The least useful column goes while its loss is less than `c` times the greatest.

    Examples
    --------
    >>> from planetree import PlaneTreeClassifier
    >>> from planetree.learners import RLS
    >>> from planetree.selectors import FSCART
    >>> PlaneTreeClassifier(learner=RLS(), selector=FSCART(c=0.2))
    PlaneTreeClassifier(learner=RLS(), selector=FSCART(c=0.2))
    """

    machines = False

    def __init__(self, c: float = 0.1) -> None:
        self.c = c

    def select(self, view: NodeView, propose: Propose) -> Proposal | None:  # noqa: D102
        current = propose(tuple(range(view.n_columns)))
        while current is not None:
            smaller = _discard(view, propose, current, self.c)
            learned = None if smaller is None else propose(smaller.places)
            if learned is None:
                break
            current = learned
        return current if current is not None and current.allowed else None


def _discard(view: NodeView, propose: Propose, current: Proposal, share: float) -> Proposal | None:
    """Proposal without its least useful column, if that is little use beside the most useful one.

    A test over more features than the user allows loses its least useful column whatever it is
    good for: nothing else would bring it within the limit.
    """
    used, weights = _weights(view, current.test)
    if len(used) < 2:
        return None
    smaller: list[tuple[float, Proposal]] = []
    for place in used:
        rest = weights.copy()
        rest[place] = 0.0
        proposal = propose.along(rest, tuple(p for p in used if p != place))
        if proposal is not None:
            smaller.append((current.merit - proposal.merit, proposal))
    if not smaller:
        return None
    least, without = min(smaller, key=lambda pair: pair[0])
    most = max(loss for loss, _ in smaller)
    if least < share * most or least <= 0 or not current.allowed:
        return without
    return None


def _weights(view: NodeView, test: LinearTest) -> tuple[Places, np.ndarray]:
    if isinstance(test, LinearMachine):
        raise ValueError(
            "discarding columns as CART does needs a test with one plane, not a linear machine; "
            "planetree.selectors.DSBE takes any"
        )
    weights = view.weights(test)
    return tuple(np.flatnonzero(weights).tolist()), weights
