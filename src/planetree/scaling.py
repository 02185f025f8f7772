"""How a node brings its columns to one scale before a learner sees them, and what fills a gap."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

__all__ = ["Deviations", "Once", "Quartiles", "Range", "Raw", "Scale", "Scaling", "TableRange"]

Floats = NDArray[np.float64]


class Scale(NamedTuple):
    """Standardised is ``(x - center) / spread``; a missing value counts as `fill`.

    Parameters
    ----------
    center, spread, fill : ndarray of float64
        One number a column, in the column's own units.
    """

    center: Floats
    spread: Floats
    fill: Floats

    def take(self, columns: Any) -> Scale:
        """Scale of some of the columns, given by place or as a mask."""
        return Scale(*(part[columns] for part in self))

    def apply(self, X: Floats) -> Floats:
        """Standardised columns, in Fortran order, with every gap filled."""
        Z = np.empty(X.shape, order="F")
        # Halves, so that the difference of two huge numbers of opposite sign is still a number.
        np.subtract(X / 2, self.center / 2, out=Z)
        Z /= self.spread / 2
        gap = np.isnan(Z)
        if gap.any():
            fill = (self.fill / 2 - self.center / 2) / (self.spread / 2)
            np.copyto(Z, fill, where=gap)
        return Z


class Scaling(BaseEstimator, ABC):  # type: ignore[misc]
    """A way of bringing columns to one scale.

    Attributes
    ----------
    once : bool
        Whether it is asked once, for the rows of the whole table, and not at every node.

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.scaling import Deviations
    >>> X = np.array([[1.0], [3.0], [np.nan]])
    >>> Deviations()(X, np.ones(3), np.array([[0.0], [9.0]])).apply(X).ravel()
    array([-1.,  1.,  0.])
    """

    once: ClassVar[bool] = False

    @abstractmethod
    def __call__(self, X: Floats, weight: Floats, table_range: Floats) -> Scale:
        """Scale of the columns of some rows, each with two distinct known values at least.

        `table_range` holds the least and the greatest value of each column in the whole table.
        """


class Deviations(Scaling):
    """Zero mean and unit deviation over the known values of the node; a gap is the mean.

    Examples
    --------
    >>> from planetree.scaling import Deviations
    >>> Deviations()
    Deviations()
    """

    def __call__(self, X: Floats, weight: Floats, table_range: Floats) -> Scale:  # noqa: D102
        center = _mean(X, weight)
        return Scale(center, _deviation(X, weight, center), center)


class Quartiles(Scaling):
    """Centred at the median and divided by the interquartile range; a gap is the median.

    Where the middle half of the values is one value, the deviation stands in for the range.

    Examples
    --------
    >>> from planetree.scaling import Quartiles
    >>> Quartiles()
    Quartiles()
    """

    def __call__(self, X: Floats, weight: Floats, table_range: Floats) -> Scale:  # noqa: D102
        low, middle, high = _quantiles(X, weight, (0.25, 0.5, 0.75))
        with np.errstate(over="ignore"):
            spread = high - low
        unusable = ~((spread > 0) & np.isfinite(spread))
        spread[unusable] = _deviation(X, weight, _mean(X, weight))[unusable]
        return Scale(middle, spread, middle)


class Range(Scaling):
    """The node lies between 0 and 1; a gap is the mean.

    Examples
    --------
    >>> from planetree.scaling import Range
    >>> Range()
    Range()
    """

    def __call__(self, X: Floats, weight: Floats, table_range: Floats) -> Scale:  # noqa: D102
        low = np.where(np.isnan(X), np.inf, X).min(axis=0)
        high = np.where(np.isnan(X), -np.inf, X).max(axis=0)
        return TableRange()(X, weight, np.stack([low, high]))


class TableRange(Scaling):
    """The whole training table lies between 0 and 1; a gap is the mean of the node.

    Examples
    --------
    >>> from planetree.scaling import TableRange
    >>> TableRange()
    TableRange()
    """

    def __call__(self, X: Floats, weight: Floats, table_range: Floats) -> Scale:  # noqa: D102
        low, high = table_range
        with np.errstate(over="ignore"):
            spread = np.minimum(high - low, np.finfo(np.float64).max)
        return Scale(low, spread, _mean(X, weight))


class Once(Scaling):
    """Another scaling, worked out once from the whole training table and kept at every node.

    Parameters
    ----------
    scaling : Scaling, default=None
        Which; None is `Deviations`.

    Examples
    --------
    >>> from planetree.scaling import Once, Quartiles
    >>> Once(Quartiles())
    Once(scaling=Quartiles())
    """

    once = True

    def __init__(self, scaling: Scaling | None = None) -> None:
        self.scaling = scaling

    def __call__(self, X: Floats, weight: Floats, table_range: Floats) -> Scale:  # noqa: D102
        return (self.scaling or Deviations())(X, weight, table_range)


class Raw(Scaling):
    """The columns as they are; a gap is the median.

    Examples
    --------
    >>> from planetree.scaling import Raw
    >>> Raw()
    Raw()
    """

    def __call__(self, X: Floats, weight: Floats, table_range: Floats) -> Scale:  # noqa: D102
        (middle,) = _quantiles(X, weight, (0.5,))
        return Scale(np.zeros_like(middle), np.ones_like(middle), middle)


def _mean(X: Floats, weight: Floats) -> Floats:
    known = ~np.isnan(X)
    total = weight @ known
    # Shares instead of weights: the mean of huge numbers is a number.
    mean: Floats = np.where(known, X * (weight[:, None] / total), 0.0).sum(axis=0)
    return mean


def _deviation(X: Floats, weight: Floats, center: Floats) -> Floats:
    distance = np.where(np.isnan(X), 0.0, X / 2 - center / 2)
    largest = np.abs(distance).max(axis=0)
    total = weight @ ~np.isnan(X)
    # Halves of the least numbers may be 0.
    share = weight @ np.square(distance / np.where(largest > 0, largest, 1.0)) / total
    with np.errstate(over="ignore"):
        deviation: Floats = np.minimum(2 * largest * np.sqrt(share), np.finfo(np.float64).max)
    return deviation


def _quantiles(X: Floats, weight: Floats, shares: tuple[float, ...]) -> list[Floats]:
    """For each share the value with so much of the weight at or below it, half-way at a tie.

    A row of weight 2 counts as two rows, which interpolating quantiles do not keep.
    """
    result = np.empty((len(shares), X.shape[1]))
    for j, x in enumerate(X.T):
        known = ~np.isnan(x)
        order = np.argsort(x[known], kind="stable")
        values, reached = x[known][order], weight[known][order].cumsum()
        for i, share in enumerate(shares):
            goal = share * reached[-1]
            first = np.searchsorted(reached, goal * (1 - 1e-12))
            after = min(first + (reached[first] <= goal * (1 + 1e-12)), len(values) - 1)
            result[i, j] = values[first] / 2 + values[after] / 2
    return list(result)
