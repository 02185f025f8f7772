"""Trees of every kind, to try pruners and refiners on."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from planetree.estimator import PlaneTreeClassifier
from planetree.learners import RLS
from planetree.merits import Gini
from planetree.symbols import Multiway

__all__ = ["Case", "grown_cases"]

Cases = tuple[dict[str, Any], NDArray[Any]]


class Case(NamedTuple):
    """An estimator, the cases it learns from, and others like them."""

    where: str
    estimator: PlaneTreeClassifier
    training: Cases
    fresh: Cases


def grown_cases(rng: np.random.Generator) -> list[Case]:
    """Trees of thresholds, of many branches, of planes, of machines and of both, and a leaf."""

    def table(n_classes: int) -> tuple[Cases, Cases]:
        """Numbers, a symbol, gaps, and a fifth of the labels at random."""
        n = 240
        x = rng.normal(size=(n, 2))
        y = (np.digitize(x @ [1.0, 1.0], [0.0, 1.2]) % n_classes).astype(int)
        noise = rng.random(n) < 0.2
        y[noise] = rng.integers(0, n_classes, noise.sum())
        x[rng.random(x.shape) < 0.05] = np.nan
        colour = np.array(["red", "green", "blue"])[rng.integers(0, 3, n)]
        X = {"u": x[:, 0], "v": x[:, 1], "colour": colour}
        labels = np.array(["no", "yes", "perhaps"])[y]
        parts = []
        for part in (slice(0, 160), slice(160, n)):
            parts.append(({name: values[part] for name, values in X.items()}, labels[part]))
        return parts[0], parts[1]

    two, three = table(2), table(3)
    planes = PlaneTreeClassifier(learner=RLS(), univariate=False)
    return [
        Case("on a tree of thresholds", PlaneTreeClassifier(Gini()), *two),
        Case("on a tree of many branches", PlaneTreeClassifier(symbols=Multiway()), *three),
        Case("on a tree of planes", planes, *two),
        Case("on a tree of linear machines", planes, *three),
        Case("on a tree of both", PlaneTreeClassifier(learner=RLS()), *three),
        Case("on a leaf alone", PlaneTreeClassifier(learner=RLS(), max_depth=0), *two),
    ]
