"""What may stand at a node: families of tests put together into plans of a tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from planetree.search import Candidate, Found, OpenNode

__all__ = ["AtRoot", "Frugal"]


@dataclass(frozen=True)
class Frugal:
    """The candidate worth most after its features are paid for.

    The first feature of a test is free: without it there is no test.

    Parameters
    ----------
    candidates : sequence of Candidate
        Of equals the first wins.
    price : float
        What a feature must explain, in cases' worth of the merit that a test parting all classes
        would have (`planetree.selectors.Thin`).

    Examples
    --------
    >>> from planetree.plans import Frugal
    >>> from planetree.search import Univariate
    >>> Frugal([Univariate()], price=4.0).price
    4.0
    """

    candidates: Sequence[Candidate]
    price: float

    def __call__(self, node: OpenNode) -> Found | None:  # noqa: D102
        found = [found for search in self.candidates if (found := search(node)) is not None]
        if not found:
            return None
        feature = self.price * node.ceiling / len(node.rows)
        paid = [Found(f.merit - feature * (len(f.test.features) - 1), f.test) for f in found]
        return max(paid, key=lambda f: f.merit)


@dataclass(frozen=True)
class AtRoot:
    """One family of tests at the root, another everywhere else.

    Parameters
    ----------
    root, others : sequence of Candidate
        What searches there; of equals the first wins.

    Examples
    --------
    >>> from planetree.plans import AtRoot
    >>> from planetree.search import Univariate
    >>> AtRoot((Univariate(),), (Univariate(),)).root
    (Univariate(n_threads=1),)
    """

    root: Sequence[Candidate]
    others: Sequence[Candidate]

    def __call__(self, node: OpenNode) -> Found | None:  # noqa: D102
        searches = self.others if node.path else self.root
        found = [found for search in searches if (found := search(node)) is not None]
        return max(found, key=lambda f: f.merit, default=None)
