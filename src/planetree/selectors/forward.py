"""Selection from one column up, and the choice between both ways."""

from __future__ import annotations

from planetree.selectors.backward import SBE
from planetree.selectors.base import FeatureSelector, Proposal, Propose, best_of
from planetree.view import NodeView

__all__ = ["HSS", "SFS"]


class SFS(FeatureSelector):
    """Sequential Forward Selection (Kittler 1986; Brodley and Utgoff 1995, Table 3).

    Adds, one after the other, the column with which the relearned test is worth most, and keeps the
    best test of all, the smallest of equals. As further columns only take further tests out of
    reach, it ends where a test is not allowed any more.

    Parameters
    ----------
    tolerance : float, default=0.1
        The search ends when the training accuracy falls this much below that of the best test.

    Examples
    --------
    >>> from planetree import PlaneTreeClassifier
    >>> from planetree.learners import RLS
    >>> from planetree.selectors import SFS
    >>> PlaneTreeClassifier(learner=RLS(), selector=SFS())
    PlaneTreeClassifier(learner=RLS(), selector=SFS())
    """

    def __init__(self, tolerance: float = 0.1) -> None:
        self.tolerance = tolerance

    def select(self, view: NodeView, propose: Propose) -> Proposal | None:  # noqa: D102
        best: Proposal | None = None
        current = best_of(propose.each([(place,) for place in range(view.n_columns)]))
        while current is not None:
            if current.allowed and (best is None or current.merit > best.merit):
                best = current
            elif best is not None and (
                not current.allowed or current.accuracy < best.accuracy - self.tolerance
            ):
                break
            others = [place for place in range(view.n_columns) if place not in current.places]
            larger = [tuple(sorted((*current.places, place))) for place in others]
            current = best_of(propose.each(larger))
        return best


class HSS(FeatureSelector):
    """Heuristic Sequential Search (Brodley and Utgoff 1995, section 4.4).

    Compares the test over all columns with the best over one: where that is better, it goes up from
    there (`SFS`), and otherwise down (`planetree.selectors.SBE`).

    Parameters
    ----------
    tolerance : float, default=0.1
        A search ends when the training accuracy falls this much below that of the best test.

    Examples
    --------
    >>> from planetree import PlaneTreeClassifier
    >>> from planetree.learners import RLS
    >>> from planetree.selectors import HSS
    >>> PlaneTreeClassifier(learner=RLS(), selector=HSS())
    PlaneTreeClassifier(learner=RLS(), selector=HSS())
    """

    def __init__(self, tolerance: float = 0.1) -> None:
        self.tolerance = tolerance

    def select(self, view: NodeView, propose: Propose) -> Proposal | None:  # noqa: D102
        everything = propose(tuple(range(view.n_columns)))
        single = best_of(propose.each([(place,) for place in range(view.n_columns)]))
        forward = everything is None or (single is not None and single.merit > everything.merit)
        way = SFS(self.tolerance) if forward else SBE(self.tolerance)
        return way.select(view, propose)
