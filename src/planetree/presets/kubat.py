"""The trees of Kubat and Flotzinger (1995)."""

from __future__ import annotations

from typing import Any

from planetree.estimator import PlaneTreeClassifier
from planetree.learners import LeastSquares
from planetree.pruners import HyperplaneMerging
from planetree.scaling import Raw

__all__ = ["PseudoinverseTree"]


def PseudoinverseTree(**options: Any) -> PlaneTreeClassifier:  # noqa: N802
    """A plane by the pseudoinverse at every node, over all columns: mti of the paper.

    Pruned by merging planes, which is what the paper is about. With targets 1 and -1, as the paper
    has them, a fifth to a half of all planes leave every case on one side; here they are n / n₊
    and -n / n₋, so that each plane passes through the mean of the cases.

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
    >>> presets.PseudoinverseTree()
    PlaneTreeClassifier(learner=LeastSquares(balanced=True, scaling=Raw()),
                        min_rows_per_feature=0, pruner=HyperplaneMerging(),
                        univariate=False)
    """
    own = {
        "learner": LeastSquares(balanced=True, scaling=Raw()),
        "univariate": False,
        "min_rows_per_feature": 0,
        "pruner": HyperplaneMerging(),
    }
    return PlaneTreeClassifier(**{**own, **options})
