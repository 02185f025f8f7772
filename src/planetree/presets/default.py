"""The systems that planetree proposes itself."""

from __future__ import annotations

from typing import Any

from planetree.estimator import PlaneTreeClassifier
from planetree.learners import Logistic, SmoothMerit
from planetree.pruners import CrossValidated
from planetree.refiners import TAO
from planetree.selectors import Thin

__all__ = ["Default", "Refined"]


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


def Refined(max_leaves: int = 16, **options: Any) -> PlaneTreeClassifier:  # noqa: N802
    """Sparse planes found by gradient and refined, to a number of leaves that you give.

    What `Default` does for one size, in a hurry: without its search for the size, from one start,
    and with planes that learn from as many rows as it takes and are cut by all.

    Parameters
    ----------
    max_leaves : int, default=16
        The most leaves.
    **options : dict
        Any other parameter of `PlaneTreeClassifier`.

    Returns
    -------
    PlaneTreeClassifier
        Not yet fitted.

    Examples
    --------
    >>> from planetree import presets
    >>> from planetree.datasets import make_planes
    >>> X, y = make_planes(2000, random_state=0)
    >>> presets.Refined(max_leaves=8).fit(X, y).n_leaves_
    8
    """
    own = {
        "learner": SmoothMerit(
            (4.0,), n_starts=1, max_iterations=12, tolerance=1e-3, max_rows=2000
        ),
        "selector": Thin(share=0.5),
        "univariate": False,
        "refiner": TAO(sweeps=2, max_rows=10_000),
        "min_rows_per_feature": 0.0,
        "min_leaf_rows": 3,
        "max_leaves": max_leaves,
    }
    return PlaneTreeClassifier(**{**own, **options})
