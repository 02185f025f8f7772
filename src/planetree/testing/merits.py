"""What every merit promises."""

from __future__ import annotations

import numpy as np

from planetree.merits import Merit
from planetree.testing.promises import check_parameters

__all__ = ["check_merit"]


def check_merit(merit: Merit, *, n_branches: int = 2, random_state: int = 0) -> None:
    """Check that a merit keeps the contract of `planetree.merits.Merit`.

    Its worth must be finite, 0 for a test that sends all cases one way, the same for any order of
    branches and classes, unchanged for the other candidates when one is left out; counts must
    be left alone; and it must survive `sklearn.base.clone`.

    Parameters
    ----------
    merit : Merit
        An instance.
    n_branches : int, default=2
        How many branches to try it on.
    random_state : int, default=0
        Seed of the counts.

    Raises
    ------
    AssertionError
        Saying which promise is broken and for which counts.

    Examples
    --------
    >>> from planetree.merits import Gini
    >>> from planetree.testing import check_merit
    >>> check_merit(Gini())
    """
    rng = np.random.default_rng(random_state)
    counts = rng.integers(0, 20, (50, n_branches, 3)).astype(np.float64)
    counts[:, 0, 0] += 1.0  # no candidate is empty
    counts[::7, 1] = 0.0  # but a branch may be
    before = counts.copy()
    name = repr(merit)

    check_parameters(merit)
    worth = np.asarray(merit(counts))
    if worth.shape != (len(counts),):
        raise AssertionError(
            f"{name} must return one number a candidate, shape ({len(counts)},), not {worth.shape}"
        )
    for value, candidate in zip(worth, counts):
        if not np.isfinite(value):
            raise AssertionError(f"{name} is {value} for {candidate.tolist()}")
    if not np.array_equal(counts, before):
        raise AssertionError(f"{name} changes the counts it is given")

    one_way = np.zeros((1, n_branches, 3))
    one_way[0, 0] = 2.0, 4.0, 6.0
    nothing = float(np.asarray(merit(one_way))[0])
    if abs(nothing) > 1e-12:
        raise AssertionError(
            f"{name} gives {nothing} to a test that sends all cases one way; it should give 0"
        )
    for what, other in {
        "branches": counts[:, rng.permutation(n_branches)],
        "classes": counts[:, :, rng.permutation(3)],
    }.items():
        if not np.allclose(merit(other), worth, rtol=1e-9, atol=1e-12):
            raise AssertionError(f"{name} depends on the order of the {what}")
    if not np.allclose(merit(counts[::3]), worth[::3], rtol=1e-9, atol=1e-12):
        raise AssertionError(
            f"{name} judges a candidate by the others beside it; override `compete` for that"
        )
