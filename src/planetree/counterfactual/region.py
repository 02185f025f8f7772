"""The rows of one leaf, as far as changes of one row reach them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planetree.counterfactual.values import Price
from planetree.nodetests import Known, NodeTest, Threshold
from planetree.planes import LinearMachine, LinearThresholdUnit, Term
from planetree.schema import Feature
from planetree.text import one_line
from planetree.tree import Tree

__all__ = ["Plane", "Region", "differs"]

Floats = NDArray[np.float64]


def differs(a: float, b: float) -> bool:
    """Whether two values are not the same; missing is missing."""
    return not (a == b or (math.isnan(a) and math.isnan(b)))


def _options(feature: Feature, x: float, price: Price, i: int) -> list[float]:
    """What a symbol or boolean may become, itself first."""
    if i in price.frozen or (math.isnan(x) and i not in price.fill):
        return [x]
    n_values = 2 if feature.kind == "boolean" else len(feature.symbols)
    return [x, *(float(v) for v in range(n_values) if v != x)]


@dataclass
class Plane:
    """A weighted sum of terms that is at most a number."""

    words: str
    terms: tuple[Term, ...]
    weights: tuple[float, ...]
    most: float


class Region:
    """The rows of one leaf, as far as changes of this row reach.

    `filled` are the missing numbers that become known ones.
    """

    def __init__(self, tree: Tree, x: Floats, price: Price, filled: frozenset[int]) -> None:
        self.tree, self.x, self.price, self.filled = tree, x, price, filled
        features = tree.schema.features
        self.low, self.high = np.minimum(price.low, x), np.maximum(price.high, x)
        self.options: dict[int, list[float]] = {}
        for i, feature in enumerate(features):
            if feature.kind != "numeric":
                self.options[i] = _options(feature, x[i], price, i)
            elif i in filled:
                self.low[i], self.high[i] = price.low[i], price.high[i]
            elif i in price.frozen:
                self.low[i] = self.high[i] = x[i]
        self.low_words = {i: f"bound of {f.name}" for i, f in enumerate(features)}
        self.high_words = dict(self.low_words)
        self.planes: list[Plane] = []

    @classmethod
    def of(
        cls, tree: Tree, leaf: int, x: Floats, price: Price, filled: frozenset[int]
    ) -> Region | None:
        """Narrow what is allowed by each test on the way; None where nothing is left."""
        region = cls(tree, x, price, filled)
        node = leaf
        while node:
            parent = int(tree.parent[node])
            test = tree.tests[parent]
            assert test is not None
            if not region._narrow(test, node - tree.node(parent).children.start):
                return None
            node = parent
        return region

    def _narrow(self, test: NodeTest, branch: int) -> bool:
        words = one_line(test.describe(self.tree.schema)[branch])
        if isinstance(test, LinearThresholdUnit):
            sign = 1.0 if branch == 0 else -1.0
            weights = tuple(sign * w for w in test.weights)
            self.planes.append(Plane(words, test.terms, weights, sign * test.cut))
            return True
        if isinstance(test, LinearMachine):
            mine = test.weights[branch]
            for other, theirs in enumerate(test.weights):
                if other != branch:
                    weights = tuple(b - a for a, b in zip(mine, theirs, strict=True))
                    most = test.constants[branch] - test.constants[other]
                    self.planes.append(Plane(words, test.terms, weights, most))
            return True
        (i,) = test.features
        if i in self.options:
            rows = np.zeros((len(self.options[i]), len(self.x)))
            rows[:, i] = self.options[i]
            left = test.route(rows) == branch
            self.options[i] = [v for v, keep in zip(self.options[i], left) if keep]
            return bool(self.options[i])
        if math.isnan(self.x[i]) and i not in self.filled:
            return int(test.route(self.x[None, :])[0]) == branch
        if isinstance(test, Known):
            return branch == 0
        assert isinstance(test, Threshold)
        above = math.nextafter(test.cut, math.inf)
        if branch == 0 and test.cut < self.high[i]:
            self.high[i], self.high_words[i] = test.cut, words
        if branch == 1 and above > self.low[i]:
            self.low[i], self.low_words[i] = above, words
        return bool(self.low[i] <= self.high[i])

    # --- prices ---------------------------------------------------------------------------------

    def costs(self, row: Floats) -> Floats:
        """Price of what changed in each feature."""
        moved = np.abs(row - self.x) * self.price.unit
        switched = np.isnan(row) != np.isnan(self.x)
        for i in self.options:
            switched[i] = differs(row[i], self.x[i])
            moved[i] = 0.0
        return np.where(switched, self.price.switch, np.nan_to_num(moved))

    def box(self) -> Floats:
        """The nearest row when the planes are forgotten."""
        row = self.x.copy()
        for i, options in self.options.items():
            if not any(not differs(v, self.x[i]) for v in options):
                row[i] = options[0]
        for i in set(range(len(row))) - set(self.options):
            if i in self.filled:
                row[i] = min(max(0.0, self.low[i]), self.high[i])
            elif not math.isnan(row[i]):
                row[i] = min(max(row[i], self.low[i]), self.high[i])
        return row

    def binding(self, row: Floats) -> dict[int, str]:
        """Which side of the box each moved number lies on, in words."""
        return {
            i: (self.low_words if row[i] == self.low[i] else self.high_words)[i]
            for i in range(len(row))
            if i not in self.options and i not in self.filled and differs(row[i], self.x[i])
        }
