"""The system that planetree proposes to those who choose none."""

from __future__ import annotations

from typing import Any

from planetree.estimator import PlaneTreeClassifier
from planetree.learners import Logistic, SmoothMerit
from planetree.pruners import CrossValidated
from planetree.refiners import TAO
from planetree.selectors import Thin

__all__ = ["Default"]


def Default(**options: Any) -> PlaneTreeClassifier:  # noqa: N802
    """The smallest tree that is as good as any: thresholds, planes, or a linear machine.

    What ``PlaneTreeClassifier()`` is, with everything named.

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
    >>> from planetree import datasets, presets
    >>> X, y = datasets.load_monks2(return_X_y=True)
    >>> presets.Default().fit(X, y).n_leaves_
    3
    """
    own = {
        "learner": SmoothMerit(),
        "selector": Thin(),
        "root": Logistic(),
        "refiner": TAO(),
        "pruner": CrossValidated(),
        "min_rows_per_feature": 0.0,
        "min_leaf_rows": 3,
        "max_leaves": 40,
    }
    return PlaneTreeClassifier(**{**own, **options})
