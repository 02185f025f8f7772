"""scikit-learn's own checks on every preset."""

from __future__ import annotations

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from planetree import PlaneTreeClassifier, RuleClassifier, presets, pruners

# Checks that fail on purpose, and why a user would want it so.
SEPARATES = {
    "check_class_weight_classifiers": (
        "a tree grown until its leaves are pure separates the rows whatever their classes weigh; "
        "scikit-learn's own tree passes only because the check sets its min_weight_fraction_leaf"
    ),
}
HOLDS_OUT = {
    "check_sample_weight_equivalence_on_dense_data": (
        "the cases held out for the pruner are drawn by row: of two equal rows one may be, of a "
        "row of weight 2 no half can"
    ),
}


def preset(name):
    """The preset; one that holds out a tenth of the cases, a third: the checks fit twenty rows."""
    estimator = getattr(presets, name)()
    pruner = getattr(estimator, "pruner", None)
    if pruner is not None and 0 < pruner.held_share < 1 / 3:
        estimator.set_params(pruner__holdout=1 / 3)
    return estimator


FOLDS = {
    "check_sample_weight_equivalence_on_dense_data": (
        "rows are dealt out to the folds one by one: two equal rows may fall into two folds, a row "
        "of weight 2 into one only"
    ),
}
COUNTS_ROWS = {
    "check_sample_weight_equivalence_on_dense_data": (
        "the least rows of a leaf and the penalty count rows, so a row twice is not one of weight 2"
    ),
}

PRICED = {
    "check_sample_weight_equivalence_on_dense_data": (
        "a feature must explain so many rows, so a row twice is not one of weight 2"
    ),
}

ESTIMATORS = [
    presets.CART(pruner=pruners.Unpruned()),
    PlaneTreeClassifier(pruner=pruners.PessimisticBound(raising=True)),
    # The nearest mean is a pipeline of scikit-learn's own parts.
    *(preset(name) for name in presets.__all__ if name != "NearestMean"),
]


def expected_failures(estimator):
    # Least rows of a leaf, and the penalty, count rows: weights may come in any unit.
    tree = getattr(estimator, "tree", estimator)
    counts = COUNTS_ROWS if tree.fractional else {}
    if isinstance(estimator, RuleClassifier):
        return counts
    holds_out = estimator.pruner is not None and estimator.pruner.held_share > 0
    unpruned = estimator.pruner is None or isinstance(estimator.pruner, pruners.Unpruned)
    thresholds = unpruned or (holds_out and estimator.univariate)
    in_folds = getattr(estimator.pruner, "cv", None) is not None
    folds = FOLDS if in_folds or isinstance(estimator.pruner, pruners.CrossValidated) else {}
    separates = SEPARATES if thresholds and not tree.fractional else {}
    priced = PRICED if estimator.refiner is not None else {}
    return counts | priced | folds | separates | (HOLDS_OUT if holds_out else {})


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_failures)
def test_scikit_learn(estimator, check):
    check(estimator)
