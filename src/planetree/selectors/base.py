"""The contract of a selector: which columns a linear test may look at."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from planetree.learners.base import LinearTest
from planetree.view import NodeView

__all__ = ["FeatureSelector", "Places", "Proposal", "Propose", "best_of"]

Places = tuple[int, ...]  # columns of a view, by their place


@dataclass(frozen=True)
class Proposal:
    """A linear test over some of a view's columns, and how it parts the node's rows.

    Parameters
    ----------
    places : tuple of int
        The columns it was learned from.
    test : LinearThresholdUnit or LinearMachine
        The test.
    merit : float
        What it is worth.
    accuracy : float
        Share of the weight that lies in the largest class of its branch.
    allowed : bool
        Whether it may become the node's test: it sends cases more than one way, has cases enough
        for its columns and looks at no more features than the user allows. A search may pass
        through proposals that are not allowed, but must not end with one.
    explained : float, default=0.0
        Its merit as a share of what a test that parts all classes would be worth.

    Examples
    --------
    >>> from planetree.selectors import Proposal
    >>> Proposal((0,), test=None, merit=0.5, accuracy=0.9, allowed=True).merit
    0.5
    """

    places: Places
    test: LinearTest
    merit: float
    accuracy: float
    allowed: bool
    explained: float = 0.0


class Propose(Protocol):
    """What a selector is handed: learns tests and says what they are worth.

    Examples
    --------
    >>> from planetree.selectors import FeatureSelector
    >>> class FirstColumn(FeatureSelector):
    ...     def select(self, view, propose):
    ...         found = propose((0,))
    ...         return found if found is not None and found.allowed else None
    """

    def __call__(self, places: Places) -> Proposal | None:
        """Learn from these columns; None where nothing is found."""

    def each(self, sets: Sequence[Places]) -> list[Proposal | None]:
        """Learn from each of these sets of columns: the same as one by one, but faster."""

    def again(self, weights: NDArray[np.float64], places: Places) -> Proposal | None:
        """Learn from these columns, beginning with weights of the view, where the learner can."""

    @property
    def thins(self) -> bool:
        """Whether the learner can drop columns by itself."""

    def thinned(self, price: float, share: float) -> Proposal | None:
        """What dropping columns of little weight leads to (`Thin`), in one go, if `thins`."""

    def along(self, weights: NDArray[np.float64], places: Places) -> Proposal | None:
        """Cut best along these weights of the view's standardised columns; learn nothing."""


class FeatureSelector(BaseEstimator, ABC):  # type: ignore[misc]
    """Decides which columns a linear test looks at, knowing nothing of how its weights are found.

    It ends with a proposal it was given and that is `allowed`, or with None.

    Attributes
    ----------
    machines : bool
        Whether it takes linear machines, which is what most learners find for several classes.
    price : float
        What a feature must explain when tests of a node compete: so many cases' worth of the merit
        that a test parting all classes would have. 0 for a selector that does not ask.

    Examples
    --------
    A selector that keeps the two columns with the greatest weights:

    >>> import numpy as np
    >>> from planetree import PlaneTreeClassifier
    >>> from planetree.learners import RLS
    >>> from planetree.selectors import FeatureSelector
    >>> class TwoLargest(FeatureSelector):
    ...     def select(self, view, propose):
    ...         everything = propose(tuple(range(view.n_columns)))
    ...         if everything is None:
    ...             return None
    ...         size = view.magnitudes(everything.test)
    ...         found = propose(tuple(sorted(np.argsort(-size)[:2].tolist())))
    ...         return found if found is not None and found.allowed else None
    >>> X, y = [[1, 4, 0], [2, 3, 1], [4, 2, 1], [3, 1, 0], [1, 3, 0]], ["a", "a", "b", "b", "a"]
    >>> tree = PlaneTreeClassifier(learner=RLS(), selector=TwoLargest(), univariate=False)
    >>> tree.fit(X, y).mean_features_per_test_
    2.0
    """

    machines: ClassVar[bool] = True
    price: float = 0.0

    @abstractmethod
    def select(self, view: NodeView, propose: Propose) -> Proposal | None:
        """Best proposal for the node, or None."""


def best_of(proposals: Sequence[Proposal | None]) -> Proposal | None:
    """Proposal of greatest merit, whether allowed or not; the first of equals.

    Parameters
    ----------
    proposals : sequence of Proposal or None
        To choose from.

    Returns
    -------
    Proposal or None
        None where there is none.
    """
    found = [proposal for proposal in proposals if proposal is not None]
    return max(found, key=lambda proposal: proposal.merit, default=None)
