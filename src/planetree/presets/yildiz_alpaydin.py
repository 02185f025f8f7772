"""The trees that Yıldız and Alpaydın (2000) compare."""

from __future__ import annotations

from typing import Any

from planetree import learners, selectors
from planetree.estimator import PlaneTreeClassifier
from planetree.merits import InformationGain

__all__ = ["FSCART"]


def FSCART(c: float = 0.1, **options: Any) -> PlaneTreeClassifier:  # noqa: N802
    """Linear combinations over the features that matter: FSCART of Yıldız and Alpaydın (2000).

    By information gain; nodes with fewer than 5 % of the training rows are leaves, and nothing is
    pruned afterwards.

    Parameters
    ----------
    c : float, default=0.1
        A column goes while it is worth less than this share of the best.
    **options : dict
        Any parameter of `PlaneTreeClassifier`.

    Returns
    -------
    PlaneTreeClassifier
        Not yet fitted.

    Examples
    --------
    >>> from planetree import presets
    >>> presets.FSCART(c=0.2).selector
    FSCART(c=0.2)
    """
    system = {
        "merit": InformationGain(),
        "learner": learners.CARTLC(),
        "selector": selectors.FSCART(c),
        "univariate": False,
        "min_share": 0.05,
    }
    return PlaneTreeClassifier(**{**system, **options})
