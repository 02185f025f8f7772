"""The trees that Yıldız and Alpaydın (2000) compare."""

from __future__ import annotations

from typing import Any

from sklearn.impute import SimpleImputer
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from planetree import learners, selectors
from planetree.encoding import ColumnEncoder
from planetree.estimator import PlaneTreeClassifier
from planetree.merits import InformationGain

__all__ = ["FSCART", "NearestMean"]


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


def NearestMean() -> Pipeline:  # noqa: N802
    """The class whose mean is nearest: the baseline of Yıldız and Alpaydın.

    Symbols become one 0/1 column a value, missing values the column's mean, and every column has
    mean 0 and deviation 1 before distances are taken.

    Returns
    -------
    sklearn.pipeline.Pipeline
        Not yet fitted.

    Examples
    --------
    >>> from planetree import datasets, presets
    >>> X, y = datasets.load_iris(return_X_y=True, as_frame=True)
    >>> round(presets.NearestMean().fit(X, y).score(X, y), 3)
    0.853
    """
    imputer = SimpleImputer(keep_empty_features=True)
    return make_pipeline(ColumnEncoder(), imputer, StandardScaler(), NearestCentroid())
