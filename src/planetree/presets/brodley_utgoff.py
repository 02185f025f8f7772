"""The systems that Brodley and Utgoff (1995) compare."""

from __future__ import annotations

from typing import Any

from planetree.estimator import PlaneTreeClassifier
from planetree.learners import CoefficientLearner, Thermal
from planetree.merits import GainRatio, Gini, InformationGain, Merit
from planetree.presets.quinlan import C45
from planetree.pruners import ReducedError
from planetree.selectors import DSBE, FeatureSelector

__all__ = ["LMDT", "RPC45", "UniG", "UniI", "brodley_utgoff"]


def _pruner() -> ReducedError:
    """A quarter of all cases: a third of what the paper gives each system to learn from."""
    return ReducedError(holdout=1 / 3)


def brodley_utgoff(
    learner: str | CoefficientLearner = "rls",
    selector: str | FeatureSelector = "sbe",
    merit: str | Merit = "gain_ratio",
    univariate: bool = True,
    **options: Any,
) -> PlaneTreeClassifier:
    """Any system of the paper: a learner, a selector and a merit, "+ Uni" or not.

    Pruned by reduced error; a node without a test that has rows enough is a leaf; of equal tests
    the one over fewer columns is taken. "DSBE-G + Uni" of the paper is ``brodley_utgoff("rls",
    "dsbe", "gini")``, "DSBE-I + Uni" is ``brodley_utgoff("rls", "dsbe")``.

    Parameters
    ----------
    learner : str or CoefficientLearner, default="rls"
        What finds the weights: "rls", "pocket", "thermal" or any other of `planetree.learners`.
    selector : str or FeatureSelector, default="sbe"
        What picks the columns: "all", "sbe", "sfs", "dsbe", "hss" or any other of
        `planetree.selectors`.
    merit : str or Merit, default="gain_ratio"
        What makes a split good: "gain_ratio", "information_gain" or any other of
        `planetree.merits`.
    univariate : bool, default=True
        Whether tests of one feature compete: "+ Uni".
    **options : dict
        Any other parameter of `PlaneTreeClassifier`.

    Returns
    -------
    PlaneTreeClassifier
        Not yet fitted.

    Examples
    --------
    >>> from planetree import presets
    >>> presets.brodley_utgoff("thermal", "dsbe", merit="information_gain")
    PlaneTreeClassifier(learner=Thermal(), merit=InformationGain(),
                        pruner=ReducedError(holdout=0.3333333333333333),
                        selector=DSBE())
    >>> presets.brodley_utgoff("rsl")
    Traceback (most recent call last):
    planetree.choices.ChoiceError: no learner rsl, did you mean rls? Known: ...
    """
    from planetree.choices import plug_in

    own = {
        "learner": plug_in("learner", learner),
        "selector": plug_in("selector", selector),
        "merit": plug_in("merit", merit),
        "univariate": univariate,
        "pruner": _pruner(),
    }
    return PlaneTreeClassifier(**{**own, **options})


def LMDT(**options: Any) -> PlaneTreeClassifier:  # noqa: N802
    """Linear Machine Decision Trees (Utgoff and Brodley 1991; Brodley and Utgoff 1995).

    Every test is a linear machine that thermal training has learned, over the columns that
    dispersion-guided elimination has left.

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
    >>> presets.LMDT()
    PlaneTreeClassifier(learner=Thermal(), merit=GainRatio(),
                        pruner=ReducedError(holdout=0.3333333333333333),
                        selector=DSBE(), univariate=False)
    """
    own = {
        "learner": Thermal(),
        "selector": DSBE(),
        "merit": GainRatio(),
        "univariate": False,
        "pruner": _pruner(),
    }
    return PlaneTreeClassifier(**{**own, **options})


def UniG(**options: Any) -> PlaneTreeClassifier:  # noqa: N802
    """Univariate tests by the Gini index: Uni-G of Brodley and Utgoff (1995).

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
    PlaneTreeClassifier(merit=Gini(),
                        pruner=ReducedError(holdout=0.3333333333333333))
    """
    return PlaneTreeClassifier(**{"merit": Gini(), "pruner": _pruner(), **options})


def UniI(**options: Any) -> PlaneTreeClassifier:  # noqa: N802
    """Univariate tests by information gain: Uni-I of Brodley and Utgoff (1995).

    The paper says gain ratio, ``merit=GainRatio()``; its figures are those of the gain: 76 tests on
    the vowel data, where the ratio needs 85.

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
    PlaneTreeClassifier(merit=InformationGain(),
                        pruner=ReducedError(holdout=0.3333333333333333))
    """
    return PlaneTreeClassifier(**{"merit": InformationGain(), "pruner": _pruner(), **options})


def RPC45(**options: Any) -> PlaneTreeClassifier:  # noqa: N802
    """C4.5 pruned by reduced error: RP-C4.5 of Brodley and Utgoff (1995).

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
    >>> presets.RPC45().pruner
    ReducedError(holdout=0.3333333333333333)
    """
    return C45(**{"pruner": _pruner(), **options})
