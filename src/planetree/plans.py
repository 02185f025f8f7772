"""Ways to make a tree: families of tests put together, and what is done with the tree they grow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from planetree.grow import Listener
from planetree.search import Candidate, Found, OpenNode
from planetree.table import Table
from planetree.tree import Tree

__all__ = ["AtRoot", "Frugal", "Plan"]


@dataclass(frozen=True)
class Plan:
    """A way to make a tree from a table.

    Parameters
    ----------
    grow : callable
        Grows it, and tells the listener, if it is given one.
    refine : callable or None
        Takes a tree so grown, or a smaller one, and the table, and learns its tests anew.
    parallel : bool
        Whether several trees may be made at once, from several threads.

    Examples
    --------
    >>> from planetree.plans import Plan
    >>> Plan(grow=lambda table, listener: None).refine is None
    True
    """

    grow: Callable[[Table, Listener | None], Tree]
    refine: Callable[[Tree, Table], Tree] | None = None
    parallel: bool = False

    def make(self, table: Table, listener: Listener | None = None) -> Tree:
        """Grow a tree and refine it."""
        tree = self.grow(table, listener)
        return tree if self.refine is None else self.refine(tree, table)


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

    @property
    def parallel(self) -> bool:  # noqa: D102
        return all(search.parallel for search in self.candidates)

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

    @property
    def parallel(self) -> bool:  # noqa: D102
        return all(search.parallel for search in (*self.root, *self.others))

    def __call__(self, node: OpenNode) -> Found | None:  # noqa: D102
        searches = self.others if node.path else self.root
        found = [found for search in searches if (found := search(node)) is not None]
        return max(found, key=lambda f: f.merit, default=None)
