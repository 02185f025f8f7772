"""What a change costs, and what is found."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planetree.errors import TableError
from planetree.schema import Symbol
from planetree.text import one_line
from planetree.tree import Tree

__all__ = ["Change", "Counterfactual", "Price"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Change:
    """What changes in one feature.

    Parameters
    ----------
    feature : str
        Its name.
    before, after : object
        Its values; None is missing, or unseen.
    cost : float
        The price.

    Examples
    --------
    >>> from planetree.presets import CART
    >>> from planetree.pruners import Unpruned
    >>> tree = CART(pruner=Unpruned()).fit({"age": [20, 60]}, ["young", "old"])
    >>> tree.counterfactual({"age": [30]}).changes
    (Change(feature='age', before=30.0, after=40.00000000000001, cost=10.000000000000007),)
    """

    feature: str
    before: Symbol | None
    after: Symbol | None
    cost: float


@dataclass(frozen=True)
class Counterfactual:
    """The smallest change of a row that gets another class.

    Parameters
    ----------
    before, after : object
        The class of the row, and of the changed one.
    changes : tuple of Change
        What changes.
    values : dict
        The whole changed row.
    cost : float
        The price of all changes.
    bound : float
        No row of the wanted class costs less: proven, up to the solver's tolerance. It is below the
        cost where the row had to go a little beyond a boundary.
    leaf : int
        The node that the changed row reaches.
    binding : tuple of str
        The inequalities that keep it from being nearer.
    probabilities : dict
        Share of each class in that leaf.

    Examples
    --------
    >>> from planetree.presets import CART
    >>> from planetree.pruners import Unpruned
    >>> tree = CART(pruner=Unpruned()).fit({"age": [20, 60]}, ["young", "old"])
    >>> print(tree.counterfactual({"age": [30]}))
    young → old
      age = 30 → 40 (10 more)
    cost 10, and no row costs less than 10; what binds: age > 40
    """

    before: Symbol
    after: Symbol
    changes: tuple[Change, ...]
    values: dict[str, Symbol | None]
    cost: float
    bound: float
    leaf: int
    binding: tuple[str, ...]
    probabilities: dict[Symbol, float]

    def __str__(self) -> str:
        lines = [f"{one_line(str(self.before))} → {one_line(str(self.after))}"]
        for change in self.changes:
            old, new = change.before, change.after
            moved = ""
            if type(old) is float and type(new) is float:
                size = f"{abs(new - old):.6g}"
                moved = f" ({size} {'more' if new > old else 'less'})"
            name = one_line(change.feature)
            lines.append(f"  {name} = {_shown(old)} → {_shown(new)}{moved}")
        bound = f"cost {self.cost:.6g}, and no row costs less than {self.bound:.6g}"
        binds = f"; what binds: {', '.join(self.binding)}" if self.binding else ""
        return "\n".join([*lines, bound + binds])


def _shown(value: Symbol | None) -> str:
    if value is None:
        return "missing or unseen"
    return f"{value:.6g}" if isinstance(value, float) else one_line(str(value))


@dataclass(frozen=True)
class Price:
    """What changes cost and which are allowed, a number a feature.

    Parameters
    ----------
    unit : ndarray of float
        Price of a change of a number by 1; of a switch to another symbol or boolean.
    low, high : ndarray of float
        Where a changed number must lie.
    frozen : frozenset of int
        Features that stay as they are.
    fill : frozenset of int
        Features in which a missing value may become a known one, at the price of a switch.
    switch : ndarray of float
        Price of a switch.

    Examples
    --------
    >>> from planetree.presets import CART
    >>> from planetree.pruners import Unpruned
    >>> from planetree.counterfactual import Price
    >>> tree = CART(pruner=Unpruned()).fit({"age": [20, 60]}, ["young", "old"]).tree_
    >>> Price.of(tree, weights={"age": 2.0}).unit
    array([2.])
    """

    unit: Floats
    switch: Floats
    low: Floats
    high: Floats
    frozen: frozenset[int] = frozenset()
    fill: frozenset[int] = frozenset()

    @classmethod
    def of(
        cls,
        tree: Tree,
        spread: Floats | None = None,
        frozen: Iterable[str] = (),
        bounds: Mapping[str, tuple[float | None, float | None]] | None = None,
        weights: Mapping[str, float] | None = None,
        fill: Iterable[str] = (),
        switch: float = 1.0,
    ) -> Price:
        """Read what a user says by names (`PlaneTreeClassifier.counterfactual`)."""
        features = tree.schema.features
        place = {feature.name: i for i, feature in enumerate(features)}

        def at(option: str, name: str) -> int:
            if name not in place:
                raise TableError(
                    f"{option}: the tree has no feature {name!r}; it has {', '.join(place)}"
                )
            return place[name]

        for option, names in (("frozen", frozen), ("fill", fill)):
            if isinstance(names, str):
                raise TypeError(f"{option} must be a sequence of names, [{names!r}], not a string")
        weight = np.ones(len(features))
        for name, value in (weights or {}).items():
            if not (math.isfinite(value) and value > 0):
                raise ValueError(f"weights: the price of {name} must be above 0, not {value!r}")
            weight[at("weights", name)] = value
        if not (math.isfinite(switch) and switch > 0):
            raise ValueError(f"switch_cost must be a number above 0, not {switch!r}")
        low, high = np.full(len(features), -np.inf), np.full(len(features), np.inf)
        for name, pair in (bounds or {}).items():
            i = at("bounds", name)
            if features[i].kind != "numeric":
                raise TableError(f"bounds: {name} holds no numbers; frozen=[{name!r}] keeps it")
            least, most = pair
            low[i] = -np.inf if least is None else least
            high[i] = np.inf if most is None else most
            if not low[i] <= high[i]:
                raise ValueError(f"bounds of {name}: {least} is not below {most}")
        unit = weight if spread is None else weight / spread
        return cls(
            unit,
            weight * switch,
            low,
            high,
            frozenset(at("frozen", name) for name in frozen),
            frozenset(at("fill", name) for name in fill),
        )
