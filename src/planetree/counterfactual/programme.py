"""The linear programme whose solution is the nearest row of a region (SciPy's HiGHS)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, linprog, milp

from planetree.counterfactual.region import Region, differs
from planetree.planes import Term

__all__ = ["Programme"]

Floats = NDArray[np.float64]


class Programme:
    """The linear programme of a region: moves of numbers up and down, choices of symbols."""

    def __init__(self, region: Region, start: Floats) -> None:
        self.region, self.start = region, start
        x, price = region.x, region.price
        in_planes = sorted({t.feature for p in region.planes for t in p.terms})
        self.columns: list[tuple[int, float]] = []  # feature; direction of a move, or the choice
        self.binary: list[bool] = []
        cost, low, high, words = [], [], [], []
        for i in in_planes:
            if i in region.options:
                for option in region.options[i]:
                    self.columns.append((i, option))
                    self.binary.append(True)
                    cost.append(price.switch[i] * differs(option, x[i]))
                    low.append(0.0)
                    high.append(1.0)
                    words.append(("", ""))
            elif i in region.filled:
                self.columns.append((i, 0.0))
                self.binary.append(False)
                cost.append(0.0)
                low.append(region.low[i])
                high.append(region.high[i])
                words.append((region.low_words[i], region.high_words[i]))
            elif not math.isnan(x[i]):
                up = region.low[i] - x[i], region.high[i] - x[i]
                for sign, (least, most) in ((1.0, up), (-1.0, (-up[1], -up[0]))):
                    self.columns.append((i, sign))
                    self.binary.append(False)
                    cost.append(price.unit[i])
                    low.append(max(least, 0.0))
                    high.append(max(most, 0.0))
                    pair = region.low_words[i], region.high_words[i]
                    words.append(pair if sign > 0 else pair[::-1])
        self.cost, self.low, self.high, self.words = np.array(cost), low, high, words
        # In units of the price, so that the solver's tolerances mean the same for every feature.
        self.scale = np.array(
            [
                1.0 if b or i in region.filled else 1 / price.unit[i]
                for b, (i, _) in zip(self.binary, self.columns, strict=True)
            ]
        )
        self._write_planes()
        choices = sorted({i for i in in_planes if i in region.options})
        self.one_of = np.array(
            [[float(b and i == c) for b, (i, _) in zip(self.binary, self.columns)] for c in choices]
        ).reshape(len(choices), len(self.columns))
        # What the features outside the planes cost, and the filled ones.
        outside = region.costs(start)
        outside[[i for i in in_planes if i not in region.filled]] = 0.0
        self.constant = float(outside.sum())
        self.outside = [w for i, w in region.binding(start).items() if i not in in_planes]

    def _write_planes(self) -> None:
        region, x = self.region, self.region.x
        rows, most, size = [], [], []
        for plane in region.planes:
            row, rest, large = np.zeros(len(self.columns)), plane.most, abs(plane.most)
            for term, weight in zip(plane.terms, plane.weights, strict=True):
                i = term.feature
                known = 0.0
                if i not in region.options and i not in region.filled:
                    known = term.fill if math.isnan(x[i]) else x[i]
                rest -= weight * known
                large = max(large, abs(weight * known), abs(weight * term.fill))
                for k, (feature, value) in enumerate(self.columns):
                    if feature != i:
                        continue
                    if i in region.options:
                        row[k] += weight * _read(term, value)
                    else:
                        row[k] += weight * (1.0 if i in region.filled else value)
            row *= self.scale
            norm = np.abs(row).max(initial=0.0) or 1.0
            rows.append(row / norm)
            most.append(rest / norm)
            size.append((large or 1.0) / norm)
        self.rows, self.most, self.size = np.array(rows), np.array(most), np.array(size)

    def solve(self, step: float) -> tuple[float, Floats, list[str]] | None:
        """Least cost, the row and what binds, `step` within the planes; None if there is none."""
        cost = self.cost * self.scale
        low, high = np.array(self.low) / self.scale, np.array(self.high) / self.scale
        most = self.most - step * self.size
        if not self.columns:
            fits = bool((most >= 0).all())
            return (self.constant, self.start, self.outside) if fits else None
        bound = None
        if len(self.one_of):
            mixed = milp(
                cost,
                integrality=np.array(self.binary, int),
                bounds=Bounds(low, high),
                constraints=[
                    LinearConstraint(self.rows, -np.inf, most),
                    LinearConstraint(self.one_of, 1, 1),
                ],
                options={"mip_rel_gap": 0.0},
            )
            if mixed.x is None:
                return None
            bound = mixed.mip_dual_bound
            chosen = np.round(mixed.x)
            low = np.where(self.binary, chosen, low)
            high = np.where(self.binary, chosen, high)
        bounds: Any = np.column_stack([low, high])  # its stubs know lists of pairs alone
        found = linprog(cost, self.rows, most, bounds=bounds, method="highs")
        if found.x is None:
            return None
        row = self.start.copy()
        for i in {i for i, _ in self.columns}:
            mine = [k for k, (feature, _) in enumerate(self.columns) if feature == i]
            if i in self.region.options:
                row[i] = next(self.columns[k][1] for k in mine if found.x[k] > 0.5)
                continue
            if i in self.region.filled:
                row[i] = found.x[mine[0]]
            else:
                # What the solver leaves of a move it does not make is no change.
                moves = {self.columns[k][1]: found.x[k] for k in mine if found.x[k] > 1e-13}
                scale = self.scale[mine[0]]
                row[i] = self.region.x[i] + sum(s * move * scale for s, move in moves.items())
            row[i] = min(max(row[i], self.region.low[i]), self.region.high[i])
        binding = [
            plane.words
            for plane, dual in zip(self.region.planes, found.ineqlin.marginals, strict=True)
            if abs(dual) > 1e-12
        ]
        for k, (at_low, at_high) in enumerate(self.words):
            if low[k] > 0 and abs(found.lower.marginals[k]) > 1e-12:
                binding.append(at_low)
            if abs(found.upper.marginals[k]) > 1e-12:
                binding.append(at_high)
        least = float(found.fun or 0.0) if bound is None else float(bound)
        return (
            least + self.constant,
            row,
            [w for w in dict.fromkeys([*binding, *self.outside]) if w],
        )


def _read(term: Term, value: float) -> float:
    """Input of a term where the feature holds this value."""
    if math.isnan(value):
        return term.fill
    return value if term.symbol is None else float(value == term.symbol)
