"""Tables with a seed, to measure on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Data:
    """A table and what it is."""

    what: str
    X: Array
    y: Array
    weight: Array | None = None


def noisy(n_rows: int, n_features: int = 20, *, seed: int = 0) -> Data:
    """Two classes, a curved boundary in four features, five per cent of the labels flipped."""
    random = np.random.default_rng(seed)
    X = random.standard_normal((n_rows, n_features))
    truth = X[:, 0] + X[:, 1] * X[:, 2] + 0.5 * X[:, 3] > 0
    y = (truth ^ (random.random(n_rows) < 0.05)).astype(int)
    return Data(f"{_by(X)}, 2 classes, 5 % label noise", X, y)


def many_classes(n_rows: int, n_features: int = 54, n_classes: int = 10, *, seed: int = 0) -> Data:
    """Classes by the largest score over ten features, five per cent of the labels drawn anew."""
    random = np.random.default_rng(seed)
    X = random.standard_normal((n_rows, n_features))
    used = X[:, : min(10, n_features)]
    scores = used @ random.standard_normal((used.shape[1], n_classes))
    y = (scores + 0.5 * (used**2) @ random.standard_normal((used.shape[1], n_classes))).argmax(
        axis=1
    )
    redrawn = random.random(n_rows) < 0.05
    y[redrawn] = random.integers(n_classes, size=redrawn.sum())
    return Data(f"{_by(X)}, {n_classes} classes, 5 % label noise", X, y)


def ties(n_rows: int, n_features: int = 20, *, seed: int = 0) -> Data:
    """Whole numbers from 0 to 9 in every column."""
    random = np.random.default_rng(seed)
    X = random.integers(10, size=(n_rows, n_features)).astype(np.float64)
    y = ((X[:, 0] + X[:, 1] + X[:, 2] > 13) ^ (random.random(n_rows) < 0.05)).astype(int)
    return Data(f"{_by(X)}, 10 values a column, 2 classes", X, y)


def missing(n_rows: int, n_features: int = 20, *, seed: int = 0) -> Data:
    """The noisy table with a tenth of its values missing."""
    data = noisy(n_rows, n_features, seed=seed)
    data.X[np.random.default_rng(seed + 1).random(data.X.shape) < 0.1] = np.nan
    return Data(f"{_by(data.X)}, 10 % of the values missing, 2 classes", data.X, data.y)


def weighted(n_rows: int, n_features: int = 20, *, seed: int = 0) -> Data:
    """The noisy table with weights between one half and two."""
    data = noisy(n_rows, n_features, seed=seed)
    weight = np.random.default_rng(seed + 1).uniform(0.5, 2.0, n_rows)
    return Data(f"{_by(data.X)}, weighted rows, 2 classes", data.X, data.y, weight)


def _by(X: Array) -> str:
    return f"{X.shape[0]:,} × {X.shape[1]}".replace(",", " ")
