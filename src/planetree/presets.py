"""The published systems, as estimators ready to fit.

Each is a function, so that the `repr` of what it returns shows what the system is made of. Options
go through to `planetree.PlaneTreeClassifier`.
"""

from __future__ import annotations

from typing import Any

from planetree.estimator import PlaneTreeClassifier
from planetree.merits import GainRatio, Gini, InformationGain

__all__ = ["CART", "UniG", "UniI"]


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


def UniG(**options: Any) -> PlaneTreeClassifier:  # noqa: N802
    """Univariate tests by the gain ratio: Uni-G of Brodley and Utgoff (1995).

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
    >>> presets.UniG()
    PlaneTreeClassifier(merit=GainRatio())
    """
    return PlaneTreeClassifier(**{"merit": GainRatio(), **options})


def UniI(**options: Any) -> PlaneTreeClassifier:  # noqa: N802
    """Univariate tests by information gain: Uni-I of Brodley and Utgoff (1995).

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
    >>> presets.UniI()
    PlaneTreeClassifier(merit=InformationGain())
    """
    return PlaneTreeClassifier(**{"merit": InformationGain(), **options})
