"""The trees of Murthy, Kasif and Salzberg (1994)."""

from __future__ import annotations

from typing import Any

from planetree import learners
from planetree.estimator import PlaneTreeClassifier
from planetree.merits import Gini
from planetree.pruners import CostComplexity

__all__ = ["OC1"]


def OC1(**options: Any) -> PlaneTreeClassifier:  # noqa: N802
    """Planes found by climbs, jumps and restarts, beside univariate tests: OC1.

    A tenth of the cases chooses among the trees of the weakest-link sequence, with one standard
    error and never the root alone.

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
    >>> presets.OC1().learner
    OC1()
    """
    system = {
        "merit": Gini(),
        "learner": learners.OC1(),
        "pruner": CostComplexity(0.1, standard_errors=1, keep_root=True),
    }
    return PlaneTreeClassifier(**{**system, **options})
