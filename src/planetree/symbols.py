"""How the values of a symbol become the branches of one test.

Without any of these a test asks for one value against the rest. A way of your own is a class with
a ``group``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

__all__ = ["Grouped", "Multiway", "SymbolBranching"]

Floats = NDArray[np.float64]
Judge = Callable[[Floats], Floats]

# Sums of the same weights in another order differ by less than this.
ROUNDING = 1e-12


class SymbolBranching(BaseEstimator, ABC):  # type: ignore[misc]
    """The contract: from the values seen at a node to branches.

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.symbols import SymbolBranching
    >>> class LargestApart(SymbolBranching):
    ...     def group(self, counts, judge):
    ...         rows = counts.sum(axis=1)
    ...         return (np.arange(len(rows)) == rows.argmax()).astype(int)
    >>> LargestApart().group(np.array([[1.0, 0.0], [2.0, 2.0], [0.0, 3.0]]), None)
    array([0, 1, 0])
    """

    @abstractmethod
    def group(self, counts: Floats, judge: Judge) -> NDArray[Any]:
        """Say which branch each value takes.

        Parameters
        ----------
        counts : ndarray of shape (n_values, n_classes)
            Weight of each class among the node's rows of each value; two values or more.
        judge : callable
            The merit: one number for each candidate of ``counts[candidate, branch, class]``.

        Returns
        -------
        ndarray of int
            A branch a value, from 0 on without gaps.
        """


class Multiway(SymbolBranching):
    """One branch for each value seen at the node (Quinlan's ID3 and C4.5).

    Examples
    --------
    >>> from planetree import PlaneTreeClassifier
    >>> from planetree.symbols import Multiway
    >>> X = {"sky": ["blue", "blue", "grey", "grey", "black", "black"]}
    >>> y = ["walk", "walk", "read", "read", "sleep", "sleep"]
    >>> print(PlaneTreeClassifier(symbols=Multiway()).fit(X, y).tree_)
    ├─ sky = black → sleep (2)
    ├─ sky = blue → walk (2)
    └─ sky = grey → read (2)
    """

    def group(self, counts: Floats, judge: Judge) -> NDArray[Any]:  # noqa: D102
        del judge
        return np.arange(len(counts))


class Grouped(SymbolBranching):
    """Values in groups, a branch a group: C4.5's grouping (Quinlan 1993, chapter 7).

    It begins with a branch a value and merges the two branches after which the merit is greatest,
    while that does not fall and more than two are left.

    Examples
    --------
    >>> from planetree import PlaneTreeClassifier
    >>> from planetree.symbols import Grouped
    >>> X = {"sky": ["blue", "blue", "grey", "grey", "black", "black"]}
    >>> y = ["walk", "walk", "read", "read", "read", "read"]
    >>> print(PlaneTreeClassifier(symbols=Grouped()).fit(X, y).tree_)
    ├─ sky ≠ blue → read (4)
    └─ sky = blue → walk (2)
    """

    def group(self, counts: Floats, judge: Judge) -> NDArray[Any]:  # noqa: D102
        branch = np.arange(len(counts))
        merit = float(judge(counts[None])[0])
        while len(counts) > 2:
            most, pair = -np.inf, (0, 1)
            for i in range(len(counts) - 1):
                merged = np.stack([_merge(counts, i, j) for j in range(i + 1, len(counts))])
                worth = judge(merged)
                if worth.max() > most:
                    most, pair = float(worth.max()), (i, i + 1 + int(worth.argmax()))
            if most < merit - ROUNDING:
                break
            merit, (i, j) = most, pair
            counts = _merge(counts, i, j)
            branch[branch == j] = i
            branch[branch > j] -= 1
        return branch


def _merge(counts: Floats, i: int, j: int) -> Floats:
    merged = np.delete(counts, j, axis=0)
    merged[i] += counts[j]
    return merged
