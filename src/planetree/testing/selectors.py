"""What every selector promises."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from planetree.errors import PlugInError
from planetree.learners import RLS
from planetree.linear import Linear, Proposals
from planetree.selectors.base import FeatureSelector, Places, Proposal
from planetree.table import Table
from planetree.testing.promises import (
    check_parameters,
    open_node,
    promise,
    quietly,
    snapshot,
    table_of,
)

__all__ = ["check_selector"]


def check_selector(selector: FeatureSelector, *, random_state: int = 0) -> None:
    """Check that a selector keeps the contract of `planetree.selectors.FeatureSelector`.

    It must end with a proposal that it was given and that is allowed, or with None; leave the view
    alone; find something where the classes lie apart and everything is allowed; go on, or end, when
    nothing is learned from some columns; choose the same again; and survive `sklearn.base.clone`.
    One that says that it takes linear machines must take them.

    Parameters
    ----------
    selector : FeatureSelector
        An instance.
    random_state : int, default=0
        Seed of the tables.

    Raises
    ------
    AssertionError
        Saying which promise is broken, and where.

    Examples
    --------
    >>> from planetree.selectors import SBE
    >>> from planetree.testing import check_selector
    >>> check_selector(SBE())
    """
    rng = np.random.default_rng(random_state)
    check_parameters(selector)
    two, three = _table(rng, 2), _table(rng, 3)
    found = _check(selector, two, "on two classes that lie apart")
    promise(found is not None, selector, "finds nothing on two classes that lie apart")
    for most in (1, 2):
        _check(selector, two, f"with at most {most} features a test", max_features=most)
    one_column = Table(two.schema.__class__(two.schema.features[:1]), two.X[:, :1], two.y, (0, 1))
    _check(selector, one_column, "on one column")
    found = _check(selector, two, "where no test has rows enough", min_rows_per_feature=1e9)
    promise(found is None, selector, "finds something where no test has rows enough")
    for seed in range(5):
        _check(selector, two, "where some columns tell nothing", failing=0.3, seed=seed)
    _check(selector, two, "where no column tells anything", failing=1.0)
    if selector.machines:
        try:
            found = _check(selector, three, "on three classes that lie apart")
        except PlugInError as error:
            raise AssertionError(
                f"{selector!r} takes no linear machines, so it must say machines = False: {error}"
            ) from error
        promise(found is not None, selector, "finds nothing on three classes that lie apart")


def _table(rng: np.random.Generator, n_classes: int) -> Table:
    """Two columns of five tell the classes apart."""
    y = np.arange(60) % n_classes
    X = rng.normal(size=(60, 5))
    X[:, 1] += np.array([0.0, 2.0, 4.0])[y]
    X[:, 3] += np.array([0.0, 3.0, 0.0])[y]
    return table_of(X, y)


class _Watched:
    """Keeps what it proposes, and fails as often as it is told to."""

    def __init__(self, propose: Proposals, failing: float, seed: int) -> None:
        self._propose = propose
        self._failing = failing
        self._seed = seed
        self.given: list[Proposal] = []

    def __call__(self, places: Places) -> Proposal | None:
        return self.each([places])[0]

    def each(self, sets: Sequence[Places]) -> list[Proposal | None]:
        proposals = [
            None if self._fails(places) else proposal
            for places, proposal in zip(sets, self._propose.each(sets), strict=True)
        ]
        self.given += [proposal for proposal in proposals if proposal is not None]
        return proposals

    def again(self, weights: NDArray[np.float64], places: Places) -> Proposal | None:
        proposal = None if self._fails(places) else self._propose.again(weights, places)
        self.given += [] if proposal is None else [proposal]
        return proposal

    @property
    def thins(self) -> bool:
        return self._propose.thins

    def thinned(self, price: float, share: float) -> Proposal | None:
        proposal = self._propose.thinned(price, share)
        self.given += [] if proposal is None else [proposal]
        return proposal

    def along(self, weights: NDArray[np.float64], places: Places) -> Proposal | None:
        proposal = self._propose.along(weights, places)
        self.given += [] if proposal is None else [proposal]
        return proposal

    def _fails(self, places: Places) -> bool:
        return np.random.default_rng([self._seed, *places]).random() < self._failing


def _check(
    selector: FeatureSelector,
    table: Table,
    where: str,
    *,
    failing: float = 0.0,
    seed: int = 0,
    max_features: int | None = None,
    min_rows_per_feature: float = 2.0,
) -> Proposal | None:
    linear = Linear(RLS(), selector, max_features, min_rows_per_feature)
    view, proposals = linear.look(open_node(table))
    before = snapshot(view)

    def choose(by: FeatureSelector) -> Proposal | None:
        propose = _Watched(proposals, failing, seed)
        try:
            chosen = quietly(by, lambda: by.select(view, propose), where)
        except ValueError as error:
            raise PlugInError(f"{selector!r} cannot be used {where}: {error}") from error
        if chosen is not None:
            promise(
                any(chosen is proposal for proposal in propose.given),
                selector,
                f"returns what it was not given {where}: {chosen!r}",
            )
            promise(chosen.allowed, selector, f"ends with a test that is not allowed {where}")
            promise(
                set(chosen.places) <= set(range(view.n_columns)),
                selector,
                f"looks at columns that are not there {where}: {chosen.places}",
            )
        return chosen

    first, again, cloned = choose(selector), choose(selector), choose(clone(selector))
    promise(snapshot(view) == before, selector, f"changes the view {where}")
    promise(first == again == cloned, selector, f"does not choose the same again {where}")
    return first
