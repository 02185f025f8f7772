"""Elimination: from all columns down."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator

from planetree.selectors.base import FeatureSelector, Places, Proposal, Propose, best_of
from planetree.view import NodeView

__all__ = ["DSBE", "SBE", "Backward"]


class Backward(FeatureSelector):
    """The loop of Brodley and Utgoff's Table 2; which column goes is left to the others."""

    def __init__(self, tolerance: float = 0.1) -> None:
        self.tolerance = tolerance

    def select(self, view: NodeView, propose: Propose) -> Proposal | None:  # noqa: D102
        best: Proposal | None = None
        for proposal in self._eliminate(view, propose):
            # Of equals the smaller test, which is the later.
            if proposal.allowed and (best is None or proposal.merit >= best.merit):
                best = proposal
            elif best is not None and proposal.accuracy < best.accuracy - self.tolerance:
                break
        return best

    def _eliminate(self, view: NodeView, propose: Propose) -> Iterator[Proposal]:
        everything = tuple(range(view.n_columns))
        current = propose(everything)
        if current is not None:
            yield current
        yield from self.eliminate(view, propose, everything, current)

    def eliminate(
        self, view: NodeView, propose: Propose, places: Places, current: Proposal | None
    ) -> Iterator[Proposal]:
        """Drop column after column from a test, down to one.

        Parameters
        ----------
        view : NodeView
            The node.
        propose : Propose
            Learns tests there.
        places : tuple of int
            The columns to begin with.
        current : Proposal or None
            The test over them.

        Yields
        ------
        Proposal
            The next smaller test.
        """
        while len(places) > 1:
            current = self._smaller(view, propose, places, current)
            if current is None:
                return
            places = current.places
            yield current

    @abstractmethod
    def _smaller(
        self, view: NodeView, propose: Propose, places: Places, current: Proposal | None
    ) -> Proposal | None:
        """Test with one column fewer."""


class SBE(Backward):
    """Sequential Backward Elimination (Kittler 1986; Brodley and Utgoff 1995, Table 2).

    Drops, one after the other, the column without which the relearned test is worth most, and
    keeps the best test of all, the smallest of equals.

    Parameters
    ----------
    tolerance : float, default=0.1
        The search ends when the training accuracy falls this much below that of the best test.

    Examples
    --------
    >>> from planetree import PlaneTreeClassifier
    >>> from planetree.learners import RLS
    >>> from planetree.selectors import SBE
    >>> PlaneTreeClassifier(learner=RLS(), selector=SBE())
    PlaneTreeClassifier(learner=RLS(), selector=SBE())
    """

    def _smaller(
        self, view: NodeView, propose: Propose, places: Places, current: Proposal | None
    ) -> Proposal | None:
        return best_of(propose.each([_without(places, place) for place in places]))


class DSBE(Backward):
    """Dispersion-guided SBE (Brodley and Utgoff 1995, section 4.3).

    Drops the column that moves the test least: of the smallest weight, or, in a linear machine, of
    the smallest mean distance between two classes' weights. It costs one test a column instead of
    one for each that is left.

    Parameters
    ----------
    tolerance : float, default=0.1
        The search ends when the training accuracy falls this much below that of the best test.

    Examples
    --------
    >>> from planetree import PlaneTreeClassifier
    >>> from planetree.learners import RLS
    >>> from planetree.selectors import DSBE
    >>> PlaneTreeClassifier(learner=RLS(), selector=DSBE())
    PlaneTreeClassifier(learner=RLS(), selector=DSBE())
    """

    def _smaller(
        self, view: NodeView, propose: Propose, places: Places, current: Proposal | None
    ) -> Proposal | None:
        while current is not None and len(places) > 1:
            size = view.magnitudes(current.test)
            places = _without(places, min(places, key=lambda place: float(size[place])))
            smaller = propose(places)
            if smaller is not None:
                return smaller
        return None


def _without(places: Places, gone: int) -> Places:
    return tuple(place for place in places if place != gone)
