"""Noise added to data on purpose: wrong classes or wrong values, at a rate."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planetree.choices import known_keys
from planetree.errors import StudyError
from planetree.table import is_missing

__all__ = ["Noise", "read_noise"]

_CHOICES = {
    "on": ("labels", "attributes"),
    "how": ("values", "examples"),
    "where": ("both", "train"),
}


@dataclass(frozen=True)
class Noise:
    """Wrong classes or wrong values, at a rate.

    Parameters
    ----------
    rate : float, default=0.1
        Probability of each value, or of each row.
    on : {"labels", "attributes"}, default="labels"
        What is spoilt: the class, or all other columns. Missing values stay missing.
    how : {"values", "examples"}, default="values"
        "values" turns each value for itself into another one of its column. "examples" picks rows
        and draws all that `on` names anew, perhaps the same as before. Either way the distinct
        values of a column are equally likely.
    where : {"both", "train"}, default="both"
        Whether the test rows are spoilt too.

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.bench import Noise
    >>> X, y = Noise(1.0).spoil(np.array([[1.0], [2.0]]), np.array(["a", "b"]),
    ...                         np.random.default_rng(0))
    >>> X.tolist(), y.tolist()
    ([[1.0], [2.0]], ['b', 'a'])
    """

    rate: float = 0.1
    on: str = "labels"
    how: str = "values"
    where: str = "both"

    def __post_init__(self) -> None:
        number = isinstance(self.rate, int | float) and not isinstance(self.rate, bool)
        if not number or not 0 <= self.rate <= 1:
            raise StudyError(f"rate of the noise must be from 0 to 1, not {self.rate!r}")
        for name, known in _CHOICES.items():
            if getattr(self, name) not in known:
                raise StudyError(
                    f"{name} of the noise must be {' or '.join(known)}, not {getattr(self, name)!r}"
                )

    def describe(self) -> dict[str, Any]:
        """Tell what it is, ready for JSON.

        Returns
        -------
        dict
            The parameters.
        """
        return asdict(self)

    def spoil(self, X: Any, y: NDArray[Any], rng: np.random.Generator) -> tuple[Any, NDArray[Any]]:
        """Make a noisy copy of all rows.

        Parameters
        ----------
        X : ndarray or dict of str to ndarray
            The columns.
        y : ndarray
            The class of each row.
        rng : numpy.random.Generator
            Source of the noise.

        Returns
        -------
        X, y
            Of the same kind.
        """
        redrawn = None if self.how == "values" else rng.random(len(y)) < self.rate

        def spoilt(values: NDArray[Any]) -> NDArray[Any]:
            if redrawn is None:
                return _replaced(values, rng.random(len(values)) < self.rate, 1, rng)
            return _replaced(values, redrawn, 0, rng)

        if self.on == "labels":
            return X, spoilt(y)
        if isinstance(X, dict):
            return {name: spoilt(values) for name, values in X.items()}, y
        return np.column_stack([spoilt(values) for values in X.T]), y


def read_noise(value: Any) -> Noise | None:
    """Make noise of what a study file says: a table, or nothing."""
    if value is None or isinstance(value, Noise):
        return value
    return Noise(**known_keys("noise", value, Noise))


def _replaced(
    values: NDArray[Any], where: NDArray[np.bool_], least: int, rng: np.random.Generator
) -> NDArray[Any]:
    """Move values `least` or more places on in the circle of the column's distinct values."""
    missing = np.fromiter(map(is_missing, values), bool, len(values))
    distinct, place = np.unique(values[~missing], return_inverse=True)
    moves = rng.integers(least, max(len(distinct), least + 1), len(values))[~missing]
    moved = distinct[(place + moves) % max(len(distinct), 1)]
    result = values.copy()
    result[~missing] = np.where(where[~missing], moved, values[~missing])
    return result
