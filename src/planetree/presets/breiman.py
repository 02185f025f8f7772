"""The trees of Breiman, Friedman, Olshen and Stone (1984)."""

from __future__ import annotations

from typing import Any

from planetree.estimator import PlaneTreeClassifier
from planetree.merits import Gini

__all__ = ["CART"]


def CART(**options: Any) -> PlaneTreeClassifier:  # noqa: N802
    """Univariate tests by the Gini index (Breiman, Friedman, Olshen and Stone 1984).

    Parameters
    ----------
    **options : dict
        Any parameter of `PlaneTreeClassifier`.

    Returns
    -------
    PlaneTreeClassifier
        Not yet fitted.

    Examples
    --------
    >>> from planetree import presets
    >>> presets.CART(max_depth=3)
    PlaneTreeClassifier(max_depth=3, merit=Gini())
    """
    return PlaneTreeClassifier(**{"merit": Gini(), **options})
