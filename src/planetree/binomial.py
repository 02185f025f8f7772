"""The upper end of an error rate, as C4.5 reckons it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["added_errors"]

# Upper tails of the normal distribution and where they begin, as C4.5 tabulates them; between them
# it draws straight lines, and its printed figures show that.
TAIL = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.0)
DEVIATION = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.0)


def added_errors(errors: ArrayLike, n: ArrayLike, confidence: float) -> NDArray[np.float64]:
    """How many errors to add to those seen among `n` cases.

    With them the error rate is the one at which so few errors, or fewer, have the probability
    `confidence`. Exact for no error; from one error on the normal approximation to the binomial
    with its correction for continuity, and a straight line between: release 8 of C4.5.

    Parameters
    ----------
    errors, n : array
        Errors and cases; weights need not be whole.
    confidence : float
        The probability CF.

    Returns
    -------
    ndarray of float64
        One number an entry.

    Examples
    --------
    Quinlan's own figures for 0 of 6, 0 of 9, 0 of 1 and 1 of 16:

    >>> import numpy as np
    >>> from planetree.binomial import added_errors
    >>> e, n = np.array([0, 0, 0, 1]), np.array([6, 9, 1, 16])
    >>> ((e + added_errors(e, n, 0.25)) / n).round(3)
    array([0.206, 0.143, 0.75 , 0.157])
    """
    e, n = np.broadcast_arrays(np.asarray(errors, np.float64), np.asarray(n, np.float64))
    none = n * (1 - confidence ** (1 / n))
    one = _normal(np.ones_like(e), n, confidence)
    return np.where(e < 1, none + e * (one - none), _normal(e, n, confidence))


def _normal(e: NDArray[np.float64], n: NDArray[np.float64], cf: float) -> NDArray[np.float64]:
    z = float(np.interp(cf, TAIL, DEVIATION))
    half = e + 0.5
    inside = np.maximum(half * (1 - half / n) + z * z / 4, 0.0)
    rate = (half + z * z / 2 + z * np.sqrt(inside)) / (n + z * z)
    # Nearly all wrong: the approximation would pass 1.
    added: NDArray[np.float64] = np.where(half >= n, 0.67 * np.maximum(n - e, 0.0), n * rate - e)
    return added
