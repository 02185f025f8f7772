"""The systems that Brodley and Utgoff (1995) compare."""

from __future__ import annotations

from typing import Any

from planetree.estimator import PlaneTreeClassifier
from planetree.merits import GainRatio, InformationGain

__all__ = ["UniG", "UniI"]


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
