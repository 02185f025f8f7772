"""What makes a split good.

A merit turns the class counts of the branches of many candidate tests into one number each; more
is better, and a test that sends all cases one way is worth 0. A merit of your own is a class with
a ``__call__``; see `planetree.testing.check_merit`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

__all__ = [
    "GainRatio",
    "Gini",
    "InformationGain",
    "MaxMinority",
    "Merit",
    "Misclassification",
    "SumMinority",
    "Twoing",
]

Floats = NDArray[np.float64]
Impurity = Callable[[Floats], Floats]


class Merit(BaseEstimator, ABC):  # type: ignore[misc]
    """The contract of a merit.

    ``merit(counts)`` gets ``counts[candidate, branch, class]``, sums of weights, and returns one
    number a candidate. Branches may be empty; the order of branches and of classes must not matter.

    Attributes
    ----------
    native : str or None
        Name of the kernel that computes the same inside a sweep; None for a merit written in
        Python alone.

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.merits import Merit
    >>> class Purity(Merit):
    ...     def __call__(self, counts):
    ...         return counts.max(axis=2).sum(axis=1) / counts.sum(axis=(1, 2))
    >>> Purity()(np.array([[[4.0, 0.0], [1.0, 3.0]]]))
    array([0.875])
    """

    native: ClassVar[str | None] = None

    @abstractmethod
    def __call__(self, counts: Floats) -> Floats:
        """Worth of each candidate."""

    def gain(self, counts: Floats) -> Floats:
        """What the tests on one column are compared by; by default their worth.

        Parameters
        ----------
        counts : ndarray
            As for a call.

        Returns
        -------
        ndarray
            One number a candidate; the greatest stands for the column in `compete`.
        """
        return self(counts)

    def ceiling(self, counts: Floats) -> float:
        """Worth of a test that gives every class a branch of its own.

        Parameters
        ----------
        counts : ndarray of shape (n_classes,)
            The weight of each class.

        Returns
        -------
        float
            What no test can exceed, for most merits.
        """
        return float(self(np.diag(counts)[None])[0])

    def compete(self, merits: Floats, split_info: Floats) -> Floats:
        """Value of each column's best cut when columns compete; by default what the cut is worth.

        Parameters
        ----------
        merits : ndarray
            Worth of the best cut of each column that has one.
        split_info : ndarray
            Entropy of the shares of its branches, in bits.

        Returns
        -------
        ndarray
            The greatest wins, the first of equals; -inf takes no part.
        """
        del split_info
        return merits

    def charge(self, n_cuts: Floats, n_rows: float) -> Floats:
        """What is taken from the gain of a cut of a number because it was chosen; by default 0.

        Parameters
        ----------
        n_cuts : ndarray
            Among how many cuts each has been chosen.
        n_rows : float
            How many rows the node has.

        Returns
        -------
        ndarray
            One number a cut.
        """
        del n_rows
        return np.zeros(np.shape(n_cuts))

    @property
    def charges(self) -> bool:
        """Whether `charge` takes anything; the fused grower does not know of it."""
        return False

    @property
    def choice(self) -> str:
        """Name of `compete` in the kernels."""
        return "merit"


def _shares(counts: Floats) -> tuple[Floats, Floats]:
    """Weight of every branch as a share of the node, and shares of the classes within each."""
    weight = counts.sum(axis=2)
    within = np.divide(
        counts, weight[..., None], out=np.zeros_like(counts), where=weight[..., None] > 0
    )
    return weight / weight.sum(axis=1, keepdims=True), within


class Gini(Merit):
    """Decrease of the Gini index, branches weighted by size (Breiman et al. 1984).

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.merits import Gini
    >>> Gini()(np.array([[[5.0, 0.0], [0.0, 5.0]]]))
    array([0.5])
    """

    native = "gini"

    def __call__(self, counts: Floats) -> Floats:  # noqa: D102
        return _decrease(counts, lambda p: 1.0 - (p * p).sum(axis=-1))


class InformationGain(Merit):
    """Decrease of the entropy in bits (Quinlan 1986).

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.merits import InformationGain
    >>> InformationGain()(np.array([[[5.0, 0.0], [0.0, 5.0]]]))
    array([1.])
    """

    native = "information_gain"

    def __call__(self, counts: Floats) -> Floats:  # noqa: D102
        return _decrease(counts, _entropy)


class GainRatio(Merit):
    """Information gain for each bit the split itself takes to say (Quinlan 1986, 1993).

    In each column the cut with the greatest gain stands for the column; the columns then compete
    by ratio.

    Parameters
    ----------
    guard : bool, default=True
        Only columns whose gain is at least the mean gain of all columns compete. Without it the
        ratio runs to cuts that split off a handful of cases.
    penalty : bool, default=False
        Whether the gain of a cut of a number is lessened by log2(k)/N, the bits it takes to say
        which of the k cuts of N cases it is: release 8 of C4.5 (Quinlan 1996). A cut that gains no
        more than that is none.

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.merits import GainRatio
    >>> GainRatio().compete(np.array([0.5, 0.01]), np.array([1.0, 0.01]))
    array([ 0.5, -inf])
    >>> GainRatio(guard=False).compete(np.array([0.5, 0.01]), np.array([1.0, 0.01]))
    array([0.5, 1. ])
    """

    native = "information_gain"

    def __init__(self, guard: bool = True, penalty: bool = False) -> None:
        self.guard = guard
        self.penalty = penalty

    def __call__(self, counts: Floats) -> Floats:  # noqa: D102
        shares = counts.sum(axis=2) / counts.sum(axis=(1, 2))[:, None]
        split_info = _entropy(shares)
        gain = InformationGain()(counts)
        return np.divide(gain, split_info, out=np.zeros_like(gain), where=split_info > 0)

    def gain(self, counts: Floats) -> Floats:  # noqa: D102
        return InformationGain()(counts)

    def compete(self, merits: Floats, split_info: Floats) -> Floats:
        """Ratio of each column's best cut; -inf where the guard keeps it out.

        Parameters
        ----------
        merits : ndarray
            Gain of the best cut of each column that has one.
        split_info : ndarray
            Entropy of the shares of its branches, in bits.

        Returns
        -------
        ndarray
            The greatest wins.
        """
        ratio = merits / split_info
        if not self.guard or not len(merits):
            return ratio
        # Summed from left to right as the kernel does; the mean of equal gains can round to more
        # than each of them.
        least = min(merits.cumsum()[-1] / len(merits), merits.max())
        return np.where(merits >= least, ratio, -np.inf)

    def charge(self, n_cuts: Floats, n_rows: float) -> Floats:  # noqa: D102
        if not self.penalty:
            return super().charge(n_cuts, n_rows)
        bits: Floats = np.log2(np.maximum(n_cuts, 1)) / n_rows
        return bits

    @property
    def charges(self) -> bool:  # noqa: D102
        return bool(self.penalty)

    @property
    def choice(self) -> str:
        """Name of `compete` in the kernels."""
        return "guarded_gain_ratio" if self.guard else "gain_ratio"


class Twoing(Merit):
    r"""Twoing value (Breiman et al. 1984); two branches only.

    It is :math:`p_L p_R / 4\,(\sum_j |p(j|L) - p(j|R)|)^2`.

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.merits import Twoing
    >>> Twoing()(np.array([[[5.0, 0.0], [0.0, 5.0]]]))
    array([0.25])
    """

    native = "twoing"

    def ceiling(self, counts: Floats) -> float:  # noqa: D102
        del counts
        return 0.25  # two branches of equal weight without a class in common

    def __call__(self, counts: Floats) -> Floats:  # noqa: D102
        if counts.shape[1] != 2:
            raise ValueError(
                f"Twoing compares two branches, not {counts.shape[1]}; Gini takes any number"
            )
        share, within = _shares(counts)
        distance = np.abs(within[:, 0] - within[:, 1]).sum(axis=1)
        empty = (share == 0).any(axis=1)
        return np.where(empty, 0.0, share[:, 0] * share[:, 1] / 4 * distance**2)


class SumMinority(Merit):
    """How many cases fewer lie outside their branch's largest class (Heath et al. 1993).

    It orders splits as `Misclassification` does, in cases instead of shares.

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.merits import SumMinority
    >>> SumMinority()(np.array([[[5.0, 1.0], [0.0, 4.0]]]))
    array([4.])
    """

    native = "sum_minority"

    def __call__(self, counts: Floats) -> Floats:  # noqa: D102
        decrease: Floats = _minority(counts.sum(axis=1)) - _minority(counts).sum(axis=1)
        return decrease


class MaxMinority(Merit):
    """How far the largest minority of a branch falls below the node's (Heath et al. 1993).

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.merits import MaxMinority
    >>> MaxMinority()(np.array([[[5.0, 1.0], [0.0, 4.0]]]))
    array([4.])
    """

    native = "max_minority"

    def __call__(self, counts: Floats) -> Floats:  # noqa: D102
        decrease: Floats = _minority(counts.sum(axis=1)) - _minority(counts).max(axis=1)
        return decrease


class Misclassification(Merit):
    """Decrease of the share of cases outside the largest class of their branch.

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.merits import Misclassification
    >>> Misclassification()(np.array([[[5.0, 1.0], [0.0, 4.0]]]))
    array([0.4])
    """

    native = "misclassification"

    def __call__(self, counts: Floats) -> Floats:  # noqa: D102
        decrease: Floats = SumMinority()(counts) / counts.sum(axis=(1, 2))
        return decrease


def _decrease(counts: Floats, impurity: Impurity) -> Floats:
    share, within = _shares(counts)
    all_in_one = counts.sum(axis=1, keepdims=True)
    _, parent = _shares(all_in_one)
    children: Floats = (share * impurity(within)).sum(axis=1)
    return np.maximum(impurity(parent)[:, 0] - children, 0.0)


def _entropy(p: Floats) -> Floats:
    bits: Floats = -(p * np.log2(p, out=np.zeros_like(p), where=p > 0)).sum(axis=-1)
    return bits


def _minority(counts: Floats) -> Floats:
    others: Floats = counts.sum(axis=-1) - counts.max(axis=-1)
    return others
