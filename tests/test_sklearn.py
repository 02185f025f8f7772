"""scikit-learn's own checks on every preset."""

from __future__ import annotations

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from planetree import PlaneTreeClassifier, presets, pruners

# Every entry is a check that fails on purpose, and why a user would want it so.
EXPECTED_FAILURES = {
    "check_class_weight_classifiers": (
        "a tree grown until its leaves are pure separates the rows whatever their classes weigh; "
        "scikit-learn's own tree passes only because the check sets its min_weight_fraction_leaf"
    ),
}

ESTIMATORS = [
    PlaneTreeClassifier(),
    PlaneTreeClassifier(pruner=pruners.PessimisticBound(raising=True)),
    *(getattr(presets, name)() for name in presets.__all__),
]


def expected_failures(estimator):
    return EXPECTED_FAILURES if estimator.pruner is None else {}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_failures)
def test_scikit_learn(estimator, check):
    check(estimator)
