"""The bivariate trees of Bioch, van der Meer and Potharst (1997)."""

from __future__ import annotations

from typing import Any

from planetree import learners
from planetree.estimator import PlaneTreeClassifier
from planetree.merits import Gini
from planetree.pruners import CostComplexity

__all__ = ["BIT1", "BIT2"]


def BIT1(**options: Any) -> PlaneTreeClassifier:  # noqa: N802
    """Planes over two features, beside univariate tests: BIT1 of Bioch et al. (1997).

    All else is as in `BIT2`, but for the scale: CART's own, at every node.

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
    >>> presets.BIT1(random_state=1)
    PlaneTreeClassifier(learner=BIT1(), merit=Gini(),
                        pruner=CostComplexity(keep_root=True, standard_errors=1),
                        random_state=1)
    """
    return _with(learners.BIT1(), options)


def BIT2(**options: Any) -> PlaneTreeClassifier:  # noqa: N802
    """Sums and differences of two features, beside univariate tests: BIT2 of Bioch et al. (1997).

    By the Gini index, on columns scaled to [0, 1] over the training cases; a tenth of them chooses
    among the trees of the weakest-link sequence, with one standard error and never the root alone.

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
    >>> presets.BIT2(random_state=1)
    PlaneTreeClassifier(learner=BIT2(), merit=Gini(),
                        pruner=CostComplexity(keep_root=True, standard_errors=1),
                        random_state=1)
    """
    return _with(learners.BIT2(), options)


def _with(learner: learners.CoefficientLearner, options: dict[str, Any]) -> PlaneTreeClassifier:
    pruner = CostComplexity(0.1, standard_errors=1, keep_root=True)
    system = {"merit": Gini(), "learner": learner, "pruner": pruner}
    return PlaneTreeClassifier(**{**system, **options})
