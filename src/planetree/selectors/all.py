"""No selection."""

from __future__ import annotations

from planetree.selectors.base import FeatureSelector, Proposal, Propose
from planetree.view import NodeView

__all__ = ["All"]


class All(FeatureSelector):
    """Every column that varies in the node.

    Examples
    --------
    >>> from planetree import PlaneTreeClassifier
    >>> from planetree.learners import RLS
    >>> from planetree.selectors import All
    >>> PlaneTreeClassifier(learner=RLS(), selector=All())
    PlaneTreeClassifier(learner=RLS(), selector=All())
    """

    def select(self, view: NodeView, propose: Propose) -> Proposal | None:  # noqa: D102
        proposal = propose(tuple(range(view.n_columns)))
        return proposal if proposal is not None and proposal.allowed else None
